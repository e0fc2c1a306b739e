//! Auxiliary variables, and the derivation of clauses that contain them.
//!
//! An auxiliary variable of an encoding is *reified*: it is true if and only if a linear inequality holds. For
//! example, an output of a totalizer is true if and only if at least t of n literals are true. Two steps of
//! redundance-based strengthening introduce the variable, one for each direction of the equivalence.
//!
//! Almost every clause of an encoding follows from a single sum of inequalities. For each auxiliary literal of the
//! clause, the sum includes the inequality that the definition implies if the literal is false. The sum also includes
//! at most two inequalities of the encoded constraint. If all literals of the clause are false, the sum is violated.
//!
//! An integer is represented by literals `x <= v`, and rows of the formula state that each of them implies the next one.
//! If a literal of the clause is `x <= v`, these rows determine further literals of x, and the sum must be violated only
//! if they have these values.
//!
//! Some clauses follow from the inequalities of a constraint only by unit propagation ([`propagate`]).

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use crate::error::ProofError;
use crate::formula::Formula;
use crate::row::{Overflow, Row, Sum};
use crate::terms::Terms;
use crate::veripb::{Id, Line, Writer};

mod propagate;

/// An inequality that is violated if all literals of a clause are false. Unit propagation derives at least as much from
/// the inequality as from the clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Derived {
    /// The number of the inequality.
    pub id: Id,
    /// True if the inequality was derived for this clause only. Otherwise, the proof must not delete it.
    pub is_new: bool,
    /// True if the inequality may have many more terms than the clause. If a proof uses it often, it is faster to derive
    /// the clause.
    pub is_long: bool,
}

impl Derived {
    /// Returns a clause that was derived by itself.
    #[must_use]
    pub fn clause(id: Id) -> Self {
        Self { id, is_new: true, is_long: false }
    }
}

/// The definition of an auxiliary variable as a reified inequality.
#[derive(Debug, Clone)]
struct Definition {
    /// The literal that is true if and only if the sum of the terms is at least `bound`.
    lit: Lit,
    terms: Terms,
    bound: i128,
    /// The two halves of the definition: the inequality that holds if the variable is false, and the inequality that
    /// holds if the variable is true. `None` until the definition is written.
    sides: Option<Box<[Half; 2]>>,
}

/// An inequality that follows from a definition, and its number in the proof. The number is `None` if every assignment
/// satisfies the inequality.
type Half = (Row, Option<Id>);

impl Definition {
    /// Returns the two halves of the definition as inequalities: first for a false variable, then for a true variable.
    fn rows(&self) -> Result<[Row; 2], Overflow> {
        let row = self.terms.at_least(self.bound)?;
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
    /// The definition of each auxiliary variable, indexed by variable.
    of: Vec<Option<Definition>>,
    /// Derived inequalities that [`Definitions::derive`] uses in place of rows of the formula. Maps the number of a row
    /// to its derived inequalities, each with its number in the proof. A derived inequality is either the row divided
    /// by the common divisor of its coefficients, or the original inequality, in which no literals have been replaced
    /// by disjunctions.
    sums: HashMap<Id, Vec<(Row, Id)>, FxBuildHasher>,
    /// The order of the literals of integers. Maps each literal to the next literal that it implies, with the number of
    /// the row that states the implication.
    order: HashMap<Lit, (Lit, Id), FxBuildHasher>,
}

/// A clause, and the other literals that are false if all literals of the clause are false.
struct Falsified {
    /// The literals, in ascending order.
    lits: Vec<Lit>,
    /// The numbers of the rows that imply that the other literals are false.
    rows: Vec<Id>,
    /// True if the rows imply the clause, because a variable would have two values.
    is_implied: bool,
}

impl Definitions {
    /// Defines the variable of `lit`: the literal is true if and only if the sum of the terms is at least `bound`. A
    /// variable that already has a definition keeps this definition.
    pub(crate) fn define(&mut self, lit: Lit, terms: Terms, bound: i128) {
        let index = lit.vidx();
        if self.of.len() <= index {
            self.of.resize(index + 1, None);
        }
        self.of[index].get_or_insert(Definition { lit, terms, bound, sides: None });
    }

