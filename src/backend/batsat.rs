//! [BatSat](https://github.com/c-cube/batsat) 0.6, a port of MiniSat to Rust.
//!
//! The following properties of BatSat are relevant:
//! * BatSat calls `Callbacks::stop` at each decision and each restart, but never during unit propagation.
//! * The phase of a variable can be set only when BatSat creates the variable, and BatSat creates variables in the
//!   order of their indices. Therefore [`Native::phase`] has no effect if the variable, or a later variable, already
//!   occurred in a clause, an assumption or an earlier call. The method `reserve` creates no variables, so phases can
//!   still be set afterwards.
//! * Variables that were reserved but not used have no value.
//! * A seed gives every variable a small random initial activity. The seed must be set before the first variable is
//!   created. If no seed is set, BatSat is deterministic.
//! * BatSat silently removes literals that are false at level 0 from a clause, and later reports the deletion of the
//!   shortened clause. Such a deletion is not logged, because a proof checker does not know the shortened clause.
//! * BatSat supports theories (see [`theory`]).

mod theory;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher;
use std::rc::Rc;

use batsat::intmap::AsIndex;
use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, lbool};
use gordian_encodings::Lit;
use gordian_encodings::theory::Propagator;

use super::incremental::{Incremental, Native};
use super::limits::{Guard, Limits};
use super::{BackendError, ProofLog, Solver, SolverConstructor, Verdict};

pub(super) static SOLVER: Solver = Solver {
    name: Cow::Borrowed("batsat"),
    summary: "BatSat, a port of MiniSat to Rust: fast on many small queries, supports propagators",
    version: "0.6.0",
    phases: true,
    seeds: true,
    limits_first: false,
    proofs: true,
    make: SolverConstructor::Function(|| Ok(Box::new(Incremental::new(BatSat::default())))),
};

#[derive(Default)]
struct BatSat {
    solver: batsat::Solver<Calls>,
    /// A reusable buffer for a clause. Without it, adding a clause would allocate memory.
    clause: Vec<batsat::Lit>,
    theory: theory::Theory,
}

/// The callbacks of BatSat.
#[derive(Default)]
struct Calls {
    guard: Guard,
    /// The proof log, shared with the propagators.
    log: Option<Rc<RefCell<Log>>>,
}

/// A log of learnt and deleted clauses.
struct Log {
    out: Box<dyn ProofLog>,
    /// Maps each hash to the number of learnt clauses with this hash that have not been deleted.
    learnt: HashMap<u64, u32>,
    hasher: RandomState,
    /// A buffer for a clause.
    clause: Vec<Lit>,
}

impl Log {
    /// Stores a clause in the buffer, and returns a hash that does not depend on the order of its literals.
    fn take(&mut self, clause: &[batsat::Lit]) -> u64 {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|lit| Lit::new(lit.var().idx(), !lit.sign())));
        clause.iter().fold(0, |sum, lit| sum.wrapping_add(self.hasher.hash_one(lit.as_index())))
    }

    fn derived(&mut self, clause: &[batsat::Lit]) {
        let hash = self.take(clause);
        *self.learnt.entry(hash).or_default() += 1;
        self.out.derived(&self.clause);
    }

    fn deleted(&mut self, clause: &[batsat::Lit]) {
        let hash = self.take(clause);
        if let Entry::Occupied(mut entry) = self.learnt.entry(hash) {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
            self.out.deleted(&self.clause);
        }
    }
}

impl Callbacks for Calls {
    fn on_start(&mut self) {
        self.guard.start();
    }

    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: ClauseKind) {
        if kind != ClauseKind::Axiom {
            self.guard.conflict();
            if let Some(log) = &self.log {
                log.borrow_mut().derived(clause);
            }
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        if let Some(log) = &self.log {
            log.borrow_mut().deleted(clause);
        }
    }

    fn stop(&self) -> bool {
        self.guard.reached()
    }
}

impl Native for BatSat {
    const SOLVER: &'static Solver = &SOLVER;

    fn limit(&mut self, limits: Limits) -> Result<(), BackendError> {
        self.solver.cb_mut().guard.limits = limits;
        Ok(())
    }

