//! The settings of a run, such as its query, encodings, solver and limits.

use std::collections::BTreeMap;

use gordian_encodings::registry::AUTO;
use gordian_encodings::{CONSTRAINTS, Encodings};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::puzzle::{NamedQuery, Query};

impl Serialize for NamedQuery {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NamedQuery {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Returns the command and the options for a query.
fn arguments(query: &NamedQuery) -> (&'static str, Vec<String>) {
    let options: &[&str] = match query {
        Query::Satisfy => &["--objective", "none"],
        Query::Optimise(None) => &["--progress"],
        Query::Optimise(Some(objective)) => &["--objective", objective, "--progress"],
        Query::Enumerate { limit: None } => &["--all"],
        Query::Enumerate { limit: Some(limit) } => &["--limit", &limit.to_string()],
        Query::Count => &["--count"],
        Query::CountValues => return ("backbone", vec!["--counts".to_owned()]),
        Query::Unique => &["--unique"],
        Query::Backbone => return ("backbone", Vec::new()),
    };
    ("solve", options.iter().map(|&word| word.to_owned()).collect())
}

/// The prefix of the names of FlatZinc solvers. The rest of the name is a command.
pub const FLATZINC: &str = "flatzinc:";

/// Returns whether `solver` is another FlatZinc solver.
#[must_use]
pub fn is_flatzinc_solver(solver: &str) -> bool {
    flatzinc_command(solver).is_some()
}

/// Returns the name of another FlatZinc solver, or an empty string if it has no name, and its command. Returns `None` if
/// `solver` has neither the form `flatzinc:COMMAND` nor `NAME=flatzinc:COMMAND`.
pub(super) fn flatzinc_command(solver: &str) -> Option<(&str, &str)> {
    let (before, command) = solver.split_once(FLATZINC)?;
    match before.strip_suffix('=') {
        Some(name) if !name.is_empty() && !name.contains([':', ' ']) => Some((name, command)),
        _ => before.is_empty().then_some(("", command)),
    }
}

/// All settings of a run except the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The query of the run.
    pub query: NamedQuery,
    /// The solver, in the form that is passed to `--solver`: a SAT solver, or another FlatZinc solver.
    pub solver: String,
    /// The chosen encoding of each constraint type. Constraint types with the encoding `auto` are not listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub encode: BTreeMap<String, String>,
    /// The optimisation strategy, if the query is `optimise` and a strategy was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The seed of the solver. The seed 0 selects the solver's default behaviour.
    pub seed: u32,
    /// The time limit in seconds.
    pub timeout: f64,
    /// The limit of the processor time in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_timeout: Option<f64>,
    /// The memory limit in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Additional arguments of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// A label for this build of the program, for comparing builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Settings {
    /// Returns the arguments of the program for a run on `board`.
    #[must_use]
    pub fn command(&self, board: &str) -> Vec<String> {
        let (command, options) = arguments(&self.query);
        let mut words: Vec<String> = vec![command.into(), board.into(), "--json".into()];
        words.extend(options);
        words.extend(["--solver".into(), self.solver.clone()]);
        for (constraint, encoding) in &self.encode {
            words.extend(["--encode".into(), format!("{constraint}={encoding}")]);
        }
        if let Some(strategy) = &self.strategy {
            words.extend(["--strategy".into(), strategy.clone()]);
        }
        if self.seed > 0 {
            words.extend(["--seed".into(), self.seed.to_string()]);
        }
        words.extend(["--timeout".into(), self.timeout.to_string()]);
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// Returns the settings with seed 0. All runs of a configuration have equal settings apart from the seed.
    #[must_use]
    pub fn without_seed(&self) -> Self {
        Self { seed: 0, ..self.clone() }
    }
}

/// The settings to compare: every combination of the values in the lists below.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsMatrix {
    /// The queries to compare.
    pub queries: Vec<NamedQuery>,
    /// The solvers to compare.
    pub solvers: Vec<String>,
    /// The constraint types, each with the encodings to compare. With `auto`, the program chooses the encoding.
    pub encode: Vec<(String, Vec<String>)>,
    /// The optimisation strategies to compare. With `None`, the program chooses the strategy.
    pub strategies: Vec<Option<String>>,
    /// The number of seeds to use, starting with seed 0.
    pub seeds: u32,
    /// The time limit in seconds.
    pub timeout: f64,
    /// The limit of the processor time in seconds.
    pub cpu_timeout: Option<f64>,
    /// The memory limit in bytes.
    pub memory: Option<u64>,
    /// Additional arguments of the runs.
    pub arguments: Vec<String>,
    /// A label for this build of the program.
    pub label: Option<String>,
}

impl SettingsMatrix {
    /// Returns every combination of the settings. Combinations that differ only in the seed are adjacent.
    #[must_use]
    pub fn settings(&self) -> Vec<Settings> {
        let mut choices = vec![BTreeMap::new()];
        for (constraint, encodings) in &self.encode {
            let with = |choice: &BTreeMap<String, String>, encoding: &String| {
                let mut choice = choice.clone();
                if encoding != AUTO {
                    choice.insert(constraint.clone(), encoding.clone());
                }
                choice
            };
            choices = choices.iter().flat_map(|choice| encodings.iter().map(|t| with(choice, t))).collect();
        }
        let mut all = Vec::new();
        for query in &self.queries {
            // A strategy is used only for the query `optimise`.
            let strategies = match query {
                Query::Optimise(_) => &self.strategies[..],
                _ => &[None],
            };
            for solver in &self.solvers {
                // Encodings, strategies, arguments and labels are options of this program.
                let own = !is_flatzinc_solver(solver);
                let choices = if own { &choices } else { &vec![BTreeMap::new()] };
                let strategies = if own { strategies } else { &[None] };
                for encode in choices {
                    for strategy in strategies {
                        all.extend((0..self.seeds).map(|seed| Settings {
                            query: query.clone(),
                            solver: solver.clone(),
                            encode: encode.clone(),
                            strategy: strategy.clone(),
                            seed,
                            timeout: self.timeout,
                            cpu_timeout: self.cpu_timeout,
                            memory: self.memory,
                            arguments: if own { self.arguments.clone() } else { Vec::new() },
                            label: self.label.clone().filter(|_| own),
                        }));
                    }
                }
            }
        }
        all
    }
}

/// The word that selects all encodings of a constraint, including `auto`.
pub const ALL: &str = "all";

/// Parses `constraint=encoding,encoding,...`. The word `all` selects every encoding of the constraint and `auto`.
///
/// # Errors
/// Returns an error if the constraint or an encoding does not exist.
pub fn encodings(words: &str) -> Result<(String, Vec<String>), String> {
    let (constraint, names) = words.split_once('=').ok_or("expected `constraint=encoding,encoding,...`")?;
    let mut encodings: Vec<String> = Vec::new();
    for name in names.split(',') {
        let row = CONSTRAINTS.iter().find(|row| row.name == constraint).filter(|_| name == ALL);
        if let Some(row) = row {
            encodings.extend((row.encodings)().iter().map(|encoding| encoding.name.to_owned()));
            encodings.push(AUTO.to_owned());
        } else {
            Encodings::auto().choose_named(constraint, name).map_err(|error| error.to_string())?;
            encodings.push(name.to_owned());
        }
    }
    let mut seen = Vec::new();
    encodings.retain(|encoding| {
        let new = !seen.contains(encoding);
        seen.push(encoding.clone());
        new
    });
    Ok((constraint.to_owned(), encodings))
}

/// Parses a list of solvers separated by commas. Everything after `external:` or `flatzinc:` is a single command, which
/// may contain commas. The command of a FlatZinc solver may have a name: `NAME=flatzinc:COMMAND`.
#[must_use]
pub fn solvers(words: &str) -> Vec<String> {
    let commands = ["external:", FLATZINC].into_iter().filter_map(|prefix| words.find(prefix));
    let (names, command) = match commands.min() {
        Some(at) => words.split_at(words[..at].rfind(',').map_or(0, |comma| comma + 1)),
        None => (words, ""),
    };
    let names = names.split(',').filter(|name| !name.is_empty());
    names.chain((!command.is_empty()).then_some(command)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
