//! A question to a board: what is asked, by which config, and what came of it.
//!
//! Every question, [backbone] too, goes the same way: the formulations of the board are encoded one after the other, each is asked, and
//! every solution is checked against the rules before anyone hears of it. Knows no command line and prints nothing; a
//! [`Watch`] is told what can't wait for the end.
//!
//! ```
//! use gordian::ask::{Silent, Status, Wanted, ask};
//! use gordian::format::Source;
//! use gordian::read::{self, ReadOptions};
//! use gordian::search::Config;
//!
//! let source = Source::new("board", "nurikabe\n1 . 1\n. . .\n1 . 1\n");
//! let puzzle = read::board(&source, &ReadOptions::default())?.puzzle;
//! let outcome = ask(&*puzzle, Wanted::Unique.into(), &Config::default(), &mut Silent)?;
//! assert_eq!((outcome.status, outcome.unique), (Status::Solved, Some(true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cell::OnceCell;
use std::io;
use std::time::{Duration, Instant};

use gordian_encodings::{Fallback, Sizes, Value};

use crate::backend::{BackendError, Statistics};
use crate::puzzle::{ObjectiveRow, Puzzle, Request};
use crate::rules::{Solution, Violation};
use crate::search::{Config, Gap, OptimiseError, Session};

mod asked;
pub mod backbone;
mod every;
mod one;
mod race;

pub use asked::{Asked, Stages};

/// What is asked of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// What the outcome is to tell.
    pub wanted: Wanted,
    /// Whether solutions that a symmetry of the board turns into one another are one.
    pub break_symmetry: bool,
}

/// What the outcome of a question is to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A solution.
    One,
    /// The best solution.
    Best(&'static ObjectiveRow),
    /// All solutions, but no more than this many.
    Solutions {
        /// How many are enough.
        most: usize,
    },
    /// The number of solutions.
    Count,
    /// Whether there is exactly one solution; if not, two.
    Unique,
}

impl From<Wanted> for Question {
    fn from(wanted: Wanted) -> Self {
        Self { wanted, break_symmetry: false }
    }
}

impl Question {
    /// What the model must be good for.
    #[must_use]
    pub fn request(&self) -> Request {
        match self.wanted {
            Wanted::One => Request { objective: None, every: false, parts: false },
            Wanted::Best(row) => Request { objective: Some(row), every: false, parts: false },
            Wanted::Solutions { .. } | Wanted::Count | Wanted::Unique => {
                Request { objective: None, every: true, parts: false }
            }
        }
    }
}

/// Is told what happens on the way to the outcome.
pub trait Watch {
    /// The board has these symmetries, which are broken.
    fn symmetries(&mut self, names: &[String]) {
        let _ = names;
    }

    /// An encoding that was chosen does not apply. Told once.
    fn fallback(&mut self, fallback: Fallback) {
        let _ = fallback;
    }

    /// There is a solution better than those before, or it is known that none is better than some value.
    ///
    /// # Errors
    /// If this can't be passed on. The solution is looked for all the same.
    fn moved(&mut self, puzzle: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        let _ = (puzzle, row, gap);
        Ok(())
    }

    /// A solution of those that [`Wanted::Solutions`] asks for, their `number`th, one of `orbit` where symmetries are
    /// broken and the number can be told.
    ///
    /// # Errors
    /// If the solution can't be passed on; then there is no use in another.
    fn solution(
        &mut self,
        puzzle: &dyn Puzzle,
        solution: &Solution,
        number: usize,
        orbit: Option<u128>,
    ) -> io::Result<()> {
        let _ = (puzzle, solution, number, orbit);
        Ok(())
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Watch for Silent {}

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// With a solution, or with as many as were asked for.
    Solved,
    /// With a solution that is proven to be the best.
    Optimal,
    /// With the proof that there is no solution.
    None,
    /// By a limit.
    Stopped,
}

/// How long each step took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Reading the board.
    pub parse: Duration,
    /// Making the model.
    pub model: Duration,
    /// Putting it into clauses.
    pub encode: Duration,
    /// Search.
    pub solve: Duration,
    /// Reading solutions from assignments.
    pub decode: Duration,
    /// Checking them.
    pub check: Duration,
}

impl Times {
    /// The steps with their names, in the order in which they come.
    #[must_use]
    pub fn steps(&self) -> [(&'static str, Duration); 6] {
        [
            ("parse", self.parse),
            ("model", self.model),
            ("encode", self.encode),
            ("solve", self.solve),
            ("decode", self.decode),
            ("check", self.check),
        ]
    }

    /// All steps together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.steps().iter().map(|(_, time)| *time).sum()
    }
}

/// Runs a step and notes how long it took.
pub fn timed<R>(time: &mut Duration, step: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = step();
    *time += start.elapsed();
    result
}

