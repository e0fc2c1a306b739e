//! What came of a run: a line of a results file. `docs/bench.md` describes each key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::settings::Settings;

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The board, as it was named.
    pub instance: String,
    /// See [`digest`](super::instance::digest).
    pub content: String,
    /// the puzzle type.
    pub puzzle: String,
    /// The cells of the board, if it is a rectangle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<u64>,
    /// What was chosen.
    pub settings: Settings,
    /// Version of the program.
    pub version: String,
    /// How the run ended.
    pub ending: Ending,
    /// Why it failed, in the program's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// As in `docs/json.md`: `solved`, `optimal`, `none`, `stopped`, `error`; absent where the run said nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The objective of the solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<Json>,
    /// Where the best objective lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[Json; 2]>,
    /// The number of solutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Json>,
    /// Whether there is just one solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// A digest of what all solutions have in common, where that was asked and is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backbone: Option<String>,
    /// Variables of the formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<u64>,
    /// Its clauses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clauses: Option<u64>,
    /// The literals in them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literals: Option<u64>,
    /// Conflicts of the solver, if it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<u64>,
    /// Its decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<u64>,
    /// Literals set by its unit propagation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propagations: Option<u64>,
    /// The encodings that were used: by meaning, each with the number of constraints.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub encodings: BTreeMap<String, BTreeMap<String, u64>>,
    /// Milliseconds: of each step as the run told, `wall` from the start of the process to its end, and `cpu`.
    pub ms: BTreeMap<String, f64>,
    /// The most memory that was in use, in bytes, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Processor and system.
    pub machine: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// With what was asked for, in time.
    Answered,
    /// Its time was over.
    Time,
    /// Its memory was used up.
    Memory,
    /// It failed.
    Failed,
}

/// What a run is known by: a run with the same key need not be done again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    /// The content of the board and not its name, everything that was chosen, and the version of the program. The
    /// machine is not part of it.
    #[must_use]
    pub fn new(content: &str, settings: &Settings, version: &str) -> Self {
        let settings = serde_json::json!(settings);
        Self(format!("{content} {version} {settings}"))
    }
}

impl RunRecord {
    /// The record as a line of a results file, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        // Plain data with string keys: serialisation can't fail.
        let json = serde_json::to_string(self).unwrap_or_default();
        json + "\n"
    }

    /// What the run is known by.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::new(&self.content, &self.settings, &self.version)
    }

    /// Whether the query was answered in time.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.ending == Ending::Answered
    }
}

/// The processor and the system, in a few words.
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

    /// A plain record with these changes.
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
    fn what_is_written_is_read() {
        let one = record(|record| {
            record.conflicts = Some(7);
            record.encodings.entry("cardinality".into()).or_default().insert("totalizer".into(), 2);
        });
        let back: RunRecord = serde_json::from_str(&one.line()).unwrap();
        assert_eq!(back, one);
    }
}
