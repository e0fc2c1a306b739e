//! [CaDiCaL](https://github.com/arminbiere/cadical). The solver requires the cargo feature `cadical`, because it is
//! written in C++ and rustsat's binding to it requires libclang.
//!
//! The following properties of CaDiCaL are relevant:
//! * CaDiCaL polls its terminator during search and inprocessing, so no extra thread is needed to stop it. The
//!   conflict limit of CaDiCaL applies only to the next call, so it is set before each call.
//! * Before it branches, CaDiCaL tries simple assignments that ignore phases (option `lucky`). The option `lucky` is
//!   disabled when a solver is created, because options can't be set later. CaDiCaL may also eliminate variables
//!   before it branches, so phases are only hints.
//! * CaDiCaL may give any value to a variable that occurs in no clause, and gives no value to undeclared variables.

use std::borrow::Cow;

use super::{Solver, SolverConstructor};

#[cfg(not(feature = "cadical"))]
use super::BackendError;

pub(super) static SOLVER: Solver = Solver {
    name: Cow::Borrowed("cadical"),
    summary: "CaDiCaL, written in C++: fast on hard formulas; requires the cargo feature `cadical`",
    version: "2.2.1",
    phases: true,
    seeds: true,
    limits_first: false,
    proofs: true,
    #[cfg(feature = "cadical")]
    make: SolverConstructor::Function(|| match built::Cadical::new() {
        Ok(solver) => Ok(Box::new(super::incremental::Incremental::new(solver))),
        Err(error) => Err(super::BackendError::Failed { name: "cadical", reason: error.to_string() }),
    }),
    #[cfg(not(feature = "cadical"))]
    make: SolverConstructor::Function(|| {
        Err(BackendError::NotBuilt {
            name: "cadical",
            how: "build it with `--features cadical`, which requires a C++ compiler and libclang \
                  (`apt-get install g++ libclang-dev`)",
        })
    }),
};

#[cfg(feature = "cadical")]
mod built {
    use gordian_encodings::Lit;
    use rustsat::solvers::{
        ControlSignal, GetInternalStats, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolverResult,
        Terminate,
    };
    use rustsat::types::{TernaryVal, Var};
    use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId, ProofTracerHandle, TraceProof};

    use super::super::incremental::Native;
    use super::super::limits::MEMORY_INTERVAL;
    use super::super::{BackendError, Limits, ProofLog, Solver, Verdict};
    use super::SOLVER;

    pub(super) struct Cadical {
        solver: CaDiCaL<'static, 'static>,
        /// The conflict limit, in the integer type of CaDiCaL.
        conflicts: Option<u32>,
        /// The log. The log must be dropped after the solver, which uses it.
        log: Option<ProofTracerHandle<Log>>,
        /// True if the solver has variables. A log must be attached before the first variable is declared.
        used: bool,
    }

    struct Log(Box<dyn ProofLog>);

    impl TraceProof for Log {
        fn add_derived_clause(&mut self, _: ClauseId, _: bool, clause: &CaDiCaLClause, _: &[ClauseId]) {
            self.0.derived(&clause.iter().collect::<Vec<_>>());
        }

        fn delete_clause(&mut self, _: ClauseId, _: bool, clause: &CaDiCaLClause) {
            self.0.deleted(&clause.iter().collect::<Vec<_>>());
        }
    }

    impl Cadical {
        pub(super) fn new() -> anyhow::Result<Self> {
            let mut solver = CaDiCaL::default();
            solver.set_option("lucky", 0)?;
            Ok(Cadical { solver, conflicts: None, log: None, used: false })
        }
    }

    impl Native for Cadical {
        const SOLVER: &'static Solver = &SOLVER;

        fn limit(&mut self, limits: Limits) -> Result<(), BackendError> {
            // CaDiCaL's conflict limit is a C `int`. The maximum of this type is never reached in practice, so it
            // replaces all larger limits.
            self.conflicts =
                limits.conflicts.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX).unsigned_abs());
            if (Limits { conflicts: None, ..limits.clone() }).is_unlimited() {
                self.solver.detach_terminator();
            } else {
                let mut polls = 0_u32;
                self.solver.attach_terminator(move || {
                    polls = polls.wrapping_add(1);
                    let out_of_memory = polls.is_multiple_of(MEMORY_INTERVAL) && limits.exceeds_memory();
                    if out_of_memory || limits.expired() {
                        ControlSignal::Terminate
                    } else {
                        ControlSignal::Continue
                    }
                });
            }
            Ok(())
        }

        fn effort(&self) -> [Option<u64>; 4] {
            let solver = &self.solver;
            let [conflicts, decisions, propagations] =
                [solver.conflicts(), solver.decisions(), solver.propagations()]
                    .map(|count| Some(count as u64));
            [conflicts, decisions, propagations, None]
        }

        fn phase(&mut self, lit: Lit) -> bool {
            self.used = true;
            self.solver.phase_lit(lit).is_ok()
        }

        fn seed(&mut self, seed: u32) -> bool {
            self.solver.set_option("seed", i32::try_from(seed).unwrap_or(i32::MAX)).is_ok()
        }

        fn reserve(&mut self, variables: u32) -> anyhow::Result<()> {
            self.used = true;
            self.solver.reserve(Var::new(variables - 1))
        }

        fn log_proof(&mut self, log: Box<dyn ProofLog>) -> bool {
            if !self.used {
                self.log = Some(self.solver.connect_proof_tracer(Log(log), false));
            }
            !self.used
        }

        fn add(&mut self, clause: &[Lit]) -> anyhow::Result<()> {
            self.solver.add_clause_ref(clause)
        }

        fn decide(&mut self, assumptions: &[Lit]) -> anyhow::Result<Verdict> {
            self.solver.limit_conflicts(self.conflicts)?;
            Ok(match self.solver.solve_assumps(assumptions)? {
                SolverResult::Sat => Verdict::Satisfiable,
                SolverResult::Unsat => Verdict::Unsatisfiable,
                SolverResult::Interrupted => Verdict::Stopped,
            })
        }

        fn value(&self, lit: Lit) -> Option<bool> {
            match self.solver.lit_val(lit) {
                Ok(TernaryVal::True) => Some(true),
                Ok(TernaryVal::False) => Some(false),
                Ok(TernaryVal::DontCare) | Err(_) => None,
            }
        }

        fn core(&mut self) -> Vec<Lit> {
            // rustsat returns the negations of the assumptions in the core.
            let clause = self.solver.core().expect("the solver's last solution was unsatisfiable");
            clause.into_iter().map(|lit| !lit).collect()
        }
    }
}
