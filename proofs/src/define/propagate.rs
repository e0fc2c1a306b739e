//! Derivation of clauses by unit propagation, for clauses that follow from several inequalities but from no sum of them.
//!
//! Example: `x >= 3` and `x <= 3` are inequalities over the literals `x <= v`. If x has no value 3, they contradict each
//! other: one of them implies the literal `x <= 2`, and the other one implies its negation.

use std::collections::HashSet;

use rustsat::types::Lit;

use super::{Definitions, Derived};
use crate::error::ProofError;
use crate::row::{Overflow, Row};
use crate::veripb::{Id, Writer};

impl Definitions {
    /// Derives a clause by unit propagation from the inequalities and from the order of integers. Returns `None` if
    /// propagation finds no contradiction.
    pub(super) fn derive_by_propagation(
        &self,
        clause: &[Lit],
        inequalities: &[(&Row, Id)],
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        let mut assigned = Assigned { holds: HashSet::new(), hints: Vec::new(), contradiction: false };
        for &lit in clause {
            assigned.set(!lit, None, self);
        }
        while !assigned.contradiction {
            let before = assigned.holds.len();
            for &(row, id) in inequalities {
                assigned.propagate(row, id, self)?;
            }
            if !assigned.contradiction && assigned.holds.len() == before {
                return Ok(None);
            }
        }
        Ok(Some(Derived::clause(proof.rup(clause, &assigned.hints)?)))
    }
}

/// The literals that propagation has derived.
struct Assigned {
    holds: HashSet<Lit>,
    /// The inequalities that implied the literals, in order.
    hints: Vec<Id>,
    contradiction: bool,
}

impl Assigned {
    /// Makes all literals true that an inequality implies.
    fn propagate(&mut self, row: &Row, id: Id, definitions: &Definitions) -> Result<(), ProofError> {
        if self.contradiction {
            return Ok(());
        }
        let open = row.terms().iter().filter(|&&(_, lit)| !self.holds.contains(&!lit));
        let most = open.clone().try_fold(0_i128, |sum, term| sum.checked_add(term.0));
        let spare = most.and_then(|most| most.checked_sub(row.bound())).ok_or(Overflow)?;
        if spare < 0 {
            self.contradiction = true;
            self.hints.push(id);
            return Ok(());
        }
        let implied: Vec<Lit> = open.filter(|term| term.0 > spare).map(|term| term.1).collect();
        for lit in implied {
            self.set(lit, Some(id), definitions);
        }
        Ok(())
    }

    /// Makes a literal true that the inequality with the number `by` implies, and all literals of the same integer that
    /// follow from it.
    fn set(&mut self, lit: Lit, by: Option<Id>, definitions: &Definitions) {
        let mut next = Some((lit, by));
        while let Some((lit, by)) = next {
            if self.contradiction || self.holds.contains(&lit) {
                return;
            }
            self.hints.extend(by);
            if self.holds.contains(&!lit) {
                self.contradiction = true;
                return;
            }
            self.holds.insert(lit);
            next = definitions.order.get(&lit).map(|&(next, id)| (next, Some(id)));
        }
    }
}
