//! Boards with given values: solutions must satisfy the rules and additional facts such as `r3c4=sea`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use gordian_encodings::constraint::Clause;
use gordian_encodings::{Lit, Model};

use super::plain::{names, parse_fact, part_name};
use super::{Fact, FactWords, Formulation, Part, Puzzle, PuzzleType, Query, Shape};
use crate::format::{InputError, Source};
use crate::render::Scene;
use crate::rules::{Content, Field, Grid, Rules, Solution, Violation};

/// A board with given values. Its solutions are the solutions of the original board that have the given values.
#[derive(Debug)]
pub struct Given {
    puzzle: Box<dyn Puzzle>,
    facts: Vec<GivenFact>,
}

/// The error for a text that does not state a fact about the solutions of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{text}`")]
pub struct NoFact {
    /// The text.
    pub text: String,
    /// A description of the expected text, such as "a fact about the same place".
    pub expected: String,
}

#[derive(Debug, Clone)]
struct GivenFact {
    text: String,
    claim: Claim,
}

/// The statement that a given fact makes about a solution.
#[derive(Debug, Clone)]
enum Claim {
    /// The values of a [part](super::Part).
    Part { field: Cow<'static, str>, index: usize, allowed: Allowed },
    /// Whether one of [`Formulation::facts`] is true.
    Fact { place: String, holds: bool },
}

/// The values that a fact allows.
#[derive(Debug, Clone, Copy)]
enum Allowed {
    Only(Content),
    Except(Content),
}

impl Allowed {
    fn allows(self, content: Content) -> bool {
        match (self, content) {
            (Self::Only(only), content) => only == content,
            (Self::Except(except), content) => except != content,
        }
    }

    /// Returns whether the fact allows the given number in a solution. Solutions contain numbers where the backbone
    /// contains words.
    fn allows_number(self, number: i128) -> bool {
        match self {
            Self::Only(Content::Word(_)) => number != 0,
            _ => self.allows(Content::Number(number)),
        }
    }
}

impl Given {
    /// Adds given values to a board, which must not have unbounded variables. Each text states a fact such as
    /// `r3c4=sea`, as in explanations, or `r3c4=2`, with a value as printed by `gordian backbone`.
    ///
    /// # Errors
    /// Returns an error for the first text that is not a fact about solutions of the board.
    pub fn new(puzzle: Box<dyn Puzzle>, texts: &[String]) -> Result<Self, NoFact> {
        let places =
            texts.iter().flat_map(|text| names(text.split_once('=').map_or(text, |(place, _)| place)));
        let known = known_facts(&*puzzle, &places.collect());
        let size = puzzle.draw(None).size();
        let fact = |text: &String| {
            let known = known.iter().map(|(place, word, claim)| (&**place, &**word, claim));
            let claim =
                parse_fact(text, known, size).map_err(|expected| NoFact { text: text.clone(), expected })?;
            Ok(GivenFact { text: text.clone(), claim: claim.clone() })
        };
        let facts = texts.iter().map(fact).collect::<Result<_, _>>()?;
        Ok(Self { puzzle, facts })
    }

