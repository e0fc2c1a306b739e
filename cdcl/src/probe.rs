//! Failed literal probing.
//!
//! A *failed literal* is a literal from which unit propagation derives a conflict, so its negation holds in all models.
//! Only roots of the binary implication graph are probed, because a root implies every literal that its successors
//! imply.
//!
//! Papers: Freeman: *Improvements to propositional satisfiability search algorithms*, thesis, University of
//! Pennsylvania, 1995; Le Berre: *Exploiting the real power of unit propagation lookahead*, Electronic Notes in
//! Discrete Mathematics 9, 2001 (unique implication points of probes).

use std::collections::HashSet;

use crate::lit::Lit;
use crate::state::{Conflict, Reason, Solver};
use crate::theory::Theory;

/// The maximum percentage of the solver's ticks that may be spent on probing and on substituting equivalent literals.
const SHARE: u64 = 5;

impl Solver {
    /// Substitutes equivalent literals and probes literals, until the budget is used up.
    pub(crate) fn probe(&mut self, theory: &mut dyn Theory) {
        if self.probe_ticks * 100 > self.ticks * SHARE {
            return;
        }
        self.backtrack(0, theory);
        if let Some(conflict) = self.propagate() {
            self.refute(&conflict);
            return;
        }
        self.substitute_equivalent();
        let variables = self.level.len();
        for _ in 0..variables {
            self.next.probe = (self.next.probe + 1) % variables;
            let positive = Lit::new(self.next.probe as u32, true);
            for lit in [positive, !positive] {
                if self.is_root(lit) && !self.inconsistent {
                    let before = self.ticks;
                    self.probe_literal(lit);
                    self.probe_ticks += self.ticks - before;
                }
            }
            if self.inconsistent || self.probe_ticks * 100 > self.ticks * SHARE {
                return;
            }
        }
    }

    /// Returns whether a literal is unassigned, implies other literals by binary clauses, and is not implied by other
    /// literals.
    fn is_root(&mut self, lit: Lit) -> bool {
        self.probe_ticks +=
            1 + (self.watches[lit.index()].len() + self.watches[(!lit).index()].len()) as u64 / 8;
        let has_binary = |lit: Lit| self.watches[lit.index()].iter().any(|watch| watch.clause().is_none());
        self.assigned(lit) == 0 && has_binary(!lit) && !has_binary(lit)
    }

    fn probe_literal(&mut self, lit: Lit) {
        self.decide(lit);
        let failed = self.propagate().map(|conflict| {
            let failed = self.implication_point(&conflict);
            (failed, self.log_conflict(&[!failed], &conflict))
        });
        self.undo(0);
        if let Some((failed, id)) = failed {
            self.assign_unit(!failed, id);
            if let Some(conflict) = self.propagate() {
                self.refute(&conflict);
            }
        }
    }

    /// Returns the last literal on level 1 that alone implies the conflict (the first unique implication point).
    fn implication_point(&self, conflict: &Conflict) -> Lit {
        let mut open: HashSet<u32> = HashSet::new();
        let mut lits: Vec<Lit> = match conflict {
            Conflict::Binary(a, b, _) => vec![*a, *b],
            Conflict::Clause(clause) => self.arena.lits(*clause).collect(),
            Conflict::Theory(lits, _) => lits.clone(),
        };
        let start = self.starts[0];
        for &lit in self.trail[start..].iter().rev() {
            open.extend(lits.drain(..).filter(|lit| self.level[lit.var()] > 0).map(Lit::variable));
            if open.remove(&lit.variable()) {
                if open.is_empty() {
                    return lit;
                }
                match self.reason[lit.var()] {
                    Reason::Binary(other) => lits.push(other),
                    Reason::Clause(reason) => {
                        lits.extend(self.arena.lits(reason).filter(|&other| other != lit));
                    }
                    Reason::None | Reason::Theory => {}
                }
            }
        }
        self.trail[start]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VARIABLES: u32 = 7;

    /// Tests that probing and the substitution of equivalent literals preserve the models of random formulas.
    #[test]
    fn models_stay_the_same() {
        let mut state = 1_u64;
        let mut random = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let (mut replaced, mut fixed) = (0, 0);
        for _ in 0..2000 {
            let count = 4 + random(14);
            let clauses: Vec<Vec<Lit>> = (0..count)
                .map(|_| {
                    let length = 2 + random(3) / 2;
                    (0..length).map(|_| Lit::new(random(VARIABLES.into()) as u32, random(2) == 0)).collect()
                })
                .collect();
            let mut solver = Solver::default();
            solver.reserve(VARIABLES);
            for clause in &clauses {
                solver.add(clause);
            }
            let before = solver.trail.len();
            // The budget is proportional to the number of ticks.
            solver.ticks = 1 << 40;
            solver.probe(&mut ());
            replaced += solver.next.replaced;
            fixed += solver.trail.len() - before;
            for assignment in 0..1 << VARIABLES {
                let lits: Vec<Lit> = (0..VARIABLES)
                    .map(|variable| Lit::new(variable, assignment >> variable & 1 == 1))
                    .collect();
                let expected = clauses.iter().all(|clause| clause.iter().any(|lit| lits.contains(lit)));
                let found = solver.solve(&lits, &mut (), &mut ());
                assert_eq!(found, Some(expected), "{clauses:?} with {lits:?}");
            }
        }
        assert!(replaced > 1000 && fixed > 1000, "{replaced} literals replaced, {fixed} fixed");
    }
}
