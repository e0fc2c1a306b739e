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
use std::io;

use rustsat::types::Lit;

use crate::error::ProofError;
use crate::formula::Formula;
use crate::row::{Overflow, Row, Sum};
use crate::veripb::{Id, Line, Writer};

/// The definition of an auxiliary variable as a reified inequality.
#[derive(Debug, Clone)]
struct Definition {
    /// For a false and for a true variable, the inequality that follows.
    sides: [Row; 2],
    /// The numbers of both inequalities in the proof, or `None` for a trivial inequality or one not yet written.
    ids: [Option<Id>; 2],
    written: bool,
}

/// The definitions of all auxiliary variables.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    of: HashMap<u32, Definition>,
}

impl Definitions {
    /// Defines the variable of `lit`: the literal is true if and only if the sum of the terms is at least `bound`. A
    /// variable that has a definition keeps it.
    pub(crate) fn define(&mut self, lit: Lit, terms: &[(i128, Lit)], bound: i128) -> Result<(), Overflow> {
        let row = Row::at_least(terms.iter().copied(), bound)?;
        let most =
            row.terms().iter().try_fold(0_i128, |sum, term| sum.checked_add(term.0)).ok_or(Overflow)?;
        let missing = most.checked_sub(row.bound()).and_then(|rest| rest.checked_add(1)).ok_or(Overflow)?;
        let holds = row.terms().iter().copied().chain([(row.bound().max(0), !lit)]);
        let fails = row.terms().iter().map(|&(coefficient, lit)| (coefficient, !lit));
        let fails = fails.chain([(missing.max(0), lit)]);
        let mut sides = [Row::at_least(fails, missing)?, Row::at_least(holds, row.bound())?];
        if lit.is_neg() {
            sides.reverse();
        }
        let definition = Definition { sides, ids: [None; 2], written: false };
        self.of.entry(lit.vidx32()).or_insert(definition);
        Ok(())
    }

    /// Writes the definition of a variable unless it is already written.
    fn write(&mut self, variable: u32, proof: &mut Writer<'_>) -> io::Result<()> {
        let Some(definition) = self.of.get_mut(&variable) else { return Ok(()) };
        if std::mem::replace(&mut definition.written, true) {
            return Ok(());
        }
        for (value, (row, id)) in definition.sides.iter().zip(&mut definition.ids).enumerate() {
            if !row.is_trivial() {
                // The row holds if the variable has the other value.
                *id = Some(proof.red(row, Lit::new(variable, value == 1))?);
            }
        }
        Ok(())
    }

    /// Writes the definitions of the auxiliary variables of a clause, before a line that contains them.
    pub(crate) fn introduce(&mut self, clause: &[Lit], proof: &mut Writer<'_>) -> io::Result<()> {
        clause.iter().try_for_each(|lit| self.write(lit.vidx32(), proof))
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
        let mut sum = Sum::default();
        let mut line = Line::default();
        for lit in clause {
            let Some(definition) = self.of.get(&lit.vidx32()) else { continue };
            let side = usize::from(lit.is_neg());
            if let Some(id) = definition.ids[side] {
                let row = &definition.sides[side];
                sum.add(row.terms().iter().copied(), row.bound())?;
                line.add(id);
            }
        }
        let one = rows.iter().map(|&id| vec![id]);
        let two = rows.windows(2).map(<[Id]>::to_vec);
        for chosen in std::iter::once(Vec::new()).chain(one).chain(two) {
            let (mut sum, mut line) = (sum.clone(), line.clone());
            for id in chosen {
                let row = formula.row(id);
                sum.add(row.terms().iter().copied(), row.bound())?;
                line.add(id);
            }
            if sum.refutes(clause)? {
                let before = proof.last();
                let sum = proof.pol(&line)?;
                let id = proof.rup(clause, &[sum])?;
                if sum > before {
                    proof.delete(&[sum])?;
                }
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}
