//! Search with the restarts of `MiniZinc`'s `on_restart`, for example for large neighbourhood search.
//!
//! Each run of the search solves the instance again. For each run, [`Restarts`](gordian_flatzinc::restart::Restarts)
//! fixes the values of some variables. After a solution is found, only solutions with a better objective value are
//! accepted. A run ends when it finds a solution, proves that none exists, or reaches its conflict limit.

use std::io;
use std::sync::Arc;

use gordian_counting::Random;
use gordian_encodings::Value;
use gordian_flatzinc::instance::{Call, Goal, Operand, VarId};
use gordian_flatzinc::restart::{RestartSequence, RestartState, Restarts, SearchStatus};
use gordian_flatzinc::{Instance, TranslateError};
use num_bigint::BigUint;

use super::{Flat, equal};
use crate::backend::Limits;
use crate::puzzle::Query;
use crate::query::{self, Outcome, QueryError, Silent, Status};
use crate::rules::Solution;
use crate::search::Config;

/// An error that ends a search with restarts.
#[derive(Debug, thiserror::Error)]
pub enum RestartError {
    /// Numbers exceed 128 bits.
    #[error(transparent)]
    Translate(#[from] TranslateError),
    /// A run of the search failed.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// The result of a search with restarts.
#[derive(Debug)]
pub struct Restarted {
    /// The outcome, with the statistics of the last run. The status is [`Status::Optimal`] only if there is no better
    /// solution or if `complete()` ended the search.
    pub outcome: Outcome,
    /// The number of runs.
    pub runs: u64,
}

/// The reason why a search with restarts has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// There is no solution, or no better solution.
    Proven,
    /// The model called `complete()`.
    Completed,
    /// A limit was reached, enough solutions were found, or all further runs would have the same result.
    Stopped,
}

/// The state of a search with restarts.
struct Search<'a> {
    flat: &'a Flat,
    restarts: Restarts<'a>,
    /// The config of each run. The time limit applies to all runs together.
    config: Config,
    random: Random,
    /// The instance without its objective. After the first solution, the last constraint requires a better objective
    /// value than that of `best`.
    bounded: Instance,
    status: SearchStatus,
    last: Vec<Option<Value>>,
    best: Option<Solution>,
    /// The values that were fixed in the last run, if the run proved that no further solution has these values.
    failed: Option<Vec<(&'a Operand, Value)>>,
    outcome: Outcome,
}

impl Flat {
    /// Searches with restarts. Without an objective, the search ends with the first solution. With an objective, it
    /// ends when there is no better solution. Calls `improved` with each solution. Returns `None` if no variable of the
    /// instance depends on restarts.
    ///
    /// # Errors
    /// Returns an error if the solver or `improved` fails, or if numbers exceed 128 bits.
    pub fn restart(
        &self,
        sequence: RestartSequence,
        config: &Config,
        mut improved: impl FnMut(&Solution) -> io::Result<()>,
    ) -> Result<Option<Restarted>, RestartError> {
        let Some(restarts) = Restarts::of(&self.instance) else { return Ok(None) };
        let bounded = Instance { goal: Goal::Satisfy, ..(*self.instance).clone() };
        let mut search = Search {
            flat: self,
            restarts,
            config: Config { timeout: None, deadline: config.limits().deadline, ..config.clone() },
            random: Random::new(config.seed.into()),
            last: vec![None; bounded.variables.len()],
            bounded,
            status: SearchStatus::Start,
            best: None,
            failed: None,
            outcome: Outcome::default(),
        };
        let mut runs = 0;
        let end = loop {
            runs += 1;
            if let Some(end) = search.run(runs, sequence, &mut improved)? {
                break end;
            }
        };
        let mut outcome = search.outcome;
        outcome.status = match (end, &search.best) {
            (End::Proven, None) => Status::None,
            (End::Proven | End::Completed, Some(_)) => Status::Optimal,
            (End::Stopped, Some(_)) if self.instance.goal == Goal::Satisfy => Status::Solved,
            (End::Completed | End::Stopped, _) => Status::Stopped,
        };
        outcome.solution = search.best;
        Ok(Some(Restarted { outcome, runs }))
    }
}

impl Search<'_> {
    /// Runs the search once. Returns the reason to end the search, or `None` if another run should follow.
    fn run(
        &mut self,
        run: u64,
        sequence: RestartSequence,
        improved: &mut dyn FnMut(&Solution) -> io::Result<()>,
    ) -> Result<Option<End>, RestartError> {
        let state = RestartState {
            status: self.status,
            last: &self.last,
            solution: self.best.as_ref().and_then(Solution::witness),
        };
        let values = self.restarts.values(&state, |low, high| uniform(&mut self.random, low, high));
        let mut instance = self.bounded.clone();
        instance.constraints.extend(values.iter().map(|&(operand, value)| fix(operand, value)));
        let flat = self.flat_of(instance)?;
        let mut completes = false;
        if !flat.problem.is_unsatisfiable() {
            let known = |variable| match flat.problem.bounds(variable) {
                (Some(low), Some(high)) if low == high => Some(low),
                _ => None,
            };
            for (variable, last) in (0..).map(VarId).zip(&mut self.last) {
                *last = known(variable).or(*last);
            }
            // The search ends after this run, even if the run finds no solution.
            completes = self.restarts.completes(|marker| match *marker {
                Operand::Var(variable) => known(variable) == Some(1),
                ref marker => marker.constant() == Some(1),
            });
        }
        let conflicts = sequence.limit(run);
        self.outcome = self.query(&flat, run, conflicts)?;
        if let Some(solution) = self.outcome.solution.take() {
            return self.found(solution, improved);
        }
        if completes {
            return Ok(Some(End::Completed));
        }
        let is_unsatisfiable = self.outcome.status == Status::None;
        if is_unsatisfiable {
            // If there is no solution even without the fixed values, the search is complete.
            let free = self.flat_of(self.bounded.clone())?;
            if free.problem.is_unsatisfiable() || self.query(&free, run, conflicts)?.status == Status::None {
                return Ok(Some(End::Proven));
            }
        }
        self.status = if is_unsatisfiable { SearchStatus::Unsatisfiable } else { SearchStatus::Unknown };
        // If two successive runs fail with the same fixed values, all further runs would fail too, unless the fixed
        // values are chosen at random.
        let failed = (is_unsatisfiable && !self.restarts.is_random()).then_some(values);
        let repeats = failed.is_some() && failed == self.failed;
        self.failed = failed;
        let is_unlimited = !is_unsatisfiable && conflicts.is_none();
        Ok((repeats || is_unlimited || self.limits().expired()).then_some(End::Stopped))
    }

