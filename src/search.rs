//! Runs queries on models with any SAT solver. This module depends neither on puzzles nor on a specific solver.
//!
//! This file has over 400 lines because it contains the session, whose state all queries share.

use std::sync::Arc;

use gordian_encodings::int::AtomicConstraint;
use gordian_encodings::sink::Deepen;
use gordian_encodings::theory::Deferred;
use gordian_encodings::{
    Assignment, Collect, Encoded, Encodings, Fallback, IntVar, Lit, Model, Overflow, Sink, Sizes, lit,
};

use crate::backend::{Backend, BackendError, Limits, Solver, Statistics, Verdict};

mod backbone;
mod config;
mod enumerate;
mod grouped;
mod optimise;
mod recorder;
mod shared;

pub use backbone::{PossibleValues, ValueStatus, Way};
pub use config::Config;
pub use enumerate::Assignments;
pub use grouped::GroupedSession;
#[cfg(feature = "puzzles")]
pub(crate) use optimise::trivial_bound;
pub use optimise::{CORE_GUIDED, Gap, Move, Optimum, STRATEGIES, Strategy, StrategyError, strategy};
pub use recorder::Recorder;
pub use shared::SharedBounds;

/// A model encoded into a solver, ready for queries.
///
/// The session also enforces the constraints that the clauses do not express completely (see
/// [`theory`](gordian_encodings::theory)). If a lazy constraint has a propagator and the solver supports propagators,
/// the session attaches the propagator to the solver. Without a propagator, the session repeatedly solves the formula
/// and adds clauses that the assignment violates, until the assignment satisfies all constraints. Some encodings
/// contain the clauses of a constraint only up to a certain depth, for example up to a maximum distance in a graph. An
/// assumption excludes solutions beyond this depth. If an unsatisfiable core contains the assumption, the session
/// increases the depth and adds the missing clauses.
#[derive(Debug)]
pub struct Session {
    backend: Box<dyn Backend>,
    encoded: Encoded,
    solution: Vec<Lit>,
    /// Groups of literals for core-guided optimisation. At most one literal of each group is true.
    exclusive: Vec<Vec<Lit>>,
    /// The neighbourhoods of solutions, for optimisation.
    neighbourhoods: Option<optimise::Neighbourhoods>,
    /// The constraints that are enforced by lazy clauses.
    lazy: Vec<Deferred>,
    deepening: Vec<Box<dyn Deepen>>,
    /// The literals of [`Model::assume`], which every solver call assumes.
    assumed: Vec<Lit>,
    /// True if some query was unsatisfiable because of the literals of `assumed`.
    relied_on_assumed: bool,
    /// The numbers of solver calls and formula refinements so far.
    rounds: Rounds,
    /// The limits of the session as a whole.
    limits: Limits,
    /// True if the formula is incomplete because a limit was reached while it was written.
    incomplete: bool,
    /// The current conflict limit of the solver.
    conflict_limit: Option<u64>,
    /// Solutions and bounds, shared with other searches on the same model.
    share: Option<shared::Share>,
    /// The recorder of a proof.
    recorder: Option<Recorder>,
}

/// The maximum number of values of an integer for which [`Session::create_literals`] creates an order view.
const ORDER_UP_TO: u128 = 1_000;

/// The number of conflicts that [`Session::refute_without_assumed`] may always have.
const BRIEF: u64 = 1_000;

/// The numbers of solver calls and formula refinements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rounds {
    /// The number of calls to the solver.
    pub calls: u64,
    /// The number of clauses that were added because an assignment violated a lazy constraint.
    pub cuts: u64,
    /// The number of times that the depth of an encoding was increased.
    pub deepened: u64,
}

