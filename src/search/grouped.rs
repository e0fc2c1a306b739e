//! A solver session for explanations, in which each group of constraints can be switched on or off.
//!
//! Each group of constraints has a selector: a literal that implies its constraints. Each solver call assumes the
//! selectors of the groups that are switched on.

#[cfg(feature = "puzzles")]
use gordian_encodings::constraint::Constraint;
use gordian_encodings::{Cnf, Collect, Encoded, Encodings, Lit, Model};
use gordian_explain::{Answer, Core, Formula, Oracle, Propagation, Set, Witness};

use super::{Config, Session};
use crate::backend::{BackendError, Limits, Verdict};

/// A model encoded into a solver, with a selector for each group of constraints. The session checks whether a set of
/// groups is contradictory.
#[derive(Debug)]
pub struct GroupedSession<'m> {
    model: &'m Model,
    /// The group of each constraint of the model. A constraint without a group always holds.
    group_of: &'m [Option<usize>],
    session: Session,
    /// The selector of each group. If a limit stopped the encoding, there are no selectors.
    selectors: Vec<Lit>,
    groups: usize,
    /// The groups that explanations may contain.
    allowed: Set,
    /// The maximum number of conflicts of one solver call.
    conflicts: Option<u64>,
    /// The number of conflicts of the session after which solver calls may have only [`BRIEF`] conflicts.
    budget: Option<u64>,
    calls: u64,
    /// The work that every call counts, even without conflicts.
    call_work: u64,
}

/// The conflict limit of brief solver calls. Correction sets that are minimal only as far as such calls can tell are
/// almost as useful, and take half the time.
const BRIEF: u64 = 5;

impl<'m> GroupedSession<'m> {
    /// Encodes a model. `group_of` contains the group of each constraint, as a number below `groups`, or `None` for a
    /// constraint that always holds. `conflicts` limits each solver call, and `limits` limits the whole session.
    ///
    /// # Errors
    /// Returns an error if the solver is not available or does not support the limits.
    ///
    /// # Panics
    /// Panics if `group_of` does not have an entry for each constraint.
    pub fn new(
        model: &'m Model,
        group_of: &'m [Option<usize>],
        groups: usize,
        config: &Config,
        limits: Limits,
        conflicts: Option<u64>,
    ) -> Result<Self, BackendError> {
        assert_eq!(model.constraints().len(), group_of.len(), "one entry for each constraint");
        Self::of(model, group_of, Set::full(groups), groups, config, limits, conflicts)
    }

    /// Encodes only the groups in `allowed` and the constraints without a group. The limits are the same as for this
    /// session. The other arguments have the same meaning as for [`GroupedSession::new`].
    ///
    /// # Errors
    /// Returns an error if the solver is not available or does not support the limits.
    pub fn restricted(&self, config: &Config, allowed: Set) -> Result<Self, BackendError> {
        let limits = self.session.limits.clone();
        let session =
            Self::of(self.model, self.group_of, allowed, self.groups, config, limits, self.conflicts)?;
        // In a small formula, many calls have no conflicts, so the time depends on the number of calls, too.
        Ok(Self { call_work: 1, ..session })
    }

    fn of(
        model: &'m Model,
        group_of: &'m [Option<usize>],
        allowed: Set,
        groups: usize,
        config: &Config,
        limits: Limits,
        conflicts: Option<u64>,
    ) -> Result<Self, BackendError> {
        let backend = config.backend(limits.clone())?;
        let mut selectors = Vec::new();
        let session =
            Session::written(backend, limits, model, &config.encodings, None, |encoded, collect| {
                selectors = write(model, group_of, &allowed, groups, encoded, collect);
            });
        Ok(Self {
            model,
            group_of,
            session,
            selectors,
            groups,
            allowed,
            conflicts,
            budget: None,
            calls: 0,
            call_work: 0,
        })
    }

    /// Encodes another model into a new solver. The limits are the same as for this session.
    ///
    /// # Errors
    /// Returns an error if the solver is not available or does not support the limits.
    #[cfg(feature = "puzzles")]
    pub(crate) fn session_of(&self, model: &Model, config: &Config) -> Result<Session, BackendError> {
        let limits = self.session.limits.clone();
        Ok(Session::within(config.backend(limits.clone())?, limits, model, &config.encodings, None))
    }

    /// Returns a [`Propagation`], which applies unit propagation to the same groups. Deferred constraints are omitted
    /// if they have a condition or no propagator, so the propagation may be weaker than in the solver.
    #[must_use]
    pub fn propagation(&self, encodings: &Encodings) -> Propagation {
        let mut clauses = Cnf::default();
        let mut encoded = Encoded::begin(self.model, &encodings.clone().deferring());
        let Self { model, group_of, ref allowed, groups, .. } = *self;
        let selectors = write(model, group_of, allowed, groups, &mut encoded, &mut clauses);
        let deferred = encoded.take_deferred();
        let unconditional = deferred.iter().filter(|deferred| deferred.unless.is_empty());
        let propagators = unconditional.filter_map(|deferred| deferred.constraint.propagator()).collect();
        let mut propagation = Propagation::new(Formula { clauses, propagators, selectors });
        propagation.restrict(allowed.clone());
        let limits = self.session.limits.clone();
        propagation.stop_when(move || limits.expired());
        propagation
    }

