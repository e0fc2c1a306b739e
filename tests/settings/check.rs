//! Compares the outcomes of queries with the solutions that brute force finds.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use gordian::flatzinc::Flat;
use gordian::puzzle::{self, Puzzle};
use gordian::query::{self, FieldValues, Observer, Outcome, QueryError, Status};
use gordian::rules::{Content, Field, Solution};
use gordian::search::SolveError;
use gordian_encodings::Value;
use gordian_flatzinc::instance::{Goal, Instance};

use crate::settings::Settings;

/// The queries. Each is compared with brute force on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Query {
    Satisfy,
    Enumerate,
    Some(usize),
    Optimise,
    AllOptimal,
    Count,
    CountValues,
    Unique,
    Backbone,
}

pub(crate) const QUERIES: [Query; 9] = [
    Query::Satisfy,
    Query::Enumerate,
    Query::Some(2),
    Query::Optimise,
    Query::AllOptimal,
    Query::Count,
    Query::CountValues,
    Query::Unique,
    Query::Backbone,
];

/// The values of all outputs.
pub(crate) type Row = Vec<Value>;

/// The result of a check that found no mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Right,
    /// The instance is refused, because numbers are too large.
    Refused,
}

/// Returns the values of the outputs in a solution.
fn row(instance: &Instance, solution: &Solution) -> Row {
    let values = |name: &str| match solution.get(name) {
        Some(Field::Number(value)) => vec![*value],
        Some(Field::Numbers(values)) => values.clone(),
        other => panic!("`{name}` is {other:?}"),
    };
    instance.output.iter().flat_map(|output| values(&output.name)).collect()
}

/// Collects the solutions of an enumeration, including repeated ones.
struct Rows<'a> {
    instance: &'a Instance,
    rows: Vec<Row>,
}

impl Observer for Rows<'_> {
    fn solution(&mut self, _: &dyn Puzzle, solution: &Solution, _: usize, _: Option<u128>) -> io::Result<()> {
        self.rows.push(row(self.instance, solution));
        Ok(())
    }
}

fn run(flat: &Flat, query: puzzle::Query, settings: &Settings) -> Result<(Outcome, Vec<Row>), String> {
    let mut rows = Rows { instance: flat.instance(), rows: Vec::new() };
    match query::run(flat, query, &settings.config(), &mut rows) {
        Ok(outcome) => Ok((outcome, rows.rows)),
        Err(QueryError::Search(SolveError::Objective(_))) => Err(TOO_GREAT.to_owned()),
        Err(error) => Err(format!("error: {error}")),
    }
}

/// The error for an objective with too many values, which is refused.
const TOO_GREAT: &str = "the objective has too many values";

pub(crate) fn expect<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {expected:?}")) }
}

/// Checks that an enumeration found each row once.
pub(crate) fn each_once(found: Vec<Row>, expected: &BTreeSet<Row>) -> Result<(), String> {
    let mut sorted = found;
    sorted.sort_unstable();
    expect("solutions", &sorted, &expected.iter().cloned().collect())
}

/// The values of all outputs in all solutions, each with the objective value (0 without an objective).
pub(crate) type Solutions = BTreeSet<(Row, Value)>;

/// Runs a query, and compares its outcome with the solutions. Returns a description of the first difference.
pub(crate) fn check(
    instance: Instance,
    is_annotated: bool,
    query: Query,
    settings: &Settings,
    solutions: &Solutions,
) -> Result<Checked, String> {
    let checked = catching(|| compare(instance, is_annotated, query, settings, solutions));
    if checked == Err(TOO_GREAT.to_owned()) { Ok(Checked::Refused) } else { checked }
}

/// Runs a check. A panic is a wrong outcome.
pub(crate) fn catching(check: impl FnOnce() -> Result<Checked, String>) -> Result<Checked, String> {
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default()))
    })
}

