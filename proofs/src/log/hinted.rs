//! Learnt clauses with hints.

use std::collections::HashMap;

use rustsat::types::Lit;

use super::{KEPT, LEARNT, Log};
use crate::trim::{self, Step, TrimError, Trimmed};

impl Log {
    /// Sets the hints of the next clause to be recorded. If an item of `hints` is `None`, the clause is recorded
    /// without hints.
    pub fn hint(&mut self, hints: impl Iterator<Item = Option<u32>>) {
        self.next_hints = hints.collect::<Option<_>>().unwrap_or_default();
    }

    /// Records a clause that the solver learnt, with its hints: the numbers of the clauses from which it follows by
    /// unit propagation, in the order of propagation. If an item of `hints` is `None`, the clause is recorded without
    /// hints. Returns the number of the clause, or `None` if it is a tautology.
    pub fn learnt_from(&mut self, clause: &[Lit], hints: impl Iterator<Item = Option<u32>>) -> Option<u32> {
        self.hint(hints);
        if self.next_hints.is_empty() {
            self.normalise(clause)?;
        }
        self.lits.extend_from_slice(clause);
        let number = self.push(LEARNT);
        self.last_learnt = Some(number);
        if clause.is_empty() {
            self.refuted.get_or_insert(number);
        }
        Some(number)
    }

    /// Returns the number of the clause that [`Self::learnt_from`] recorded last.
    #[must_use]
    pub fn last_learnt(&self) -> Option<u32> {
        self.last_learnt
    }

    /// Records that the solver deleted the learnt clause with the given number.
    pub fn deleted_clause(&mut self, number: u32) {
        self.steps.push(Step::Delete(number));
    }

    /// Returns the hints of the contradiction. If an empty clause was learnt, its hints are returned. Otherwise, the
    /// hints are the last clause that was added to the formula, and a unit clause for the negation of each of its
    /// literals. Returns `None` if one of these clauses does not exist.
    fn contradiction(&self) -> Option<Vec<u32>> {
        if let Some(refuted) = self.refuted {
            return Some(self.hints.of(refuted).to_vec());
        }
        let required = self.required?;
        let units = (0..self.ends.len() as u32).filter_map(|clause| match self.lits_of(clause) {
            &[unit] => Some((unit, clause)),
            _ => None,
        });
        let units: HashMap<Lit, u32> = units.collect();
        let refuting = self.lits_of(required).iter().map(|&lit| units.get(&!lit).copied());
        refuting.chain([Some(required)]).collect()
    }

    /// Returns the clauses of the cores.
    pub(super) fn roots(&self) -> Vec<u32> {
        self.cores.iter().map(|core| core.clause).collect()
    }

    /// Finds the clauses that the contradiction or the cores depend on. Uses hints if all needed learnt clauses have
    /// hints, and unit propagation otherwise.
    pub(super) fn trimmed(&self) -> Result<Trimmed, TrimError> {
        let roots = self.roots();
        let roots = self.better.is_some().then_some(&roots[..]);
        let conflict = if roots.is_some() && self.refuted.is_none() { None } else { self.contradiction() };
        let is_learnt = |clause: u32| self.origins[clause as usize] >= KEPT;
        match self.hints.trim(is_learnt, conflict, roots) {
            Some(trimmed) => Ok(trimmed),
            None => trim::trim(&self.lits, &self.ends, &self.steps, roots),
        }
    }
}
