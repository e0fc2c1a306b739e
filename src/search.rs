//! Questions to a back end about a model. Knows no puzzle and names no solver.

use std::sync::Arc;

use gordian_encodings::int::Says;
use gordian_encodings::theory::{Deepen, Deferred};
use gordian_encodings::{
    Assignment, Encoded, Encodings, Fallback, IntVar, Lit, Model, Sink, Sizes, constant,
};

use crate::backend::{Backend, BackendError, Limits, Solver, Statistics, Verdict};

mod backbone;
mod config;
mod enumerate;
mod optimise;
mod shared;

pub use backbone::{PossibleValues, ValueStatus, Way};
pub use config::Config;
pub use enumerate::{Assignments, EnumerateError};
pub use optimise::{Gap, Move, OptimiseError, Optimum, STRATEGIES, Strategy, StrategyError, strategy};
pub use shared::SharedBounds;

/// A model that was encoded into a back end, to be asked.
///
/// Constraints that encodings [left to the search](gordian_encodings::theory) are looked after here: propagators are
/// given to the back end if it takes them; of the others, and of those it does not take, the clauses that an assignment
/// breaks are added until none is broken; and depths are extended that are to blame for a contradiction.
#[derive(Debug)]
pub struct Session {
    backend: Box<dyn Backend>,
    encoded: Encoded,
    solution: Vec<Lit>,
    /// The constraints kept by cuts.
    lazy: Vec<Deferred>,
    deepening: Vec<Box<dyn Deepen>>,
    /// How many cuts were added, and how many depths extended.
    rounds: Rounds,
    /// The limits of all calls together.
    limits: Limits,
    /// Whether a limit was reached while something was written: the formula lacks what it should have.
    incomplete: bool,
    /// The limit on conflicts that the back end was told last.
    told: Option<u64>,
    /// What others who look for the best solution know.
    share: Option<shared::Share>,
}

/// What the search had to do beside asking the back end once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rounds {
    /// Calls of the back end.
    pub calls: u64,
    /// Clauses added because an assignment broke them.
    pub cuts: u64,
    /// Depths extended.
    pub deepened: u64,
}

impl Session {
    /// Encodes the model into a new back end of this solver, clause by clause.
    ///
    /// # Errors
    /// If the solver can't be had or can't take the limits.
    pub fn new(
        model: &Model,
        encodings: &Encodings,
        solver: &Solver,
        limits: Option<Limits>,
    ) -> Result<Self, BackendError> {
        let mut backend = solver.make()?;
        if let Some(limits) = &limits {
            backend.set_limits(limits.clone())?;
        }
        Ok(Self::within(backend, limits.unwrap_or_default(), model, encodings))
    }

    /// Encodes the model into a back end that has no clause yet and, if it is to be limited or to have a seed, has these
    /// limits and its seed.
    ///
    /// If a limit is reached meanwhile, [`Session::sizes`] says how far it came, and whatever is asked is answered as if
    /// the limit had been reached then.
    #[must_use]
    pub fn within(
        mut backend: Box<dyn Backend>,
        limits: Limits,
        model: &Model,
        encodings: &Encodings,
    ) -> Self {
        // In the order of the variables, and before these are used: there are solvers that take it in no other.
        let mut preferred = model.preferred().to_vec();
        preferred.sort_unstable();
        for lit in preferred {
            backend.phase(lit);
        }
        let mut encoded = Encoded::begin(model, &encodings.clone().deferring());
        let mut incomplete = limits.within(|| encoded.write(model, &mut *backend)).is_none();
        let reached = || limits.expired() || limits.swollen();
        let mut lazy = Vec::new();
        for deferred in encoded.take_deferred() {
            incomplete = incomplete || reached();
            if incomplete {
                break;
            }
            // A propagator knows no condition.
            let propagator = deferred.constraint.propagator().filter(|_| deferred.unless.is_empty());
            if propagator.is_none_or(|propagator| backend.attach(propagator).is_some()) {
                lazy.push(deferred);
            }
        }
        let deepening = encoded.take_deepening();
        let solution = model.projection().to_vec();
        let told = limits.conflicts;
        Self {
            backend,
            encoded,
            solution,
            lazy,
            deepening,
            rounds: Rounds::default(),
            limits,
            incomplete,
            told,
            share: None,
        }
    }

    /// Shares what is found and proven of the best solution with others who ask the same model, which has this number
    /// among those they ask.
    pub fn share(&mut self, bounds: Arc<SharedBounds>, model: usize) {
        self.share = Some(shared::Share::new(bounds, model));
    }

