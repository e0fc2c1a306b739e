//! The record of a run, stored as one line of a result file. `docs/bench.md` describes each key.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::settings::Settings;

/// The settings and the results of one run of Gordian on a board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The path or address of the board, as given on the command line.
    pub instance: String,
    /// A digest of the board, computed by [`digest`](super::instance::digest).
    pub content: String,
    /// The puzzle type.
    pub puzzle: String,
    /// The number of cells of the board, if it is a rectangle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<u64>,
    /// The settings that the run used.
    pub settings: Settings,
    /// The version of the program.
    pub version: String,
    /// How the run ended.
    pub ending: Ending,
    /// The error message, if the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The status that the run printed, if any: `solved`, `optimal`, `none`, `stopped` or `error`, as in
    /// `docs/json.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The objective value of the best solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<Json>,
    /// The solutions that the run reported, in order. Each is better than the one before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solutions: Vec<SolutionTime>,
    /// The lower and upper bounds on the optimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[Json; 2]>,
    /// The number of solutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Json>,
    /// True if the solution is unique, and false if there are several solutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// A digest of the backbone, if the run determined it completely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backbone: Option<String>,
    /// The number of variables of the formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<u64>,
    /// The number of clauses of the formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clauses: Option<u64>,
    /// The total number of literals in the clauses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literals: Option<u64>,
    /// The number of conflicts, if the solver reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<u64>,
    /// The number of decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<u64>,
    /// The number of literals that unit propagation assigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propagations: Option<u64>,
    /// The encodings that were used: for each constraint type and encoding, the number of constraints.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub encodings: BTreeMap<String, BTreeMap<String, u64>>,
    /// Times in milliseconds: the step times that the run reported, and the wall-clock time (`wall`) and processor
    /// time (`cpu`) of the process.
    pub ms: BTreeMap<String, f64>,
    /// The peak memory use in bytes, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The processor and the operating system.
    pub machine: String,
}

/// The objective value of a solution, and the time at which it was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolutionTime {
    /// The objective value.
    pub objective: Json,
    /// The wall-clock time since the start of the process, in milliseconds.
    pub wall: f64,
    /// The processor time of the process, in milliseconds.
    pub cpu: f64,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The run produced a definite result in time.
    Answered,
    /// The run exceeded its time limit.
    Time,
    /// The run exceeded its memory limit.
    Memory,
    /// The run failed with an error.
    Failed,
}

/// The key that identifies a run. A run is skipped if the results already contain a record with the same key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    /// Creates the key from the content of the board, the settings and the program version. The key contains neither
    /// the name of the board nor the machine.
    #[must_use]
    pub fn new(content: &str, settings: &Settings, version: &str) -> Self {
        let settings = serde_json::json!(settings);
        Self(format!("{content} {version} {settings}"))
    }
}

impl RunRecord {
    /// Returns the record as a line of a result file, including the line break.
    #[must_use]
    pub fn line(&self) -> String {
        // Serialising plain data with string keys never fails.
        let json = serde_json::to_string(self).unwrap_or_default();
        json + "\n"
    }

    /// Returns the key that identifies the run.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::new(&self.content, &self.settings, &self.version)
    }

    /// Returns whether the run produced a definite result in time.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.ending == Ending::Answered
    }
}

/// Returns a time in milliseconds, rounded to microseconds.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// Returns a short description of the processor and the operating system.
#[must_use]
pub fn machine() -> String {
    let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let info = file("/proc/cpuinfo");
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let release = file("/proc/sys/kernel/osrelease");
    let system = [std::env::consts::OS, release.trim()].join(" ");
    format!("{model}, {threads} threads, {}", system.trim())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns the record of a run on a small board, modified by `change`.
    pub(in crate::bench) fn record(change: impl FnOnce(&mut RunRecord)) -> RunRecord {
        let text = r#"{"instance":"a.txt","content":"00","puzzle":"rooks","cells":9,
            "settings":{"query":"satisfy","solver":"batsat","seed":0,"timeout":10},
            "version":"0.1.0","ending":"answered","status":"solved","variables":9,"clauses":20,
            "ms":{"wall":12.5,"cpu":10.0},"machine":"m"}"#;
        let mut record = serde_json::from_str(text).unwrap();
        change(&mut record);
        record
    }

    #[test]
    fn records_are_read_back() {
        let one = record(|record| {
            record.conflicts = Some(7);
            record.encodings.entry("cardinality".into()).or_default().insert("totalizer".into(), 2);
        });
        let back: RunRecord = serde_json::from_str(&one.line()).unwrap();
        assert_eq!(back, one);
    }
}
