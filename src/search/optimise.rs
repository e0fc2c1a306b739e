//! The best solution.
//!
//! A [`Strategy`] asks for solutions that are better than the best one known, or for reasons why there can be none, until
//! the two meet. All of them keep both: the best solution found so far and a value that no solution is better than, the
//! two ends of the [`Gap`]; and say so whenever one moves. A limit leaves the gap that there is.
//!
//! Each strategy has a file and a row in [`STRATEGIES`].

use gordian_encodings::objective::Overflow;
use gordian_encodings::{Assignment, Lit, Objective, ObjectiveBounds, Sense, Value};

use super::Session;
use crate::backend::{BackendError, Verdict};
use crate::nearest::did_you_mean;

mod alternating;
mod binary;
mod core_guided;
mod sat_unsat;
#[cfg(test)]
mod tests;
mod unsat_sat;

/// A way to look for the best solution.
#[derive(Debug)]
pub struct Strategy {
    /// The name users type.
    pub name: &'static str,
    /// One line for `list`.
    pub summary: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    run: fn(&mut Search<'_>) -> Result<(), OptimiseError>,
}

/// All strategies, the default one first.
pub static STRATEGIES: &[&Strategy] = &[
    &alternating::STRATEGY,
    &core_guided::STRATEGY,
    &sat_unsat::STRATEGY,
    &unsat_sat::STRATEGY,
    &binary::STRATEGY,
];

/// The strategy of this name.
///
/// # Errors
/// If there is none.
pub fn strategy(name: &str) -> Result<&'static Strategy, StrategyError> {
    let found = STRATEGIES.iter().copied().find(|strategy| strategy.name == name);
    found.ok_or_else(|| StrategyError { found: name.to_owned() })
}

/// There is no strategy of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy `{found}`; there are {}{}", names(), meant(found))]
pub struct StrategyError {
    /// What was asked for.
    pub found: String,
}

fn meant(name: &str) -> String {
    did_you_mean(name, &STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>())
}

fn names() -> String {
    let names: Vec<_> = STRATEGIES.iter().map(|strategy| format!("`{}`", strategy.name)).collect();
    names.join(", ")
}

/// Where the best value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The value of the best solution found.
    pub best: Option<Value>,
    /// A value that no solution is better than.
    pub bound: Value,
}

/// An end of the gap that has moved.
#[derive(Debug, Clone, Copy)]
pub struct Move<'a> {
    /// The gap that is left.
    pub gap: Gap,
    /// The solution, if a better one was found.
    pub improved: Option<&'a Assignment>,
}

/// What came of the search for a best solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    /// The best solution found, with its value.
    pub best: Option<(Assignment, Value)>,
    /// A value that no solution is better than; the best number there is, if a limit left no time to know better.
    pub bound: Value,
    /// Whether the search ended by itself: `best` is then a best solution, or there is none.
    pub proven: bool,
}

impl Optimum {
    /// Nothing is known.
    fn unknown(sense: Sense) -> Self {
        let bound = match sense {
            Sense::Minimise => Value::MIN,
            Sense::Maximise => Value::MAX,
        };
        Self { best: None, bound, proven: false }
    }
}

/// Why no best solution can be looked for.
#[derive(Debug, thiserror::Error)]
pub enum OptimiseError {
    /// The solver failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The objective is too great.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl Session {
    /// Looks for a best solution. `moved` hears of each end of the gap that moves.
    ///
    /// Afterwards the session may lack solutions that are worse than the best one found.
    ///
    /// # Errors
    /// If the solver fails or the objective is too great to be bounded.
    pub fn optimise(
        &mut self,
        objective: &Objective,
        strategy: &Strategy,
        mut moved: impl FnMut(Move<'_>),
    ) -> Result<Optimum, OptimiseError> {
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
        // Whatever the strategy: a first solution, in case there is no time for a better one.
        if search.solve(&[], None)? == Reply::Found {
            (strategy.run)(&mut search)?;
        }
        let Search { best, bound, proven, .. } = search;
        Ok(Optimum { best, bound, proven })
    }
}

/// The search for a best solution, as strategies see it.
struct Search<'a> {
    session: &'a mut Session,
    objective: &'a Objective,
    bounds: ObjectiveBounds,
    best: Option<(Assignment, Value)>,
    bound: Value,
    proven: bool,
    /// Whether a single call can be given a number of conflicts.
    budgets: bool,
    moved: &'a mut dyn FnMut(Move<'_>),
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reply {
    /// A solution, which the search has taken note of.
    Found,
    /// There is no solution under the assumptions; these are to blame, and not none.
    Core(Vec<Lit>),
    /// The search is over: there is no better solution.
    Proven,
    /// The call used up its conflicts.
    Exhausted,
    /// A limit of the search was reached.
    Stopped,
}

impl Search<'_> {
    /// Looks for a solution under assumptions, giving up after so many conflicts, if that can be told the solver.
    fn solve(&mut self, assumptions: &[Lit], conflicts: Option<u64>) -> Result<Reply, OptimiseError> {
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
                    Reply::Core(core)
                }
            }
            Verdict::Stopped if self.session.expired() => Reply::Stopped,
            Verdict::Stopped if conflicts.is_some() => Reply::Exhausted,
            Verdict::Stopped => Reply::Stopped,
        })
    }

    /// Takes over what others found and proved; whether the search is over by that.
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

    /// Takes note of the solution that was found last.
    fn found(&mut self) {
        let assignment = self.session.assignment();
        if self.take(&assignment) {
            self.session.prefer_last();
        }
    }

    /// Takes note of a solution, if it is better than the best; whether it is.
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

    /// No solution is better than this value.
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

    /// No solution is better than the best one found, or there is none at all.
    fn no_better(&mut self) {
        if let Some((_, best)) = self.best {
            self.none_better_than(best);
        }
        self.proven = true;
    }

    /// Assumptions under which the objective is this value or better.
    fn at_least_as_good_as(&mut self, value: Value) -> Vec<Lit> {
        let Self { session, bounds, .. } = self;
        // Where a limit is reached, nothing is asked under these assumptions.
        session.write(|sink| bounds.at_least_as_good_as(value, sink)).unwrap_or_default()
    }

    fn sense(&self) -> Sense {
        self.objective.sense
    }

    /// The value next to this one on the worse side.
    fn worse(&self, value: Value) -> Value {
        match self.sense() {
            Sense::Minimise => value + 1,
            Sense::Maximise => value - 1,
        }
    }

    /// The value next to this one on the better side.
    fn better(&self, value: Value) -> Value {
        match self.sense() {
            Sense::Minimise => value - 1,
            Sense::Maximise => value + 1,
        }
    }

    /// The value of the best solution: there is one when a strategy runs.
    fn best(&self) -> Value {
        self.best.as_ref().expect("a strategy begins with a solution").1
    }
}