    fn effort(&self) -> [Option<u64>; 4] {
        let solver = &self.solver;
        [solver.num_conflicts(), solver.num_decisions(), solver.num_propagations(), solver.num_restarts()]
            .map(Some)
    }

    fn phase(&mut self, lit: Lit) -> bool {
        let solver = &mut self.solver;
        if lit.vidx32() < solver.num_vars() {
            return false;
        }
        while solver.num_vars() < lit.vidx32() {
            solver.new_var_default();
        }
        solver.new_var(if lit.is_pos() { lbool::TRUE } else { lbool::FALSE }, true);
        true
    }

    fn seed(&mut self, seed: u32) -> bool {
        let solver = &mut self.solver;
        if solver.num_vars() > 0 {
            return false;
        }
        if seed > 0 {
            let calls = std::mem::take(solver.cb_mut());
            // The state of BatSat's random number generator must be a number from 1 to 2^31 - 2.
            let random_seed = f64::from(seed % (i32::MAX as u32 - 1) + 1);
            let options = SolverOpts { random_seed, rnd_init_act: true, ..SolverOpts::default() };
            *solver = batsat::Solver::new(options, calls);
        }
        true
    }

    fn add(&mut self, clause: &[Lit]) -> anyhow::Result<()> {
        let solver = &mut self.solver;
        self.clause.clear();
        for lit in clause {
            self.clause.push(batsat::Lit::new(solver.var_of_int(lit.vidx32()), lit.is_pos()));
        }
        solver.add_clause_reuse(&mut self.clause);
        Ok(())
    }

    fn decide(&mut self, assumptions: &[Lit]) -> anyhow::Result<Verdict> {
        let solver = &mut self.solver;
        let assumed = |lit: &Lit| batsat::Lit::new(solver.var_of_int(lit.vidx32()), lit.is_pos());
        let assumptions: Vec<batsat::Lit> = assumptions.iter().map(assumed).collect();
        let found = if self.theory.is_empty() {
            solver.solve_limited(&assumptions)
        } else {
            solver.solve_limited_th(&mut self.theory, &assumptions)
        };
        Ok(if found == lbool::TRUE {
            Verdict::Satisfiable
        } else if found == lbool::FALSE {
            Verdict::Unsatisfiable
        } else {
            Verdict::Stopped
        })
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.solver.value_var(batsat::Var::from_index(lit.vidx()));
        (value != lbool::UNDEF).then(|| (value == lbool::TRUE) == lit.is_pos())
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        let solver = &self.solver;
        if lit.vidx32() >= solver.num_vars() {
            return None;
        }
        let value = solver.value_lvl_0(batsat::Lit::new(batsat::Var::from_index(lit.vidx()), lit.is_pos()));
        (value != lbool::UNDEF).then_some(value == lbool::TRUE)
    }

    fn implying(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let solver = &mut self.solver;
        let assumed = |lit: &Lit| batsat::Lit::new(solver.var_of_int(lit.vidx32()), lit.is_pos());
        let assumptions: Vec<batsat::Lit> = lits.iter().map(assumed).collect();
        let (_, decided) = self.theory.record(|theory| solver.solve_limited_th(theory, &assumptions));
        Some(decided.map_or_else(
            || lits.to_vec(),
            |decided| {
                lits.iter()
                    .zip(assumptions)
                    .filter(|(_, lit)| decided.contains(lit))
                    .map(|(&lit, _)| lit)
                    .collect()
            },
        ))
    }

    fn core(&mut self) -> Vec<Lit> {
        // BatSat returns the negations of the assumptions in the core.
        self.solver.unsat_core().iter().map(|lit| Lit::new(lit.var().idx(), lit.sign())).collect()
    }

    fn log_proof(&mut self, out: Box<dyn ProofLog>) -> bool {
        let log = Log { out, learnt: HashMap::new(), hasher: RandomState::new(), clause: Vec::new() };
        let log = Rc::new(RefCell::new(log));
        self.theory.log_to(Rc::clone(&log));
        self.solver.cb_mut().log = Some(log);
        true
    }

    fn propagates(&self) -> bool {
        true
    }

    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>> {
        self.theory.add(propagator, &mut self.solver);
        None
    }
}
