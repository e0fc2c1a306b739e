//! [varisat](https://github.com/jix/varisat) 0.2.2.
//!
//! The following properties of varisat, found in its source code, are relevant:
//! * Assumptions persist until they are replaced, so every call replaces them, if necessary by an empty list.
//! * The state "unsatisfiable under assumptions" is reset when the assumptions are replaced, but not when a clause
//!   is added.
//! * The model contains every variable up to the largest variable that varisat knows. Variables that occur in no clause
//!   are false in the model. If a variable is created between a call and `model()`, `model()` panics. For this reason,
//!   the model is read directly after the call, and variables are created only by clauses and assumptions.
//! * Once a unit clause has contradicted an assumption, later cores can be *wrong* (too small). varisat marks the
//!   variable of that assumption and never clears the mark, so the mark may later belong to another variable
//!   ([`Varisat::cores_unreliable`]). Therefore, as soon as varisat may have set a mark, every core is checked by
//!   another call. If the clauses are satisfiable under a core, all assumptions are returned instead.
//! * varisat can't be interrupted. [`super::varisat_proof`] emulates an interrupt. An interrupted solver can't be
//!   used again, so a new solver is built from stored clauses. Clauses are stored, and the solver is interruptible,
//!   only if limits were set or a log was attached before the first clause.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use gordian_encodings::{Cnf, Collect, Lit};
use varisat::{ExtendFormula, ProofFormat};

use super::incremental::{Incremental, Native};
use super::limits::Limits;
use super::varisat_proof::{Meter, Writer};
use super::{BackendError, ProofLog, Solver, SolverConstructor, Verdict};

pub(super) static SOLVER: Solver = Solver {
    name: Cow::Borrowed("varisat"),
    summary: "varisat, written in Rust: fast on a single large query; limits must be set before the first clause",
    version: "0.2.2",
    phases: false,
    seeds: false,
    limits_first: true,
    proofs: true,
    make: SolverConstructor::Function(|| Ok(Box::new(Incremental::new(Varisat::default())))),
};

#[derive(Default)]
struct Varisat {
    solver: varisat::Solver<'static>,
    /// The result of the last call.
    last: Last,
    has_clauses: bool,
    /// A buffer for literals in varisat's type.
    buffer: Vec<varisat::Lit>,
    /// True if unsatisfiable cores may be wrong because of a bug in varisat (see the module documentation).
    cores_unreliable: bool,
    interrupt: Option<Interrupt>,
}

/// The data needed to interrupt and rebuild the solver.
#[derive(Default)]
struct Interrupt {
    meter: Rc<RefCell<Meter>>,
    clauses: Cnf,
    /// True if the solver was interrupted and must be rebuilt.
    interrupted: bool,
}

/// The result of a call to varisat.
#[derive(Default)]
enum Last {
    /// The values of the variables, by index.
    Satisfiable(Vec<Option<bool>>),
    /// The unsatisfiable core, as a subset of the assumptions.
    Unsatisfiable(Vec<Lit>),
    #[default]
    Stopped,
}

