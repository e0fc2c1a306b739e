//! A theory for BatSat that runs propagators.
//!
//! BatSat calls a theory whenever unit propagation reaches a fixpoint, and passes the trail of all true literals. The
//! theory first notifies each propagator of the new literals on the trail that it watches. After that, it runs the
//! notified propagators in the order in which their constraints were posted. If a propagator derives a literal or a
//! conflict, unit propagation runs again before the next propagator, because unit propagation takes less time.
//!
//! The following properties of BatSat are relevant:
//! * BatSat calls the theory before each decision, so at the start of a decision level the theory has processed the
//!   whole trail. For each level, the theory stores the length of the trail and the number of notifications at the
//!   start of the level. Backtracking undoes all later notifications.
//! * Literals at level 0 remain on the trail between calls, so the propagators keep their state.
//! * BatSat requests reasons during conflict analysis, from the end of the trail to its start. All literals of a
//!   reason must precede their consequence on the trail. The literals precede their consequence because propagators
//!   are notified only of literals on the trail.
//! * A consequence that is already false is reported as a conflict clause, because BatSat computes the level of a
//!   conflict clause itself. If a propagated literal is already false, BatSat assumes that the reason contains a
//!   literal of the current level.
//! * A conflict clause can be empty only at level 0. BatSat does not accept an empty conflict clause, so the theory
//!   passes a clause with a new variable instead.

use std::collections::HashSet;

use batsat::{Callbacks, SolverInterface, Theory, TheoryArg, lbool};
use gordian_encodings::Lit;
use gordian_encodings::theory::{Event, Findings, Propagator};

/// All propagators of a solver.
#[derive(Default)]
pub(super) struct Propagators {
    /// The propagators, in the order in which they were added and in which they are called.
    members: Vec<Box<dyn Propagator>>,
    /// A bit for each propagator, in words of 64 bits: whether the propagator may derive something new.
    awake: Vec<u64>,
    /// The propagators that watch each literal, indexed by the literal's number in BatSat. Each propagator has its
    /// event for the literal.
    watches: Vec<Vec<(u32, Event)>>,
    /// For each notification in order, the index of the notified propagator.
    log: Vec<u32>,
    /// The number of literals on the trail that were processed.
    seen: usize,
    /// For each level, the values of `seen` and `log.len()` at the start of the level.
    levels: Vec<(usize, usize)>,
    /// For each derived variable, the propagator that derived it and the event that explains it.
    sources: Vec<(u32, Event)>,
    findings: Findings,
    /// True if decisions are recorded.
    recording: bool,
    /// The decisions of the last recorded assignment.
    decisions: Option<HashSet<batsat::Lit>>,
    reason: Vec<Lit>,
    explanation: Vec<batsat::Lit>,
}

fn to_batsat(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos())
}

/// Returns the index of a propagator as a four-byte number, which is the form stored in watches.
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 propagators in memory")]
fn number(index: usize) -> u32 {
    index as u32
}

impl Propagators {
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Runs `solve`, and records the decisions of the assignment that it finds: all decisions and assumptions that
    /// were not yet implied when they were made.
    pub(super) fn record<R>(
        &mut self,
        solve: impl FnOnce(&mut Self) -> R,
    ) -> (R, Option<HashSet<batsat::Lit>>) {
        self.recording = true;
        let solved = solve(self);
        self.recording = false;
        (solved, self.decisions.take())
    }

    /// Adds a propagator. The next call of the solver notifies the new propagator of all literals that are true at
    /// level 0.
    pub(super) fn add<Cb: Callbacks>(
        &mut self,
        propagator: Box<dyn Propagator>,
        solver: &mut batsat::Solver<Cb>,
    ) {
        debug_assert!(self.levels.is_empty(), "a propagator was added during a call");
        let who = number(self.members.len());
        for (lit, event) in propagator.events() {
            solver.var_of_int(lit.vidx32());
            let index = to_batsat(lit).idx() as usize;
            if self.watches.len() <= index {
                self.watches.resize(index + 1, Vec::new());
            }
            self.watches[index].push((who, event));
        }
        self.members.push(propagator);
        self.awake.resize(self.members.len().div_ceil(64), 0);
        self.wake_all();
        // All notifications are undone, so that every propagator, including the new one, is notified of all literals
        // in the order of the trail.
        while let Some(who) = self.log.pop() {
            self.members[who as usize].undo();
        }
        self.seen = 0;
    }

