//! Converts constraints to linear inequalities over literals, and adds these inequalities to the formula of a proof.
//!
//! An integer x with the values v1 < ... < vn is the sum `v1 + (v2 - v1) [x > v1] + ... + (vn - v(n-1)) [x > v(n-1)]`
//! over the literals of its [order view](crate::view::order).

use gordian_proofs::{Formula, Id, Row};

use super::{Atom, Comparison, Linear};
use crate::expr::Term;
use crate::int::{Domains, IntVar, Value};
use crate::lit::{FALSE, Lit, TRUE, constant};

/// Adds a clause to the formula. Returns a list with the number of the clause, which is empty if the clause is a
/// tautology. Returns `None` if an integer has no order view.
pub(super) fn clause(atoms: &[Atom], formula: &mut Formula, domains: Domains<'_>) -> Option<Vec<Id>> {
    // The number of true literals must be at least `bound`. It is `bound - 1` if no atom holds.
    let (mut lits, mut bound) = (Vec::new(), 1);
    for &atom in atoms {
        match atom {
            Atom::Lit(lit) => lits.push(lit),
            Atom::Int(x, Comparison::AtMost, value) => lits.push(at_most(x, value, domains)?),
            Atom::Int(x, Comparison::AtLeast, value) => {
                lits.push(!at_most(x, value.checked_sub(1)?, domains)?);
            }
            Atom::Int(x, comparison, value) => {
                let above = at_most(x, value.checked_sub(1)?, domains)?;
                let equal = [at_most(x, value, domains)?, !above];
                if comparison == Comparison::Equal {
                    lits.extend(equal);
                    bound += 1;
                } else {
                    lits.extend(equal.map(|lit| !lit));
                }
            }
        }
    }
    let held = lits.iter().filter(|&&lit| lit == TRUE).count();
    lits.retain(|&lit| constant(lit).is_none());
    if bound == 1 && held == 0 {
        return Some(formula.add(Row::clause(&lits)).into_iter().collect());
    }
    let row = Row::at_least(lits.into_iter().map(|lit| (1, lit)), bound - held as Value).ok()?;
    Some(formula.add(row).into_iter().collect())
}

/// Returns the literal `x <= value`, or `None` if the integer has no order view.
fn at_most(x: IntVar, value: Value, domains: Domains<'_>) -> Option<Lit> {
    let order = domains.order(x)?;
    let Some(last) = domains.of(x).at_or_below(value) else { return Some(FALSE) };
    Some(order.get(domains.of(x).index(last)?).copied().unwrap_or(TRUE))
}

/// Adds linear constraints to the formula. Returns the numbers of the inequalities in the formula. Returns `None` if
/// an integer has no order view, a comparison is [`Comparison::NotEqual`], or a number overflows.
pub(super) fn linear(constraints: &[Linear], formula: &mut Formula, domains: Domains<'_>) -> Option<Vec<Id>> {
    let mut ids = Vec::new();
    for constraint in constraints {
        let (terms, held) = literals(&constraint.terms, domains)?;
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

/// Converts a sum to a sum of literals and a constant. Returns the literals with their coefficients, and the constant.
/// Returns `None` if an integer has no order view, or a number overflows.
pub(crate) fn literals(terms: &[(Value, Term)], domains: Domains<'_>) -> Option<(Vec<(Value, Lit)>, Value)> {
    let (mut open, mut held): (_, Value) = (Vec::new(), 0);
    for &(coefficient, term) in terms {
        match term {
            Term::Lit(lit) => match constant(lit) {
                Some(true) => held = held.checked_add(coefficient)?,
                Some(false) => {}
                None => open.push((coefficient, lit)),
            },
            Term::Int(x) => {
                let order = domains.order(x)?;
                let values: Vec<Value> = domains.of(x).values().take(order.len() + 1).collect();
                held = held.checked_add(coefficient.checked_mul(values[0])?)?;
                for (pair, lit) in values.windows(2).zip(order) {
                    let step = pair[1].checked_sub(pair[0])?;
                    open.push((coefficient.checked_mul(step)?, !lit));
                }
            }
        }
    }
    Some((open, held))
}
