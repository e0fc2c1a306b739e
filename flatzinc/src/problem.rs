//! An instance after presolve, ready to be translated into models.

use std::collections::HashMap;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use crate::builtins;
use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::error::TranslateError;
use crate::holds;
use crate::instance::{Goal, Instance, Origin, Place, VarId};
use crate::presolve::Presolved;
use crate::translate::{self, Translation};

/// An instance after presolve: equal variables are merged, and domains are reduced.
#[derive(Debug, Clone)]
pub struct Problem {
    goal: Goal,
    presolved: Presolved,
    open: Vec<VarId>,
}

impl Problem {
    /// Presolves an instance.
    ///
    /// # Errors
    /// Returns an error if a constraint is unknown or has wrong arguments, or if numbers exceed 128 bits.
    pub fn new(instance: &Instance) -> Result<Self, TranslateError> {
        let presolved = Presolved::new(instance, builtins::constraints(instance)?);
        Ok(Self::of(instance.goal.clone(), presolved))
    }

    fn of(goal: Goal, presolved: Presolved) -> Self {
        let store = &presolved.store;
        let is_open = |x: &VarId| {
            !presolved.store.is_infeasible() && store.is_root(*x) && !store.domain(*x).is_bounded()
        };
        let open = (0..store.variables() as u32).map(VarId).filter(is_open).collect();
        Self { goal, presolved, open }
    }

    /// Returns whether presolve has proved that the instance is unsatisfiable.
    #[must_use]
    pub fn is_unsatisfiable(&self) -> bool {
        self.presolved.store.is_infeasible()
    }

    /// Returns the open variables: each of them lacks a finite lower bound, a finite upper bound, or both.
    #[must_use]
    pub fn open(&self) -> &[VarId] {
        &self.open
    }

    /// Returns whether presolve proves that every solution can be improved without limit. If the result is `false`,
    /// the objective may still be unbounded.
    #[must_use]
    pub fn is_objective_unbounded(&self) -> bool {
        match &self.goal {
            Goal::Satisfy => false,
            Goal::Minimise(operand) => self.presolved.has_ray(Ref::of(operand), -1),
            Goal::Maximise(operand) => self.presolved.has_ray(Ref::of(operand), 1),
        }
    }

    /// Returns the lower and the upper bound of a variable. An infinite bound is `None`.
    #[must_use]
    pub fn bounds(&self, variable: VarId) -> (Option<Value>, Option<Value>) {
        let (first, last) = self.presolved.store.range(Ref::Var(variable));
        ((first != Value::MIN).then_some(first), (last != Value::MAX).then_some(last))
    }

    /// Returns the constraints that remain after presolve.
    pub fn remaining(&self) -> impl Iterator<Item = &Origin> {
        self.presolved.constraints.iter().map(|constraint| &constraint.origin)
    }

    /// Returns whether each value is in the domain of its variable after presolve, and whether merged variables have
    /// consistent values. The remaining constraints are not checked.
    ///
    /// # Panics
    /// Panics if `values` has fewer values than the instance has variables.
    #[must_use]
    pub fn allows(&self, values: &[Value]) -> bool {
        let store = &self.presolved.store;
        let agrees = |index: usize| {
            let x = VarId(index as u32);
            store.allows(Ref::Var(x), values[index])
                && match store.resolve(Ref::Var(x)) {
                    Ref::Const(value) => values[index] == value,
                    Ref::Var(root) => values[index] == values[root.0 as usize],
                    Ref::Not(root) => values[index] == 1 - values[root.0 as usize],
                }
        };
        !self.is_unsatisfiable() && (0..store.variables()).all(agrees)
    }

    /// Translates an instance in which all variables have finite bounds.
    ///
    /// # Errors
    /// Returns an error if numbers exceed 128 bits, or if a variable has no finite bounds.
    pub fn translate(&self) -> Result<Translation, TranslateError> {
        if !self.open.is_empty() {
            return Err(TranslateError::Unbounded(self.open.clone()));
        }
        let Presolved { constraints, store } = &self.presolved;
        translate::translate(&self.goal, constraints, store, &[])
    }

