//! Backbone about a board: what is the same in all its solutions, and what can still be which.
//!
//! A formulation names the [parts](crate::puzzle::Part) of a solution that can be told alone, such as cells; each value
//! that a part has in some solution is found, and that there is no other. A field of the solution that has no parts, such as
//! a number of many digits or a path, is told as a whole: the values seen, and whether there are others.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::time::Instant;

use gordian_encodings::Assignment;

use super::race::race;
use super::{AskError, Asked, Outcome, Status, Watch, timed};
use crate::backend::Verdict;
use crate::puzzle::{Formulation, Found, Part, Puzzle, Request};
use crate::render::{self, Line, Role, Scene, Text};
use crate::rules::{Content, Field, Solution, Violation};
use crate::search::{Config, EnumerateError, Fact, Session, Way};

/// What is known of the solutions of a board.
#[derive(Debug)]
pub struct Backbone {
    /// How it was found out. The status is [`Status::Solved`] if all is known; the solution is one of those of the board;
    /// and it is unique, or not, if that is known.
    pub outcome: Outcome,
    /// What is known of each field, those of the solution first. Nothing as long as there is no solution: it has the fields,
    /// and says how they are laid out.
    pub fields: Vec<(String, Known)>,
}

/// What is known of a field of the solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Of each of its parts.
    Parts {
        /// The number of columns, if the field is a grid.
        columns: Option<usize>,
        /// The parts in order.
        parts: Vec<Values>,
    },
    /// Of the field as a whole.
    Whole {
        /// Values that solutions have.
        possible: Vec<Field>,
        /// Whether no solution has another.
        complete: bool,
    },
}

/// The values that a part can have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// Those that some solution has, in order.
    pub possible: Vec<Content>,
    /// Those of which it is not known whether some solution has them, in order.
    pub open: Vec<Content>,
}

impl Values {
    /// The one value that every solution has, if that is known.
    #[must_use]
    pub fn decided(&self) -> Option<Content> {
        match (&self.possible[..], &self.open[..]) {
            (&[value], []) => Some(value),
            _ => None,
        }
    }
}

/// Finds out what can be known of the solutions of a board. Its time begins now.
///
/// # Errors
/// If the means are not there or fail, or if a solution is wrong, which is a bug of ours.
pub fn backbone(puzzle: &dyn Puzzle, config: &Config, watch: &mut dyn Watch) -> Result<Backbone, AskError> {
    if config.threads > 1 {
        let tells_more = |one: &Backbone, other: &Backbone| one.decided() > other.decided();
        let conclusive = |backbone: &Backbone| backbone.outcome.status != Status::Stopped;
        return race(
            puzzle,
            config,
            watch,
            |config, watch| backbone(puzzle, config, watch),
            conclusive,
            tells_more,
        );
    }
    let asked = Asked::new(puzzle, false, config, watch)?;
    let request = Request { objective: None, every: true, parts: true };
    let mut search = Search::new(asked);
    let found = OnceCell::new();
    let mut stages = puzzle.stages_easiest_first(&request, &found);
    while let Some((formulation, session)) = search.asked.next(&mut stages)? {
        let session = search.stage(&formulation, session)?;
        found.get_or_init(|| match &search.asked.outcome {
            Outcome { solution: None, .. } => Found::None,
            Outcome { solution: Some(solution), unique: None, .. } => Found::One(solution.clone()),
            _ => Found::Several,
        });
        search.asked.say_fallbacks(&session);
        search.asked.outcome.add_statistics(&session);
        if search.stopped || search.nothing_left() {
            break;
        }
    }
    search.stopped |= search.asked.stopped;
    Ok(search.backbone())
}

/// What was found so far.
struct Search<'a> {
    asked: Asked<'a>,
    stopped: bool,
    /// By field and index.
    parts: BTreeMap<(&'static str, usize), BTreeMap<Content, Fact>>,
    /// The values of the fields without parts; two are as good as many, since others are not looked for.
    whole: BTreeMap<String, Vec<Field>>,
}

impl<'a> Search<'a> {
    fn new(asked: Asked<'a>) -> Self {
        Self { asked, stopped: false, parts: BTreeMap::new(), whole: BTreeMap::new() }
    }

