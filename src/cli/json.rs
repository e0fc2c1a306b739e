//! The JSON output of the option `--json`, described in `docs/json.md`.

use std::io::{self, Write};

use gordian_encodings::sink::SizeRow;
use serde::{Serialize, Serializer};

use crate::process;
use crate::rules::{Field, Solution};

/// The status for a wrong solution in the output of `check`.
pub(super) const WRONG: &str = "wrong";
/// The status for a correct solution in the output of `check`.
pub(super) const CORRECT: &str = "correct";

/// Writes a JSON object on one line.
pub(super) fn write_json(out: &mut dyn Write, json: &impl Serialize) -> io::Result<()> {
    out.write_all(to_line(json).as_bytes())?;
    out.flush()
}

/// Returns a JSON object on one line, with the line break.
///
/// # Panics
/// Panics if a key of a map is not a string.
pub(super) fn to_line(json: &impl Serialize) -> String {
    serde_json::to_string(json).expect("all keys are strings") + "\n"
}

/// The JSON object for the outcome of a query or a check. Keys without a value are omitted.
#[derive(Default, Serialize)]
pub(super) struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) puzzle: Option<&'a str>,
    pub(super) source: &'a str,
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) places: Option<Vec<[usize; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) solution: Option<&'a Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) other: Option<&'a Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) objective: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<[Option<Field>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) orbit: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) orbits: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stats: Option<Stats>,
}

#[derive(Serialize)]
pub(super) struct Stats {
    pub(super) variables: u64,
    pub(super) clauses: u64,
    pub(super) literals: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) conflicts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decisions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) propagations: Option<u64>,
    pub(super) encodings: Pairs<'static, Pairs<'static, u64>>,
    pub(super) constraints: Pairs<'static, ConstraintSize>,
    pub(super) ms: Pairs<'static, f64>,
    pub(super) process: ProcessUsage,
}

/// The processor time and memory of this process, if the operating system reports them.
#[derive(Serialize)]
pub(super) struct ProcessUsage {
    /// Processor time in milliseconds, including child processes that have ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<f64>,
    /// The peak resident memory in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
}

impl ProcessUsage {
    /// Measures the processor time and memory of this process.
    pub(super) fn now() -> Self {
        Self { cpu: process::signals::processor_time(), memory: process::peak() }
    }
}

#[derive(Serialize)]
pub(super) struct ConstraintSize {
    pub(super) count: u64,
    pub(super) variables: u64,
    pub(super) clauses: u64,
    pub(super) literals: u64,
}

impl From<&SizeRow> for ConstraintSize {
    fn from(row: &SizeRow) -> Self {
        let &SizeRow { constraints: count, variables, clauses, literals, .. } = row;
        Self { count, variables, clauses, literals }
    }
}

/// A JSON object that preserves the order of its keys.
pub(super) struct Pairs<'a, T>(pub(super) Vec<(&'a str, T)>);

impl<T> Pairs<'_, T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Pairs<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// The values of all parts of a field: a list, or for a grid, a list of rows.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum PartsJson<T> {
    Grid(Vec<Vec<T>>),
    List(Vec<T>),
}

impl<T> PartsJson<T> {
    /// Arranges the values in rows of `columns` values if the field is a grid.
    pub(super) fn new(columns: Option<usize>, parts: impl IntoIterator<Item = T>) -> Self {
        let mut parts = parts.into_iter();
        let Some(columns) = columns else { return Self::List(parts.collect()) };
        let row =
            || Some(parts.by_ref().take(columns.max(1)).collect()).filter(|row: &Vec<T>| !row.is_empty());
        Self::Grid(std::iter::from_fn(row).collect())
    }
}
