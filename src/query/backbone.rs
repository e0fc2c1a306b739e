//! Finds the backbone of a puzzle, that is, the values that all solutions have in common.
//!
//! A formulation declares the [parts](crate::puzzle::Part) of a solution, such as cells. For each part, the search
//! finds every value that the part has in some solution. A field without parts, such as a path or a number with many
//! digits, is treated as a single value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;

use gordian_encodings::Assignment;

use super::{Outcome, QueryError, QueryRun, Status, certificate};
use crate::backend::Verdict;
use crate::puzzle::{Formulation, Part, StageOutcome, Stages};
use crate::rules::{Content, Field, Solution, Violation};
use crate::search::{Session, ValueStatus, Way};

/// The possible values of each field. The list contains the fields of the solution, followed by fields that occur only
/// in the parts of a formulation. The list is empty if no solution is known.
pub type Backbone = Vec<(String, FieldValues)>;

/// The possible values of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValues {
    /// The values of each part of the field.
    Parts {
        /// The number of columns of the field, if it is a grid.
        columns: Option<usize>,
        /// The values of each part, sorted by the index of the part.
        parts: Vec<PartValues>,
    },
    /// The values of a field without parts.
    Whole {
        /// The values of the field in the solutions found so far.
        possible: Vec<Field>,
        /// True if `possible` contains all values that the field has in solutions.
        complete: bool,
    },
}

/// The possible values of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartValues {
    /// The values that the part has in some solution, in ascending order.
    pub possible: Vec<Content>,
    /// The values that were undecided when a limit was reached, in ascending order.
    pub open: Vec<Content>,
}

impl PartValues {
    /// Returns the possible values of a numeric field that has no parts except this one.
    fn of_number(&self) -> FieldValues {
        let number = |content: &Content| match content {
            Content::Number(number) => Some(Field::Number(*number)),
            Content::Word(_) => None,
        };
        let possible = self.possible.iter().filter_map(number).collect();
        FieldValues::Whole { possible, complete: self.open.is_empty() }
    }

    /// Returns the forced value of the part, or `None` if no value is known to be forced.
    #[must_use]
    pub fn forced(&self) -> Option<Content> {
        match (&self.possible[..], &self.open[..]) {
            (&[value], []) => Some(value),
            _ => None,
        }
    }
}

impl FieldValues {
    /// Returns the number of parts whose values are all decided. For a field without parts, returns 1 if all its
    /// values are known, and 0 otherwise.
    pub(super) fn complete(&self) -> usize {
        match self {
            Self::Parts { parts, .. } => parts.iter().filter(|values| values.open.is_empty()).count(),
            Self::Whole { complete, .. } => usize::from(*complete),
        }
    }

    /// Returns whether the field, or some part of it, has at most one known value but may have further values.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        match self {
            Self::Parts { parts, .. } => {
                parts.iter().any(|values| values.possible.len() < 2 && !values.open.is_empty())
            }
            Self::Whole { possible, complete } => possible.len() < 2 && !complete,
        }
    }
}

impl QueryRun<'_> {
    /// Runs a query [`Query::Backbone`](super::Query::Backbone).
    pub(super) fn backbone(self, mut stages: Stages<'_>) -> Result<Outcome, QueryError> {
        let mut search = BackboneSearch::new(self);
        let mut before = StageOutcome::None;
        while let Some((formulation, session)) = search.run.next(&mut stages, &before)? {
            let session = search.stage(&formulation, session)?;
            before = match &search.run.outcome {
                Outcome { solution: None, .. } => StageOutcome::None,
                Outcome { solution: Some(solution), unique: None, .. } => StageOutcome::One(solution.clone()),
                _ => StageOutcome::Several,
            };
            search.run.end(&formulation, &session);
            if search.run.stopped || search.nothing_left() {
                break;
            }
        }
        Ok(search.outcome())
    }
}