    /// Stores a solution, and excludes all solutions that are not better.
    fn found(
        &mut self,
        solution: Solution,
        improved: &mut dyn FnMut(&Solution) -> io::Result<()>,
    ) -> Result<Option<End>, RestartError> {
        improved(&solution).map_err(QueryError::Observer)?;
        self.status = SearchStatus::Satisfiable;
        self.failed = None;
        let values = solution.witness().unwrap_or_default();
        for (last, &value) in self.last.iter_mut().zip(values) {
            *last = Some(value);
        }
        let is_complete = self.restarts.completes(|marker| match *marker {
            Operand::Var(VarId(index)) => values.get(index as usize) == Some(&1),
            ref marker => marker.constant() == Some(1),
        });
        let value = self.flat.objective_value(&solution);
        self.best = Some(solution);
        if is_complete {
            return Ok(Some(End::Completed));
        }
        let Some(value) = value else { return Ok(Some(End::Stopped)) };
        let better = match &self.flat.instance.goal {
            Goal::Satisfy => return Ok(Some(End::Stopped)),
            Goal::Minimise(x) => value.checked_sub(1).map(|most| (x.clone(), Operand::Int(most))),
            Goal::Maximise(x) => value.checked_add(1).map(|least| (Operand::Int(least), x.clone())),
        };
        // The objective already has the best value that 128-bit numbers can represent.
        let Some((low, high)) = better else { return Ok(Some(End::Proven)) };
        self.bounded.constraints.truncate(self.flat.instance.constraints.len());
        self.bounded.constraints.push(equal("int_le", low, high));
        Ok(self.limits().expired().then_some(End::Stopped))
    }

    /// Presolves an instance, with the same options as the original instance.
    fn flat_of(&self, instance: Instance) -> Result<Flat, TranslateError> {
        let flat = Flat::new(Arc::new(instance))?;
        Ok(if self.flat.annotated { flat.annotated() } else { flat })
    }

    /// Searches for a solution, using at most the given number of conflicts. Each run has a different seed.
    fn query(&self, flat: &Flat, run: u64, conflicts: Option<u64>) -> Result<Outcome, QueryError> {
        let seed = self.config.seed.wrapping_add(u32::try_from(run - 1).unwrap_or_default());
        let config = Config { seed, conflicts, ..self.config.clone() };
        query::run(flat, Query::Satisfy, &config, &mut Silent)
    }

    /// Returns the limits of the whole search.
    fn limits(&self) -> Limits {
        self.config.limits()
    }
}

/// Returns the constraint `operand = value`.
fn fix(operand: &Operand, value: Value) -> Call {
    equal("int_eq", operand.clone(), Operand::Int(value))
}

/// Returns a random number from `low` to `high`, which must be at least `low`.
fn uniform(random: &mut Random, low: Value, high: Value) -> Value {
    // The difference may exceed `Value::MAX`, so it is computed as an unsigned number.
    let size = BigUint::from(high.wrapping_sub(low).cast_unsigned()) + 1_u32;
    let index = u128::try_from(random.below(&size)).unwrap_or(0);
    low.wrapping_add(index.cast_signed())
}
