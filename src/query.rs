//! Queries to a puzzle: from the query to its outcome.
//!
//! Every query goes the same way: the formulations of the puzzle are encoded and solved one after the other, and every
//! solution is checked against the rules before it is reported. This module knows neither the command line nor drawings; an
//! [`Observer`] receives what is reported before the outcome.
//!
//! ```
//! use gordian::format::Source;
//! use gordian::puzzle::Query;
//! use gordian::query::{self, Silent, Status};
//! use gordian::read::{self, ReadOptions};
//! use gordian::search::Config;
//!
//! let source = Source::new("board", "nurikabe\n1 . 1\n. . .\n1 . 1\n");
//! let puzzle = read::board(&source, &ReadOptions::default())?.puzzle;
//! let outcome = query::run(&*puzzle, Query::Unique, &Config::default(), &mut Silent)?;
//! assert_eq!((outcome.status, outcome.unique), (Status::Solved, Some(true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gordian_encodings::{Fallback, Sizes, Value};

use crate::backend::{BackendError, Statistics};
use crate::puzzle::{ObjectiveRow, Puzzle, Query, Symmetry};
use crate::rules::{Solution, Violation};
use crate::search::{Config, Gap, OptimiseError, Session, SharedBounds};

mod backbone;
mod enumerate;
mod race;
mod run;
mod satisfy;

pub use backbone::{Backbone, FieldValues, PartValues};

use run::QueryRun;

/// Receives what is reported while a query is solved.
pub trait Observer {
    /// A chosen encoding does not apply. Each fallback is reported once.
    fn fallback(&mut self, fallback: Fallback) {
        let _ = fallback;
    }

    /// A better solution was found, or a better bound on the objective.
    ///
    /// # Errors
    /// If it can't be passed on. The search goes on to its end.
    fn gap(&mut self, puzzle: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        let _ = (puzzle, row, gap);
        Ok(())
    }

    /// Solution `number` of [`Query::Enumerate`]; where symmetries are broken, with the size of its orbit if that is known.
    ///
    /// # Errors
    /// If it can't be passed on, which ends the query.
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

/// Ignores every report.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// How a query ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// With all that was asked for.
    Solved,
    /// With a solution that is proven to be optimal.
    Optimal,
    /// With the proof that there is no solution.
    None,
    /// At a limit.
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

/// The outcome of a query.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The solution, if the query asks for one and it was found.
    pub solution: Option<Solution>,
    /// A second solution, to show that there is more than one.
    pub other: Option<Solution>,
    /// The value of the solution, and one that none is better than.
    pub objective: Option<(&'static ObjectiveRow, Value, Value)>,
    /// The number of solutions found, after [`Query::Enumerate`] and [`Query::Count`].
    pub count: Option<usize>,
    /// The sum of the sizes of the orbits of these solutions, if symmetries are broken and it is known.
    pub orbits: Option<u128>,
    /// Whether there is exactly one solution, after [`Query::Unique`] and [`Query::Backbone`], if known.
    pub unique: Option<bool>,
    /// What all solutions have in common, after [`Query::Backbone`]; then `solution` is one of them, and `unique` says
    /// whether there are others, if that is known.
    pub backbone: Option<Backbone>,
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
            backbone: None,
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
            _ => self.known() > other.known(),
        }
    }

    /// How much is known, to compare outcomes of the same query.
    fn known(&self) -> (bool, Option<usize>, Option<usize>) {
        let backbone = self.backbone.as_ref();
        let complete = backbone.map(|fields| fields.iter().map(|(_, values)| values.complete()).sum());
        (self.solution.is_some(), self.count, complete)
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

/// Why a query has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The system gives no thread.
    #[error("no thread can be started")]
    NoThread,
    /// The sum of the objective's weights is too great.
    #[error("{0}")]
    Overflow(String),
    /// The solver can't be had or failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The [`Observer`] could not pass a solution on.
    #[error(transparent)]
    Observer(#[from] io::Error),
    /// A solution that breaks the rules came out of our own code.
    #[error("this is a bug in gordian: its solution breaks the rules: {0}")]
    WrongSolution(Violation),
}

impl From<OptimiseError> for QueryError {
    fn from(error: OptimiseError) -> Self {
        match error {
            OptimiseError::Backend(error) => Self::Backend(error),
            OptimiseError::Overflow(error) => Self::Overflow(error.to_string()),
        }
    }
}

/// Solves a query. Its time limit starts now.
///
/// # Errors
/// If the solver fails or is not available, or if a solution breaks the rules, which is a bug of ours.
pub fn run(
    puzzle: &dyn Puzzle,
    query: Query,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Outcome, QueryError> {
    run_up_to(puzzle, query, None, config, observer)
}

/// Solves a query up to symmetry: of the solutions that the symmetry maps to one another, one is kept.
///
/// # Errors
/// As [`run`].
pub fn run_up_to(
    puzzle: &dyn Puzzle,
    query: Query,
    symmetry: Option<&dyn Symmetry>,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Outcome, QueryError> {
    if config.threads > 1 && !matches!(query, Query::Enumerate { .. }) {
        return race::race(puzzle, config, observer, |config, shared, observer| {
            run_once(puzzle, query, symmetry, config, Some(shared), observer)
        });
    }
    run_once(puzzle, query, symmetry, config, None, observer)
}

/// Solves a query on this thread.
fn run_once(
    puzzle: &dyn Puzzle,
    query: Query,
    symmetry: Option<&dyn Symmetry>,
    config: &Config,
    shared: Option<Arc<SharedBounds>>,
    observer: &mut dyn Observer,
) -> Result<Outcome, QueryError> {
    let run = QueryRun::new(puzzle, symmetry, config, shared, observer);
    let stages = puzzle.stages(&query);
    match query {
        Query::Satisfy | Query::Optimise(_) => run.satisfy(stages, query.objective()),
        Query::Enumerate { .. } | Query::Count | Query::Unique => run.enumerate(stages, query),
        Query::Backbone => run.backbone(stages),
    }
}