    /// Looks for an assignment that satisfies the model and the assumptions.
    ///
    /// # Errors
    /// If the solver fails.
    pub fn satisfy(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError> {
        self.satisfy_within(assumptions, None)
    }

    /// The same, given up after so many conflicts. They are no limit where [`Session::counts_conflicts`] says so.
    fn satisfy_within(
        &mut self,
        assumptions: &[Lit],
        conflicts: Option<u64>,
    ) -> Result<Verdict, BackendError> {
        let budget = conflicts.map(|conflicts| self.conflicts().saturating_add(conflicts));
        loop {
            if self.incomplete {
                return Ok(Verdict::Stopped);
            }
            self.limit_conflicts(budget)?;
            let depths = self.deepening.iter().filter_map(|deepening| deepening.assumption());
            let assumed: Vec<Lit> = assumptions.iter().copied().chain(depths).collect();
            self.rounds.calls += 1;
            let verdict = self.backend.solve(&assumed)?;
            let again = match verdict {
                Verdict::Satisfiable => self.cut(),
                Verdict::Unsatisfiable => self.deepen(),
                Verdict::Stopped => false,
            };
            if !again {
                return Ok(verdict);
            }
        }
    }

    /// Conflicts so far, as far as the back end tells.
    fn conflicts(&self) -> u64 {
        self.backend.statistics().conflicts.unwrap_or(0)
    }

    /// Lets the next call have what is left of the conflicts of all calls, and no more than up to `budget` in all.
    fn limit_conflicts(&mut self, budget: Option<u64>) -> Result<(), BackendError> {
        let most = self.limits.conflicts.into_iter().chain(budget).min();
        let left = most.map(|most| most.saturating_sub(self.conflicts()));
        if left != self.told {
            self.backend.set_limits(Limits { conflicts: left, ..self.limits.clone() })?;
            self.told = left;
        }
        Ok(())
    }

    /// Whether a single call can be given a number of conflicts.
    fn counts_conflicts(&mut self) -> bool {
        let limited = Limits { conflicts: Some(u64::MAX), ..self.limits.clone() };
        self.told = limited.conflicts;
        self.backend.set_limits(limited).is_ok() && self.backend.statistics().conflicts.is_some()
    }

    /// Whether a limit of all calls together is reached.
    fn expired(&self) -> bool {
        self.incomplete
            || self.limits.expired()
            || self.limits.swollen()
            || self.limits.conflicts.is_some_and(|most| self.conflicts() >= most)
    }

    /// Of the last contradiction, the assumptions to blame.
    fn core(&mut self) -> Vec<Lit> {
        self.backend.core()
    }

    /// Asks the solver to try the values of its last assignment first, where it can take that at any time. Others
    /// remember the values they had last by themselves.
    fn prefer_last(&mut self) {
        let variables = self.encoded.sink(&mut *self.backend).variables();
        let lits: Vec<Lit> = (0..variables)
            .map(Lit::positive)
            .filter_map(|lit| self.backend.value(lit).map(|holds| if holds { lit } else { !lit }))
            .collect();
        for lit in lits {
            if !self.backend.phase(lit) {
                return;
            }
        }
    }

    /// Writes more clauses; `None` if a limit is reached meanwhile, after which nothing can be asked any more.
    fn write<R>(&mut self, write: impl FnOnce(&mut Sink<'_>) -> R) -> Option<R> {
        let Self { encoded, backend, limits, .. } = self;
        let written = limits.within(|| write(&mut encoded.sink(&mut **backend)));
        self.incomplete |= written.is_none();
        written
    }

    /// Adds the clauses that the assignment breaks; `false` if it breaks none.
    fn cut(&mut self) -> bool {
        let backend = &self.backend;
        // What the solver left open is false, as in `Encoded::assignment`.
        let variable = |lit: Lit| backend.value(lit).unwrap_or(!lit.is_pos());
        let holds = |lit: Lit| constant(lit).unwrap_or_else(|| variable(lit));
        let mut broken = Vec::new();
        for Deferred { constraint, unless } in &self.lazy {
            if unless.iter().any(|&lit| holds(lit)) {
                continue;
            }
            broken.extend(constraint.cuts(&holds).into_iter().map(|mut clause| {
                clause.extend(unless);
                clause
            }));
        }
        if broken.is_empty() {
            return false;
        }
        self.rounds.cuts += broken.len() as u64;
        self.write(|sink| broken.iter().for_each(|clause| sink.clause(clause)));
        true
    }

    /// Extends the depths that are to blame for the contradiction; `false` if none is.
    fn deepen(&mut self) -> bool {
        if self.deepening.is_empty() {
            return false;
        }
        let core = self.backend.core();
        let mut deepening = std::mem::take(&mut self.deepening);
        let mut blamed = 0;
        self.write(|sink| {
            for deepening in &mut deepening {
                if deepening.assumption().is_some_and(|assumption| core.contains(&assumption)) {
                    blamed += 1;
                    deepening.deepen(sink);
                }
            }
        });
        self.deepening = deepening;
        self.rounds.deepened += blamed;
        blamed > 0
    }

    /// The assignment that the last [`Session::satisfy`] found. All false if it found none.
    #[must_use]
    pub fn assignment(&self) -> Assignment {
        self.encoded.assignment(|lit| self.backend.value(lit))
    }

    /// Every assignment of the solution's literals that some solution has, once, in no particular order.
    #[must_use]
    pub fn into_assignments(self) -> Assignments {
        Assignments::new(self)
    }

    /// The same for these literals instead of those of [`Model::project`].
    #[must_use]
    pub fn into_assignments_of(mut self, lits: Vec<Lit>) -> Assignments {
        self.solution = lits;
        self.into_assignments()
    }

    /// See [`Encoded::literals_of_integers`].
    #[must_use]
    pub fn literals_of_integers(&self) -> Vec<(Lit, IntVar, Says)> {
        self.encoded.literals_of_integers()
    }

    /// What was encoded, by meaning.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        self.encoded.sizes()
    }

    /// Where the encoding is not what was asked for.
    #[must_use]
    pub fn fallbacks(&self) -> &[Fallback] {
        self.encoded.fallbacks()
    }

    /// What the back end has done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.backend.statistics()
    }

    /// The encodings that were used: the meaning, the encoding, and for how many constraints.
    #[must_use]
    pub fn encodings(&self) -> &[(&'static str, &'static str, u64)] {
        self.encoded.encodings()
    }

    /// What was done beside asking the back end once.
    #[must_use]
    pub fn rounds(&self) -> Rounds {
        self.rounds
    }
}