    /// Returns the literal and the bound of a variable's definition, if any. The literal is true if and only if the sum
    /// of the [terms](Self::terms) is at least the bound.
    pub(crate) fn of(&self, variable: u32) -> Option<(Lit, i128)> {
        self.of.get(variable as usize)?.as_ref().map(|definition| (definition.lit, definition.bound))
    }

    /// Returns the terms of a variable's definition. Returns no terms if the variable has no definition.
    pub(crate) fn terms(&self, variable: u32) -> Vec<(i128, Lit)> {
        match self.of.get(variable as usize).and_then(Option::as_ref).map(|definition| &definition.terms) {
            None => Vec::new(),
            Some(Terms::Lits(lits)) => lits.iter().map(|&lit| (1, lit)).collect(),
            Some(Terms::Weighted(terms)) => terms.to_vec(),
        }
    }

    /// Records that row `id` of the formula states that `lit`, a literal of an integer, implies `next`.
    pub(crate) fn order(&mut self, lit: Lit, next: Lit, id: Id) {
        self.order.insert(lit, (next, id));
        self.order.insert(!next, (!lit, id));
    }

    /// Returns whether integers have literals whose order is recorded.
    pub(crate) fn has_order(&self) -> bool {
        !self.order.is_empty()
    }

    /// Returns the literals that are false if all literals of a clause are false.
    fn falsified(&self, clause: &[Lit]) -> Falsified {
        let (mut lits, mut rows) = (clause.to_vec(), Vec::new());
        for &lit in clause {
            let mut last = !lit;
            while let Some(&(next, id)) = self.order.get(&last).filter(|(next, _)| !lits.contains(&!*next)) {
                lits.push(!next);
                rows.push(id);
                last = next;
            }
        }
        lits.sort_unstable();
        let is_implied = lits.windows(2).any(|pair| pair[0].var() == pair[1].var());
        Falsified { lits, rows, is_implied }
    }

    /// Writes the definition of a variable, preceded by the definitions that it depends on. Does nothing if the
    /// definition has already been written.
    fn write(&mut self, variable: u32, proof: &mut Writer<'_>) -> Result<(), ProofError> {
        let definition = self.of.get(variable as usize).and_then(Option::as_ref);
        let Some(definition) = definition.filter(|definition| definition.sides.is_none()) else {
            return Ok(());
        };
        let rows = definition.rows()?;
        self.introduce(&definition.terms.lits(), proof)?;
        let mut value = false;
        let sides = rows.map(|row| {
            // The inequality constrains the terms only for one value of the variable; the witness is the other value.
            value = !value;
            (row, Lit::new(variable, !value))
        });
        let mut written = Vec::new();
        for (row, witness) in sides {
            let id = if row.is_trivial() { None } else { Some(proof.red(&row, witness)?) };
            written.push((row, id));
        }
        if let Some(definition) = &mut self.of[variable as usize] {
            definition.sides = written.into_boxed_slice().try_into().ok();
        }
        Ok(())
    }

    /// Writes the definitions of the auxiliary variables in a clause. Later lines of the proof can contain these
    /// variables.
    pub(crate) fn introduce(&mut self, clause: &[Lit], proof: &mut Writer<'_>) -> Result<(), ProofError> {
        clause.iter().try_for_each(|lit| self.write(lit.vidx32(), proof))
    }

    /// Derives the inequalities in the field `sums` from the rows of the formula.
    ///
    /// Let `any` be a literal that is true if and only if at least one of n literals is true. An inequality with `~any`
    /// follows from the definition of `any`. An inequality with `any` follows only if a constraint allows at most one
    /// true literal among the n literals. In this case, `any` is at least the sum of the literals.
    pub(crate) fn derive_sums(
        &mut self,
        formula: &Formula,
        proof: &mut Writer<'_>,
    ) -> Result<(), ProofError> {
        for &(id, ref row) in formula.rows() {
            if let Some(divided) = divided(id, row, proof)? {
                self.sums.entry(id).or_default().push(divided);
            }
        }
        for (id, row) in formula.sums() {
            let mut line = Line::default();
            line.add(*id);
            let mut derivable = true;
            for &(coefficient, lit) in row.terms() {
                if formula.disjunction(lit).or(formula.disjunction(!lit)).is_none() {
                    continue;
                }
                self.introduce(&[lit], proof)?;
                let side = self.side(lit).and_then(|(_, id)| *id);
                let bound = match (side, formula.disjunction(lit)) {
                    (Some(side), Some(lits)) => at_least_sum(side, lits, formula, proof)?,
                    (side, _) => side,
                };
                match bound {
                    Some(bound) => line.add_times(bound, u64::try_from(coefficient).map_err(|_| Overflow)?),
                    None => derivable = false,
                }
            }
            if derivable {
                let original = proof.pol(&line)?;
                let sums = self.sums.entry(*id).or_default();
                sums.push((row.clone(), original));
                sums.extend(divided(original, row, proof)?);
            }
        }
        Ok(())
    }

