//! Propagators as one BatSat theory.
//!
//! BatSat calls a theory when unit propagation has come to rest, with the trail of all literals that hold. The literals
//! that are new since the last call go to the propagators that watch them; then the propagators look for consequences,
//! one after the other, until one finds something: unit propagation is cheaper than the next. They are asked in the order
//! in which their constraints were posted.
//!
//! What to know of it:
//! * The trail at a new decision level has been seen in full: a check comes before each decision. So a level is where
//!   the trail and the log stood when it was made, and popping levels takes back what came after.
//! * Literals at level 0 stay on the trail between calls, and so do the propagators' states.
//! * Reasons are asked for while a conflict is analysed, from the end of the trail to its beginning, and must stand
//!   before their consequence on the trail. A propagator knows only literals that do.
//! * A consequence that is false already is reported as a conflict clause: for this BatSat finds the level itself, while
//!   for a false propagation it trusts that the current level has a part in it.
//! * A conflict without literals is possible at level 0 only, and BatSat takes none: a new variable stands in.

use std::collections::HashSet;

use batsat::{Callbacks, SolverInterface, Theory, TheoryArg, lbool};
use gordian_encodings::Lit;
use gordian_encodings::theory::{Event, Findings, Propagator};

/// All propagators of a solver.
#[derive(Default)]
pub(super) struct Propagators {
    /// In the order they were added, which is the order they are asked in.
    members: Vec<Box<dyn Propagator>>,
    /// By the literal's index in BatSat: whom to tell, and what.
    watches: Vec<Vec<(u32, Event)>>,
    /// The propagators told, one entry for each event.
    log: Vec<u32>,
    /// How much of the trail was told.
    seen: usize,
    /// For each level, `seen` and the length of the log when it began.
    levels: Vec<(usize, usize)>,
    /// By variable: who derived it, under which event.
    sources: Vec<(u32, Event)>,
    findings: Findings,
    /// Whether decisions are noted.
    recording: bool,
    /// Those noted of the last assignment found.
    decisions: Option<HashSet<batsat::Lit>>,
    reason: Vec<Lit>,
    explanation: Vec<batsat::Lit>,
}

fn to_batsat(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos())
}

impl Propagators {
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Notes the decisions, assumptions among them, that lead to the assignment which `solve` finds: what no others
    /// before them imply.
    pub(super) fn record<R>(
        &mut self,
        solve: impl FnOnce(&mut Self) -> R,
    ) -> (R, Option<HashSet<batsat::Lit>>) {
        self.recording = true;
        let solved = solve(self);
        self.recording = false;
        (solved, self.decisions.take())
    }

    /// Adds a propagator between calls: it is told what holds for certain in the next.
    pub(super) fn add<Cb: Callbacks>(
        &mut self,
        propagator: Box<dyn Propagator>,
        solver: &mut batsat::Solver<Cb>,
    ) {
        debug_assert!(self.levels.is_empty(), "a propagator is added between calls");
        let who = self.members.len() as u32;
        for (lit, event) in propagator.events() {
            solver.var_of_int(lit.vidx32());
            let index = to_batsat(lit).idx() as usize;
            if self.watches.len() <= index {
                self.watches.resize(index + 1, Vec::new());
            }
            self.watches[index].push((who, event));
        }
        self.members.push(propagator);
        // All are told again from the start, in the order of the trail, which the new one has not seen.
        while let Some(told) = self.log.pop() {
            self.members[told as usize].undo();
        }
        self.seen = 0;
    }

    /// Tells the propagators what is new on the trail.
    fn tell(&mut self, trail: &[batsat::Lit]) {
        for &lit in &trail[self.seen..] {
            if let Some(watches) = self.watches.get(lit.idx() as usize) {
                for &(who, event) in watches {
                    self.members[who as usize].assign(event);
                    self.log.push(who);
                }
            }
        }
        self.seen = trail.len();
    }

    /// Lets the propagators look, until one finds something.
    fn check(&mut self, acts: &mut TheoryArg<'_>) {
        self.tell(acts.model());
        for who in 0..self.members.len() {
            let mut findings = std::mem::take(&mut self.findings);
            findings.clear();
            self.members[who].propagate(&mut findings);
            let found = self.report(who as u32, &findings, acts);
            self.findings = findings;
            if found {
                return;
            }
        }
    }

    /// Gives the findings of a propagator to the solver; `false` if there was nothing new.
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

    /// Sets the explanation: literals that hold.
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
            // A level begins with its decision; that of an assumption which was implied is empty.
            let ends = self.levels.iter().skip(1).map(|level| level.0).chain([trail.len()]);
            let begun = self.levels.iter().zip(ends).filter(|(level, end)| level.0 < *end);
            self.decisions = Some(begun.map(|(level, _)| trail[level.0]).collect());
        }
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
            if let Some(told) = self.log.pop() {
                self.members[told as usize].undo();
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
