//! Random settings: the encoding of each constraint type, the solver, the strategy, the number of threads and the seed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use gordian::backend;
use gordian::search::{Config, STRATEGIES, strategy};
use gordian_encodings::Encodings;
use gordian_encodings::registry::choosable;

/// The time limit of each query. Most queries take milliseconds, but long runs have a low priority.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum number of conflicts of each query.
const CONFLICTS: u64 = 100_000;
/// The limit on the memory that a query adds to the process, in bytes. Chosen encodings of large sums and products may be
/// too large.
const MEMORY: u64 = 300 << 20;

const SOLVERS: [&str; 3] = ["cdcl", "batsat", "varisat"];

/// The settings of a query. For a constraint type without an encoding, `auto` chooses one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) encodings: BTreeMap<&'static str, &'static str>,
    pub(crate) solver: String,
    pub(crate) strategy: String,
    pub(crate) threads: usize,
    pub(crate) seed: u32,
}

impl Default for Settings {
    fn default() -> Self {
        let (solver, strategy) = (SOLVERS[0].to_owned(), STRATEGIES[0].name.to_owned());
        Self { encodings: BTreeMap::new(), solver, strategy, threads: 1, seed: 0 }
    }
}

/// Returns the resident memory of the process in bytes, where the system tells it. After a large query, the process keeps
/// much of its memory, which must not stop the queries after it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix("kB")?.trim().parse().ok());
    size.unwrap_or(0_u64) << 10
}

impl Settings {
    pub(crate) fn config(&self) -> Config {
        let mut encodings = Encodings::auto();
        for (constraint, encoding) in &self.encodings {
            encodings.choose_named(constraint, encoding).expect("a name of the table");
        }
        let solver = backend::find(&self.solver).expect("a built-in solver");
        let strategy = strategy(&self.strategy).expect("a strategy");
        Config {
            encodings,
            solver,
            strategy,
            threads: self.threads,
            seed: self.seed,
            timeout: Some(TIMEOUT),
            conflicts: Some(CONFLICTS),
            memory: Some(resident() + MEMORY),
            ..Config::default()
        }
    }

    /// Returns the default settings except for the given ones.
    pub(crate) fn of(words: &str) -> Self {
        let mut settings = Self::default();
        words.split_whitespace().for_each(|word| settings.set(word));
        settings
    }

    /// Changes one of the settings, given as an option of the command line without its dashes: `solver=varisat`, or the
    /// encoding of a constraint type, such as `integers=log`.
    fn set(&mut self, word: &str) {
        let (name, value) = word.split_once('=').expect("a setting has the form `name=value`");
        match name {
            "solver" => value.clone_into(&mut self.solver),
            "strategy" => value.clone_into(&mut self.strategy),
            "threads" => self.threads = value.parse().expect("a number of threads"),
            _ => {
                let mut encodings = Encodings::auto();
                encodings.choose_named(name, value).unwrap_or_else(|error| panic!("{error}"));
                let row = choosable().find(|row| row.name == name).expect("a constraint type");
                self.encodings.remove(name);
                self.encodings.extend(encodings.chosen(name).map(|chosen| (row.name, chosen)));
            }
        }
    }

    /// Returns settings that differ less from the default.
    pub(crate) fn simpler(&self) -> impl Iterator<Item = Self> {
        let default = Self::default();
        let mut simpler = vec![
            Self { solver: default.solver, ..self.clone() },
            Self { strategy: default.strategy, ..self.clone() },
            Self { threads: default.threads, ..self.clone() },
            Self { seed: default.seed, ..self.clone() },
        ];
        for name in self.encodings.keys() {
            let mut without = self.clone();
            without.encodings.remove(name);
            simpler.push(without);
        }
        simpler.into_iter().filter(move |simpler| simpler != self)
    }
}

/// Displays the settings as options of the command line.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--solver {} --strategy {} --threads {}", self.solver, self.strategy, self.threads)?;
        write!(f, " --seed {}", self.seed)?;
        for (constraint, encoding) in &self.encodings {
            write!(f, " --encode {constraint}={encoding}")?;
        }
        Ok(())
    }
}

/// Two constraint types with encodings.
type Pair = [(&'static str, &'static str); 2];

/// Draws settings. After about a thousand draws, every combination of two encodings has occurred.
pub(crate) struct Draw {
    /// Each constraint type with its encodings.
    rows: Vec<(&'static str, Vec<&'static str>)>,
    /// The combinations that have not occurred.
    open: BTreeSet<Pair>,
    /// The settings that are not drawn, as words like `integers=log`.
    fixed: Vec<String>,
}

impl Draw {
    pub(crate) fn new(fixed: &str) -> Self {
        let names = |row: &gordian_encodings::encode::ConstraintRow| {
            (row.name, (row.encodings)().into_iter().map(|row| row.name).collect())
        };
        let rows: Vec<(&str, Vec<&str>)> = choosable().map(names).collect();
        let of_row =
            |(name, encodings): &(&'static str, Vec<&'static str>)| -> Vec<(&'static str, &'static str)> {
                encodings.iter().map(|encoding| (*name, *encoding)).collect()
            };
        let mut open = BTreeSet::new();
        for (index, right) in rows.iter().enumerate() {
            for left in &rows[..index] {
                for pair in
                    of_row(left).into_iter().flat_map(|a| of_row(right).into_iter().map(move |b| [a, b]))
                {
                    open.insert(pair);
                }
            }
        }
        Self { rows, open, fixed: fixed.split_whitespace().map(str::to_owned).collect() }
    }

    /// Returns the number of combinations of two encodings that have not occurred.
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Draws settings, with a combination of two encodings that has not occurred if there is one. If domains are large,
    /// `auto` chooses the encodings of constraints.
    pub(crate) fn next(&mut self, random: &mut fastrand::Rng, is_large: bool) -> Settings {
        let mut settings = Settings {
            solver: SOLVERS[random.usize(..SOLVERS.len())].to_owned(),
            strategy: STRATEGIES[random.usize(..STRATEGIES.len())].name.to_owned(),
            threads: [1, 1, 1, 1, 1, 1, 2, 3][random.usize(..8)],
            seed: [0, random.u32(..)][random.usize(..2)],
            ..Settings::default()
        };
        // Every other draw chooses only two encodings, so that `auto` chooses the others.
        if random.bool() {
            for (name, encodings) in &self.rows {
                settings.encodings.insert(*name, encodings[random.usize(..encodings.len())]);
            }
        }
        if !self.open.is_empty() {
            let pair = self.open.iter().nth(random.usize(..self.open.len()));
            settings.encodings.extend(pair.into_iter().flatten().copied());
        }
        if is_large {
            let is_small = |encoding: &str| matches!(encoding, "log" | "lazy");
            settings.encodings.retain(|name, encoding| *name == "integers" && is_small(encoding));
        }
        for word in &self.fixed {
            settings.set(word);
        }
        self.open.retain(|pair| !pair.iter().all(|(name, of)| settings.encodings.get(name) == Some(of)));
        settings
    }
}