fn compare(
    instance: Instance,
    is_annotated: bool,
    query: Query,
    settings: &Settings,
    solutions: &Solutions,
) -> Result<Checked, String> {
    let instance = Arc::new(instance);
    let Ok(flat) = Flat::new(Arc::clone(&instance)) else { return Ok(Checked::Refused) };
    let flat = if is_annotated { flat.annotated() } else { flat };
    let rows: BTreeSet<Row> = solutions.iter().map(|(row, _)| row.clone()).collect();
    let status = if rows.is_empty() { Status::None } else { Status::Solved };
    let values = solutions.iter().map(|&(_, value)| value);
    let best = match &instance.goal {
        Goal::Maximise(_) => values.max(),
        _ => values.min(),
    };
    match query {
        Query::Satisfy => {
            let (outcome, _) = run(&flat, puzzle::Query::Satisfy, settings)?;
            expect("status", &outcome.status, &status)?;
            one_of(&instance, &outcome, &rows)?;
        }
        Query::Enumerate => {
            let (outcome, found) = run(&flat, puzzle::Query::Enumerate { limit: None }, settings)?;
            each_once(found, &rows)?;
            expect("status", &outcome.status, &status)?;
        }
        Query::Some(limit) => {
            let (_, found) = run(&flat, puzzle::Query::Enumerate { limit: Some(limit) }, settings)?;
            let distinct: BTreeSet<Row> = found.iter().cloned().collect();
            expect(
                "number",
                &(found.len(), distinct.len()),
                &(limit.min(rows.len()), limit.min(rows.len())),
            )?;
            expect("some solution", &distinct.is_subset(&rows), &true)?;
        }
        Query::Optimise | Query::AllOptimal => {
            let Some(objective) = flat.puzzle_type().objectives.first() else { return Ok(Checked::Right) };
            let (outcome, _) = run(&flat, puzzle::Query::Optimise(objective), settings)?;
            let status = if rows.is_empty() { Status::None } else { Status::Optimal };
            expect("status", &outcome.status, &status)?;
            let found = outcome.objective.as_ref().map(|&(_, value, bound)| (value, bound));
            expect("optimum and bound", &found, &best.map(|best| (best, best)))?;
            let optimal = solutions.iter().filter(|&&(_, value)| Some(value) == best);
            let optimal: BTreeSet<Row> = optimal.map(|(row, _)| row.clone()).collect();
            one_of(&instance, &outcome, &optimal)?;
            if let (Query::AllOptimal, Some(best)) = (query, best) {
                let fixed = flat.with_objective(best).map_err(|error| error.to_string())?;
                let (outcome, found) = run(&fixed, puzzle::Query::Enumerate { limit: None }, settings)?;
                each_once(found, &optimal)?;
                expect("status of all optimal", &outcome.status, &Status::Solved)?;
            }
        }
        Query::Count => {
            let (outcome, _) = run(&flat, puzzle::Query::Count, settings)?;
            expect("status", &outcome.status, &status)?;
            expect("count", &outcome.count.map(|count| count.to_string()), &Some(rows.len().to_string()))?;
        }
        Query::CountValues => {
            let (outcome, _) = run(&flat, puzzle::Query::CountValues, settings)?;
            expect("count", &outcome.count.as_ref().map(ToString::to_string), &Some(rows.len().to_string()))?;
            value_counts(&instance, &outcome, &rows)?;
        }
        Query::Unique => {
            let (outcome, _) = run(&flat, puzzle::Query::Unique, settings)?;
            expect("status", &outcome.status, &status)?;
            expect("unique", &outcome.unique, &(!rows.is_empty()).then_some(rows.len() == 1))?;
            let found: BTreeSet<Row> = outcome
                .solution
                .iter()
                .chain(&outcome.other)
                .map(|solution| row(&instance, solution))
                .collect();
            expect("shown solutions", &found.len(), &rows.len().min(2))?;
            expect("some solution", &found.is_subset(&rows), &true)?;
        }
        Query::Backbone => {
            let (outcome, _) = run(&flat, puzzle::Query::Backbone, settings)?;
            expect("status", &outcome.status, &status)?;
            one_of(&instance, &outcome, &rows)?;
            if !rows.is_empty() {
                expect("unique", &outcome.unique.unwrap_or(rows.len() == 1), &(rows.len() == 1))?;
                backbone(&instance, &outcome, &rows)?;
            }
        }
    }
    Ok(Checked::Right)
}

