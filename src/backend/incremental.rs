//! Implements [`Backend`] for all built-in solvers, on top of a few operations that each solver provides.

use gordian_encodings::theory::Propagator;
use gordian_encodings::{Collect, FALSE, Lit, TRUE, lit};

use super::{Backend, BackendError, Limits, ProofLog, Solver, Statistics, Verdict};

/// The operations of a built-in solver. The literals in the arguments are never constants.
pub(super) trait Native {
    /// The description of the solver.
    const SOLVER: &'static Solver;

    /// Sets the limits of all following calls.
    fn limit(&mut self, limits: Limits) -> Result<(), BackendError>;

    /// Returns the number of conflicts, decisions, propagations and restarts so far, in this order.
    fn effort(&self) -> [Option<u64>; 4];

    /// Sets the phase of a variable, as described at [`Backend::phase`].
    fn phase(&mut self, _: Lit) -> bool {
        false
    }

    /// Seeds the solver, as described at [`Backend::seed`]. The seed is set only before the first variable is
    /// declared.
    fn seed(&mut self, _: u32) -> bool {
        false
    }

    /// Declares the variables `0..variables`, where `variables` is at least 1.
    fn reserve(&mut self, _: u32) -> anyhow::Result<()> {
        Ok(())
    }

    /// Adds a clause to the solver.
    fn add(&mut self, clause: &[Lit]) -> anyhow::Result<()>;

    /// Solves the formula under assumptions.
    fn decide(&mut self, assumptions: &[Lit]) -> anyhow::Result<Verdict>;

    /// Returns the value of a literal in the last assignment.
    fn value(&self, lit: Lit) -> Option<bool>;

    /// Returns the unsatisfiable core of the last unsatisfiable call. The core may contain duplicates.
    fn core(&mut self) -> Vec<Lit>;

    /// Returns the value of an implied literal, as described at [`Backend::fixed`].
    fn fixed(&self, _: Lit) -> Option<bool> {
        None
    }

    /// Returns a subset of the given literals that implies all of them, as described at [`Backend::implying`].
    fn implying(&mut self, _: &[Lit]) -> Option<Vec<Lit>> {
        None
    }

    /// Attaches a log, as described at [`Backend::log_proof`]. The solver has no clauses yet.
    fn log_proof(&mut self, _: Box<dyn ProofLog>) -> bool {
        false
    }

    /// Returns whether [`Native::attach`] accepts propagators.
    fn propagates(&self) -> bool {
        false
    }

    /// Returns the number of variables, as described at [`Backend::variables`].
    fn variables(&self) -> Option<u32> {
        None
    }

    /// Attaches a propagator, as described at [`Backend::attach`].
    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>> {
        Some(propagator)
    }
}

/// A [`Backend`] on top of a [`Native`] solver.
pub(super) struct Incremental<S> {
    native: S,
    limits: Limits,
    /// The verdict of the last call, or `None` if clauses have been added since then.
    verdict: Option<Verdict>,
    /// True if the last call assumed `FALSE`.
    assumed_false: bool,
    /// The number of variables. The solver knows only the variables whose index is less than `declared`. The others are
    /// declared when the next clause is added or the next call starts. Until then, the last assignment remains readable
    /// and phases can still be set.
    variables: u32,
    declared: u32,
    clauses: u64,
    /// The first failure. [`Collect`] can't return errors, so the next solver call returns this failure.
    failure: Option<String>,
}

impl<S: Native> Incremental<S> {
    pub(super) fn new(native: S) -> Self {
        Incremental {
            native,
            limits: Limits::default(),
            verdict: None,
            assumed_false: false,
            variables: 0,
            declared: 0,
            clauses: 0,
            failure: None,
        }
    }

    /// Declares all variables in the solver, including the variables of `lits`.
    fn declare(&mut self, lits: &[Lit]) -> anyhow::Result<()> {
        let used = lits.iter().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
        self.variables = self.variables.max(used);
        if self.declared < self.variables {
            self.native.reserve(self.variables)?;
            self.declared = self.variables;
        }
        Ok(())
    }

    fn try_clause(&mut self, clause: &[Lit]) -> anyhow::Result<()> {
        self.declare(clause)?;
        self.native.add(clause)
    }

