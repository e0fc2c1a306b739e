//! Runs propagators inside a solver that supports theories.
//!
//! Whenever unit propagation reaches a fixpoint, the solver calls the theory with the trail, which contains all true
//! literals. The theory first notifies each propagator of new trail literals that the propagator watches. Then it
//! runs the notified propagators in the order in which their constraints were posted. If a propagator derives a
//! literal or a conflict, unit propagation runs again before the next propagator, because unit propagation is
//! cheaper.
//!
//! The following properties of the solvers are relevant:
//! * A solver calls the theory before each decision, so at the start of a decision level the theory has processed the
//!   whole trail. For each level, the theory stores the length of the trail and the number of notifications at the
//!   start of the level. Backtracking undoes all later notifications.
//! * Literals at level 0 remain on the trail between calls, so the propagators keep their state.
//! * A solver requests reasons during conflict analysis, from the end of the trail to its start. The literals of a
//!   reason must precede their consequence on the trail. They do, because propagators are notified only of literals on
//!   the trail.
//! * Literals that a propagator creates during the search are assigned at once. When the solver backtracks, they are
//!   released, unless a learnt clause contains them.
//! * If a derived literal is already false, the theory reports the literal and its reason as a conflict clause. The
//!   theory need not determine the level of the conflict, because the solver computes this level from the clause.

use gordian_encodings::Lit;

use gordian_encodings::theory::{Created, Event, Findings, Propagator, StrategyProgress};

/// The operations of a solver that a theory may use while the solver calls it.
pub(super) trait Trail {
    /// Returns the number of literals on the trail.
    fn len(&self) -> usize;

    /// Returns the true literal at a position of the trail.
    fn lit(&self, position: usize) -> Lit;

    /// Returns the value of a literal.
    fn value(&self, lit: Lit) -> Option<bool>;

    /// Assigns true to an unassigned literal.
    fn imply(&mut self, lit: Lit);

    /// Creates a variable, and returns its positive literal. Returns `None` if the solver can't create variables during
    /// the search.
    fn fresh(&mut self) -> Option<Lit> {
        None
    }

    /// Reports a conflict: a clause whose literals are all false. An empty clause is possible at level 0 only.
    fn conflict(&mut self, clause: &[Lit]);
}

/// The number of unused literals that a propagator can take in one call.
const UNUSED: usize = 64;

/// Receives the index of a propagator, and a clause that follows from its constraint.
type ClauseLog = Box<dyn FnMut(u32, &[Lit])>;

/// All propagators of a solver.
#[derive(Default)]
pub(super) struct Propagators {
    /// The propagators, in the order in which they were added. They are called in the same order.
    members: Vec<Box<dyn Propagator>>,
    /// The scheduled propagators, as a bit set in words of 64 bits. A propagator is scheduled if it may derive
    /// something new.
    awake: Vec<u64>,
    /// The propagators that watch each literal, indexed by the literal's code. Each entry contains a propagator and
    /// the event to report to it.
    watches: Vec<Vec<(u32, Event)>>,
    /// For each notification, in order, the index of the notified propagator.
    log: Vec<u32>,
    /// The number of trail literals processed so far.
    seen: usize,
    /// For each level, the values of `seen` and `log.len()` at its start.
    levels: Vec<(usize, usize)>,
    /// For each variable that a propagator assigned, this propagator and the event that explains the assignment.
    sources: Vec<(u32, Event)>,
    findings: Findings,
    /// The propagator with decision strategies, since the last call of `has_strategy`.
    strategist: Option<usize>,
    /// For decisions of strategies, in ascending order: the level, and the variables of the strategies that had values there.
    branched: Vec<(usize, StrategyProgress)>,
    /// The literals that propagators have created and not yet released, each with its level.
    created: Vec<(usize, u32, Created)>,
    /// For each variable that a propagator has created, the propagator and the literal's event.
    owners: Vec<Option<(u32, Event)>>,
    reason: Vec<Lit>,
    /// The proof log, which receives every propagator clause that the solver uses.
    proof: Option<ClauseLog>,
    /// True if the proof log receives the reason of every derived literal, even if the solver does not request it.
    logs_all: bool,
    /// True if the solver requests the reasons of literals at level 0.
    explains_units: bool,
}

/// Converts the index of a propagator to the type that `watches` stores.
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 propagators in memory")]
fn number(index: usize) -> u32 {
    index as u32
}

impl Propagators {
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Sets the proof log. `explains_units` is true if the solver requests the reasons of literals at level 0.
    pub(super) fn log_to(&mut self, proof: ClauseLog, explains_units: bool) {
        self.proof = Some(proof);
        self.explains_units = explains_units;
    }