    /// Translates the instance with a window for each open variable. A missing bound is replaced: an upper bound by
    /// `max(0, lower) + 2^k`, and a lower bound by `min(0, upper) - 2^k`. If both are missing, the window ranges from
    /// `-2^k` to `2^k`. The window is enforced only if its literal is assumed ([`Translation::windows`]).
    ///
    /// A solution in which all literals of the windows are true is a solution of the instance. If the model is
    /// unsatisfiable under these literals and the core contains none of them, the instance is unsatisfiable. If the core
    /// contains one of them, larger windows may contain a solution.
    ///
    /// # Errors
    /// Returns an error if numbers exceed 128 bits.
    pub fn stage(&self, k: u32) -> Result<Translation, TranslateError> {
        self.windows(k, &HashMap::new())
    }

    /// Translates the instance like [`Problem::stage`], for a search that needs only one solution. If the constraints
    /// imply that restricting a variable to its window preserves satisfiability, the window is enforced without an
    /// assumption. Such windows may exclude better solutions, because they do not take the objective into account.
    ///
    /// # Errors
    /// Returns an error if numbers exceed 128 bits.
    pub fn stage_for_one(&self, k: u32) -> Result<Translation, TranslateError> {
        self.windows(k, &self.presolved.windows_for_one(&self.open))
    }

    /// Translates the instance with a window for each open variable. If `sufficient` contains a limit of at most `2^k`
    /// for a variable, the variable's window extends to this limit and is enforced without an assumption.
    fn windows(&self, k: u32, sufficient: &HashMap<VarId, u128>) -> Result<Translation, TranslateError> {
        let Presolved { constraints, store } = &self.presolved;
        let mut store = store.clone();
        let reach: Value = 1 << k.min(LARGEST_STAGE);
        let mut windowed = Vec::new();
        for &x in &self.open {
            let most = sufficient.get(&x).and_then(|&most| Value::try_from(most).ok());
            let most = most.filter(|&most| most <= reach);
            store.cut(x, most.unwrap_or(reach));
            if most.is_none() {
                windowed.push(x);
            }
        }
        translate::translate(&self.goal, constraints, &store, &windowed)
    }

    /// Adds the constraint that the objective is better than `value`, and presolves again, because the new bound often
    /// implies bounds on all variables. If the instance has no objective, the result is unsatisfiable.
    #[must_use]
    pub fn better_than(&self, value: Value) -> Self {
        let (operand, comparison, bound) = match &self.goal {
            Goal::Satisfy => (Ref::Const(0), Comparison::NotEqual, Some(0)),
            Goal::Minimise(operand) => (Ref::of(operand), Comparison::AtMost, value.checked_sub(1)),
            Goal::Maximise(operand) => (Ref::of(operand), Comparison::AtLeast, value.checked_add(1)),
        };
        let relation = match bound {
            Some(bound) => Relation::Sum(Sum { terms: vec![(1, operand)], comparison, bound }),
            None => Relation::Clause(Vec::new()),
        };
        self.with(relation)
    }

    /// Adds the constraint that the objective is at least as good as in a solution that propagation finds, and
    /// presolves again. Returns `None` if the instance has no objective, if no domain is large, or if propagation finds
    /// no solution.
    #[must_use]
    pub fn bounded(&self, instance: &Instance) -> Option<Self> {
        let (operand, comparison, maximise) = match &self.goal {
            Goal::Satisfy => return None,
            Goal::Minimise(operand) => (Ref::of(operand), Comparison::AtMost, false),
            Goal::Maximise(operand) => (Ref::of(operand), Comparison::AtLeast, true),
        };
        if !self.open.is_empty() || self.is_unsatisfiable() || !self.presolved.has_large_domain(operand) {
            return None;
        }
        let values = self.presolved.dive(operand, maximise)?;
        holds(instance, &values).ok()?;
        let bound = values.get(operand.variable()?.0 as usize).copied()?;
        Some(self.with(Relation::Sum(Sum { terms: vec![(1, operand)], comparison, bound })))
    }

    /// Adds a constraint and presolves again.
    fn with(&self, relation: Relation) -> Self {
        let origin = Origin { name: "objective".into(), place: Place::default() };
        let mut presolved = self.presolved.clone();
        presolved.add(Constraint { relation, when: When::Always, domain_consistent: false, origin });
        Self::of(self.goal.clone(), presolved)
    }
}

/// The largest `k` for which a window extends to a distance of `2^k`. In larger windows, products could overflow.
const LARGEST_STAGE: u32 = 120;
