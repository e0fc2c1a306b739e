//! The main loop of the search.

use crate::lit::Lit;
use crate::state::{Conflict, Solver};
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
            self.keep_fresh_period();
        }
        self.backtrack(0, theory);
        self.end_fresh_period();
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
                if self.inconsistent || !self.core.is_empty() {
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
            if self.current_level() < self.assumed_levels() {
                if !self.assume(theory) {
                    return Some(false);
                }
                continue;
            }
            let Some(lit) = self.next_decision(theory) else { return Some(true) };
            self.statistics.decisions += 1;
            theory.new_level();
            self.decide(lit);
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

    /// Starts the next level of assumptions. If one of its assumptions is false, computes the core and returns `false`.
    fn assume(&mut self, theory: &mut dyn Theory) -> bool {
        theory.new_level();
        self.starts.push(self.trail.len());
        let together = self.assumed_together();
        let first = (self.current_level() - 1) * together;
        for index in first..self.assumptions.len().min(first + together) {
            let lit = self.assumptions[index];
            match self.assigned(lit) {
                0 => {
                    self.statistics.decisions += 1;
                    self.set_decision(lit);
                }
                1 => {}
                _ => {
                    let mut core = self.assumptions_among_causes(&[lit], theory);
                    core.push(lit);
                    let clause: Vec<Lit> = core.iter().map(|&assumed| !assumed).collect();
                    let id = self.log_implied(&clause, !lit);
                    self.set_core(core, id, theory);
                    return false;
                }
            }
        }
        true
    }
}
