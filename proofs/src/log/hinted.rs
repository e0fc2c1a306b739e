//! Learnt clauses with hints.

use std::collections::HashSet;

use rustsat::types::Lit;

use super::{KEPT, LEARNT, Log};
use crate::trim::{self, ROW, Step, TrimError, Trimmed, UNITS};
use crate::veripb::Id;

/// Learnt clauses with at least this many hints are derived from rows of the formula if possible. Many of these hints are
/// clauses of encodings, whose derivations need the definitions of auxiliary variables.
const LONG: usize = 128;

impl Log {
    /// Sets the hints of the next clause to be recorded. If an item of `hints` is `None`, the clause is recorded
    /// without hints.
    pub fn hint(&mut self, hints: impl Iterator<Item = Option<u32>>) {
        self.next_hints = hints.collect::<Option<_>>().unwrap_or_default();
    }

    /// Records a clause that the solver learnt, with its hints: the numbers of the clauses from which it follows by
    /// unit propagation, in the order of propagation. [`UNITS`](trim::UNITS) stands for all unit clauses so far. If an
    /// item of `hints` is `None`, the clause is recorded without hints. Returns the number of the clause, or `None` if it is a tautology.
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
        let refuting = self.lits_of(required).iter().map(|&lit| self.unit(!lit));
        refuting.chain([Some(required)]).collect()
    }

    /// Returns the clauses of the cores.
    pub(super) fn roots(&self) -> Vec<u32> {
        self.cores.iter().map(|core| core.clause).collect()
    }

    /// Returns better hints for a learnt unit clause that follows from a constraint with rows in the formula: a row, and
    /// the unit clauses with which unit propagation derives the literal from it. Thus the clause does not depend on
    /// auxiliary variables. Prefers clauses that are `needed` anyway.
    fn hints_from_row(&self, number: u32, needed: &[bool]) -> Option<Vec<u32>> {
        let &[unit] = self.lits_of(number) else { return None };
        let reason = *self.hints.of(number).last()? as usize;
        let constraint = self.constraints.get(*self.origins.get(reason)? as usize)?;
        for &id in constraint.1.rows() {
            let row = self.formula.row(id);
            if !row.terms().iter().any(|&(_, lit)| lit == unit) {
                continue;
            }
            let others = row.terms().iter().filter(|&&(_, lit)| lit != unit);
            let mut most: i128 = others.clone().try_fold(0, |sum: i128, term| sum.checked_add(term.0))?;
            let falsified = others.filter_map(|&(coefficient, lit)| {
                let by = self.unit(!lit).filter(|&by| by < number)?;
                Some((!needed[by as usize], by, coefficient))
            });
            let mut falsified: Vec<_> = falsified.collect();
            falsified.sort_unstable();
            let mut hints = Vec::new();
            for (_, by, coefficient) in falsified {
                if most < row.bound() {
                    break;
                }
                most -= coefficient;
                hints.push(by);
            }
            if most < row.bound() {
                hints.push(ROW + id);
                return Some(hints);
            }
        }
        None
    }

    /// Replays the unit propagation of a learnt clause with rows of the formula in place of the clauses of encodings.
    /// Returns the hints, which leave out all auxiliary variables, or `None` if this derives too little.
    fn replayed_with_rows(&self, number: u32) -> Option<Vec<u32>> {
        let mut hints = self.hints.of(number);
        let mut replayed = Vec::new();
        if let [UNITS, rest @ ..] = hints {
            replayed.push(UNITS);
            hints = rest;
        }
        let has_units = !replayed.is_empty();
        let is_unit = |lit: Lit| has_units && self.unit(lit).is_some_and(|by| by < number);
        let is_auxiliary = |lit: Lit| self.definitions.of(lit.vidx32()).is_some();
        // The literals that the original propagation makes true, and those that the new propagation makes true.
        let mut before: HashSet<Lit> = self.lits_of(number).iter().map(|&lit| !lit).collect();
        let mut after = before.clone();
        for &hint in hints {
            let is_open = |lit: &Lit| !before.contains(&!*lit) && !is_unit(!*lit);
            let implied = self.lits_of(hint).iter().copied().find(is_open);
            before.extend(implied);
            if implied.is_some_and(|lit| is_auxiliary(lit) || after.contains(&lit)) {
                continue;
            }
            let is_false = |lit: Lit| after.contains(&!lit) || is_unit(!lit) && !is_auxiliary(lit);
            let constraint = self.constraints.get(self.origins[hint as usize] as usize);
            let rows = constraint.map_or(&[][..], |constraint| constraint.1.rows());
            // The literals that a row implies, or no literals if the row is violated.
            let propagated = |&id: &Id| {
                let row = self.formula.row(id);
                let open = row.terms().iter().filter(|term| !is_false(term.1));
                let most = open.clone().try_fold(0, |sum: i128, term| sum.checked_add(term.0))?;
                let spare = most.checked_sub(row.bound())?;
                let lits: Vec<Lit> = open.filter(|term| term.0 > spare).map(|term| term.1).collect();
                match implied {
                    Some(implied) => lits.contains(&implied).then_some((id, lits)),
                    None => (spare < 0).then_some((id, lits)),
                }
            };
            if let Some((id, lits)) = rows.iter().find_map(propagated) {
                replayed.push(ROW + id);
                after.extend(lits);
            } else if self.lits_of(hint).iter().all(|&lit| Some(lit) == implied || is_false(lit)) {
                replayed.push(hint);
                after.extend(implied);
            } else {
                return None;
            }
            if implied.is_none() {
                return Some(replayed);
            }
        }
        None
    }

    /// Appends the unit clauses that make a literal of a hint false.
    pub(super) fn units_against(&self, hint: u32, found: &mut Vec<u32>) {
        let unit = |lit: Lit| self.unit(!lit);
        if hint < ROW {
            found.extend(self.lits_of(hint).iter().filter_map(|&lit| unit(lit)));
        } else {
            found.extend(self.formula.row(hint - ROW).terms().iter().filter_map(|&(_, lit)| unit(lit)));
        }
    }

    /// Finds the clauses that the contradiction or the cores depend on. Uses hints if all needed learnt clauses have
    /// hints, and unit propagation otherwise. If `from_rows` is true, hints can be rows of the formula.
    pub(super) fn trimmed(&self, from_rows: bool) -> Result<Trimmed, TrimError> {
        let roots = self.roots();
        let roots = self.better.is_some().then_some(&roots[..]);
        let conflict = if roots.is_some() && self.refuted.is_none() { None } else { self.contradiction() };
        let is_learnt = |clause: u32| self.origins[clause as usize] >= KEPT;
        let units = |hint: u32, found: &mut Vec<u32>| self.units_against(hint, found);
        let better = |clause: u32, needed: &[bool]| match (from_rows, self.hints.of(clause).len()) {
            (false, _) => None,
            (true, 0..LONG) => self.hints_from_row(clause, needed),
            _ => self.hints_from_row(clause, needed).or_else(|| self.replayed_with_rows(clause)),
        };
        match self.hints.trim(is_learnt, units, better, conflict, roots) {
            Some(trimmed) => Ok(trimmed),
            None => trim::trim(&self.lits, &self.ends, &self.steps, roots),
        }
    }
}