/// The state of the search for the backbone.
struct BackboneSearch<'a> {
    run: QueryRun<'a>,
    /// The status of each value, by field name and part index.
    parts: BTreeMap<(Cow<'static, str>, usize), BTreeMap<Content, ValueStatus>>,
    /// The values that were found for the fields without parts, at most two for each field.
    whole: BTreeMap<String, Vec<Field>>,
}

impl<'a> BackboneSearch<'a> {
    fn new(run: QueryRun<'a>) -> Self {
        Self { run, parts: BTreeMap::new(), whole: BTreeMap::new() }
    }

    /// Decodes and checks a solution, and records the values of all fields.
    fn note(&mut self, formulation: &Formulation, assignment: &Assignment) -> Result<(), QueryError> {
        let solution = self.run.solution(formulation, assignment)?;
        for part in &formulation.parts {
            value_of(part, &solution, assignment).map_err(QueryError::WrongSolution)?;
        }
        for (name, value) in solution.fields() {
            if formulation.parts.iter().all(|part| part.field != name) {
                let seen = self.whole.entry(name.to_owned()).or_default();
                if !seen.contains(value) {
                    seen.push(value.clone());
                }
            }
        }
        if self.run.recorder.is_some() {
            self.run.outcome.witnesses.push(solution.clone());
        }
        let Outcome { solution: first, unique, .. } = &mut self.run.outcome;
        match first {
            None => *first = Some(solution),
            Some(first) if *first != solution => *unique = Some(false),
            Some(_) => {}
        }
        Ok(())
    }

    /// Finds the values that occur in solutions of a formulation, and adds them to the values found in earlier
    /// formulations.
    fn stage(&mut self, formulation: &Formulation, mut session: Session) -> Result<Session, QueryError> {
        let has_parts = !formulation.parts.is_empty();
        // If all fields consist of parts, and each part has one value, there is only one solution.
        let is_only = has_parts && self.parts_of(formulation, &mut session)? && self.whole.is_empty();
        // Once two solutions are known, further solutions add nothing to the fields without parts.
        let unique = |search: &Self| search.run.outcome.unique.is_none();
        let none = has_parts && self.run.outcome.solution.is_none();
        if self.run.stopped || none || is_only || !unique(self) {
            return Ok(session);
        }
        let mut assignments = session.into_assignments();
        while unique(self) {
            let Some(assignment) = self.run.next_of(&mut assignments)? else { break };
            self.note(formulation, &assignment)?;
        }
        Ok(assignments.into_session())
    }

    /// Finds the values of the parts of a formulation. Returns true if each part has exactly one value.
    fn parts_of(&mut self, formulation: &Formulation, session: &mut Session) -> Result<bool, QueryError> {
        let start = Instant::now();
        let ways: Vec<Vec<Way>> = formulation.parts.iter().map(ways).collect();
        let mut wrong = None;
        let found = session.backbone(&ways, |assignment| {
            if wrong.is_none() {
                wrong = self.note(formulation, assignment).err();
            }
        })?;
        self.run.outcome.times.solve += start.elapsed();
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        self.run.stopped = found.verdict == Verdict::Stopped;
        if let Some(recorder) = &self.run.recorder {
            let values = ways.iter().zip(&found.parts);
            let impossible = values.flat_map(|(ways, statuses)| {
                ways.iter().filter(|way| statuses[way.value] == ValueStatus::Impossible)
            });
            certificate::require_one(recorder, impossible.map(|way| &way.lits[..]))?;
        }
        for ((part, ways), statuses) in formulation.parts.iter().zip(&ways).zip(&found.parts) {
            let known = self.parts.entry((part.field.clone(), part.index)).or_default();
            for ((content, _), way) in part.values.iter().zip(ways) {
                let status = statuses[way.value];
                let before = known.entry(*content).or_insert(status);
                // If a value is open in a formulation that restricts unbounded variables, a later one may decide it.
                *before = match (*before, status) {
                    (ValueStatus::Possible, _) | (_, ValueStatus::Possible) => ValueStatus::Possible,
                    (_, later) => later,
                };
            }
        }
        let is_forced = |statuses: &Vec<ValueStatus>| {
            let is = |wanted| statuses.iter().filter(move |&&status| status == wanted).count();
            is(ValueStatus::Possible) == 1 && is(ValueStatus::Open) == 0
        };
        Ok(found.parts.iter().all(is_forced))
    }