    /// Sets whether the proof log receives the reason of every derived literal.
    pub(super) fn log_all(&mut self, all: bool) {
        self.logs_all = all;
    }

    /// Sets `reason` to the true literals from which the propagator derived `implied`, and logs the reason clause.
    fn find_reason(&mut self, who: u32, event: Event, implied: Lit) {
        self.reason.clear();
        self.members[who as usize].explain(event, &mut self.reason);
        if let Some(proof) = &mut self.proof {
            let clause: Vec<Lit> = self.reason.iter().map(|&lit| !lit).chain([implied]).collect();
            proof(who, &clause);
        }
    }

    /// Adds a propagator between two calls to the solver. The next call notifies the propagator of all literals that
    /// are true at level 0.
    pub(super) fn add(&mut self, propagator: Box<dyn Propagator>) {
        debug_assert!(self.levels.is_empty(), "a propagator was added during a call");
        let who = number(self.members.len());
        for (lit, event) in propagator.events() {
            self.watch(lit, who, event);
        }
        self.members.push(propagator);
        self.awake.resize(self.members.len().div_ceil(64), 0);
        self.wake_all();
        // All notifications are undone. In the next call, every propagator, including the new one, is notified of all
        // literals in the order of the trail.
        while let Some(who) = self.log.pop() {
            self.members[who as usize].undo();
        }
        self.seen = 0;
    }

    fn watch(&mut self, lit: Lit, who: u32, event: Event) {
        let index = lit.lidx();
        if self.watches.len() <= index {
            self.watches.resize(index + 1, Vec::new());
        }
        self.watches[index].push((who, event));
    }

    /// Notifies each propagator of the new trail literals that it watches.
    fn notify(&mut self, trail: &impl Trail) {
        for position in self.seen..trail.len() {
            if let Some(watches) = self.watches.get(trail.lit(position).lidx()) {
                for &(who, event) in watches {
                    if self.members[who as usize].assign(event) {
                        self.log.push(who);
                        self.awake[who as usize / 64] |= 1 << (who % 64);
                    }
                }
            }
        }
        self.seen = trail.len();
    }

    /// Wakes all propagators.
    pub(super) fn wake_all(&mut self) {
        for who in 0..self.members.len() {
            self.awake[who / 64] |= 1 << (who % 64);
        }
    }

    /// Wakes the propagators that create literals: their constraints may have changed since the last call. Returns whether
    /// there are any.
    pub(super) fn wake_creators(&mut self) -> bool {
        let mut any = false;
        for (who, member) in self.members.iter().enumerate() {
            if member.creates_literals() {
                self.awake[who / 64] |= 1 << (who % 64);
                any = true;
            }
        }
        any
    }

    /// Calls the scheduled propagators until one of them derives a literal or a conflict. A propagator that derives
    /// nothing is no longer scheduled.
    pub(super) fn check(&mut self, trail: &mut impl Trail) {
        self.notify(trail);
        for word in 0..self.awake.len() {
            while self.awake[word] != 0 {
                let bit = self.awake[word].trailing_zeros();
                let who = word * 64 + bit as usize;
                let mut findings = self.begin(who, trail);
                self.awake[word] &= !(1 << bit);
                self.members[who].propagate(&mut findings);
                self.take_literals(number(who), &findings, self.levels.len(), trail);
                let found = self.report(number(who), &findings, trail);
                if found || findings.incomplete {
                    self.awake[word] |= 1 << bit;
                }
                self.findings = findings;
                if found {
                    return;
                }
            }
        }
    }

    /// Returns empty findings, with unused literals if the propagator creates literals.
    fn begin(&mut self, who: usize, trail: &mut impl Trail) -> Findings {
        let mut findings = std::mem::take(&mut self.findings);
        findings.clear();
        while self.members[who].creates_literals()
            && findings.unused.len() < UNUSED
            && let Some(lit) = trail.fresh()
        {
            findings.unused.push(lit);
        }
        findings
    }

    /// Watches the new literals of a propagator. The literals that it has created become true at the given level.
    fn take_literals(&mut self, who: u32, findings: &Findings, level: usize, trail: &impl Trail) {
        for &(lit, event) in &findings.watched {
            self.watch(lit, who, event);
            if trail.value(lit) == Some(true) && self.members[who as usize].assign(event) {
                self.log.push(who);
                self.awake[who as usize / 64] |= 1 << (who % 64);
            }
        }
        for &created in &findings.created {
            let variable = created.lit.vidx();
            if self.owners.len() <= variable {
                self.owners.resize(variable + 1, None);
            }
            self.owners[variable] = Some((who, created.event));
            self.created.push((level, who, created));
        }
    }

