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
    /// A limit stopped the query. What it had found until then was right.
    Stopped,
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

/// Runs a query. If a limit stops it, the result is an error, after a check of what it had found.
fn run(
    flat: &Flat,
    query: puzzle::Query,
    settings: &Settings,
    solutions: &Solutions,
) -> Result<(Outcome, Vec<Row>), String> {
    let mut rows = Rows { instance: flat.instance(), rows: Vec::new() };
    match query::run(flat, query, &settings.config(), &mut rows) {
        Ok(outcome) if outcome.status == Status::Stopped => {
            incomplete(flat.instance(), &outcome, rows.rows, solutions)?;
            Err(STOPPED.to_owned())
        }
        Ok(outcome) => Ok((outcome, rows.rows)),
        Err(QueryError::Search(error)) => Err(describe(&error)),
        Err(error) => Err(format!("error: {error}")),
    }
}

/// Checks the outcome of a query that a limit stopped.
fn incomplete(
    instance: &Instance,
    outcome: &Outcome,
    found: Vec<Row>,
    solutions: &Solutions,
) -> Result<(), String> {
    let rows: BTreeSet<&Row> = solutions.iter().map(|(row, _)| row).collect();
    let (number, distinct) = (found.len(), found.into_iter().collect::<BTreeSet<_>>());
    expect("different solutions", &distinct.len(), &number)?;
    let shown = outcome.solution.iter().chain(&outcome.other).map(|solution| row(instance, solution));
    for row in distinct.into_iter().chain(shown) {
        expect("a solution", &rows.contains(&row), &true)?;
    }
    let too_many = outcome.count.as_ref().is_some_and(|count| *count > rows.len().into());
    expect("a count above the number of solutions", &too_many, &false)?;
    if let Some((_, value, bound)) = outcome.objective {
        let (least, most) = (value.min(bound), value.max(bound));
        let best = optimum(instance, solutions);
        expect(
            "an optimum between the bounds",
            &best.is_some_and(|best| least <= best && best <= most),
            &true,
        )?;
    }
    Ok(())
}

/// The error for an objective with too many values, which is refused.
const TOO_GREAT: &str = "the objective has too many values";
/// The error for a query that a limit stopped.
pub(crate) const STOPPED: &str = "a limit stopped the query";

pub(crate) fn describe(error: &SolveError) -> String {
    match error {
        SolveError::Objective(_) => TOO_GREAT.to_owned(),
        SolveError::LimitReached => STOPPED.to_owned(),
        SolveError::Backend(error) => format!("error: {error}"),
    }
}

/// Returns the objective value of the best solutions.
fn optimum(instance: &Instance, solutions: &Solutions) -> Option<Value> {
    let values = solutions.iter().map(|&(_, value)| value);
    match &instance.goal {
        Goal::Maximise(_) => values.max(),
        _ => values.min(),
    }
}

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
    catching(|| compare(instance, is_annotated, query, settings, solutions))
}

/// Runs a check. A panic is a wrong outcome.
pub(crate) fn catching(check: impl FnOnce() -> Result<Checked, String>) -> Result<Checked, String> {
    let checked = catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default()))
    });
    match checked {
        Err(error) if error == TOO_GREAT => Ok(Checked::Refused),
        Err(error) if error == STOPPED => Ok(Checked::Stopped),
        checked => checked,
    }
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
    let best = optimum(&instance, solutions);
    let run = |query| run(&flat, query, settings, solutions);
    match query {
        Query::Satisfy => {
            let (outcome, _) = run(puzzle::Query::Satisfy)?;
            expect("status", &outcome.status, &status)?;
            one_of(&instance, &outcome, &rows)?;
        }
        Query::Enumerate => {
            let (outcome, found) = run(puzzle::Query::Enumerate { limit: None })?;
            each_once(found, &rows)?;
            expect("status", &outcome.status, &status)?;
        }
        Query::Some(limit) => {
            let (_, found) = run(puzzle::Query::Enumerate { limit: Some(limit) })?;
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
            let (outcome, _) = run(puzzle::Query::Optimise(objective))?;
            let status = if rows.is_empty() { Status::None } else { Status::Optimal };
            expect("status", &outcome.status, &status)?;
            let found = outcome.objective.as_ref().map(|&(_, value, bound)| (value, bound));
            expect("optimum and bound", &found, &best.map(|best| (best, best)))?;
            let optimal = solutions.iter().filter(|&&(_, value)| Some(value) == best);
            let optimal: BTreeSet<Row> = optimal.map(|(row, _)| row.clone()).collect();
            one_of(&instance, &outcome, &optimal)?;
            if let (Query::AllOptimal, Some(best)) = (query, best) {
                let fixed = flat.with_objective(best).map_err(|error| error.to_string())?;
                let (outcome, found) =
                    self::run(&fixed, puzzle::Query::Enumerate { limit: None }, settings, solutions)?;
                each_once(found, &optimal)?;
                expect("status of all optimal", &outcome.status, &Status::Solved)?;
            }
        }
        Query::Count => {
            let (outcome, _) = run(puzzle::Query::Count)?;
            expect("status", &outcome.status, &status)?;
            expect("count", &outcome.count.map(|count| count.to_string()), &Some(rows.len().to_string()))?;
        }
        Query::CountValues => {
            let (outcome, _) = run(puzzle::Query::CountValues)?;
            expect("count", &outcome.count.as_ref().map(ToString::to_string), &Some(rows.len().to_string()))?;
            value_counts(&instance, &outcome, &rows)?;
        }
        Query::Unique => {
            let (outcome, _) = run(puzzle::Query::Unique)?;
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
            let (outcome, _) = run(puzzle::Query::Backbone)?;
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