fn into_varisat(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

#[expect(clippy::cast_possible_truncation, reason = "varisat has at most 2^31 variables")]
fn from_varisat(lit: varisat::Lit) -> Lit {
    Lit::new(lit.index() as u32, lit.is_negative())
}

impl Varisat {
    /// Makes the solver interruptible, and stores all clauses from now on. The solver must not have clauses yet.
    fn make_interruptible(&mut self) {
        self.interrupt = Some(Interrupt::default());
        self.rebuild();
    }

    /// Replaces the solver with a new one that has the stored clauses.
    fn rebuild(&mut self) {
        self.solver = varisat::Solver::new();
        self.cores_unreliable = false;
        if let Some(interrupt) = &mut self.interrupt {
            interrupt.interrupted = false;
            interrupt.meter.borrow_mut().restart();
            self.solver.write_proof(Writer(Rc::clone(&interrupt.meter)), ProofFormat::Varisat);
            for clause in interrupt.clauses.iter() {
                load(&mut self.solver, &mut self.buffer, clause);
            }
        }
    }

    /// Calls varisat.
    fn call(&mut self, assumptions: &[Lit]) -> anyhow::Result<Last> {
        if let Some(interrupt) = &self.interrupt
            && interrupt.interrupted
        {
            // The proof so far may delete clauses that the new solver would use again.
            anyhow::ensure!(
                interrupt.meter.borrow().log.is_none(),
                "it can't continue a proof after a limit"
            );
            self.rebuild();
        }
        self.buffer.clear();
        self.buffer.extend(assumptions.iter().copied().map(into_varisat));
        self.solver.assume(&self.buffer);
        let solved = match &mut self.interrupt {
            None => self.solver.solve().map(|_| ()),
            Some(interrupt) => {
                interrupt.meter.borrow_mut().start();
                let solved = self.solver.solve().map(|_| ());
                let limited = interrupt.meter.borrow_mut().finish();
                interrupt.interrupted = solved.is_err();
                if limited { Ok(()) } else { solved }
            }
        };
        solved?;
        // If a limit is reached while varisat writes the last block of the proof, varisat may still return a valid
        // result.
        Ok(if let Some(model) = self.solver.model() {
            let mut values = Vec::new();
            for lit in model {
                if lit.index() >= values.len() {
                    values.resize(lit.index() + 1, None);
                }
                values[lit.index()] = Some(lit.is_positive());
            }
            Last::Satisfiable(values)
        } else if let Some(core) = self.solver.failed_core() {
            Last::Unsatisfiable(core.iter().copied().map(from_varisat).collect())
        } else {
            Last::Stopped
        })
    }

    /// Returns `core` if the formula is unsatisfiable under it. Otherwise, returns all assumptions.
    fn checked_core(&mut self, core: Vec<Lit>, assumptions: &[Lit]) -> anyhow::Result<Vec<Lit>> {
        let is_wrong =
            self.cores_unreliable && !core.is_empty() && !matches!(self.call(&core)?, Last::Unsatisfiable(_));
        let checked = if is_wrong { assumptions.to_vec() } else { core };
        // If the core consists of a single assumption, a unit clause contradicted this assumption, so varisat has set a
        // mark.
        self.cores_unreliable |= checked.len() == 1;
        Ok(checked)
    }
}

fn load(solver: &mut varisat::Solver<'static>, buffer: &mut Vec<varisat::Lit>, clause: &[Lit]) {
    buffer.clear();
    buffer.extend(clause.iter().copied().map(into_varisat));
    solver.add_clause(buffer);
}

impl Native for Varisat {
    const SOLVER: &'static Solver = &SOLVER;

    fn limit(&mut self, limits: Limits) -> Result<(), BackendError> {
        if self.interrupt.is_none() && !limits.is_unlimited() {
            if self.has_clauses {
                return Err(BackendError::LimitsTooLate { name: &SOLVER.name });
            }
            self.make_interruptible();
        }
        if let Some(interrupt) = &self.interrupt {
            interrupt.meter.borrow_mut().guard.limits = limits;
        }
        Ok(())
    }

    /// Counts the conflicts in the proof. varisat writes a proof only if limits are set or a log is attached.
    fn effort(&self) -> [Option<u64>; 4] {
        let conflicts = self.interrupt.as_ref().map(|interrupt| interrupt.meter.borrow().conflicts());
        [conflicts, None, None, None]
    }

    fn log_proof(&mut self, log: Box<dyn ProofLog>) -> bool {
        if self.interrupt.is_none() {
            self.make_interruptible();
        }
        if let Some(interrupt) = &self.interrupt {
            interrupt.meter.borrow_mut().log = Some(log);
        }
        true
    }

    fn add(&mut self, clause: &[Lit]) -> anyhow::Result<()> {
        self.has_clauses = true;
        if let Some(interrupt) = &mut self.interrupt {
            interrupt.clauses.clause(clause);
            if interrupt.interrupted {
                return Ok(());
            }
        }
        load(&mut self.solver, &mut self.buffer, clause);
        Ok(())
    }

    fn decide(&mut self, assumptions: &[Lit]) -> anyhow::Result<Verdict> {
        self.last = match self.call(assumptions)? {
            Last::Unsatisfiable(core) => Last::Unsatisfiable(self.checked_core(core, assumptions)?),
            last => last,
        };
        Ok(match self.last {
            Last::Satisfiable(_) => Verdict::Satisfiable,
            Last::Unsatisfiable(_) => Verdict::Unsatisfiable,
            Last::Stopped => Verdict::Stopped,
        })
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let Last::Satisfiable(values) = &self.last else { return None };
        Some(values.get(lit.vidx()).copied().flatten()? == lit.is_pos())
    }

    fn core(&mut self) -> Vec<Lit> {
        match &self.last {
            Last::Unsatisfiable(core) => core.clone(),
            Last::Satisfiable(_) | Last::Stopped => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