    /// Returns whether a propagator has decision strategies.
    pub(super) fn has_strategy(&mut self) -> bool {
        self.strategist = self.members.iter().position(|member| member.has_strategy());
        self.strategist.is_some()
    }

    /// Returns an unassigned literal on which the search branches according to decision strategies, or `None` if they
    /// have no open variable.
    pub(super) fn branch(&mut self, trail: &mut impl Trail) -> Option<Lit> {
        let who = self.strategist?;
        let level = self.levels.len();
        let (_, mut done) = self.branched.last().copied().unwrap_or_default();
        let lit = self.decide_with(who, trail, |member, trail, findings| {
            member.branch(&|lit| trail.value(lit), &mut done, findings)
        });
        self.branched.pop_if(|&mut (last, _)| last == level);
        self.branched.push((level, done));
        lit
    }

    /// Returns an unassigned literal on which the search branches when all variables are assigned, or `None` if the
    /// assignment is a solution.
    pub(super) fn decide(&mut self, trail: &mut impl Trail) -> Option<Lit> {
        (0..self.members.len())
            .find_map(|who| self.decide_with(who, trail, |member, _, findings| member.decide(findings)))
    }

    fn decide_with<T: Trail>(
        &mut self,
        who: usize,
        trail: &mut T,
        decide: impl FnOnce(&mut dyn Propagator, &T, &mut Findings) -> Option<Lit>,
    ) -> Option<Lit> {
        let mut findings = self.begin(who, trail);
        let decision = decide(&mut *self.members[who], trail, &mut findings);
        self.take_literals(number(who), &findings, self.levels.len() + 1, trail);
        self.findings = findings;
        decision
    }

    /// Reports that a created variable occurs in a clause.
    pub(super) fn keep(&mut self, variable: u32) {
        if let Some(&Some((who, event))) = self.owners.get(variable as usize) {
            self.members[who as usize].keep(event);
        }
    }

    /// Passes the derived literals or the conflict of a propagator to the solver. Returns `false` if there are no new
    /// literals and no conflict.
    fn report(&mut self, who: u32, findings: &Findings, trail: &mut impl Trail) -> bool {
        if let Some(conflict) = &findings.conflict {
            if let Some(proof) = &mut self.proof {
                proof(who, conflict);
            }
            trail.conflict(conflict);
            return true;
        }
        let mut found = false;
        for &(implied, event) in &findings.implied {
            match trail.value(implied) {
                None => {
                    // If a solver does not request reasons at level 0, these reasons are logged at once.
                    let is_unit = self.levels.is_empty() && !self.explains_units;
                    if self.proof.is_some() && (self.logs_all || is_unit) {
                        self.find_reason(who, event, implied);
                    }
                    let variable = implied.vidx();
                    if self.sources.len() <= variable {
                        self.sources.resize(variable + 1, (0, 0));
                    }
                    self.sources[variable] = (who, event);
                    trail.imply(implied);
                    found = true;
                }
                Some(false) => {
                    self.find_reason(who, event, implied);
                    for lit in &mut self.reason {
                        *lit = !*lit;
                    }
                    self.reason.push(implied);
                    trail.conflict(&self.reason);
                    return true;
                }
                Some(true) => {}
            }
        }
        found
    }

    /// Returns the true literals that imply a derived literal.
    pub(super) fn explain(&mut self, lit: Lit) -> &[Lit] {
        let (who, event) = self.sources[lit.vidx()];
        self.find_reason(who, event, lit);
        &self.reason
    }

    /// Starts a decision level.
    pub(super) fn new_level(&mut self) {
        self.levels.push((self.seen, self.log.len()));
    }

    /// Returns to a level.
    pub(super) fn backtrack(&mut self, level: usize) {
        let Some(&(seen, logged)) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        while let Some((_, who, created)) = self.created.pop_if(|created| created.0 > level) {
            self.members[who as usize].release(created.event);
        }
        while self.log.len() > logged {
            if let Some(who) = self.log.pop() {
                self.members[who as usize].undo();
            }
        }
        while self.branched.pop_if(|&mut (branched, _)| branched > level).is_some() {}
        self.seen = seen;
    }

    /// Returns the number of decision levels.
    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Returns the length of the trail at the start of each level.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        self.levels.iter().map(|level| level.0)
    }
}