    /// Adds the given values to a formulation.
    fn restrict(&self, mut formulation: Formulation) -> Formulation {
        let Formulation { model, parts, facts, .. } = &mut formulation;
        for GivenFact { text, claim } in &self.facts {
            let name = format!("given {text}");
            let (field, index, allowed) = match claim {
                Claim::Part { field, index, allowed } => (field, *index, allowed),
                Claim::Fact { place, holds } => {
                    let fact = facts.iter().find(|fact| fact.place == *place);
                    let lit = fact.expect("each formulation with all parts has the same facts").lit;
                    model.post_as(name, Clause::new([if *holds { lit } else { !lit }]));
                    continue;
                }
            };
            let is_here = |part: &&super::Part| part.index == index && part.field == *field;
            let part =
                parts.iter().find(is_here).expect("each formulation with all parts has the same parts");
            let is_allowed = |(content, _): &&(Content, Vec<Lit>)| allowed.allows(*content);
            let mut allowed = part.values.iter().filter(is_allowed);
            if let (Some((_, lits)), None) = (allowed.next(), allowed.next()) {
                for &lit in lits {
                    model.post_as(name.clone(), Clause::new([lit]));
                }
            } else {
                // Since the part has exactly one value, it suffices to exclude the values that are not allowed.
                for (_, lits) in part.values.iter().filter(|value| !is_allowed(value)) {
                    let clause: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
                    model.post_as(name.clone(), Clause::new(clause));
                }
            }
        }
        formulation
    }
}

/// Returns the facts at the given places, each with its place and the word for its value. The list always contains the
/// facts about the first part of the solution, as examples for error messages.
fn known_facts(puzzle: &dyn Puzzle, places: &HashSet<String>) -> Vec<(String, String, Claim)> {
    let columns = puzzle.draw(None).columns();
    let Formulation { parts, facts: others, .. } = puzzle.formulate_all(&Query::Backbone);
    let rows = puzzle.puzzle_type().fields;
    let mut facts = Vec::new();
    for part in &parts {
        let row = rows.iter().find(|row| row.name == part.field);
        let columns = columns.filter(|_| row.is_some_and(|row| row.shape == Shape::Rows));
        let is_single =
            columns.is_none() && parts.iter().filter(|other| other.field == part.field).nth(1).is_none();
        let place = part_name(&part.field, part.index, columns, is_single);
        if !facts.is_empty() && !places.contains(&place) {
            continue;
        }
        let mut add = |word: &str, allowed| {
            let claim = Claim::Part { field: part.field.clone(), index: part.index, allowed };
            facts.push((place.clone(), word.to_owned(), claim));
        };
        let mut contents: Vec<Content> = part.values.iter().map(|(content, _)| *content).collect();
        contents.sort_unstable();
        contents.dedup();
        for content in &contents {
            add(&content.to_string(), Allowed::Only(*content));
        }
        if let Some(FactWords { zero, other }) = row.and_then(|row| row.words) {
            add(zero, Allowed::Only(Content::Number(0)));
            add(other, Allowed::Except(Content::Number(0)));
        } else {
            for content in contents {
                add(&format!("not-{content}"), Allowed::Except(content));
            }
        }
    }
    for fact in others.into_iter().filter(|fact| places.contains(&fact.place)) {
        for (word, holds) in fact.words.into_iter().zip([false, true]) {
            facts.push((fact.place.clone(), word, Claim::Fact { place: fact.place.clone(), holds }));
        }
    }
    facts
}

/// Returns the model of a board for solving, with a literal for each of the given facts about the board. The literal is
/// true in exactly the solutions in which the fact is true. Returns `None` if the formulation for solving does not
/// determine all facts.
pub(crate) fn model_with_facts(puzzle: &dyn Puzzle, facts: &[Fact]) -> Option<(Model, Vec<Lit>)> {
    let places = facts.iter().map(|fact| fact.place.clone()).collect();
    let mut claims = HashMap::new();
    for (place, word, claim) in known_facts(puzzle, &places) {
        claims.entry((place, word)).or_insert(claim);
    }
    let Formulation { mut model, parts, facts: others, .. } = puzzle.formulate_all(&Query::Backbone);
    let parts: HashMap<(&str, usize), &Part> =
        parts.iter().map(|part| ((&*part.field, part.index), part)).collect();
    let mut lit = |fact: &Fact| match claims.get(&(fact.place.clone(), fact.words[1].clone()))? {
        Claim::Fact { place, holds } => {
            let lit = others.iter().find(|other| other.place == *place)?.lit;
            Some(if *holds { lit } else { !lit })
        }
        Claim::Part { field, index, allowed } => {
            let values = &parts.get(&(&**field, *index))?.values;
            let values = values.iter().filter(|(content, _)| allowed.allows(*content));
            let others: Vec<Lit> = values.map(|(_, lits)| !all_of(&mut model, lits)).collect();
            Some(!all_of(&mut model, &others))
        }
    };
    let lits = facts.iter().map(&mut lit).collect::<Option<_>>()?;
    Some((model, lits))
}

/// Returns a literal that is true if all of `lits` are true.
fn all_of(model: &mut Model, lits: &[Lit]) -> Lit {
    if let [lit] = lits {
        return *lit;
    }
    let all = model.boolean();
    for &lit in lits {
        model.post(Clause::new([!all, lit]));
    }
    let negated = lits.iter().map(|&lit| !lit);
    model.post(Clause::new(negated.chain([all]).collect::<Vec<_>>()));
    all
}

impl Rules for Given {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        self.puzzle.check(solution)?;
        for GivenFact { text, claim } in &self.facts {
            let wrong = |found: String| Err(Violation::new(format!("{found} contradicts the given {text}")));
            match claim {
                Claim::Part { field, index, allowed } => {
                    let number = match solution.get(field) {
                        Some(Field::Number(number)) => Some(*number),
                        Some(Field::Numbers(numbers)) => numbers.get(*index).copied(),
                        Some(Field::Grid(grid)) => grid.cells().get(*index).copied(),
                        // The field occurs only in the output of `gordian backbone`.
                        _ => None,
                    };
                    if let Some(number) = number.filter(|&number| !allowed.allows_number(number)) {
                        return wrong(format!("the value {number}"));
                    }
                }
                Claim::Fact { place, holds } => {
                    if self.puzzle.states(solution, place) == Some(!holds) {
                        return wrong("the solution".to_owned());
                    }
                }
            }
        }
        Ok(())
    }
}

impl Puzzle for Given {
    fn puzzle_type(&self) -> &'static PuzzleType {
        self.puzzle.puzzle_type()
    }

    fn formulate(&self, query: &Query) -> Formulation {
        self.restrict(self.puzzle.formulate_all(query))
    }

    fn formulate_for_sweep(&self, _: &Query) -> Option<Formulation> {
        let formulation = self.puzzle.formulate_for_sweep(&Query::CountValues)?;
        Some(self.restrict(formulation))
    }

    fn one_assignment_per_solution(&self) -> bool {
        self.puzzle.one_assignment_per_solution()
    }

    fn unbounded(&self) -> Vec<String> {
        self.puzzle.unbounded()
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        self.puzzle.draw(solution)
    }

    fn read_solution(&self, text: &Source) -> Result<Solution, InputError> {
        self.puzzle.read_solution(text)
    }

    fn read_partial(&self, text: &Source) -> Option<Result<Grid<Option<i128>>, InputError>> {
        self.puzzle.read_partial(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{self, ReadOptions};

    #[test]
    fn only_facts_at_the_given_places_are_listed() {
        let source = Source::new("board", "numberlink\n1 . .\n1 . .\n");
        let puzzle = read::board(&source, &ReadOptions::default()).unwrap().puzzle;
        let facts = known_facts(&*puzzle, &["r1c3", "r1c2-r1c3", "r9c9"].map(str::to_owned).into());
        let texts: Vec<String> = facts.iter().map(|(place, word, _)| format!("{place}={word}")).collect();
        assert_eq!(
            texts,
            [
                "r1c1=1",
                "r1c1=not-1",
                "r1c3=0",
                "r1c3=1",
                "r1c3=not-0",
                "r1c3=not-1",
                "r1c2-r1c3=open",
                "r1c2-r1c3=line"
            ]
        );
    }
}