    /// Takes a solution on the way, after a check.
    fn see(&mut self, formulation: &Formulation, assignment: &Assignment) -> Result<(), AskError> {
        let solution = self.asked.solution(formulation, assignment)?;
        for part in &formulation.parts {
            agrees(part, &solution, assignment).map_err(AskError::WrongSolution)?;
        }
        for (name, value) in solution.fields() {
            if formulation.parts.iter().all(|part| part.field != name) {
                let seen = self.whole.entry(name.to_owned()).or_default();
                if !seen.contains(value) {
                    seen.push(value.clone());
                }
            }
        }
        let Outcome { solution: first, unique, .. } = &mut self.asked.outcome;
        match first {
            None => *first = Some(solution),
            Some(first) if *first != solution => *unique = Some(false),
            Some(_) => {}
        }
        Ok(())
    }

    /// Adds what is to be known of the solutions of a formulation.
    fn stage(&mut self, formulation: &Formulation, mut session: Session) -> Result<Session, AskError> {
        if !formulation.parts.is_empty() {
            self.parts_of(formulation, &mut session)?;
        }
        // Where two solutions are known there is nothing to be learnt of fields as a whole.
        let unique = |search: &Self| search.asked.outcome.unique.is_none();
        let none = !formulation.parts.is_empty() && self.asked.outcome.solution.is_none();
        if self.stopped || none || !unique(self) {
            return Ok(session);
        }
        let mut assignments = session.into_assignments();
        while unique(self) {
            let next = timed(&mut self.asked.outcome.times.solve, || assignments.next());
            match next {
                None => break,
                Some(Ok(assignment)) => self.see(formulation, &assignment)?,
                Some(Err(EnumerateError::Stopped)) => {
                    self.stopped = true;
                    break;
                }
                Some(Err(EnumerateError::Backend(error))) => return Err(error.into()),
            }
        }
        Ok(assignments.into_session())
    }

    fn parts_of(&mut self, formulation: &Formulation, session: &mut Session) -> Result<(), AskError> {
        let start = Instant::now();
        let ways: Vec<Vec<Way>> = formulation.parts.iter().map(ways).collect();
        let mut wrong = None;
        let found = session.backbone(&ways, |assignment| {
            if wrong.is_none() {
                wrong = self.see(formulation, assignment).err();
            }
        })?;
        self.asked.outcome.times.solve += start.elapsed();
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        self.stopped = found.verdict == Verdict::Stopped;
        for ((part, ways), backbone) in formulation.parts.iter().zip(&ways).zip(&found.parts) {
            let known = self.parts.entry((part.field, part.index)).or_default();
            for ((content, _), way) in part.values.iter().zip(ways) {
                let fact = backbone[way.value];
                let before = known.entry(*content).or_insert(fact);
                *before = match (*before, fact) {
                    (Fact::Possible, _) | (_, Fact::Possible) => Fact::Possible,
                    (Fact::Open, _) | (_, Fact::Open) => Fact::Open,
                    (Fact::Impossible, Fact::Impossible) => Fact::Impossible,
                };
            }
        }
        Ok(())
    }

    /// Whether no further stage can add anything.
    fn nothing_left(&self) -> bool {
        self.parts.is_empty() && self.asked.outcome.unique == Some(false)
    }

    fn backbone(self) -> Backbone {
        let Self { asked, stopped, mut parts, mut whole } = self;
        let mut outcome = asked.outcome;
        if outcome.solution.is_none() {
            parts.clear();
        }
        let complete = outcome.unique.is_none() && !stopped;
        let mut fields: Vec<(String, Known)> = Vec::new();
        if let Some(solution) = &outcome.solution {
            for (name, field) in solution.fields() {
                let columns = match field {
                    Field::Grid(grid) => Some(grid.columns()),
                    _ => None,
                };
                let known = match whole.remove(name) {
                    Some(possible) => Known::Whole { possible, complete },
                    None => Known::Parts { columns, parts: Vec::new() },
                };
                fields.push((name.to_owned(), known));
            }
        }
        for ((name, _), backbone) in parts {
            let with = |fact| {
                backbone.iter().filter(|&(_, &known)| known == fact).map(|(content, _)| *content).collect()
            };
            let values = Values { possible: with(Fact::Possible), open: with(Fact::Open) };
            if let Some((_, Known::Parts { parts, .. })) = fields.iter_mut().find(|(known, _)| known == name)
            {
                parts.push(values);
            } else {
                fields.push((name.to_owned(), Known::Parts { columns: None, parts: vec![values] }));
            }
        }
        outcome.status = match (stopped, &outcome.solution) {
            (true, _) => Status::Stopped,
            (false, Some(_)) => Status::Solved,
            (false, None) => Status::None,
        };
        outcome.unique = outcome.unique.or((complete && outcome.solution.is_some()).then_some(true));
        Backbone { outcome, fields }
    }
}