/// Checks that the outcome contains one of the solutions, if there are any.
fn one_of(instance: &Instance, outcome: &Outcome, rows: &BTreeSet<Row>) -> Result<(), String> {
    match &outcome.solution {
        None => expect("solution", &true, &rows.is_empty()),
        Some(solution) => {
            let row = row(instance, solution);
            if rows.contains(&row) { Ok(()) } else { Err(format!("{row:?} is none of {rows:?}")) }
        }
    }
}

/// Returns, for each output, its name and the columns of its elements in the rows.
fn columns(instance: &Instance) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    let mut first = 0;
    instance.output.iter().map(move |output| {
        let columns = first..first + output.elements.len();
        first = columns.end;
        (&*output.name, columns)
    })
}

fn value_counts(instance: &Instance, outcome: &Outcome, rows: &BTreeSet<Row>) -> Result<(), String> {
    let counts = outcome.values.iter().flatten().map(|(name, counts)| (name.as_str(), counts));
    let counts: BTreeMap<&str, _> = counts.collect();
    for (name, columns) in columns(instance) {
        let Some(found) = counts.get(name).filter(|_| !rows.is_empty()) else { continue };
        let expected: Vec<BTreeMap<Value, usize>> = columns
            .map(|column| {
                let mut counts = BTreeMap::new();
                for row in rows {
                    *counts.entry(row[column]).or_default() += 1;
                }
                counts
            })
            .collect();
        let number = |content: Content| match content {
            Content::Number(value) => value,
            Content::Word(word) => panic!("{word}"),
        };
        let of_part = |part: &Vec<_>| {
            part.iter()
                .map(|(content, count): &(Content, _)| (number(*content), usize::try_from(count).unwrap()))
                .collect()
        };
        expect(name, &found.parts.iter().map(of_part).collect::<Vec<BTreeMap<Value, usize>>>(), &expected)?;
    }
    Ok(())
}

fn backbone(instance: &Instance, outcome: &Outcome, rows: &BTreeSet<Row>) -> Result<(), String> {
    let Some(fields) = &outcome.backbone else { return Err("no backbone".to_owned()) };
    let fields: BTreeMap<&str, &FieldValues> =
        fields.iter().map(|(name, values)| (name.as_str(), values)).collect();
    for (name, columns) in columns(instance) {
        let Some(field) = fields.get(name) else { return Err(format!("no values of `{name}`")) };
        match field {
            FieldValues::Parts { parts, .. } => {
                for (part, column) in parts.iter().zip(columns) {
                    let expected: BTreeSet<Content> =
                        rows.iter().map(|row| Content::Number(row[column])).collect();
                    expect(name, &part.possible, &expected.into_iter().collect())?;
                    expect(name, &part.open, &Vec::new())?;
                }
            }
            FieldValues::Whole { possible, complete } => {
                let found: BTreeSet<Row> = possible
                    .iter()
                    .map(|field| match field {
                        Field::Number(value) => vec![*value],
                        Field::Numbers(values) => values.clone(),
                        other => panic!("{other:?}"),
                    })
                    .collect();
                let expected: BTreeSet<Row> = rows.iter().map(|row| row[columns.clone()].to_vec()).collect();
                if !found.is_subset(&expected) || (*complete && found != expected) {
                    return Err(format!("`{name}`: found {found:?} ({complete}), expected {expected:?}"));
                }
            }
        }
    }
    Ok(())
}
