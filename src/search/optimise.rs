//! Optimisation: the search for a solution with the best value of an objective.
//!
//! The [`Gap`] is the interval between the value of the best solution found so far and a proven bound on the optimum.
//! A [`Strategy`] searches for better solutions, or for proofs that there are none, until the gap is closed. The
//! strategy reports each new value and each new bound. If a limit stops the search, the gap stays open.
//!
//! Each strategy has a file and an entry in [`STRATEGIES`].

use gordian_encodings::{Assignment, Lit, Objective, ObjectiveBounds, Sense, Value};

use super::{Session, SolveError};
use crate::backend::Verdict;
use crate::nearest::did_you_mean;

mod alternating;
mod binary;
mod core_guided;
mod large_neighbourhood;
mod log;
mod neighbourhood;
mod sat_unsat;
#[cfg(test)]
mod tests;
mod unsat_sat;

/// An optimisation strategy.
#[derive(Debug)]
pub struct Strategy {
    /// The name of the strategy on the command line.
    pub name: &'static str,
    /// A one-line description for `gordian list`.
    pub summary: &'static str,
    /// The paper that describes the strategy.
    pub paper: &'static str,
    run: fn(&mut Search<'_>) -> Result<(), SolveError>,
}

pub use core_guided::STRATEGY as CORE_GUIDED;
pub(super) use neighbourhood::Neighbourhoods;

/// All strategies, starting with the default.
pub static STRATEGIES: &[&Strategy] = &[
    &alternating::STRATEGY,
    &core_guided::STRATEGY,
    &sat_unsat::STRATEGY,
    &unsat_sat::STRATEGY,
    &binary::STRATEGY,
];

/// Returns the strategy with the given name.
///
/// # Errors
/// Returns an error if there is no such strategy.
pub fn strategy(name: &str) -> Result<&'static Strategy, StrategyError> {
    let found = STRATEGIES.iter().copied().find(|strategy| strategy.name == name);
    found.ok_or_else(|| StrategyError { found: name.to_owned() })
}

/// The error for an unknown strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy `{found}`; the strategies are {}{}", names(), meant(found))]
pub struct StrategyError {
    /// The unknown name.
    pub found: String,
}

fn meant(name: &str) -> String {
    did_you_mean(name, &STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>())
}

fn names() -> String {
    let names: Vec<_> = STRATEGIES.iter().map(|strategy| format!("`{}`", strategy.name)).collect();
    names.join(", ")
}

/// The interval that contains the optimal value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The value of the best solution found so far.
    pub best: Option<Value>,
    /// A proven bound: no solution has a better value.
    pub bound: Value,
}

/// A change of the best value or of the bound.
#[derive(Debug, Clone, Copy)]
pub struct Move<'a> {
    /// The gap after the change.
    pub gap: Gap,
    /// The better solution, or `None` if only the bound changed.
    pub improved: Option<&'a Assignment>,
}

/// The result of an optimisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    /// The best solution found, with its value.
    pub best: Option<(Assignment, Value)>,
    /// A proven bound: no solution has a better value. If a limit stopped the search before a bound was found, the
    /// bound is the best value that the number type can hold.
    pub bound: Value,
    /// True if the search finished. After a finished search, `best` is optimal, or the model has no solution.
    pub proven: bool,
}

impl Optimum {
    /// The state before the search: no solution, and the weakest bound.
    fn unknown(sense: Sense) -> Self {
        Self { best: None, bound: trivial_bound(sense), proven: false }
    }
}

/// Returns a trivial bound on an objective: the best value that the number type can hold.
pub(crate) fn trivial_bound(sense: Sense) -> Value {
    match sense {
        Sense::Minimise => Value::MIN,
        Sense::Maximise => Value::MAX,
    }
}

impl Session {
    /// Searches for a best solution. Calls `moved` whenever the best value or the bound changes.
    ///
    /// The search may exclude solutions that are worse than the best solution, so later queries of the same session
    /// may miss them.
    ///
    /// If the session has a recorder and the strategy is `core-guided`, the record of a finished search is a proof that
    /// no solution is better.
    ///
    /// # Errors
    /// Returns an error if the solver fails or the objective overflows.
    pub fn optimise(
        &mut self,
        objective: &Objective,
        strategy: &Strategy,
        mut moved: impl FnMut(Move<'_>),
    ) -> Result<Optimum, SolveError> {
        if self.incomplete {
            return Ok(Optimum::unknown(objective.sense));
        }
        let Some(bounds) = self.write(|sink| ObjectiveBounds::new(objective, sink)) else {
            return Ok(Optimum::unknown(objective.sense));
        };
        let bounds = bounds?;
        let bound = bounds.best();
        let budgets = self.counts_conflicts();
        let mut search = Search {
            session: self,
            objective,
            bounds,
            best: None,
            bound,
            proven: false,
            budgets,
            moved: &mut moved,
        };
        // Every strategy starts with an arbitrary solution, so a solution exists even if a limit stops the search
        // early.
        if search.solve(&[], None)? == Reply::Found {
            (strategy.run)(&mut search)?;
        }
        search.log_optimum();
        let Search { best, bound, proven, .. } = search;
        Ok(Optimum { best, bound, proven })
    }
}

/// The state of an optimisation, and the operations that strategies use.
struct Search<'a> {
    session: &'a mut Session,
    objective: &'a Objective,
    bounds: ObjectiveBounds,
    best: Option<(Assignment, Value)>,
    bound: Value,
    proven: bool,
    /// True if the solver supports a conflict limit for a single call.
    budgets: bool,
    moved: &'a mut dyn FnMut(Move<'_>),
}

