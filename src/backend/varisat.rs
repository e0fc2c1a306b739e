//! [varisat](https://github.com/jix/varisat) 0.2.2, adapted to rustsat's solver traits.
//!
//! Properties of varisat that matter here, found in its source code:
//! * Assumptions persist until they are replaced, so every call replaces them, even by an empty list.
//! * The state "unsatisfiable under assumptions" is reset when the assumptions are replaced, but not when a clause
//!   is added.
//! * The model contains every variable up to the largest one that varisat knows. Variables in no clause are false.
//!   If a variable is created between a call and `model()`, `model()` panics. So the model is read directly after the
//!   call, and only clauses and assumptions create variables.
//! * varisat returns a core as a list of assumptions, while rustsat expects their negations. A core can be *wrong*
//!   (too small) after a unit clause contradicted an assumption: varisat marks the variable of that assumption, never
//!   clears the mark, and may reuse the marked index for another variable ([`Varisat::cores_unreliable`]). From then
//!   on, every core is checked by another call. If the clauses are satisfiable under the core, all assumptions are
//!   returned instead.
//! * varisat can't be interrupted. [`super::varisat_proof`] emulates an interrupt. An interrupted solver can't be
//!   used again, so it is rebuilt from stored clauses. Clauses are stored, and interrupts possible, only if limits
//!   are set before the first clause.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use gordian_encodings::{Cnf, Collect, Lit};
use rustsat::solvers::{
    Solve, SolveIncremental, SolveStats, SolverResult, SolverState, SolverStats, StateError,
};
use rustsat::types::{Cl, Clause, TernaryVal, Var};
use rustsat::utils::Timer;
use varisat::{ExtendFormula, ProofFormat};

use super::incremental::{Incremental, Native};
use super::limits::Limits;
use super::varisat_proof::{Meter, Writer};
use super::{BackendError, Make, Solver};

pub(super) static SOLVER: Solver = Solver {
    name: Cow::Borrowed("varisat"),
    summary: "varisat, written in Rust: fast on a single large query; limits must be set before the first clause",
    version: "0.2.2",
    phases: false,
    seeds: false,
    limits_first: true,
    make: Make::Function(|| Ok(Box::new(Incremental::new(Varisat::default())))),
};

/// varisat with an implementation of rustsat's traits.
#[derive(Default)]
struct Varisat {
    solver: varisat::Solver<'static>,
    state: State,
    stats: SolverStats,
    /// A buffer for literals in varisat's type.
    buffer: Vec<varisat::Lit>,
    /// Whether cores may be wrong. The documentation of the module explains why.
    cores_unreliable: bool,
    interrupt: Option<Interrupt>,
}

/// The state needed to interrupt and rebuild the solver.
#[derive(Default)]
struct Interrupt {
    meter: Rc<RefCell<Meter>>,
    clauses: Cnf,
    /// Whether the solver was interrupted and must be rebuilt.
    interrupted: bool,
}

/// The result of the last call.
#[derive(Default)]
enum State {
    #[default]
    Input,
    /// The formula is satisfiable. The values are indexed by variable.
    Sat(Vec<TernaryVal>),
    /// The formula is unsatisfiable. The core consists of negated assumptions, as rustsat requires.
    Unsat(Vec<Lit>),
    Unknown,
}