    /// Returns whether the outcome is final: no further formulation can change it.
    fn nothing_left(&self) -> bool {
        self.parts.is_empty() && self.run.outcome.unique == Some(false)
    }

    fn outcome(self) -> Outcome {
        let Self { run: QueryRun { mut outcome, stopped, .. }, mut parts, mut whole } = self;
        if outcome.solution.is_none() {
            parts.clear();
        }
        let complete = outcome.unique.is_none() && !stopped;
        let mut fields: Backbone = Vec::new();
        if let Some(solution) = &outcome.solution {
            for (name, field) in solution.fields() {
                let columns = match field {
                    Field::Grid(grid) => Some(grid.columns()),
                    _ => None,
                };
                let values = match whole.remove(name) {
                    Some(possible) => FieldValues::Whole { possible, complete },
                    None => FieldValues::Parts { columns, parts: Vec::new() },
                };
                fields.push((name.to_owned(), values));
            }
        }
        for ((name, _), statuses) in parts {
            let with = |status| {
                statuses.iter().filter(|&(_, &known)| known == status).map(|(content, _)| *content).collect()
            };
            let part = PartValues { possible: with(ValueStatus::Possible), open: with(ValueStatus::Open) };
            let field = fields.iter_mut().find(|(field, _)| *field == name);
            let number = outcome.solution.as_ref().and_then(|solution| solution.get(&name));
            match field {
                // A numeric field consists of a single part: the number itself.
                Some((_, values)) if matches!(number, Some(Field::Number(_))) => *values = part.of_number(),
                Some((_, FieldValues::Parts { parts, .. })) => parts.push(part),
                _ => {
                    fields.push((name.into_owned(), FieldValues::Parts { columns: None, parts: vec![part] }));
                }
            }
        }
        outcome.status = match (stopped, &outcome.solution) {
            (true, _) => Status::Stopped,
            (false, Some(_)) => Status::Solved,
            (false, None) => Status::None,
        };
        outcome.unique = outcome.unique.or((complete && outcome.solution.is_some()).then_some(true));
        outcome.backbone = Some(fields);
        outcome
    }
}

/// Returns the ways in which a part takes its values. Ways for the same value have the same [`Way::value`].
fn ways(part: &Part) -> Vec<Way> {
    let mut numbers = BTreeMap::new();
    let way = |(content, lits): &(Content, Vec<_>)| {
        let next = numbers.len();
        Way { value: *numbers.entry(*content).or_insert(next), lits: lits.clone() }
    };
    part.values.iter().map(way).collect()
}

/// Returns the value of a part. Returns an error if the literals of the part contradict the decoded solution.
pub(super) fn value_of(
    part: &Part,
    solution: &Solution,
    assignment: &Assignment,
) -> Result<Content, Violation> {
    let wrong =
        |what: &str| Err(Violation::new(format!("part {} of `{}` has {what}", part.index, part.field)));
    let holding = part.values.iter().filter(|(_, lits)| lits.iter().all(|&lit| assignment.lit(lit)));
    let mut contents = holding.map(|(content, _)| *content);
    let Some(content) = contents.next() else { return wrong("no value") };
    if contents.any(|other| other != content) {
        return wrong("two values");
    }
    let stands = match solution.get(&part.field) {
        Some(Field::Grid(grid)) => grid.cells().get(part.index).copied(),
        Some(Field::Numbers(numbers)) => numbers.get(part.index).copied(),
        _ => None,
    };
    match (content, stands) {
        (Content::Number(said), Some(stands)) if said != stands => wrong("another value than the solution"),
        _ => Ok(content),
    }
}
