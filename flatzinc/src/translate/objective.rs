//! The objective as a sum.
//!
//! The objective of an instance is to minimise or maximise a variable. If linear equations define this variable, the
//! objective of the model is the sum in the definition. Core-guided search then assumes bounds on the terms of this
//! sum, and its lower bound increases faster than with bounds on the variable. A variable that occurs only in
//! definitions used for this sum is not part of the model if its definition implies its domain.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use gordian_encodings::constraint::Comparison;
use gordian_encodings::{Expr, Objective, Sense, Value};

use super::{Builder, GREATEST};
use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::instance::{Goal, VarId};
use crate::presolve::Store;

/// A variable in the sum is replaced by its definition only if the range of the definition is at most this many times
/// as wide as the range of the variable. The objective variable itself is replaced regardless of these ranges.
const WIDER: u128 = 2;

/// A linear expression: a constant plus a sum of variables with nonzero coefficients.
#[derive(Debug, Clone, Default)]
struct Total {
    terms: BTreeMap<VarId, Value>,
    constant: Value,
}

impl Total {
    /// Replaces a variable by a sum. Returns `None` on overflow.
    fn replace(&mut self, x: VarId, by: &Self) -> Option<()> {
        let Some(factor) = self.terms.remove(&x) else { return Some(()) };
        self.constant = self.constant.checked_add(factor.checked_mul(by.constant)?)?;
        for (&other, &inner) in &by.terms {
            let sum = self.terms.entry(other).or_default();
            *sum = sum.checked_add(factor.checked_mul(inner)?)?;
            if *sum == 0 {
                self.terms.remove(&other);
            }
        }
        Some(())
    }

    /// Returns the minimum and the maximum, or `None` if the absolute values could exceed [`GREATEST`].
    fn range(&self, store: &Store) -> Option<(Value, Value)> {
        let (mut least, mut greatest) = (self.constant, self.constant);
        let mut reach = self.constant.unsigned_abs();
        for (&x, &factor) in &self.terms {
            let (first, last) = store.range(Ref::Var(x));
            let (a, b) = (factor.checked_mul(first)?, factor.checked_mul(last)?);
            reach = reach.checked_add(a.unsigned_abs().max(b.unsigned_abs()))?;
            if reach > GREATEST {
                return None;
            }
            (least, greatest) = (least + a.min(b), greatest + a.max(b));
        }
        Some((least, greatest))
    }
}

/// The objective as a sum, and the variables that are eliminated because they occur only in definitions.
#[derive(Debug)]
pub(super) struct Expansion {
    objective: Total,
    /// The eliminated variables, each with the index of the constraint that defines it and the sum that equals it.
    eliminated: Vec<(VarId, usize, Total)>,
}

impl Expansion {
    /// Replaces the objective variable by its definition. Then repeatedly replaces variables of the resulting sum by
    /// their definitions, unless the range of the definition is too wide. Returns `None` if the objective has no
    /// definition.
    pub(super) fn new(goal: &Goal, constraints: &[Constraint], store: &Store) -> Option<Self> {
        let (Goal::Minimise(operand) | Goal::Maximise(operand)) = goal else { return None };
        let Ref::Var(objective) = store.resolve(Ref::of(operand)) else { return None };
        let occurrences = occurrences(constraints, store);
        let mut total = Total { terms: BTreeMap::from([(objective, 1)]), constant: 0 };
        let mut eliminated = Vec::new();
        let mut used = HashSet::new();
        // Each examined constraint as an equation, or `None` if it is not an equation.
        let mut equations: HashMap<u32, Option<Sum>> = HashMap::new();
        // Maps each variable to the number of eliminated variables whose definitions contain it.
        let mut gone: HashMap<VarId, usize> = HashMap::new();
        let mut waiting = vec![objective];
        while let Some(x) = waiting.pop() {
            if !total.terms.contains_key(&x) {
                continue;
            }
            let of_x = &occurrences[x.0 as usize];
            let (first, last) = store.range(Ref::Var(x));
            let widest = if x == objective { u128::MAX } else { last.abs_diff(first).saturating_mul(WIDER) };
            let definitions = of_x.iter().filter(|index| !used.contains(*index)).filter_map(|&index| {
                let equation = equations
                    .entry(index)
                    .or_insert_with(|| as_equation(&constraints[index as usize], store));
                Some((spread(equation.as_ref()?, x, widest, store)?, index))
            });
            let Some((_, index)) = definitions.min() else { continue };
            let Some(sum) = equations[&index].as_ref().and_then(|equation| solved(equation, x)) else {
                continue;
            };
            // If the numbers of the narrowest definition are too large, the variable is not replaced.
            let Some((least, greatest)) = sum.range(store) else { continue };
            total.replace(x, &sum)?;
            used.insert(index);
            waiting.extend(sum.terms.keys());
            let is_only = of_x.len() == 1 + gone.get(&x).copied().unwrap_or(0);
            let within = first <= least && greatest <= last;
            if is_only && within && !store.domain(x).is_boolean() && store.domain(x).intervals().len() == 1 {
                for &term in sum.terms.keys() {
                    *gone.entry(term).or_default() += 1;
                }
                eliminated.push((x, index as usize, sum));
            }
        }
        // The definition of an eliminated variable contains only eliminated variables that come later in the list.
        for at in (0..eliminated.len()).rev() {
            let (before, after) = eliminated.split_at_mut(at + 1);
            for (x, _, value) in after {
                before[at].2.replace(*x, value)?;
            }
            before[at].2.range(store)?;
        }
        total.range(store)?;
        (!used.is_empty()).then_some(Self { objective: total, eliminated })
    }