/// An error that ends a query without a result.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A limit of the [`Config`] was reached before the result was known.
    #[error("a limit was reached before the result was known")]
    LimitReached,
    /// The objective overflows a 128-bit integer.
    #[error(transparent)]
    Objective(#[from] Overflow),
    /// The solver is not available, does not support the limits, or failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

impl Session {
    /// Creates a solver without limits, and encodes the model into it. [`Config::session`] also sets limits.
    ///
    /// # Errors
    /// Returns an error if the solver is not available.
    pub fn new(model: &Model, encodings: &Encodings, solver: &Solver) -> Result<Self, BackendError> {
        Ok(Self::within(solver.make()?, Limits::default(), model, encodings, None))
    }

    /// Encodes the model into `backend`, which must have no clauses yet. The limits and the seed of `backend` must
    /// already be set.
    ///
    /// If a limit is reached before the formula is complete, every query returns [`Verdict::Stopped`], and
    /// [`Session::sizes`] returns the size of the incomplete formula.
    ///
    /// If there is a recorder, it records the model and the search, so that a proof can be written. The solver must
    /// support [proof logging](Backend::log_proof).
    #[must_use]
    pub fn within(
        backend: Box<dyn Backend>,
        limits: Limits,
        model: &Model,
        encodings: &Encodings,
        recorder: Option<Recorder>,
    ) -> Self {
        let write = |encoded: &mut Encoded, collect: &mut dyn Collect| encoded.write(model, collect);
        Self::written(backend, limits, model, encodings, recorder, write)
    }

    /// Works like [`Session::within`], but calls `write` to write the constraints of the model.
    fn written(
        mut backend: Box<dyn Backend>,
        limits: Limits,
        model: &Model,
        encodings: &Encodings,
        recorder: Option<Recorder>,
        write: impl FnOnce(&mut Encoded, &mut dyn Collect),
    ) -> Self {
        if let Some(recorder) = &recorder {
            recorder.begin(model, &mut *backend);
        }
        // Some solvers accept phases only for unused variables, and only in ascending order of the variables.
        let mut preferred = model.preferred().to_vec();
        preferred.sort_unstable();
        for lit in preferred {
            backend.phase(lit);
        }
        let mut encodings = encodings.clone().deferring();
        if backend.propagates() {
            encodings = encodings.propagating();
        }
        if backend.variables().is_some() {
            encodings = encodings.creating_literals();
        }
        if recorder.is_some() {
            encodings = encodings.deriving();
        }
        let mut encoded = Encoded::begin(model, &encodings);
        let written = limits.within(|| {
            recorder::through(recorder.as_ref(), &mut *backend, |collect| write(&mut encoded, collect));
        });
        let deepening = encoded.take_deepening();
        let solution = model.projection().to_vec();
        let exclusive = if model.objective().is_some() { model.exclusive() } else { Vec::new() };
        let neighbourhoods = optimise::Neighbourhoods::of(model);
        let conflict_limit = limits.conflicts;
        let mut session = Self {
            backend,
            encoded,
            solution,
            exclusive,
            neighbourhoods,
            lazy: Vec::new(),
            deepening,
            assumed: model.assumed().to_vec(),
            relied_on_assumed: false,
            rounds: Rounds::default(),
            limits,
            incomplete: written.is_none(),
            conflict_limit,
            share: None,
            recorder,
        };
        session.attach();
        session
    }

    /// Attaches the propagators of the constraints that were deferred since the last call.
    fn attach(&mut self) {
        for deferred in self.encoded.take_deferred() {
            self.incomplete = self.incomplete || self.limits.expired() || self.limits.exceeds_memory();
            if self.incomplete {
                break;
            }
            // Half-reified constraints are not propagated, because propagators enforce their constraints
            // unconditionally.
            let propagator = deferred.constraint.propagator().filter(|_| deferred.unless.is_empty());
            if propagator.is_none_or(|propagator| self.backend.attach(propagator).is_some()) {
                self.lazy.push(deferred);
            } else if let Some(recorder) = &self.recorder {
                recorder.attached(deferred.logged_as);
            }
        }
    }

    /// Shares solutions and bounds with other sessions that optimise the same list of models. The argument `model` is
    /// the index of the session's model in the list.
    pub fn share(&mut self, bounds: Arc<SharedBounds>, model: usize) {
        self.share = Some(shared::Share::new(bounds, model));
    }

    /// Finds an assignment that satisfies the model and the assumptions.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn satisfy(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError> {
        self.satisfy_within(assumptions, None)
    }

    /// Works like [`Session::satisfy`], but stops after `conflicts` conflicts. The conflict limit has no effect on
    /// solvers for which [`Session::counts_conflicts`] returns `false`.
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
            let assumed: Vec<Lit> =
                assumptions.iter().copied().chain(depths).chain(self.assumed.iter().copied()).collect();
            self.rounds.calls += 1;
            let verdict = self.backend.solve(&assumed)?;
            let again = match verdict {
                Verdict::Satisfiable => self.cut(),
                Verdict::Unsatisfiable => self.deepen(),
                Verdict::Stopped => false,
            };
            if !again {
                if verdict == Verdict::Unsatisfiable && !self.assumed.is_empty() {
                    let core = self.backend.core();
                    self.relied_on_assumed |= self.assumed.iter().any(|lit| core.contains(lit));
                }
                return Ok(verdict);
            }
        }
    }

    /// Works like [`Session::satisfy`], but also returns whether the verdict is [`Verdict::Unsatisfiable`] because of the
    /// literals of [`Model::assume`].
    fn satisfy_without_assumed(&mut self, assumptions: &[Lit]) -> Result<(Verdict, bool), BackendError> {
        let relied_before = std::mem::take(&mut self.relied_on_assumed);
        let before = self.conflicts();
        let verdict = self.satisfy(assumptions)?;
        let conflicts = self.conflicts() - before;
        self.refute_without_assumed(assumptions, conflicts)?;
        let relies = self.relied_on_assumed;
        self.relied_on_assumed |= relied_before;
        Ok((verdict, relies))
    }

    /// If an unsatisfiable core contained literals of [`Model::assume`], tries to refute the assumptions without these
    /// literals, because a core may contain literals that the refutation does not need. If the solver counts conflicts,
    /// the call has at most `conflicts` conflicts, or a few more.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn refute_without_assumed(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
    ) -> Result<(), BackendError> {
        if self.relied_on_assumed {
            let budget = self.counts_conflicts().then(|| conflicts.saturating_add(BRIEF));
            let assumed = std::mem::take(&mut self.assumed);
            let again = self.satisfy_within(assumptions, budget);
            self.assumed = assumed;
            self.relied_on_assumed = again? != Verdict::Unsatisfiable;
        }
        Ok(())
    }

    /// Returns the number of conflicts so far, or 0 if the solver does not report the number.
    fn conflicts(&self) -> u64 {
        self.backend.statistics().conflicts.unwrap_or(0)
    }

    /// Returns the number of propagations so far, or 0 if the solver does not report the number.
    fn propagations(&self) -> u64 {
        self.backend.statistics().propagations.unwrap_or(0)
    }

    /// Sets the conflict limit of the next solver call such that the total number of conflicts in this session exceeds
    /// neither the session's limit nor `budget`.
    fn limit_conflicts(&mut self, budget: Option<u64>) -> Result<(), BackendError> {
        let most = self.limits.conflicts.into_iter().chain(budget).min();
        let left = most.map(|most| most.saturating_sub(self.conflicts()));
        if left != self.conflict_limit {
            self.backend.set_limits(Limits { conflicts: left, ..self.limits.clone() })?;
            self.conflict_limit = left;
        }
        Ok(())
    }

    /// Returns whether the solver supports conflict limits and reports the number of conflicts.
    fn counts_conflicts(&mut self) -> bool {
        let limited = Limits { conflicts: Some(u64::MAX), ..self.limits.clone() };
        self.conflict_limit = limited.conflicts;
        self.backend.set_limits(limited).is_ok() && self.backend.statistics().conflicts.is_some()
    }

    /// Returns whether the session has reached a limit.
    fn expired(&self) -> bool {
        self.incomplete
            || self.limits.expired()
            || self.limits.exceeds_memory()
            || self.limits.conflicts.is_some_and(|most| self.conflicts() >= most)
    }

    /// Returns the assumptions in the last unsatisfiable core, without the literals of [`Model::assume`].
    pub fn core(&mut self) -> Vec<Lit> {
        let mut core = self.backend.core();
        core.retain(|lit| !self.assumed.contains(lit));
        core
    }

    /// Returns whether some query was unsatisfiable because of the literals of [`Model::assume`]. If so, the results
    /// of the session hold only for solutions that satisfy these literals.
    #[must_use]
    pub fn relied_on_assumed(&self) -> bool {
        self.relied_on_assumed
    }

    /// Sets phases: the literals are what the solver tries first, if it accepts phases at any time.
    pub(crate) fn prefer(&mut self, lits: impl IntoIterator<Item = Lit>) {
        for lit in lits {
            if !self.backend.phase(lit) {
                return;
            }
        }
    }

    /// Sets the phases to the values in the last assignment, if the solver accepts phases at any time. Other solvers
    /// save phases themselves.
    fn prefer_last(&mut self) {
        let variables = self.with_sink(|sink| sink.variables());
        let lits: Vec<Lit> = (0..variables)
            .map(Lit::positive)
            .filter_map(|lit| self.backend.value(lit).map(|holds| if holds { lit } else { !lit }))
            .collect();
        self.prefer(lits);
    }

    /// Adds clauses to the solver. If a limit is reached while clauses are added, returns `None`, and all following
    /// queries return [`Verdict::Stopped`].
    fn write<R>(&mut self, write: impl FnOnce(&mut Sink<'_>) -> R) -> Option<R> {
        let limits = self.limits.clone();
        let written = limits.within(|| self.with_sink(write));
        self.incomplete |= written.is_none();
        self.attach();
        written
    }

    /// Adds clauses to the solver and to the proof log.
    fn with_sink<R>(&mut self, write: impl FnOnce(&mut Sink<'_>) -> R) -> R {
        let Self { encoded, backend, recorder, .. } = self;
        if let Some(variables) = backend.variables() {
            encoded.skip_to(variables);
        }
        recorder::through(recorder.as_ref(), &mut **backend, |collect| {
            let mut sink = encoded.sink(collect);
            let written = write(&mut sink);
            // The propagators must not create variables that are in use, even if no clause contains them.
            let variables = sink.variables();
            collect.reserve(variables);
            written
        })
    }

    /// Adds the clauses of lazy constraints that the assignment violates. Returns `false` if no clause is violated.
    fn cut(&mut self) -> bool {
        let backend = &self.backend;
        let holds = |lit: Lit| lit::holds(lit, |lit| backend.value(lit));
        let mut broken = Vec::new();
        for Deferred { constraint, unless, logged_as } in &self.lazy {
            if unless.iter().any(|&lit| holds(lit)) {
                continue;
            }
            broken.extend(constraint.cuts(&holds).into_iter().map(|mut clause| {
                clause.extend(unless);
                (clause, *logged_as)
            }));
        }
        if broken.is_empty() {
            return false;
        }
        self.rounds.cuts += broken.len() as u64;
        for (clause, logged_as) in broken {
            if let Some((recorder, constraint)) = self.recorder.as_ref().zip(logged_as) {
                recorder.given(constraint, &clause);
            }
            self.write(|sink| sink.clause(&clause));
        }
        true
    }

    /// Increases the depth of every encoding whose depth assumption is in the core. Returns `false` if there is no such
    /// encoding.
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

    /// Adds a clause to the model.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.with_sink(|sink| sink.clause(lits));
    }

    /// Returns the assignment that the last [`Session::satisfy`] found. If it found no assignment, all values are
    /// false.
    #[must_use]
    pub fn assignment(&self) -> Assignment {
        self.encoded.assignment(|lit| self.backend.value(lit))
    }

    /// Returns whether a literal is true in the last assignment found, as in [`Session::assignment`]. The literal may
    /// belong to an auxiliary variable.
    fn holds(&self, lit: Lit) -> bool {
        lit::holds(lit, |lit| self.backend.value(lit))
    }

    /// Enumerates the solutions in an unspecified order. Solutions that agree on the literals of [`Model::project`]
    /// are returned only once.
    #[must_use]
    pub fn into_assignments(self) -> Assignments {
        Assignments::new(self)
    }

    /// Works like [`Session::into_assignments`], but with `lits` instead of the literals of [`Model::project`].
    #[must_use]
    pub fn into_assignments_of(mut self, lits: Vec<Lit>) -> Assignments {
        self.solution = lits;
        self.into_assignments()
    }

    /// Creates literals that determine the values of the integers, because the search creates the literals of a lazy order
    /// view only when it needs them. Small integers get an order view, and others a log view.
    pub fn create_literals(&mut self, integers: impl IntoIterator<Item = IntVar>) {
        self.write(|sink| {
            for x in integers {
                if sink.domains().of(x).size() <= ORDER_UP_TO {
                    sink.order(x);
                } else {
                    sink.log(x);
                }
            }
        });
    }

    /// Returns the literals of integer variables, as described at [`Encoded::literals_of_integers`].
    #[must_use]
    pub fn literals_of_integers(&self) -> Vec<(Lit, IntVar, AtomicConstraint)> {
        self.encoded.literals_of_integers()
    }

    /// Returns the size of the formula for each constraint type.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        self.encoded.sizes()
    }

    /// Returns the fallbacks: the encodings that were used because the chosen encodings did not apply.
    #[must_use]
    pub fn fallbacks(&self) -> &[Fallback] {
        self.encoded.fallbacks()
    }

    /// Returns the statistics of the solver.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.backend.statistics()
    }

    /// Returns the encodings that were used, each with its constraint type and the number of constraints.
    #[must_use]
    pub fn encodings(&self) -> &[(&'static str, &'static str, u64)] {
        self.encoded.encodings()
    }

    /// Returns the numbers of solver calls and formula refinements.
    #[must_use]
    pub fn rounds(&self) -> Rounds {
        self.rounds
    }
}