fn into_varisat(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

fn from_varisat(lit: varisat::Lit) -> Lit {
    Lit::new(lit.index() as u32, lit.is_negative())
}

impl Varisat {
    /// Makes the solver interruptible and stores all clauses added from now on. The solver must not have clauses yet.
    fn make_interruptible(&mut self) {
        self.interrupt = Some(Interrupt::default());
        self.rebuild();
    }

    /// Replaces the solver by a new one with the stored clauses.
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

    /// Calls the solver and returns the resulting state.
    fn call(&mut self, assumptions: &[Lit]) -> anyhow::Result<State> {
        if self.interrupt.as_ref().is_some_and(|interrupt| interrupt.interrupted) {
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
        // If the limit is reached while varisat writes the last block of the proof, there may be a result, which is
        // valid.
        Ok(if let Some(model) = self.solver.model() {
            let mut values = Vec::new();
            for lit in model {
                if lit.index() >= values.len() {
                    values.resize(lit.index() + 1, TernaryVal::DontCare);
                }
                values[lit.index()] = TernaryVal::from(lit.is_positive());
            }
            State::Sat(values)
        } else if let Some(core) = self.solver.failed_core() {
            State::Unsat(core.iter().map(|&lit| !from_varisat(lit)).collect())
        } else {
            State::Unknown
        })
    }

    /// Returns `core` if it is correct, and otherwise the set of all assumptions. The literals are negated.
    fn checked_core(&mut self, core: Vec<Lit>, assumptions: &[Lit]) -> anyhow::Result<Vec<Lit>> {
        let checked = if self.cores_unreliable && !core.is_empty() {
            let assumed: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
            match self.call(&assumed)? {
                State::Unsat(_) => core,
                _ => assumptions.iter().map(|&lit| !lit).collect(),
            }
        } else {
            core
        };
        // If the core is a single literal, a unit clause contradicted an assumption, so varisat set the mark.
        self.cores_unreliable |= checked.len() == 1;
        Ok(checked)
    }

    fn state(&self) -> SolverState {
        match self.state {
            State::Input => SolverState::Input,
            State::Sat(_) => SolverState::Sat,
            State::Unsat(_) => SolverState::Unsat,
            State::Unknown => SolverState::Unknown,
        }
    }

    fn state_error(&self, required_state: SolverState) -> StateError {
        StateError { required_state, actual_state: self.state() }
    }

    fn note_variables(&mut self, lits: &[Lit]) {
        let highest = lits.iter().map(|lit| lit.var()).max();
        self.stats.max_var = self.stats.max_var.max(highest);
    }
}

fn load(solver: &mut varisat::Solver<'static>, buffer: &mut Vec<varisat::Lit>, clause: &[Lit]) {
    buffer.clear();
    buffer.extend(clause.iter().copied().map(into_varisat));
    solver.add_clause(buffer);
}

impl Solve for Varisat {
    fn signature(&self) -> &'static str {
        "varisat 0.2.2"
    }

    /// Only records the number of variables. Clauses and assumptions create them.
    fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
        self.stats.max_var = self.stats.max_var.max(Some(max_var));
        Ok(())
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        let State::Sat(values) = &self.state else {
            return Err(self.state_error(SolverState::Sat).into());
        };
        let value = values.get(lit.vidx()).copied().unwrap_or(TernaryVal::DontCare);
        Ok(if lit.is_pos() { value } else { !value })
    }

    fn add_clause_ref<C>(&mut self, clause: &C) -> anyhow::Result<()>
    where
        C: AsRef<Cl> + ?Sized,
    {
        let clause: &Cl = clause.as_ref();
        let clause: &[Lit] = clause.as_ref();
        self.state = State::Input;
        self.note_variables(clause);
        let earlier = self.stats.n_clauses as f32;
        self.stats.n_clauses += 1;
        self.stats.avg_clause_len =
            (self.stats.avg_clause_len * earlier + clause.len() as f32) / self.stats.n_clauses as f32;
        if let Some(interrupt) = &mut self.interrupt {
            interrupt.clauses.clause(clause);
            if interrupt.interrupted {
                return Ok(());
            }
        }
        load(&mut self.solver, &mut self.buffer, clause);
        Ok(())
    }
}

