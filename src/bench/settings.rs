//! How a board is to be answered: what is asked, and by which encodings, solver and limits.

use std::collections::BTreeMap;

use gordian_encodings::choice::AUTO;
use gordian_encodings::{Encodings, MEANINGS};
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
        Query::Optimise(None) => &[],
        Query::Optimise(Some(objective)) => &["--objective", objective],
        Query::Enumerate { limit: None } => &["--all"],
        Query::Enumerate { limit: Some(limit) } => &["--limit", &limit.to_string()],
        Query::Count => &["--count"],
        Query::Unique => &["--unique"],
        Query::Backbone => return ("backbone", Vec::new()),
    };
    ("solve", options.iter().map(|&word| word.to_owned()).collect())
}

/// Everything that is chosen about a run but the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The query.
    pub query: NamedQuery,
    /// The solver, as after `--solver`.
    pub solver: String,
    /// The encoding of each meaning for which one was chosen; never `auto`, which is no choice.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub encode: BTreeMap<String, String>,
    /// How the best solution is looked for, where it is and something was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The seed; 0 is the solver as it comes.
    pub seed: u32,
    /// Seconds after which the run has failed.
    pub timeout: f64,
    /// Bytes of memory with which the run has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Further arguments of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// What a person calls this program, to compare several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Settings {
    /// The arguments of the program that ask this of a board.
    #[must_use]
    pub fn command(&self, board: &str) -> Vec<String> {
        let (command, options) = arguments(&self.query);
        let mut words: Vec<String> = vec![command.into(), board.into(), "--json".into()];
        words.extend(options);
        words.extend(["--solver".into(), self.solver.clone()]);
        for (meaning, encoding) in &self.encode {
            words.extend(["--encode".into(), format!("{meaning}={encoding}")]);
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

    /// The same for every seed: what is compared.
    #[must_use]
    pub fn without_seed(&self) -> Self {
        Self { seed: 0, ..self.clone() }
    }
}

/// What is to be compared: every combination of these.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The queries.
    pub queries: Vec<NamedQuery>,
    /// The solvers.
    pub solvers: Vec<String>,
    /// Meanings, each with the encodings to be tried; `auto` among them leaves it open.
    pub encode: Vec<(String, Vec<String>)>,
    /// How the best solution is looked for; `None` leaves it open.
    pub strategies: Vec<Option<String>>,
    /// How many seeds, from 0.
    pub seeds: u32,
    /// See [`Settings`].
    pub timeout: f64,
    /// See [`Settings`].
    pub memory: Option<u64>,
    /// See [`Settings`].
    pub arguments: Vec<String>,
    /// See [`Settings`].
    pub label: Option<String>,
}

impl Comparison {
    /// Every combination, those that differ in the seed only one after the other.
    #[must_use]
    pub fn settings(&self) -> Vec<Settings> {
        let mut choices = vec![BTreeMap::new()];
        for (meaning, encodings) in &self.encode {
            let with = |choice: &BTreeMap<String, String>, encoding: &String| {
                let mut choice = choice.clone();
                if encoding != AUTO {
                    choice.insert(meaning.clone(), encoding.clone());
                }
                choice
            };
            choices = choices.iter().flat_map(|choice| encodings.iter().map(|t| with(choice, t))).collect();
        }
        let mut all = Vec::new();
        for query in &self.queries {
            // Other queries have no strategy.
            let strategies = match query {
                Query::Optimise(_) => &self.strategies[..],
                _ => &[None],
            };
            for solver in &self.solvers {
                for encode in &choices {
                    for strategy in strategies {
                        all.extend((0..self.seeds).map(|seed| Settings {
                            query: query.clone(),
                            solver: solver.clone(),
                            encode: encode.clone(),
                            strategy: strategy.clone(),
                            seed,
                            timeout: self.timeout,
                            memory: self.memory,
                            arguments: self.arguments.clone(),
                            label: self.label.clone(),
                        }));
                    }
                }
            }
        }
        all
    }
}

/// The word for every encoding and `auto`.
pub const ALL: &str = "all";

/// Reads `constraint=encoding,encoding,...`, where `all` is every encoding of the meaning and `auto`.
///
/// # Errors
/// What is wrong, in a sentence: there is no such meaning or encoding.
pub fn encodings(words: &str) -> Result<(String, Vec<String>), String> {
    let (meaning, names) = words.split_once('=').ok_or("expected `constraint=encoding,encoding,...`")?;
    let mut encodings: Vec<String> = Vec::new();
    for name in names.split(',') {
        let row = MEANINGS.iter().find(|row| row.name == meaning).filter(|_| name == ALL);
        if let Some(row) = row {
            encodings.extend((row.encodings)().iter().map(|encoding| encoding.name.to_owned()));
            encodings.push(AUTO.to_owned());
        } else {
            Encodings::auto().choose(meaning, name).map_err(|error| error.to_string())?;
            encodings.push(name.to_owned());
        }
    }
    let mut seen = Vec::new();
    encodings.retain(|encoding| {
        let new = !seen.contains(encoding);
        seen.push(encoding.clone());
        new
    });
    Ok((meaning.to_owned(), encodings))
}

/// Reads solvers with commas between them; what follows `external:` is one command, commas and all.
#[must_use]
pub fn solvers(words: &str) -> Vec<String> {
    let (names, command) = match words.find("external:") {
        Some(at) => words.split_at(at),
        None => (words, ""),
    };
    let names = names.split(',').filter(|name| !name.is_empty());
    names.chain((!command.is_empty()).then_some(command)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_product() {
        let comparison = Comparison {
            queries: vec![Query::Satisfy, Query::Unique, Query::Optimise(None)],
            solvers: solvers("batsat,varisat,external:minisat -a,b {cnf}"),
            encode: vec![
                encodings("connectivity=layers,auto").unwrap(),
                encodings("at-most-one=all").unwrap(),
            ],
            strategies: vec![None, Some("binary".into())],
            seeds: 3,
            timeout: 10.0,
            memory: None,
            arguments: Vec::new(),
            label: None,
        };
        let ways = 1 + MEANINGS
            .iter()
            .find(|row| row.name == "at-most-one")
            .map(|row| (row.encodings)().len())
            .unwrap();
        let settings = comparison.settings();
        // The strategies count for the last query only.
        assert_eq!(settings.len(), (1 + 1 + 2) * 3 * 2 * ways * 3);
        for (index, one) in settings.iter().enumerate() {
            assert!(!settings[..index].contains(one), "{one:?} twice");
        }
        assert_eq!(settings.last().unwrap().solver, "external:minisat -a,b {cnf}");
        assert!(settings.iter().all(|one| one.encode.values().all(|encoding| encoding != AUTO)));
        let command = settings[1].command("b.txt").join(" ");
        assert!(
            command.starts_with("solve b.txt --json --objective none --solver batsat --encode at-most-one=")
        );
        assert!(command.ends_with(" --encode connectivity=layers --seed 1 --timeout 10"), "{command}");
    }

    #[test]
    fn words() {
        assert!(encodings("connectivity=layer").is_err());
        assert!(encodings("connectivities=layers").is_err());
        assert_eq!(encodings("connectivity=cuts,cuts").unwrap().1, ["cuts"]);
    }
}
