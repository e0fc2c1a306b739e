//! The solver of the crate `gordian-cdcl`.
//!
//! The solver has no limits of its own: it polls a [`Guard`] during the search.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use gordian_cdcl::{ClauseId, Monitor, Options, Proof, Search, Theory};
use gordian_encodings::Lit;
use gordian_encodings::theory::Propagator;

use super::incremental::{Incremental, Native};
use super::limits::{Guard, Limits};
use super::propagators::{Propagators, Trail};
use super::{BackendError, ProofLog, Solver, SolverConstructor, Verdict};

pub(super) static SOLVER: Solver = Solver {
    name: Cow::Borrowed("cdcl"),
    summary: "Gordian's own solver: target phases, vivification; fast on long searches, supports propagators",
    version: env!("CARGO_PKG_VERSION"),
    phases: true,
    seeds: true,
    limits_first: false,
    proofs: true,
    make: SolverConstructor::Function(|| Ok(Box::new(Incremental::new(Cdcl::default())))),
};

#[derive(Default)]
struct Cdcl {
    solver: gordian_cdcl::Solver,
    guard: Guard,
    /// A reusable buffer for a clause. Without it, adding a clause would allocate memory.
    clause: Vec<gordian_cdcl::Lit>,
    propagators: Propagators,
    /// The number of declared variables.
    declared: u32,
}

impl Monitor for Guard {
    fn conflict(&mut self) {
        Guard::conflict(self);
    }

    fn stops(&mut self) -> bool {
        self.reached()
    }
}

fn to_cdcl(lit: Lit) -> gordian_cdcl::Lit {
    gordian_cdcl::Lit::new(lit.vidx32(), lit.is_pos())
}

fn from_cdcl(lit: gordian_cdcl::Lit) -> Lit {
    Lit::new(lit.variable(), !lit.is_positive())
}

impl Trail for Search<'_> {
    fn len(&self) -> usize {
        self.trail().len()
    }

    fn lit(&self, position: usize) -> Lit {
        from_cdcl(self.trail()[position])
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        Search::value(self, to_cdcl(lit))
    }

    fn imply(&mut self, lit: Lit) {
        Search::imply(self, to_cdcl(lit));
    }

    fn fresh(&mut self) -> Option<Lit> {
        Some(from_cdcl(Search::fresh(self)))
    }

    fn conflict(&mut self, clause: &[Lit]) {
        let clause: Vec<_> = clause.iter().copied().map(to_cdcl).collect();
        Search::conflict(self, &clause);
    }
}

impl Theory for Propagators {
    fn propagate(&mut self, search: &mut Search<'_>, is_complete: bool) {
        if is_complete {
            self.wake_all();
        }
        self.check(search);
    }

    fn explain(&mut self, lit: gordian_cdcl::Lit, reason: &mut Vec<gordian_cdcl::Lit>) {
        reason.extend(Propagators::explain(self, from_cdcl(lit)).iter().copied().map(to_cdcl));
    }

    fn decide(&mut self, search: &mut Search<'_>) -> Option<gordian_cdcl::Lit> {
        Propagators::decide(self, search).map(to_cdcl)
    }

    fn branch(&mut self, search: &mut Search<'_>) -> Option<gordian_cdcl::Lit> {
        Propagators::branch(self, search).map(to_cdcl)
    }

    fn keep(&mut self, variable: u32) {
        Propagators::keep(self, variable);
    }

    fn new_level(&mut self) {
        Propagators::new_level(self);
    }

    fn backtrack(&mut self, level: usize) {
        Propagators::backtrack(self, level);
    }
}

/// A log that converts the literals of `gordian-cdcl` to rustsat's literals. The propagators share it.
struct Log(Rc<RefCell<Box<dyn ProofLog>>>);

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").finish_non_exhaustive()
    }
}

fn all_from_cdcl(lits: &[gordian_cdcl::Lit]) -> Vec<Lit> {
    lits.iter().copied().map(from_cdcl).collect()
}

impl Proof for Log {
    fn added(&mut self, id: ClauseId, _: &[gordian_cdcl::Lit]) {
        self.0.borrow_mut().numbered(id);
    }