    /// Introduces the variable of a literal. Returns the number of the inequality that the definition implies if the
    /// literal is true, or `None` if there is no such inequality.
    pub(crate) fn half(&mut self, lit: Lit, proof: &mut Writer<'_>) -> Result<Option<Id>, ProofError> {
        self.introduce(&[lit], proof)?;
        Ok(self.side(!lit).and_then(|(_, id)| *id))
    }

    /// Returns the number of an inequality in the proof. The inequality is row `id` of the formula, or an inequality
    /// that [`Definitions::derive_sums`] has derived from this row.
    pub(crate) fn stated(&self, id: Id, row: &Row, formula: &Formula) -> Option<Id> {
        if formula.row(id) == row {
            return Some(id);
        }
        self.sums.get(&id)?.iter().find(|(derived, _)| derived == row).map(|&(_, id)| id)
    }

    /// Returns the inequality that the definition of a literal implies if the literal is false.
    fn side(&self, lit: Lit) -> Option<&Half> {
        let sides = self.of.get(lit.vidx())?.as_ref()?.sides.as_ref()?;
        Some(&sides[usize::from(lit.is_neg())])
    }

    /// Derives a clause, or an inequality that takes its place, from the definitions of its literals and from rows of
    /// the formula. The definitions of variables with an index less than `first` are not used. Tries several sums of
    /// these inequalities, and returns `None` if no sum proves the clause.
    pub(crate) fn derive(
        &self,
        clause: &[Lit],
        rows: &[Id],
        first: u32,
        formula: &Formula,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        let stated = rows.iter().find(|&&id| formula.row(id).is_violated_without(&lits));
        if let Some(&id) = stated {
            let is_long = formula.row(id).terms().len() > 2 * clause.len();
            return Ok(Some(Derived { id, is_new: false, is_long }));
        }
        let falsified = self.falsified(clause);
        if falsified.is_implied {
            return Ok(Some(Derived::clause(proof.rup(clause, &falsified.rows)?)));
        }
        let known = rows.iter().flat_map(|id| match self.sums.get(id) {
            Some(sums) => sums.iter().map(|(row, derived)| (row, *derived)).collect(),
            None => vec![(formula.row(*id), *id)],
        });
        let known: Vec<(&Row, Id)> = known.collect();
        let original: Vec<(&Row, Id)> =
            rows.iter().filter(|id| self.sums.contains_key(id)).map(|&id| (formula.row(id), id)).collect();
        // The first attempt includes the definitions of literals that represent disjunctions, and the second attempt
        // leaves them out. Each attempt proves some clauses that the other attempt cannot prove.
        for all in [true, false] {
            let mut sum = Sum::default();
            let mut line = Line::default();
            for lit in clause {
                let is_any = formula.disjunction(*lit).or(formula.disjunction(!*lit)).is_some();
                let used = lit.vidx32() >= first && (all || !is_any);
                if let Some((row, Some(id))) = self.side(*lit)
                    && used
                {
                    sum.add(row.terms().iter().copied(), row.bound())?;
                    line.add(*id);
                }
            }
            let none = std::iter::once(&known[..0]);
            for chosen in none.chain(known.chunks(1)).chain(known.windows(2)).chain(original.chunks(1)) {
                let (mut sum, mut line) = (sum.clone(), line.clone());
                for &(row, id) in chosen {
                    sum.add(row.terms().iter().copied(), row.bound())?;
                    line.add(id);
                }
                if !line.is_empty() && sum.refutes(&falsified.lits)? {
                    let before = proof.last();
                    let sum = proof.pol(&line)?;
                    if falsified.rows.is_empty() {
                        return Ok(Some(Derived { id: sum, is_new: sum > before, is_long: true }));
                    }
                    let id = proof.rup(clause, &[&falsified.rows[..], &[sum]].concat())?;
                    if sum > before {
                        proof.delete(&[sum])?;
                    }
                    return Ok(Some(Derived::clause(id)));
                }
            }
        }
        if let Some(derived) = self.derive_conjuncts(clause, rows, first, formula, proof)? {
            return Ok(Some(derived));
        }
        let sides = clause.iter().filter(|lit| lit.vidx32() >= first).filter_map(|&lit| self.side(lit));
        let sides = sides.filter_map(|&(ref row, id)| Some((row, id?)));
        let mut all: Vec<(&Row, Id)> = sides.chain(known).chain(original).collect();
        if let Some(derived) = self.derive_by_propagation(clause, &all, proof)? {
            return Ok(Some(derived));
        }
        self.add_definitions(&mut all);
        self.derive_by_propagation(clause, &all, proof)
    }

