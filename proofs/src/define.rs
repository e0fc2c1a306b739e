//! Auxiliary variables, and the derivation of clauses that contain them.
//!
//! An auxiliary variable of an encoding is *reified*: it is true if and only if a linear inequality holds. For
//! example, an output of a totalizer is true if and only if at least t of n literals are true. Two redundance steps
//! introduce the variable, one for each direction.
//!
//! Almost every clause of an encoding follows from a single sum. The sum has the definition of each auxiliary literal
//! of the clause, in the direction that applies if the literal is false, and at most two inequalities of the encoded
//! constraint. If the literals of the clause are all false, no assignment satisfies the sum.

use std::collections::HashMap;
use std::sync::Arc;

use rustsat::types::Lit;

use crate::error::ProofError;
use crate::formula::Formula;
use crate::row::{Overflow, Row, Sum};
use crate::veripb::{Id, Line, Writer};

/// The definition of an auxiliary variable as a reified inequality.
#[derive(Debug, Clone)]
struct Definition {
    /// The literal that is true if and only if at least `bound` of `lits` are true.
    lit: Lit,
    lits: Arc<[Lit]>,
    bound: i128,
    /// The inequalities that follow if the variable is false and if it is true, each with its number in the proof. A
    /// trivial inequality has no number. `None` until the definition is written.
    sides: Option<[(Row, Option<Id>); 2]>,
}

impl Definition {
    /// Returns the inequalities that follow if the variable is false and if it is true.
    fn rows(&self) -> Result<[Row; 2], Overflow> {
        let row = Row::at_least(self.lits.iter().map(|&lit| (1, lit)), self.bound)?;
        let most =
            row.terms().iter().try_fold(0_i128, |sum, term| sum.checked_add(term.0)).ok_or(Overflow)?;
        let missing = most.checked_sub(row.bound()).and_then(|rest| rest.checked_add(1)).ok_or(Overflow)?;
        let holds = row.terms().iter().copied().chain([(row.bound().max(0), !self.lit)]);
        let fails = row.terms().iter().map(|&(coefficient, lit)| (coefficient, !lit));
        let fails = fails.chain([(missing.max(0), self.lit)]);
        let mut rows = [Row::at_least(fails, missing)?, Row::at_least(holds, row.bound())?];
        if self.lit.is_neg() {
            rows.reverse();
        }
        Ok(rows)
    }
}

/// The definitions of all auxiliary variables.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    of: HashMap<u32, Definition>,
    /// The sums that are derived from rows of the formula, each with its number in the proof, by the number of the row.
    sums: HashMap<Id, (Row, Id)>,
}

impl Definitions {
    /// Defines the variable of `lit`: the literal is true if and only if at least `bound` of `lits` are true. A variable
    /// that has a definition keeps it.
    pub(crate) fn define(&mut self, lit: Lit, lits: Arc<[Lit]>, bound: i128) {
        self.of.entry(lit.vidx32()).or_insert(Definition { lit, lits, bound, sides: None });
    }

    /// Writes the definition of a variable, unless it is already written, after the definitions on which it depends.
    fn write(&mut self, variable: u32, proof: &mut Writer<'_>) -> Result<(), ProofError> {
        let Some(definition) = self.of.get(&variable).filter(|definition| definition.sides.is_none()) else {
            return Ok(());
        };
        let rows = definition.rows()?;
        self.introduce(&Arc::clone(&definition.lits), proof)?;
        let mut value = false;
        let sides = rows.map(|row| {
            // The inequality holds if the variable has the other value.
            value = !value;
            (row, Lit::new(variable, !value))
        });
        let mut written = Vec::new();
        for (row, witness) in sides {
            let id = if row.is_trivial() { None } else { Some(proof.red(&row, witness)?) };
            written.push((row, id));
        }
        if let Some(definition) = self.of.get_mut(&variable) {
            definition.sides = written.try_into().ok();
        }
        Ok(())
    }

    /// Writes the definitions of the auxiliary variables of a clause, before a line that contains them.
    pub(crate) fn introduce(&mut self, clause: &[Lit], proof: &mut Writer<'_>) -> Result<(), ProofError> {
        clause.iter().try_for_each(|lit| self.write(lit.vidx32(), proof))
    }

    /// Derives the sums whose literals the formula has replaced by disjunctions: the definition of a literal implies that
    /// its negation is at least the replacement.
    pub(crate) fn derive_sums(
        &mut self,
        formula: &Formula,
        proof: &mut Writer<'_>,
    ) -> Result<(), ProofError> {
        for (id, row) in formula.sums() {
            let mut line = Line::default();
            line.add(*id);
            for &(coefficient, lit) in row.terms().iter().filter(|(_, lit)| formula.replaces(!*lit)) {
                self.introduce(&[lit], proof)?;
                let sides = self.of.get(&lit.vidx32()).and_then(|definition| definition.sides.as_ref());
                if let Some((_, Some(side))) = sides.map(|sides| &sides[usize::from(lit.is_neg())]) {
                    line.add_times(*side, u64::try_from(coefficient).map_err(|_| Overflow)?);
                }
            }
            self.sums.insert(*id, (row.clone(), proof.pol(&line)?));
        }
        Ok(())
    }

    /// Derives a clause from the definitions of its literals and from rows of the formula. Returns `None` if no sum of
    /// these inequalities proves the clause.
    pub(crate) fn derive(
        &self,
        clause: &[Lit],
        rows: &[Id],
        formula: &Formula,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Id>, ProofError> {
        let row = Row::clause(clause);
        if let Some(&id) = rows.iter().find(|&&id| *formula.row(id) == row) {
            return Ok(Some(id));
        }
        // The definition of a literal that stands for a disjunction is needed for clauses about the disjunction, and left
        // out for clauses that count the literal.
        for all in [true, false] {
            let mut sum = Sum::default();
            let mut line = Line::default();
            for lit in clause {
                let sides = self.of.get(&lit.vidx32()).and_then(|definition| definition.sides.as_ref());
                let used = all || !(formula.replaces(*lit) || formula.replaces(!*lit));
                if let Some((row, Some(id))) = sides.map(|sides| &sides[usize::from(lit.is_neg())])
                    && used
                {
                    sum.add(row.terms().iter().copied(), row.bound())?;
                    line.add(*id);
                }
            }
            let one = rows.iter().map(|&id| vec![id]);
            let two = rows.windows(2).map(<[Id]>::to_vec);
            for chosen in std::iter::once(Vec::new()).chain(one).chain(two) {
                let (mut sum, mut line) = (sum.clone(), line.clone());
                for id in chosen {
                    let (row, id) = match self.sums.get(&id) {
                        Some((row, derived)) => (row, *derived),
                        None => (formula.row(id), id),
                    };
                    sum.add(row.terms().iter().copied(), row.bound())?;
                    line.add(id);
                }
                if !line.is_empty() && sum.refutes(clause)? {
                    let before = proof.last();
                    let sum = proof.pol(&line)?;
                    let id = proof.rup(clause, &[sum])?;
                    if sum > before {
                        proof.delete(&[sum])?;
                    }
                    return Ok(Some(id));
                }
            }
        }
        Ok(None)
    }
}
