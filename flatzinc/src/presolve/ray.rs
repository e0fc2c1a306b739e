//! Detects unbounded objectives.
//!
//! A *ray* assigns a nonzero step to some unbounded variables that occur only in linear constraints. Adding a positive
//! multiple of the steps to a solution does not change the sum of a linear equation. The sum of a linear inequality
//! remains the same or moves away from the bound, so all these constraints still hold. Each disequality, and each gap
//! in a domain, excludes only finitely many multiples. If the ray improves the objective, every solution can therefore
//! be improved without limit. If the square of a variable is maximised, each ray that changes the variable improves the
//! objective.

use std::collections::BTreeMap;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{Presolved, Store};
use crate::constraint::{Constraint, Ref, Relation, When};
use crate::instance::VarId;

/// The maximum number of variables in a ray. This number is limited because the search visits all constraints for each
/// variable.
const MOST_VARIABLES: usize = 100;

impl Presolved {
    /// Returns whether some ray increases `objective` (if `sign` is 1) or decreases it (if `sign` is -1). The search is
    /// incomplete: for each violated constraint, only the first suitable variable is tried.
    pub(crate) fn has_ray(&self, objective: Ref, sign: Value) -> bool {
        let Ref::Var(objective) = self.store.resolve(objective) else { return false };
        match self.squared(objective).filter(|_| sign > 0 && is_open(&self.store, objective, sign)) {
            Some(root) => [1, -1].into_iter().any(|sign| self.has_linear_ray(root, sign, Some(objective))),
            None => self.has_linear_ray(objective, sign, None),
        }
    }

    /// Returns the variable whose square equals `x`, if this equation is the only constraint on `x`.
    fn squared(&self, x: VarId) -> Option<VarId> {
        let mut constraints = self.constraints.iter().filter(|constraint| self.concerns(constraint, x));
        let (only, None) = (constraints.next()?, constraints.next()) else { return None };
        let (Relation::Product(list), When::Always) = (&only.relation, only.when) else { return None };
        match list.map(|operand| self.store.resolve(operand)) {
            [Ref::Var(a), Ref::Var(b), Ref::Var(c)] if a == b && c == x && a != x => Some(a),
            _ => None,
        }
    }

    /// Returns whether a variable occurs in a constraint.
    fn concerns(&self, constraint: &Constraint, x: VarId) -> bool {
        let mut found = false;
        let mut visit = |operand: Ref| found |= self.store.resolve(operand).variable() == Some(x);
        constraint.relation.operands(&mut visit);
        match constraint.when {
            When::If(lit) | When::Iff(lit) => visit(lit),
            When::Always => {}
        }
        found
    }

    /// Returns whether some ray increases `x` (if `sign` is 1) or decreases it (if `sign` is -1). Constraints that
    /// contain the variable `square` are ignored.
    fn has_linear_ray(&self, x: VarId, sign: Value, square: Option<VarId>) -> bool {
        if !is_open(&self.store, x, sign) {
            return false;
        }
        let ignores =
            |constraint: &Constraint| square.is_some_and(|square| self.concerns(constraint, square));
        let constraints: Vec<&Constraint> =
            self.constraints.iter().filter(|constraint| !ignores(constraint)).collect();
        let mut steps = BTreeMap::from([(x, sign)]);
        while steps.len() <= MOST_VARIABLES {
            let violated = constraints.iter().find(|constraint| !self.allows(constraint, &steps));
            let Some(violated) = violated else { return true };
            if self.extend(violated, &mut steps).is_none() {
                return false;
            }
        }
        false
    }

    /// Returns whether the constraint still holds after a positive multiple of the steps is added to a solution. The
    /// constraint may fail for finitely many multiples.
    fn allows(&self, constraint: &Constraint, steps: &BTreeMap<VarId, Value>) -> bool {
        let mut moves = false;
        let mut visit = |operand: Ref| {
            moves |= self.store.resolve(operand).variable().is_some_and(|x| steps.contains_key(&x));
        };
        constraint.relation.operands(&mut visit);
        let drift = self.drift(constraint, steps);
        let Relation::Sum(sum) = &constraint.relation else { return !moves };
        match (sum.comparison, constraint.when) {
            (_, When::Iff(_)) | (Comparison::Equal, _) => drift == Some(0),
            (Comparison::AtMost, _) => drift.is_some_and(|drift| drift <= 0),
            (Comparison::AtLeast, _) => drift.is_some_and(|drift| drift >= 0),
            (Comparison::NotEqual, _) => true,
        }
    }

    /// Returns how much the steps change the sum of a linear constraint. Returns `None` on overflow, or if the
    /// constraint is not linear.
    fn drift(&self, constraint: &Constraint, steps: &BTreeMap<VarId, Value>) -> Option<Value> {
        let Relation::Sum(sum) = &constraint.relation else { return None };
        sum.merged(&self.store)?.terms.iter().try_fold(0, |drift: Value, &(factor, operand)| {
            let step = operand.variable().and_then(|x| steps.get(&x)).copied().unwrap_or(0);
            drift.checked_add(factor.checked_mul(step)?)
        })
    }

    /// Adds a step for another variable and scales all earlier steps. After that, the steps no longer change the sum of
    /// the violated constraint. Returns `None` if no variable of the sum is suitable.
    fn extend(&self, constraint: &Constraint, steps: &mut BTreeMap<VarId, Value>) -> Option<()> {
        let drift = self.drift(constraint, steps)?;
        let Relation::Sum(sum) = &constraint.relation else { return None };
        let (factor, x) = sum.merged(&self.store)?.terms.into_iter().find_map(|(factor, operand)| {
            let Ref::Var(x) = operand else { return None };
            let sign = -drift.signum() * factor.signum();
            (!steps.contains_key(&x) && is_open(&self.store, x, sign)).then_some((factor, x))
        })?;
        for step in steps.values_mut() {
            *step = step.checked_mul(factor.checked_abs()?)?;
        }
        steps.insert(x, drift.checked_neg()?.checked_mul(factor.signum())?);
        Some(())
    }
}

/// Returns whether a variable has no maximum (if `sign` is 1) or no minimum (if `sign` is -1).
fn is_open(store: &Store, x: VarId, sign: Value) -> bool {
    let domain = store.domain(x);
    if sign > 0 { domain.last() == Value::MAX } else { domain.first() == Value::MIN }
}