    /// Adds both halves of the definition of each auxiliary variable in the inequalities, as far as they are in the proof.
    ///
    /// Example: a definition with the literal `x = 2`, and rows that state the same sum with `x <= 1` and `x <= 2`. If
    /// the rows imply these two literals, the clause follows only with the definition of `x = 2`.
    fn add_definitions<'a>(&'a self, inequalities: &mut Vec<(&'a Row, Id)>) {
        let mut seen = HashSet::new();
        let mut next = 0;
        while let Some(&(row, _)) = inequalities.get(next) {
            for (_, lit) in row.terms().iter().filter(|(_, lit)| seen.insert(lit.var())) {
                let halves = [*lit, !*lit].map(|lit| self.side(lit));
                inequalities.extend(halves.into_iter().flatten().filter_map(|(row, id)| Some((row, (*id)?))));
            }
            next += 1;
        }
    }

    /// Derives a clause with a literal `x = v`: this literal is the conjunction of two literals of the integer, and the
    /// clause follows from the two clauses with one of them in place of `x = v`.
    fn derive_conjuncts(
        &self,
        clause: &[Lit],
        rows: &[Id],
        first: u32,
        formula: &Formula,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        let is_conjunction = |lit: &&Lit| self.has_order() && formula.disjunction(!**lit).is_some();
        let Some(&conjunction) = clause.iter().find(is_conjunction) else { return Ok(None) };
        let mut hints: Vec<Id> = self.side(conjunction).and_then(|(_, id)| *id).into_iter().collect();
        for &lit in formula.disjunction(!conjunction).unwrap_or_default() {
            let others = clause.iter().copied().filter(|&other| other != conjunction);
            let with_conjunct: Vec<Lit> = others.chain([!lit]).collect();
            let Some(derived) = self.derive(&with_conjunct, rows, first, formula, proof)? else {
                return Ok(None);
            };
            hints.push(derived.id);
        }
        Ok(Some(Derived::clause(proof.rup(clause, &hints)?)))
    }
}

/// Derives an inequality with its coefficients divided by their common divisor. Returns `None` if there is no divisor.
fn divided(id: Id, row: &Row, proof: &mut Writer<'_>) -> Result<Option<(Row, Id)>, ProofError> {
    let Some((divisor, row)) = row.without_divisor() else { return Ok(None) };
    let mut line = Line::default();
    line.add(id);
    line.divide(divisor);
    Ok(Some((row, proof.pol(&line)?)))
}

/// Derives the inequality `any >= l1 + ... + ln` for the literals in `lits`, if the formula states that at most one of
/// them is true. The inequality with the number `side` states that all of `lits` are false if `any` is false. Returns
/// `None` if the formula does not state that at most one of `lits` is true.
fn at_least_sum(
    side: Id,
    lits: &[Lit],
    formula: &Formula,
    proof: &mut Writer<'_>,
) -> Result<Option<Id>, ProofError> {
    let n = lits.len() as u64;
    if n < 2 {
        return Ok(Some(side));
    }
    let Some(at_most_one) = formula.at_most_one(lits) else { return Ok(None) };
    // Adds `n any + sum ~lit >= n` and `n - 1` times the constraint `sum ~lit >= n - 1`. The sum, divided by n and
    // rounded up, is `any + sum ~lit >= n`.
    let mut line = Line::default();
    line.add(side);
    line.add_times(at_most_one, n - 1);
    line.divide(n);
    Ok(Some(proof.pol(&line)?))
}
