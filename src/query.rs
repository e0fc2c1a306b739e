//! Runs queries on puzzles.
//!
//! A puzzle has one or more formulations, which a query encodes and solves one after the other. Every solution is
//! checked against the rules before the [`Observer`] receives it. This module does not depend on the command line or
//! on the renderers.
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

use gordian_counting::Progress;
use gordian_encodings::{Fallback, Sizes, Value};
use num_bigint::BigUint;

use crate::backend::{BackendError, Statistics};
use crate::puzzle::{ObjectiveRow, Puzzle, Query, Symmetry};
use crate::rules::{Solution, Violation};
use crate::search::{Config, Gap, Session, SharedBounds, SolveError};

mod backbone;
pub mod certificate;
pub(crate) mod count;
mod enumerate;
mod listing;
mod race;
mod run;
mod sample;
mod satisfy;
mod values;

pub use backbone::{Backbone, FieldValues, PartValues};
pub use sample::sample;
pub use values::{FieldCounts, ValueCounts};

use count::Method;
use run::QueryRun;

/// A solution that is better than all earlier solutions.
#[derive(Debug, Clone, Copy)]
pub struct Improvement<'a> {
    /// The puzzle.
    pub puzzle: &'a dyn Puzzle,
    /// The objective.
    pub objective: &'static ObjectiveRow,
    /// The solution.
    pub solution: &'a Solution,
    /// The objective value of the solution.
    pub value: Value,
}

/// An observer, which receives reports while a query runs.
pub trait Observer {
    /// Reports a fallback: a chosen encoding does not apply, so a different one is used. Each fallback is reported
    /// once, however often it occurs.
    fn fallback(&mut self, fallback: Fallback) {
        let _ = fallback;
    }

    /// Reports a better solution or a tighter bound on the objective.
    ///
    /// # Errors
    /// Returns an error if the report can't be delivered. The search continues even if the function returns an error.
    fn gap(&mut self, puzzle: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        let _ = (puzzle, row, gap);
        Ok(())
    }

    /// Returns whether an optimisation should call [`Observer::better`] for each better solution.
    fn wants_better(&self) -> bool {
        false
    }

    /// Reports a solution that is better than all earlier solutions, if [`Observer::wants_better`] returns true.
    ///
    /// # Errors
    /// Returns an error if the report can't be delivered. The error ends the query.
    fn better(&mut self, improvement: Improvement<'_>) -> io::Result<()> {
        let _ = improvement;
        Ok(())
    }

    /// Reports the first solution of [`Query::Unique`], before the search for another one starts.
    fn first(&mut self, solution: &Solution) {
        let _ = solution;
    }

    /// Reports the progress of [`Query::Count`] and [`Query::CountValues`].
    fn counting(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Reports a solution of [`Query::Enumerate`]. The first solution has the `number` 1. If symmetries are broken,
    /// `orbit` is the number of symmetric solutions that this solution represents, or `None` if the number is unknown.
    ///
    /// # Errors
    /// Returns an error if the report can't be delivered. The error ends the query.
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

/// An observer that ignores every report.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The status of a query that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The query has a definite result.
    Solved,
    /// The query found a solution that is proven optimal.
    Optimal,
    /// The puzzle has no solution.
    None,
    /// A limit stopped the query.
    Stopped,
}

/// The time spent in each step of a query.
#[derive(Debug, Clone, Copy, Default)]
pub struct StepTimes {
    /// The time to parse the board.
    pub parse: Duration,
    /// The time to build the model.
    pub model: Duration,
    /// The time to encode the model into clauses.
    pub encode: Duration,
    /// The time of the search.
    pub solve: Duration,
    /// The time to decode solutions from assignments.
    pub decode: Duration,
    /// The time to check solutions against the rules.
    pub check: Duration,
}

impl StepTimes {
    /// Returns the name and duration of each step, in the order of execution.
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

    /// Returns the sum of all times.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.steps().iter().map(|(_, time)| *time).sum()
    }
}

/// Runs the function `step`, and adds its running time to `time`.
pub fn timed<R>(time: &mut Duration, step: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = step();
    *time += start.elapsed();
    result
}

