//! The main loop of the search.

use crate::lit::Lit;
use crate::state::{Conflict, Reason, Solver};
use crate::theory::{Search, Theory};

/// Observes a call to the solver, and can stop it.
pub trait Monitor {
    /// Reports a conflict.
    fn conflict(&mut self) {}

    /// Returns whether the call must stop. The solver polls the monitor at each decision, at each conflict, and whenever
    /// the theory has derived something. Once the call must stop, the result must stay `true`.
    fn stops(&mut self) -> bool {
        false
    }
}

/// The monitor that never stops a call.
impl Monitor for () {}

impl Solver {
    /// Propagates until neither the clauses nor the theory derive any more literals, or until the monitor stops the call.
    /// Returns the conflict, if any.
    fn propagate_all(&mut self, theory: &mut dyn Theory, monitor: &mut dyn Monitor) -> Option<Conflict> {
        loop {
            let conflict = self.propagate();
            if conflict.is_some() {
                return conflict;
            }
            let start = self.trail.len();
            let is_complete = self.is_complete();
            let mut search = Search { solver: self, conflict: None, progress: false };
            theory.propagate(&mut search, is_complete);
            let Search { conflict, progress, .. } = search;
            let conflict = conflict.map(|clause| {
                let id = self.log_lemma(&clause);
                Conflict::Theory(clause, id)
            });
            if self.log.is_some() && self.current_level() == 0 {
                self.log_theory_units(start, theory);
            }
            if conflict.is_some() {
                return conflict;
            }
            if !progress || monitor.stops() {
                return None;
            }
        }
    }

    /// Decides whether the clauses and the theory are satisfiable under assumptions. Returns `None` if the monitor
    /// stops the call, or if the clauses need more than 8 GiB of memory.
    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        theory: &mut dyn Theory,
        monitor: &mut dyn Monitor,
    ) -> Option<bool> {
        if let Some(most) = assumptions.iter().map(|lit| lit.variable()).max() {
            self.reserve(most + 1);
        }
        self.core.clear();
        self.model.clear();
        if self.inconsistent {
            return Some(false);
        }
        self.assumptions = assumptions.to_vec();
        let found = self.search(theory, monitor);
        if found == Some(true) {
            self.model.clone_from(&self.values);
            self.phases.solved(&self.trail);
        }
        self.backtrack(0, theory);
        found
    }

    /// Returns the literals of `lits` that are not derived from their predecessors by unit propagation or the theory.
    /// If propagation refutes the literals, returns all of them. The call discards the last model.
    pub fn implying(&mut self, lits: &[Lit], theory: &mut dyn Theory) -> Vec<Lit> {
        if let Some(most) = lits.iter().map(|lit| lit.variable()).max() {
            self.reserve(most + 1);
        }
        self.core.clear();
        self.model.clear();
        if self.inconsistent {
            return lits.to_vec();
        }
        if let Some(conflict) = self.propagate_all(theory, &mut ()) {
            self.refute(&conflict);
            return lits.to_vec();
        }
        let mut needed = Vec::new();
        let mut consistent = true;
        for &lit in lits {
            if self.assigned(lit) > 0 {
                continue;
            }
            needed.push(lit);
            if self.assigned(lit) == 0 {
                theory.new_level();
                self.decide(lit);
                if self.propagate_all(theory, &mut ()).is_none() {
                    continue;
                }
            }
            consistent = false;
            needed = lits.to_vec();
            break;
        }
        if consistent {
            self.log_implying(lits, &needed, theory);
        }
        self.backtrack(0, theory);
        needed
    }

    fn search(&mut self, theory: &mut dyn Theory, monitor: &mut dyn Monitor) -> Option<bool> {
        loop {
            if let Some(conflict) = self.propagate_all(theory, monitor) {
                self.statistics.conflicts += 1;
                monitor.conflict();
                self.learn(&conflict, theory);
                if self.inconsistent {
                    return Some(false);
                }
                continue;
            }
            if self.full || monitor.stops() {
                return None;
            }
            self.restart(theory);
            if self.statistics.conflicts >= self.next.reduce {
                self.reduce();
            }
            if std::mem::take(&mut self.next.inprocess) {
                self.probe(theory);
                if !self.inconsistent {
                    self.vivify(theory);
                }
                if self.inconsistent {
                    return Some(false);
                }
                continue;
            }
            match self.next_assumption() {
                Next::Free => {
                    let Some(lit) = self.next_decision(theory) else { return Some(true) };
                    self.branch(lit, theory);
                }
                Next::Decide(lit) => self.branch(lit, theory),
                Next::Skip => {
                    theory.new_level();
                    self.starts.push(self.trail.len());
                }
                Next::Refuted(lit) => {
                    self.find_core(lit, theory);
                    return Some(false);
                }
            }
        }
    }

    fn next_assumption(&mut self) -> Next {
        let Some(&lit) = self.assumptions.get(self.current_level()) else { return Next::Free };
        match self.assigned(lit) {
            0 => Next::Decide(lit),
            1 => Next::Skip,
            _ => Next::Refuted(lit),
        }
    }

    /// Returns the literal on which to branch, or `None` if the assignment is a solution.
    fn next_decision(&mut self, theory: &mut dyn Theory) -> Option<Lit> {
        if self.is_programmed() {
            let mut search = Search { solver: self, conflict: None, progress: false };
            if let Some(lit) = theory.branch(&mut search) {
                return Some(lit);
            }
        }
        if let Some(variable) = self.next_variable() {
            return Some(self.phases.choose(variable, self.stable));
        }
        theory.decide(&mut Search { solver: self, conflict: None, progress: false })
    }

    fn branch(&mut self, lit: Lit, theory: &mut dyn Theory) {
        self.statistics.decisions += 1;
        theory.new_level();
        self.decide(lit);
    }

    /// Computes the core: the false assumption `lit`, and the assumptions that imply `!lit`.
    fn find_core(&mut self, lit: Lit, theory: &mut dyn Theory) {
        let mut core = vec![lit];
        if self.level[lit.var()] > 0 {
            let mut seen = vec![false; self.level.len()];
            seen[lit.var()] = true;
            let mut lits = Vec::new();
            for index in (self.starts[0]..self.trail.len()).rev() {
                let implied = self.trail[index];
                if !seen[implied.var()] {
                    continue;
                }
                lits.clear();
                self.antecedents(implied, theory, &mut lits);
                if self.reason[implied.var()] == Reason::None {
                    core.push(implied);
                }
                for cause in &lits {
                    seen[cause.var()] = true;
                }
            }
        }
        let clause: Vec<Lit> = core.iter().map(|&assumed| !assumed).collect();
        self.log_implied(&clause, !lit);
        self.core = core;
    }
}

/// The next step of the search.
enum Next {
    /// All assumptions are true.
    Free,
    Decide(Lit),
    /// The next assumption is already true, so no literal is added at its decision level.
    Skip,
    /// The next assumption is false.
    Refuted(Lit),
}