/// What came of a question.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The solution, if one was asked for and found.
    pub solution: Option<Solution>,
    /// A second solution, to show that there is more than one.
    pub other: Option<Solution>,
    /// The value of the solution, and one that none is better than.
    pub objective: Option<(&'static ObjectiveRow, Value, Value)>,
    /// How many solutions were found, where all or their number were asked for.
    pub count: Option<usize>,
    /// The sizes of the orbits of all solutions together, if symmetries are broken and the sum can be told.
    pub orbits: Option<u128>,
    /// Whether there is exactly one solution, where that was asked and found out.
    pub unique: Option<bool>,
    /// How long it took.
    pub times: Times,
    /// What was encoded. Where there were several formulations, the last one.
    pub sizes: Sizes,
    /// The encodings that were used for it: the meaning, the encoding, and for how many constraints.
    pub encodings: Vec<(&'static str, &'static str, u64)>,
    /// What the solver did.
    pub statistics: Statistics,
}

impl Default for Outcome {
    /// Nothing is known yet.
    fn default() -> Self {
        Self {
            status: Status::Stopped,
            solution: None,
            other: None,
            objective: None,
            count: None,
            orbits: None,
            unique: None,
            times: Times::default(),
            sizes: Sizes::default(),
            encodings: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

impl Outcome {
    /// Whether this one tells more than another that was stopped too.
    fn tells_more(&self, other: &Self) -> bool {
        match (self.objective, other.objective) {
            (Some((row, value, bound)), Some((_, value_of_other, bound_of_other))) => {
                let better = |a, b| row.sense.is_better(a, b);
                better(value, value_of_other) || (value == value_of_other && better(bound_of_other, bound))
            }
            (one, none) if one.is_some() != none.is_some() => one.is_some(),
            _ => (self.solution.is_some(), self.count) > (other.solution.is_some(), other.count),
        }
    }

    /// Takes over what a session that is over wrote and did.
    pub fn add_statistics(&mut self, session: &Session) {
        self.sizes = session.sizes().clone();
        self.encodings = session.encodings().to_vec();
        let before = self.statistics;
        let now = &mut self.statistics;
        *now = session.statistics();
        for (count, before) in [
            (&mut now.conflicts, before.conflicts),
            (&mut now.decisions, before.decisions),
            (&mut now.propagations, before.propagations),
        ] {
            *count = count.map(|count| count + before.unwrap_or(0));
        }
    }
}

/// Why a question has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Symmetries were to be broken of a kind of which none are known.
    #[error("no symmetries are known of `{kind}`")]
    NoSymmetry {
        /// The kind.
        kind: &'static str,
    },
    /// The system gives no thread.
    #[error("no thread can be started")]
    NoThread,
    /// The sum of the objective's weights is too great.
    #[error("{0}")]
    Overflow(String),
    /// The solver can't be had or failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The [`Watch`] could not pass a solution on.
    #[error(transparent)]
    Watch(#[from] io::Error),
    /// A solution that breaks the rules came out of our own code.
    #[error("this is a bug in gordian: its solution breaks the rules: {0}")]
    WrongSolution(Violation),
}

impl From<OptimiseError> for AskError {
    fn from(error: OptimiseError) -> Self {
        match error {
            OptimiseError::Backend(error) => Self::Backend(error),
            OptimiseError::Overflow(error) => Self::Overflow(error.to_string()),
        }
    }
}

/// Asks a board. Its time begins now.
///
/// # Errors
/// If the means are not there or fail, or if a solution is wrong, which is a bug of ours.
pub fn ask(
    puzzle: &dyn Puzzle,
    question: Question,
    config: &Config,
    watch: &mut dyn Watch,
) -> Result<Outcome, AskError> {
    if config.threads > 1 && !matches!(question.wanted, Wanted::Solutions { .. }) {
        let conclusive = |outcome: &Outcome| outcome.status != Status::Stopped;
        return race::race(
            puzzle,
            config,
            watch,
            |config, watch| ask(puzzle, question, config, watch),
            conclusive,
            Outcome::tells_more,
        );
    }
    let asked = Asked::new(puzzle, question.break_symmetry, config, watch)?;
    let request = question.request();
    let found = OnceCell::new();
    match question.wanted {
        Wanted::One => asked.one(puzzle.stages(&request), None),
        Wanted::Best(row) => asked.one(puzzle.stages(&request), Some(row)),
        Wanted::Unique => asked.every(puzzle.stages_easiest_first(&request, &found), question.wanted, &found),
        Wanted::Solutions { .. } | Wanted::Count => {
            asked.every(puzzle.stages(&request), question.wanted, &found)
        }
    }
}