/// The outcome of a query on a puzzle.
#[derive(Debug)]
pub struct Outcome {
    /// The status of the query.
    pub status: Status,
    /// A solution, or `None` if the query does not return a solution or has not found one.
    pub solution: Option<Solution>,
    /// A second solution, which proves that `solution` is not unique.
    pub other: Option<Solution>,
    /// The objective, the value of the solution, and the best proven bound on the objective.
    pub objective: Option<(&'static ObjectiveRow, Value, Value)>,
    /// The number of solutions found, for [`Query::Enumerate`], [`Query::Count`] and [`Query::CountValues`]. If a limit
    /// stopped the query, there may be more.
    pub count: Option<BigUint>,
    /// For [`Query::CountValues`], the number of solutions for each value of each part of the solution. The field is
    /// `None` if there is no solution, or if a limit stopped the query.
    pub values: Option<ValueCounts>,
    /// The total number of solutions, including symmetric solutions that were omitted; `None` if no symmetry is
    /// broken or if the total is unknown.
    pub orbits: Option<u128>,
    /// For [`Query::Unique`] and [`Query::Backbone`], `Some(true)` if there is exactly one solution, `Some(false)` if
    /// there are several, and `None` if the number is not known.
    pub unique: Option<bool>,
    /// For [`Query::Backbone`], the values that all solutions have in common. In this case, the field `solution`
    /// contains one of the solutions.
    pub backbone: Option<Backbone>,
    /// For [`Query::Backbone`] with a proof, solutions that together show every possible value of every part.
    pub witnesses: Vec<Solution>,
    /// The time spent in each step.
    pub times: StepTimes,
    /// The size of the formula. If several formulations were encoded, this is the size of the last one.
    pub sizes: Sizes,
    /// The encodings that were used, each with its constraint type and the number of constraints.
    pub encodings: Vec<(&'static str, &'static str, u64)>,
    /// The statistics of the solver.
    pub statistics: Statistics,
}

impl Default for Outcome {
    /// Returns an outcome with the status [`Status::Stopped`] and no results.
    fn default() -> Self {
        Self {
            status: Status::Stopped,
            solution: None,
            other: None,
            objective: None,
            count: None,
            values: None,
            orbits: None,
            unique: None,
            backbone: None,
            witnesses: Vec::new(),
            times: StepTimes::default(),
            sizes: Sizes::default(),
            encodings: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

impl Outcome {
    /// Returns whether `self` contains more information than `other`. Both must be outcomes of queries that a limit
    /// stopped.
    fn is_more_informative_than(&self, other: &Self) -> bool {
        match (self.objective, other.objective) {
            (Some((row, value, bound)), Some((_, value_of_other, bound_of_other))) => {
                let better = |a, b| row.sense.is_better(a, b);
                better(value, value_of_other) || (value == value_of_other && better(bound_of_other, bound))
            }
            (one, none) if one.is_some() != none.is_some() => one.is_some(),
            _ => self.known() > other.known(),
        }
    }

    /// Returns a key for comparing outcomes of the same query: a larger key means more information.
    fn known(&self) -> (bool, Option<&BigUint>, Option<usize>) {
        let backbone = self.backbone.as_ref();
        let complete = backbone.map(|fields| fields.iter().map(|(_, values)| values.complete()).sum());
        (self.solution.is_some(), self.count.as_ref(), complete)
    }

    /// Adds the sizes, encodings and statistics of a finished session to the outcome.
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
            (&mut now.restarts, before.restarts),
        ] {
            *count = count.map(|count| count + before.unwrap_or(0));
        }
    }
}

/// An error that ends a query without an outcome.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The system could not start a thread.
    #[error("the system could not start a thread")]
    NoThread,
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SolveError),
    /// The [`Observer`] could not deliver a solution.
    #[error(transparent)]
    Observer(#[from] io::Error),
    /// A solution found by gordian violates the rules.
    #[error("this is a bug in gordian: its solution breaks the rules: {0}")]
    WrongSolution(Violation),
    /// Some variables are unbounded, so no single formulation contains all solutions.
    #[error("solutions can't be sampled if variables are unbounded")]
    Unbounded,
    /// A proof is impossible, for the given reason.
    #[error("--proof: {0}")]
    NoProof(String),
    /// The proof could not be written.
    #[error(transparent)]
    Proof(#[from] gordian_proofs::ProofError),
    /// Two counts of the same solutions disagree.
    #[error("this is a bug in gordian: {0}")]
    WrongCount(String),
}

impl From<BackendError> for QueryError {
    fn from(error: BackendError) -> Self {
        Self::Search(error.into())
    }
}

/// Runs a query. The time limit starts with this call.
///
/// # Errors
/// Returns an error if the solver is not available or fails, or if a solution violates the rules, which is a bug in
/// gordian.
pub fn run(
    puzzle: &dyn Puzzle,
    query: Query,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Outcome, QueryError> {
    run_up_to(puzzle, query, None, config, observer)
}

/// Runs a query up to symmetry: only one solution of each set of symmetric solutions is reported.
///
/// # Errors
/// Returns an error in the same cases as [`run()`].
pub fn run_up_to(
    puzzle: &dyn Puzzle,
    query: Query,
    symmetry: Option<&dyn Symmetry>,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Outcome, QueryError> {
    // WebAssembly has no threads.
    let threads = if cfg!(target_family = "wasm") { 1 } else { config.threads };
    let counts = matches!(query, Query::Count | Query::CountValues);
    if counts && symmetry.is_none() && config.conflicts.is_none() && threads > 1 {
        let methods = Method::for_threads(threads);
        let configs = vec![Config { threads: 1, ..config.clone() }; methods.len()];
        return race::race(puzzle, config, configs, observer, |index, config, _, observer| {
            QueryRun::new(puzzle, None, config, None, observer).count(&query, methods[index])
        });
    }
    if threads > 1 && !matches!(query, Query::Enumerate { .. }) {
        return race::race(
            puzzle,
            config,
            race::portfolio(config),
            observer,
            |_, config, shared, observer| run_once(puzzle, query, symmetry, config, Some(shared), observer),
        );
    }
    run_once(puzzle, query, symmetry, config, None, observer)
}

/// Runs a query on the current thread.
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
        Query::Enumerate { .. } | Query::Unique => run.enumerate(stages, query),
        Query::Count | Query::CountValues => run.count(&query, Method::Auto),
        Query::Backbone => run.backbone(stages),
    }
}