/// The result of one call to the solver during an optimisation.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reply {
    /// A solution was found and recorded.
    Found,
    /// The formula is unsatisfiable under the assumptions. The unsatisfiable core is not empty.
    Core(Vec<Lit>),
    /// No better solution exists, so the search is finished.
    Proven,
    /// The call was stopped by its conflict budget.
    Exhausted,
    /// A search limit was reached.
    Stopped,
}

impl Search<'_> {
    /// Searches for a solution under assumptions, within a conflict budget if the solver supports one.
    fn solve(&mut self, assumptions: &[Lit], conflicts: Option<u64>) -> Result<Reply, SolveError> {
        if self.session.incomplete {
            return Ok(Reply::Stopped);
        }
        if self.hear_of_others() {
            return Ok(Reply::Proven);
        }
        let conflicts = conflicts.filter(|_| self.budgets);
        Ok(match self.session.satisfy_within(assumptions, conflicts)? {
            Verdict::Satisfiable => {
                self.found();
                if self.proven { Reply::Proven } else { Reply::Found }
            }
            Verdict::Unsatisfiable => {
                let core = self.session.core();
                if core.is_empty() {
                    self.no_better();
                    Reply::Proven
                } else {
                    // This core is logged now, because the search for a smaller core may delete the clauses from which
                    // it follows.
                    self.log_refuted(&core);
                    Reply::Core(core)
                }
            }
            Verdict::Stopped if self.session.expired() => Reply::Stopped,
            Verdict::Stopped if conflicts.is_some() => Reply::Exhausted,
            Verdict::Stopped => Reply::Stopped,
        })
    }

    /// Imports the solutions and bounds that other sessions share. Returns `true` if the gap is closed.
    fn hear_of_others(&mut self) -> bool {
        let Some(share) = &self.session.share else { return false };
        let known = share.known();
        if let Some((assignment, _)) = known.best {
            self.take(&assignment);
        }
        if let Some(bound) = known.bound {
            self.none_better_than(bound);
        }
        self.proven
    }

    /// Records the last solution that the solver found.
    fn found(&mut self) {
        let assignment = self.session.assignment();
        if self.take(&assignment) {
            self.session.prefer_last();
        }
    }

    /// Records a solution if it is better than the best solution so far. Returns whether the solution is better.
    fn take(&mut self, assignment: &Assignment) -> bool {
        let value = self.objective.value(assignment);
        if self.best.as_ref().is_some_and(|&(_, best)| !self.sense().is_better(value, best)) {
            return false;
        }
        if let Some(share) = &self.session.share {
            share.found(assignment, value, self.objective.sense);
        }
        (self.moved)(Move { gap: Gap { best: Some(value), bound: self.bound }, improved: Some(assignment) });
        self.best = Some((assignment.clone(), value));
        self.proven = value == self.bound;
        true
    }

    /// Records a bound: no solution is better than `value`.
    fn none_better_than(&mut self, value: Value) {
        let mut bound = self.bounds.admitted(value);
        if let Some((_, best)) = self.best
            && !self.sense().is_better(bound, best)
        {
            bound = best;
        }
        if self.sense().is_better(self.bound, bound) {
            self.bound = bound;
            if let Some(share) = &self.session.share {
                share.none_better_than(bound, self.objective.sense);
            }
            let best = self.best.as_ref().map(|&(_, value)| value);
            self.proven = best == Some(bound);
            (self.moved)(Move { gap: Gap { best, bound }, improved: None });
        }
    }

    /// Records that no solution is better than the best solution found so far. If no solution was found, records that
    /// the model has no solution.
    fn no_better(&mut self) {
        if let Some((_, best)) = self.best {
            self.none_better_than(best);
        }
        self.proven = true;
    }

    /// Returns assumptions that make the objective at least as good as `value`.
    fn at_least_as_good_as(&mut self, value: Value) -> Vec<Lit> {
        let Self { session, bounds, .. } = self;
        // If a limit is reached, the assumptions are empty, but the solver is never called with them.
        session.write(|sink| bounds.at_least_as_good_as(value, sink)).unwrap_or_default()
    }

    fn sense(&self) -> Sense {
        self.objective.sense
    }

    /// Returns the best objective value that is worse than `value`.
    fn worse(&self, value: Value) -> Value {
        match self.sense() {
            Sense::Minimise => value + 1,
            Sense::Maximise => value - 1,
        }
    }

    /// Returns the value of the best solution so far. A best solution exists, because a strategy runs only after a
    /// first solution was found.
    fn best(&self) -> Value {
        self.best.as_ref().expect("a strategy begins with a solution").1
    }
}