    /// Returns the variables that are not part of the model, each with the index of the constraint that defines it.
    pub(super) fn eliminated(&self) -> impl Iterator<Item = (VarId, usize)> + '_ {
        self.eliminated.iter().map(|&(x, index, _)| (x, index))
    }
}

/// For each variable, returns the indices of the constraints in which it occurs. Only the root of a class of equal
/// variables has occurrences.
fn occurrences(constraints: &[Constraint], store: &Store) -> Vec<Vec<u32>> {
    let mut occurrences: Vec<Vec<u32>> = vec![Vec::new(); store.variables()];
    for (index, constraint) in (0..).zip(constraints) {
        let mut visit = |operand: Ref| {
            if let Some(x) = store.resolve(operand).variable() {
                let list = &mut occurrences[x.0 as usize];
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
        };
        constraint.relation.operands(&mut visit);
        constraint.when.condition().into_iter().for_each(visit);
    }
    occurrences
}

/// Returns a constraint as an equation, or `None` if it is not an unconditional equation.
fn as_equation(constraint: &Constraint, store: &Store) -> Option<Sum> {
    let Relation::Sum(sum) = &constraint.relation else { return None };
    if constraint.when != When::Always || sum.comparison != Comparison::Equal {
        return None;
    }
    sum.merged(store)
}

/// Returns the coefficient of a variable in an equation, or `None` if it is neither 1 nor -1.
fn sign(equation: &Sum, x: VarId) -> Option<Value> {
    let &(sign, _) = equation.terms.iter().find(|(_, term)| *term == Ref::Var(x))?;
    Some(sign).filter(|sign| sign.unsigned_abs() == 1)
}

/// Solves an equation for a variable, and returns the width of the range of the resulting sum. Returns `None` if the
/// coefficient of the variable is neither 1 nor -1, or if the width exceeds `widest`.
fn spread(equation: &Sum, x: VarId, widest: u128, store: &Store) -> Option<u128> {
    sign(equation, x)?;
    let others = equation.terms.iter().filter(|(_, term)| *term != Ref::Var(x));
    let mut spread: u128 = 0;
    for &(factor, term) in others {
        let (first, last) = store.range(term);
        spread = spread.checked_add(last.abs_diff(first).checked_mul(factor.unsigned_abs())?)?;
        if spread > widest {
            return None;
        }
    }
    Some(spread)
}

/// Solves an equation for a variable. Returns `None` if the coefficient of the variable is neither 1 nor -1.
fn solved(equation: &Sum, x: VarId) -> Option<Total> {
    let sign = sign(equation, x)?;
    let mut total = Total { terms: BTreeMap::new(), constant: equation.bound.checked_mul(sign)? };
    for &(factor, term) in &equation.terms {
        match term {
            Ref::Var(other) if other != x => drop(total.terms.insert(other, factor.checked_mul(-sign)?)),
            _ => {}
        }
    }
    Some(total)
}

impl Builder<'_> {
    /// Sets the objective of the model, and stores the sum that replaces each eliminated variable.
    pub(super) fn set_objective(&mut self, goal: &Goal, expansion: Option<&Expansion>) {
        let (sense, operand) = match goal {
            Goal::Satisfy => return,
            Goal::Minimise(operand) => (Sense::Minimise, operand),
            Goal::Maximise(operand) => (Sense::Maximise, operand),
        };
        let expr = match expansion {
            Some(expansion) => self.total(&expansion.objective),
            None => self.expr(Ref::of(operand)),
        };
        self.model.set_objective(Objective::of(sense, expr));
        for (x, _, value) in expansion.map_or(&[][..], |expansion| &expansion.eliminated) {
            self.sums.insert(*x, Arc::new(self.total(value)));
        }
    }

    /// Returns a sum as an expression. The expression contains no eliminated variables.
    fn total(&self, total: &Total) -> Expr {
        let mut expr = Expr::new([], total.constant);
        for (&x, &factor) in &total.terms {
            expr += factor * self.expr(Ref::Var(x));
        }
        expr
    }
}
