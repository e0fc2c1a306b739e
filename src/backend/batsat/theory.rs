//! A theory for BatSat that runs [propagators](crate::backend::propagators).
//!
//! The following properties of BatSat are relevant:
//! * If a propagated literal is already false, BatSat assumes that the reason contains a literal of the current
//!   level. The theory reports a conflict instead of propagating such a literal.
//! * A conflict clause can be empty only at level 0. BatSat does not accept an empty conflict clause, so the theory
//!   passes a clause with a new variable instead.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use batsat::{SolverInterface, TheoryArg, lbool};
use gordian_encodings::Lit;
use gordian_encodings::theory::Propagator;

use super::Log;
use crate::backend::propagators::{Propagators, Trail};

/// A theory that runs all propagators of a solver.
#[derive(Default)]
pub(super) struct Theory {
    propagators: Propagators,
    /// True if decisions are recorded.
    recording: bool,
    /// The decisions of the last recorded assignment.
    decisions: Option<HashSet<batsat::Lit>>,
    explanation: Vec<batsat::Lit>,
}

pub(super) fn to_batsat(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos())
}

fn from_batsat(lit: batsat::Lit) -> Lit {
    Lit::new(lit.var().idx(), !lit.sign())
}

impl Trail for TheoryArg<'_> {
    fn len(&self) -> usize {
        self.model().len()
    }

    fn lit(&self, position: usize) -> Lit {
        from_batsat(self.model()[position])
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let lit = to_batsat(lit);
        let value = TheoryArg::value(self, lit.var());
        (value != lbool::UNDEF).then(|| (value == lbool::TRUE) == lit.sign())
    }

    fn imply(&mut self, lit: Lit) {
        self.propagate(to_batsat(lit));
    }

    fn conflict(&mut self, clause: &[Lit]) {
        let mut clause: Vec<batsat::Lit> = clause.iter().copied().map(to_batsat).collect();
        if clause.is_empty() {
            clause.push(self.mk_new_lit());
        }
        self.raise_conflict(&clause, false);
    }
}

impl Theory {
    pub(super) fn is_empty(&self) -> bool {
        self.propagators.is_empty()
    }

    /// Sets the proof log that receives the clauses of the propagators.
    pub(super) fn log_to(&mut self, log: Rc<RefCell<Log>>) {
        let propagated =
            move |propagator, clause: &[Lit]| log.borrow_mut().out.propagated(propagator, clause);
        self.propagators.log_to(Box::new(propagated), false);
    }

    /// Runs `solve`, and records the decisions of the assignment that it finds. An assumption is treated as a decision,
    /// unless it was already implied when it was made.
    pub(super) fn record<R>(
        &mut self,
        solve: impl FnOnce(&mut Self) -> R,
    ) -> (R, Option<HashSet<batsat::Lit>>) {
        self.recording = true;
        // To derive the other literals of the assignment from the decisions, a proof needs the reason of each
        // propagated literal.
        self.propagators.log_all(true);
        let solved = solve(self);
        self.propagators.log_all(false);
        self.recording = false;
        (solved, self.decisions.take())
    }

    /// Adds a propagator between two calls.
    pub(super) fn add<Cb: batsat::Callbacks>(
        &mut self,
        propagator: Box<dyn Propagator>,
        solver: &mut batsat::Solver<Cb>,
    ) {
        for (lit, _) in propagator.events() {
            solver.var_of_int(lit.vidx32());
        }
        self.propagators.add(propagator);
    }
}

impl batsat::Theory for Theory {
    fn final_check(&mut self, acts: &mut TheoryArg<'_>) {
        if self.recording {
            let trail = acts.model();
            // Each level starts with its decision. A level is empty only if it belongs to an assumption that was
            // already implied.
            let ends = self.propagators.starts().skip(1).chain([trail.len()]);
            let begun = self.propagators.starts().zip(ends).filter(|(start, end)| start < end);
            self.decisions = Some(begun.map(|(start, _)| trail[start]).collect());
        }
        self.propagators.wake_all();
        self.propagators.check(acts);
    }

    fn partial_check(&mut self, acts: &mut TheoryArg<'_>) {
        self.propagators.check(acts);
    }

    fn create_level(&mut self) {
        self.propagators.new_level();
    }

    fn pop_levels(&mut self, n: usize) {
        self.propagators.backtrack(self.propagators.level().saturating_sub(n));
    }

    fn n_levels(&self) -> usize {
        self.propagators.level()
    }

    fn explain_propagation(&mut self, lit: batsat::Lit) -> &[batsat::Lit] {
        self.explanation.clear();
        self.explanation.extend(self.propagators.explain(from_batsat(lit)).iter().copied().map(to_batsat));
        &self.explanation
    }
}