    /// Adds a constraint that follows from `groups`. It makes the search faster, but changes no result. If a limit
    /// stopped the encoding, or if the session does not contain all of the groups, this method does nothing.
    #[cfg(feature = "puzzles")]
    pub(crate) fn imply(&mut self, groups: &Set, constraint: &dyn Constraint) {
        if self.selectors.len() == self.groups && groups.is_subset(&self.allowed) {
            let conditions: Vec<Lit> = groups.iter().map(|group| self.selectors[group]).collect();
            self.session.write(|sink| {
                let condition = sink.and(&conditions);
                sink.when(condition).post(constraint);
            });
        }
    }

    /// Limits the conflicts of the following solver calls together. After this number of conflicts, calls still decide
    /// what takes only a few conflicts. `None` removes the limit.
    #[cfg(feature = "puzzles")]
    pub(crate) fn set_budget(&mut self, conflicts: Option<u64>) {
        self.budget = conflicts.map(|conflicts| self.session.conflicts().saturating_add(conflicts));
    }

    /// Returns the number of conflicts of one solver call that the limit of single calls and the budget allow.
    fn call_limit(&self) -> Option<u64> {
        let left = self.budget.map(|budget| budget.saturating_sub(self.session.conflicts()).max(BRIEF));
        self.conflicts.into_iter().chain(left).min()
    }

    /// Works like [`Oracle::check`], but without the conflict limit of single calls.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn check_without_limit(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, BackendError> {
        self.solve(groups.iter(), lits, None)
    }

    /// Returns the number of solver calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Returns whether the session has reached a limit that applies to all its calls.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.session.expired()
    }

    /// Solves the model with the given groups and literals. If there is a solution, the result contains the groups
    /// that the solution violates. The solver assumes the groups in the given order. It derives conflicts from the first
    /// groups if it can, so a core contains fewer of the last groups.
    fn solve(
        &mut self,
        groups: impl Iterator<Item = usize>,
        lits: &[Lit],
        conflicts: Option<u64>,
    ) -> Result<Answer, BackendError> {
        self.calls += 1;
        if self.selectors.len() < self.groups {
            return Ok(Answer::Stopped);
        }
        let groups: Vec<usize> = groups.collect();
        let selected = groups.iter().map(|&group| self.selectors[group]);
        let assumed: Vec<Lit> = lits.iter().copied().chain(selected).collect();
        Ok(match self.session.satisfy_within(&assumed, conflicts)? {
            Verdict::Stopped => Answer::Stopped,
            Verdict::Unsatisfiable => {
                let core = self.session.core();
                let in_core = |&group: &usize| core.contains(&self.selectors[group]);
                let groups = Set::of(self.groups, groups.into_iter().filter(in_core));
                Answer::Contradiction(Core {
                    groups,
                    lits: lits.iter().copied().filter(|lit| core.contains(lit)).collect(),
                })
            }
            Verdict::Satisfiable => Answer::Consistent(self.witness()),
        })
    }

    fn witness(&self) -> Witness {
        let assignment = self.session.assignment();
        let mut broken = Set::new(self.groups);
        let counts = |group: usize| self.allowed.contains(group);
        for (posted, group) in self.model.constraints().iter().zip(self.group_of) {
            if let Some(group) = *group
                && counts(group)
                && !broken.contains(group)
                && !posted.constraint.holds(&assignment)
            {
                broken.insert(group);
            }
        }
        let variables = (0..self.model.variables()).map(Lit::positive);
        let lits = variables.map(|lit| if self.session.holds(lit) { lit } else { !lit }).map(Lit::lidx);
        Witness { broken, lits: Set::of(2 * self.model.variables() as usize, lits) }
    }
}

/// Writes the clauses of the constraints that are in an allowed group or in no group. Returns the selectors of all
/// groups.
fn write(
    model: &Model,
    group_of: &[Option<usize>],
    allowed: &Set,
    groups: usize,
    encoded: &mut Encoded,
    collect: &mut dyn Collect,
) -> Vec<Lit> {
    // First, the clauses of the integer variables are written, without any constraint.
    encoded.write_where(model, collect, |_| false);
    let mut sink = encoded.sink(collect);
    let selectors: Vec<Lit> = (0..groups).map(|_| sink.fresh()).collect();
    for (posted, group) in model.constraints().iter().zip(group_of) {
        match group {
            Some(group) if !allowed.contains(*group) => {}
            Some(group) => sink.when(selectors[*group]).post(&*posted.constraint),
            None => sink.post(&*posted.constraint),
        }
    }
    let variables = sink.variables();
    collect.reserve(variables);
    selectors
}

impl Oracle for GroupedSession<'_> {
    type Error = BackendError;

    fn groups(&self) -> usize {
        self.groups
    }

    fn allowed(&self) -> Set {
        self.allowed.clone()
    }

    fn check(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, BackendError> {
        self.solve(groups.iter(), lits, self.call_limit())
    }

    fn check_beside(&mut self, needed: &Set, groups: &Set, lits: &[Lit]) -> Result<Answer, BackendError> {
        self.solve(needed.iter().chain(groups.iter()), lits, self.call_limit())
    }

    fn check_briefly(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, BackendError> {
        let brief = self.call_limit().unwrap_or(u64::MAX).min(BRIEF);
        self.solve(groups.iter(), lits, Some(brief))
    }

    fn work(&self) -> u64 {
        self.session.conflicts() + self.call_work * self.calls
    }

    fn expired(&self) -> bool {
        self.stopped()
    }
}