impl SolveIncremental for Varisat {
    fn solve_assumps(&mut self, assumptions: &[Lit]) -> anyhow::Result<SolverResult> {
        self.note_variables(assumptions);
        self.state = State::Unknown;
        let start = Timer::now();
        let called = self.call(assumptions).and_then(|state| match state {
            State::Unsat(core) => self.checked_core(core, assumptions).map(State::Unsat),
            state => Ok(state),
        });
        self.stats.cpu_solve_time += start.elapsed();
        self.state = called?;
        let (count, result) = match self.state {
            State::Sat(_) => (&mut self.stats.n_sat, SolverResult::Sat),
            State::Unsat(_) => (&mut self.stats.n_unsat, SolverResult::Unsat),
            State::Input | State::Unknown => (&mut self.stats.n_terminated, SolverResult::Interrupted),
        };
        *count += 1;
        Ok(result)
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        match &self.state {
            State::Unsat(core) => Ok(core.clone()),
            _ => Err(self.state_error(SolverState::Unsat).into()),
        }
    }
}

impl SolveStats for Varisat {
    fn stats(&self) -> SolverStats {
        self.stats.clone()
    }
}

impl Extend<Clause> for Varisat {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.add_clause(clause).expect("adding a clause to varisat can't fail");
        }
    }
}

impl<'a> Extend<&'a Clause> for Varisat {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.add_clause_ref(clause).expect("adding a clause to varisat can't fail");
        }
    }
}

impl Native for Varisat {
    type Interface = Self;

    const SOLVER: &'static Solver = &SOLVER;

    fn interface(&self) -> &Self {
        self
    }

    fn interface_mut(&mut self) -> &mut Self {
        self
    }

    fn limit(&mut self, limits: Limits) -> Result<(), BackendError> {
        if self.interrupt.is_none() && !limits.is_unlimited() {
            if self.stats.n_clauses > 0 {
                return Err(BackendError::LimitsTooLate { name: &SOLVER.name });
            }
            self.make_interruptible();
        }
        if let Some(interrupt) = &self.interrupt {
            interrupt.meter.borrow_mut().guard.limits = limits;
        }
        Ok(())
    }

    /// Counts the conflicts in the proof, which varisat writes only if the solver has limits.
    fn effort(&self) -> [Option<u64>; 3] {
        let conflicts = self.interrupt.as_ref().map(|interrupt| interrupt.meter.borrow().conflicts());
        [conflicts, None, None]
    }

    fn phase(&mut self, _: Lit) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(ipasir: i32) -> Lit {
        Lit::from_ipasir(ipasir).unwrap()
    }

    /// Returns a solver that returns a wrong core: varisat's mark of a contradicted assumption applies to another
    /// variable, which replaces the correct assumption in the core.
    fn with_stale_mark() -> (Varisat, [Lit; 3]) {
        let [x, y, p, q, r, z] = [1, 2, 3, 4, 5, 6].map(lit);
        let mut solver = Varisat::default();
        solver.add_unit(!x).unwrap();
        assert_eq!(solver.solve().unwrap(), SolverResult::Sat);
        assert_eq!(solver.solve_assumps(&[x]).unwrap(), SolverResult::Unsat);
        solver.add_unit(y).unwrap();
        assert_eq!(solver.solve().unwrap(), SolverResult::Sat);
        for clause in [[z, p], [!p, q], [!q, !r]] {
            solver.add_clause_ref(&clause).unwrap();
        }
        (solver, [p, z, r])
    }

    #[test]
    fn a_wrong_core_is_detected() {
        let (mut solver, assumptions) = with_stale_mark();
        assert!(solver.cores_unreliable);
        assert_eq!(solver.solve_assumps(&assumptions).unwrap(), SolverResult::Unsat);
        let core: Vec<Lit> = solver.core().unwrap().iter().map(|&lit| !lit).collect();
        assert_eq!(solver.solve_assumps(&core).unwrap(), SolverResult::Unsat);
        assert!(core.contains(&assumptions[0]) && core.contains(&assumptions[2]));

        // If this assertion fails, the bug in varisat is fixed, and the check of cores can be removed.
        let (mut solver, assumptions) = with_stale_mark();
        solver.cores_unreliable = false;
        assert_eq!(solver.solve_assumps(&assumptions).unwrap(), SolverResult::Unsat);
        assert!(!solver.core().unwrap().contains(&!assumptions[0]));
    }
}