    /// Notifies the propagators of the new literals on the trail that they watch.
    fn notify(&mut self, trail: &[batsat::Lit]) {
        for &lit in &trail[self.seen..] {
            if let Some(watches) = self.watches.get(lit.idx() as usize) {
                for &(who, event) in watches {
                    self.members[who as usize].assign(event);
                    self.log.push(who);
                    self.awake[who as usize / 64] |= 1 << (who % 64);
                }
            }
        }
        self.seen = trail.len();
    }

    /// Wakes all propagators.
    fn wake_all(&mut self) {
        for who in 0..self.members.len() {
            self.awake[who / 64] |= 1 << (who % 64);
        }
    }

    /// Calls the propagators that are awake until one of them derives a literal or a conflict. A propagator falls
    /// asleep when it derives nothing, and the next notification wakes it.
    fn check(&mut self, acts: &mut TheoryArg<'_>) {
        self.notify(acts.model());
        for word in 0..self.awake.len() {
            while self.awake[word] != 0 {
                let bit = self.awake[word].trailing_zeros();
                let who = word * 64 + bit as usize;
                let mut findings = std::mem::take(&mut self.findings);
                findings.clear();
                self.members[who].propagate(&mut findings);
                let found = self.report(number(who), &findings, acts);
                self.findings = findings;
                if found {
                    return;
                }
                self.awake[word] &= !(1 << bit);
            }
        }
    }

    /// Passes the derived literals or the conflict of a propagator to the solver. Returns `false` if there are no new
    /// literals and no conflict.
    fn report(&mut self, who: u32, findings: &Findings, acts: &mut TheoryArg<'_>) -> bool {
        if let Some(conflict) = &findings.conflict {
            self.explanation.clear();
            self.explanation.extend(conflict.iter().copied().map(to_batsat));
            self.raise(acts);
            return true;
        }
        let mut found = false;
        for &(lit, event) in &findings.implied {
            let implied = to_batsat(lit);
            let value = acts.value(implied.var());
            if value == lbool::UNDEF {
                let variable = implied.var().idx() as usize;
                if self.sources.len() <= variable {
                    self.sources.resize(variable + 1, (0, 0));
                }
                self.sources[variable] = (who, event);
                acts.propagate(implied);
                found = true;
            } else if (value == lbool::TRUE) != implied.sign() {
                self.explain(who, event);
                for lit in &mut self.explanation {
                    *lit = !*lit;
                }
                self.explanation.push(implied);
                self.raise(acts);
                return true;
            }
        }
        found
    }

    fn raise(&mut self, acts: &mut TheoryArg<'_>) {
        if self.explanation.is_empty() {
            self.explanation.push(acts.mk_new_lit());
        }
        acts.raise_conflict(&self.explanation, false);
    }

    /// Sets `reason` to the true literals that imply the literal of the event.
    fn explain(&mut self, who: u32, event: Event) {
        self.reason.clear();
        self.members[who as usize].explain(event, &mut self.reason);
        self.explanation.clear();
        self.explanation.extend(self.reason.iter().copied().map(to_batsat));
    }
}

impl Theory for Propagators {
    fn final_check(&mut self, acts: &mut TheoryArg<'_>) {
        if self.recording {
            let trail = acts.model();
            // A level starts with its decision, but the level of an assumption that was already implied is empty.
            let ends = self.levels.iter().skip(1).map(|level| level.0).chain([trail.len()]);
            let begun = self.levels.iter().zip(ends).filter(|(level, end)| level.0 < *end);
            self.decisions = Some(begun.map(|(level, _)| trail[level.0]).collect());
        }
        self.wake_all();
        self.check(acts);
    }

    fn partial_check(&mut self, acts: &mut TheoryArg<'_>) {
        self.check(acts);
    }

    fn create_level(&mut self) {
        self.levels.push((self.seen, self.log.len()));
    }

    fn pop_levels(&mut self, n: usize) {
        let left = self.levels.len().saturating_sub(n);
        let Some(&(seen, logged)) = self.levels.get(left) else { return };
        self.levels.truncate(left);
        while self.log.len() > logged {
            if let Some(who) = self.log.pop() {
                self.members[who as usize].undo();
            }
        }
        self.seen = seen;
    }

    fn n_levels(&self) -> usize {
        self.levels.len()
    }

    fn explain_propagation(&mut self, lit: batsat::Lit) -> &[batsat::Lit] {
        let (who, event) = self.sources[lit.var().idx() as usize];
        self.explain(who, event);
        &self.explanation
    }
}