#[cfg(test)]
mod tests {
    use gordian_encodings::IntVar;
    use gordian_encodings::constraint::{Clause, Linear};

    use super::*;
    use crate::backend::SOLVERS;

    #[test]
    fn a_session_reports_that_it_relied_on_assumed_literals() {
        for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
            let mut model = Model::new();
            let [a, b] = model.booleans();
            model.post(Clause::new([!a, b]));
            model.assume([a]);
            let mut session = Session::new(&model, &Encodings::auto(), solver).unwrap();
            assert_eq!(session.satisfy(&[]).unwrap(), Verdict::Satisfiable);
            assert!(session.assignment().lit(b) && !session.relied_on_assumed());
            assert_eq!(session.satisfy(&[!b]).unwrap(), Verdict::Unsatisfiable);
            assert_eq!(session.core(), [!b]);
            assert!(session.relied_on_assumed());
            model.post(Clause::new([]));
            let mut session = Session::new(&model, &Encodings::auto(), solver).unwrap();
            assert_eq!(session.satisfy(&[]).unwrap(), Verdict::Unsatisfiable);
            assert!(!session.relied_on_assumed());
        }
    }

    /// The inequality derives more bounds in one call than a propagator has unused literals.
    #[test]
    fn propagators_create_no_variable_that_the_session_has_created() {
        let mut model = Model::new();
        let xs: [IntVar; 100] = model.integers(0..=2_000);
        model.post(Linear::at_most(xs.map(|x| (1, x.into())), 1_500));
        let mut session = Config::default().session(&model, Limits::default()).unwrap();
        let free: Vec<Lit> = session.with_sink(|sink| (0..100).map(|_| sink.fresh()).collect());
        for lit in free.into_iter().flat_map(|lit| [lit, !lit]) {
            assert_eq!(session.satisfy(&[lit]).unwrap(), Verdict::Satisfiable, "{lit}");
        }
    }
}