/// The ways of a part: values with the same content are one.
fn ways(part: &Part) -> Vec<Way> {
    let mut numbers = BTreeMap::new();
    let way = |(content, lits): &(Content, Vec<_>)| {
        let next = numbers.len();
        Way { value: *numbers.entry(*content).or_insert(next), lits: lits.clone() }
    };
    part.values.iter().map(way).collect()
}

/// Whether what the literals say of a part is what stands in the solution.
fn agrees(part: &Part, solution: &Solution, assignment: &Assignment) -> Result<(), Violation> {
    let wrong =
        |what: &str| Err(Violation::new(format!("part {} of `{}` has {what}", part.index, part.field)));
    let holding = part.values.iter().filter(|(_, lits)| lits.iter().all(|&lit| assignment.lit(lit)));
    let mut contents = holding.map(|(content, _)| *content);
    let Some(content) = contents.next() else { return wrong("no value") };
    if contents.any(|other| other != content) {
        return wrong("two values");
    }
    let stands = match solution.get(part.field) {
        Some(Field::Grid(grid)) => grid.cells().get(part.index).copied(),
        Some(Field::Numbers(numbers)) => numbers.get(part.index).copied(),
        _ => None,
    };
    match (content, stands) {
        (Content::Number(said), Some(stands)) if said != stands => wrong("another value than the solution"),
        _ => Ok(()),
    }
}

/// Stands for what has several values.
pub const SEVERAL: &str = "?";
/// Stands for what may have one value or several.
pub const UNKNOWN: &str = "*";

impl Backbone {
    /// How many parts nothing is open of.
    fn decided(&self) -> usize {
        let parts = self.fields.iter().map(|(_, known)| match known {
            Known::Parts { parts, .. } => parts.iter().filter(|values| values.open.is_empty()).count(),
            Known::Whole { complete, .. } => usize::from(*complete),
        });
        parts.sum()
    }

    /// Whether there is anything of which it is not known whether solutions differ.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.fields.iter().any(|(_, known)| match known {
            Known::Parts { parts, .. } => {
                parts.iter().any(|values| values.possible.len() < 2 && !values.open.is_empty())
            }
            Known::Whole { possible, complete } => possible.len() < 2 && !complete,
        })
    }

    /// The board with what every solution has; [`SEVERAL`] and [`UNKNOWN`] stand for the rest.
    #[must_use]
    pub fn draw(&self, puzzle: &dyn Puzzle) -> Scene {
        let Some(solution) = &self.outcome.solution else { return puzzle.draw(None) };
        let drawn = puzzle.draw(Some(solution));
        if self.outcome.unique == Some(true) {
            return drawn;
        }
        let grid = self.fields.iter().find_map(|(_, known)| match known {
            Known::Parts { columns: Some(_), parts } => Some(parts),
            _ => None,
        });
        let scene = match grid {
            Some(parts) => puzzle.draw(None).backbone(&drawn, |cell| parts[cell].fact()),
            None => Scene::default(),
        };
        let lines = self.fields.iter().filter_map(|(name, known)| match known {
            Known::Parts { columns: Some(_), .. } => None,
            Known::Parts { columns: None, parts } => {
                let token = |values: &Values| {
                    values.decided().map_or(values.symbol().to_owned(), |value| value.to_string())
                };
                Some(format!("{name} = {}", parts.iter().map(token).collect::<Vec<_>>().join(" ")))
            }
            Known::Whole { possible, .. } => Some(format!("{name} = {}", symbol(possible.len()))),
        });
        scene.with_lines(lines.map(|line| Line::Solution(Text::new(line, Role::Plain))))
    }
}

impl Values {
    fn fact(&self) -> render::Fact {
        match self.decided() {
            Some(Content::Number(_)) => render::Fact::Known,
            Some(Content::Word(word)) => render::Fact::Partly(word.to_owned()),
            None => render::Fact::Open(self.symbol()),
        }
    }

    fn symbol(&self) -> &'static str {
        symbol(self.possible.len())
    }
}

/// What stands for a part that is not decided.
fn symbol(possible: usize) -> &'static str {
    if possible > 1 { SEVERAL } else { UNKNOWN }
}