    fn try_solve(&mut self, assumptions: &[Lit]) -> anyhow::Result<Verdict> {
        self.declare(assumptions)?;
        self.native.decide(assumptions)
    }

    fn error(reason: String) -> BackendError {
        BackendError::Failed { name: &S::SOLVER.name, reason }
    }
}

impl<S: Native> Collect for Incremental<S> {
    fn clause(&mut self, clause: &[Lit]) {
        debug_assert!(clause.iter().all(|&l| lit::constant(l).is_none()), "a constant in a clause");
        self.verdict = None;
        self.clauses += 1;
        if self.failure.is_none() {
            self.failure = self.try_clause(clause).err().map(|error| error.to_string());
        }
    }

    fn reserve(&mut self, variables: u32) {
        self.variables = self.variables.max(variables);
    }
}

impl<S: Native> Backend for Incremental<S> {
    fn solver(&self) -> &Solver {
        S::SOLVER
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError> {
        self.verdict = None;
        if let Some(reason) = &self.failure {
            return Err(Self::error(reason.clone()));
        }
        self.assumed_false = assumptions.contains(&FALSE);
        let verdict = if self.assumed_false {
            Verdict::Unsatisfiable
        } else if self.limits.expired() || self.limits.exceeds_memory() {
            Verdict::Stopped
        } else {
            let solved = if assumptions.contains(&TRUE) {
                let decided: Vec<Lit> = assumptions.iter().copied().filter(|&lit| lit != TRUE).collect();
                self.try_solve(&decided)
            } else {
                self.try_solve(assumptions)
            };
            solved.map_err(|error| {
                let reason = error.to_string();
                self.failure = Some(reason.clone());
                Self::error(reason)
            })?
        };
        self.verdict = Some(verdict);
        Ok(verdict)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        if self.verdict != Some(Verdict::Satisfiable) {
            return None;
        }
        if let Some(value) = lit::constant(lit) {
            return Some(value);
        }
        if lit.vidx32() >= self.declared {
            return None;
        }
        self.native.value(lit)
    }

    fn core(&mut self) -> Vec<Lit> {
        if self.verdict != Some(Verdict::Unsatisfiable) {
            return Vec::new();
        }
        if self.assumed_false {
            return vec![FALSE];
        }
        let mut core = self.native.core();
        core.sort_unstable();
        core.dedup();
        core
    }

    fn statistics(&self) -> Statistics {
        let [conflicts, decisions, propagations, restarts] = self.native.effort();
        let (variables, clauses) = (self.variables, self.clauses);
        Statistics { variables, clauses, conflicts, decisions, propagations, restarts }
    }

    fn set_limits(&mut self, limits: Limits) -> Result<(), BackendError> {
        self.native.limit(limits.clone())?;
        self.limits = limits;
        Ok(())
    }

    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>> {
        self.verdict = None;
        let used = propagator.events().iter().map(|(lit, _)| lit.vidx32() + 1).max().unwrap_or(0);
        self.variables = self.variables.max(used);
        self.native.attach(propagator)
    }

    fn variables(&self) -> Option<u32> {
        self.native.variables().map(|variables| variables.max(self.variables))
    }

    fn propagates(&self) -> bool {
        self.native.propagates()
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        lit::constant(lit).or_else(|| self.native.fixed(lit))
    }

    fn implying(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        self.verdict = None;
        let lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != TRUE).collect();
        debug_assert!(!lits.contains(&FALSE), "the literals can't all hold");
        self.declare(&lits).ok()?;
        self.native.implying(&lits)
    }

    fn phase(&mut self, lit: Lit) -> bool {
        if lit::constant(lit).is_some() {
            return false;
        }
        self.variables = self.variables.max(lit.vidx32() + 1);
        self.native.phase(lit)
    }

    fn log_proof(&mut self, log: Box<dyn ProofLog>) -> bool {
        self.clauses == 0 && self.declared == 0 && self.native.log_proof(log)
    }

    fn seed(&mut self, seed: u32) -> bool {
        self.variables == 0 && self.native.seed(seed)
    }
}