    fn lemma(&mut self, id: ClauseId, _: &[gordian_cdcl::Lit]) {
        self.0.borrow_mut().numbered(id);
    }

    fn derived(&mut self, id: ClauseId, clause: &[gordian_cdcl::Lit], hints: &[ClauseId]) {
        self.0.borrow_mut().derived_from(id, &all_from_cdcl(clause), hints);
    }

    fn deleted(&mut self, id: ClauseId, clause: &[gordian_cdcl::Lit]) {
        self.0.borrow_mut().deleted_id(id, &all_from_cdcl(clause));
    }

    fn implied(&mut self, _: &[gordian_cdcl::Lit], _: &[gordian_cdcl::Lit], hints: &[ClauseId]) {
        self.0.borrow_mut().implied(hints);
    }
}

impl Cdcl {
    /// Prepares the propagators for a call.
    fn begin(&mut self) {
        if self.propagators.wake_creators() {
            // The propagators must not create variables that the formula uses.
            self.solver.reserve(self.declared);
        }
        self.solver.set_programmed(self.propagators.has_strategy());
    }
}

impl Native for Cdcl {
    const SOLVER: &'static Solver = &SOLVER;

    fn limit(&mut self, limits: Limits) -> Result<(), BackendError> {
        self.guard.limits = limits;
        Ok(())
    }

    fn effort(&self) -> [Option<u64>; 4] {
        let statistics = self.solver.statistics();
        [statistics.conflicts, statistics.decisions, statistics.propagations, statistics.restarts].map(Some)
    }

    fn phase(&mut self, lit: Lit) -> bool {
        self.solver.set_phase(to_cdcl(lit));
        true
    }

    fn seed(&mut self, seed: u32) -> bool {
        self.solver = gordian_cdcl::Solver::new(Options { seed: seed.into(), ..Options::default() });
        true
    }

    fn reserve(&mut self, variables: u32) -> anyhow::Result<()> {
        self.declared = variables;
        Ok(())
    }

    fn add(&mut self, clause: &[Lit]) -> anyhow::Result<()> {
        self.clause.clear();
        self.clause.extend(clause.iter().copied().map(to_cdcl));
        self.solver.add(&self.clause);
        Ok(())
    }

    fn decide(&mut self, assumptions: &[Lit]) -> anyhow::Result<Verdict> {
        let assumptions: Vec<_> = assumptions.iter().copied().map(to_cdcl).collect();
        self.guard.start();
        self.begin();
        let found = if self.propagators.is_empty() {
            self.solver.solve(&assumptions, &mut (), &mut self.guard)
        } else {
            self.solver.solve(&assumptions, &mut self.propagators, &mut self.guard)
        };
        Ok(match found {
            Some(true) => Verdict::Satisfiable,
            Some(false) => Verdict::Unsatisfiable,
            None => Verdict::Stopped,
        })
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.solver.value(to_cdcl(lit))
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.solver.fixed(to_cdcl(lit))
    }

    fn implying(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let converted: Vec<_> = lits.iter().copied().map(to_cdcl).collect();
        self.begin();
        let needed = self.solver.implying(&converted, &mut self.propagators);
        Some(needed.into_iter().map(from_cdcl).collect())
    }

    fn core(&mut self) -> Vec<Lit> {
        self.solver.core().iter().copied().map(from_cdcl).collect()
    }

    fn log_proof(&mut self, log: Box<dyn ProofLog>) -> bool {
        let log = Rc::new(RefCell::new(log));
        self.solver.log_proof(Box::new(Log(Rc::clone(&log))));
        let propagated = move |propagator, clause: &[Lit]| log.borrow_mut().propagated(propagator, clause);
        self.propagators.log_to(Box::new(propagated), true);
        true
    }

    fn propagates(&self) -> bool {
        true
    }

    fn variables(&self) -> Option<u32> {
        Some(self.solver.variables())
    }

    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>> {
        for (lit, _) in propagator.events() {
            self.solver.reserve(lit.vidx32() + 1);
        }
        self.propagators.add(propagator);
        None
    }
}
