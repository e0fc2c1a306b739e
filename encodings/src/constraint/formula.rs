//! Converts constraints to linear inequalities over literals, and adds these inequalities to the formula of a proof.

use gordian_proofs::{Formula, Id, Row};

use super::{Atom, Comparison, Linear};
use crate::expr::Term;
use crate::int::Value;
use crate::lit::{Lit, constant};

/// Adds a clause to the formula. Returns a list that contains the number of the clause, or an empty list if the clause
/// is trivial. Returns `None` if an atom compares an integer variable with a value.
pub(super) fn clause(atoms: &[Atom], formula: &mut Formula) -> Option<Vec<Id>> {
    let lits = atoms.iter().map(|atom| match atom {
        Atom::Lit(lit) => Some(*lit),
        Atom::Int(..) => None,
    });
    let mut lits = lits.collect::<Option<Vec<Lit>>>()?;
    if lits.iter().any(|&lit| constant(lit) == Some(true)) {
        return Some(Vec::new());
    }
    lits.retain(|&lit| constant(lit).is_none());
    Some(formula.add(Row::clause(&lits)).into_iter().collect())
}

/// Adds linear constraints to the formula. Returns the numbers of the inequalities in the formula. Returns `None` if
/// a term is an integer, a comparison is [`Comparison::NotEqual`], or a number overflows.
pub(super) fn linear(constraints: &[Linear], formula: &mut Formula) -> Option<Vec<Id>> {
    let mut ids = Vec::new();
    for constraint in constraints {
        let (terms, held) = literals(&constraint.terms)?;
        let bound = constraint.bound.checked_sub(held)?;
        let least = || Row::at_least(terms.iter().copied(), bound).ok();
        let most = || Row::at_most(terms.iter().copied(), bound).ok();
        let rows = match constraint.comparison {
            Comparison::AtLeast => vec![least()?],
            Comparison::AtMost => vec![most()?],
            Comparison::Equal => vec![least()?, most()?],
            Comparison::NotEqual => return None,
        };
        ids.extend(rows.into_iter().filter_map(|row| formula.add(row)));
    }
    Some(ids)
}

/// Returns the terms of a sum without its constant literals, and the sum of the coefficients of the true constants.
/// Returns `None` if a term is an integer, or a number overflows.
pub(crate) fn literals(terms: &[(Value, Term)]) -> Option<(Vec<(Value, Lit)>, Value)> {
    let (mut open, mut held): (_, Value) = (Vec::new(), 0);
    for &(coefficient, term) in terms {
        let Term::Lit(lit) = term else { return None };
        match constant(lit) {
            Some(true) => held = held.checked_add(coefficient)?,
            Some(false) => {}
            None => open.push((coefficient, lit)),
        }
    }
    Some((open, held))
}
