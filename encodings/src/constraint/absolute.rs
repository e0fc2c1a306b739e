//! The absolute value constraint.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar, Value};
use crate::value_literals::ValueLiterals;

/// The constraint that an expression is the absolute value of another expression.
///
/// ```
/// use gordian_encodings::constraint::Absolute;
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let (x, y) = (model.integer(Domain::interval(-5, 5)), model.integer(Domain::interval(0, 9)));
/// model.post(Absolute::new(x, y));
/// assert!(model.holds(&Assignment::new(vec![], vec![-4, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![4, 5])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absolute {
    /// The expression whose absolute value is taken.
    pub of: Expr,
    /// The expression that equals the absolute value.
    pub value: Expr,
}

impl Absolute {
    /// Creates the constraint `value = |of|`.
    pub fn new(of: impl Into<Expr>, value: impl Into<Expr>) -> Self {
        Self { of: of.into(), value: value.into() }
    }

    /// Returns the equation `value = sign * of`.
    pub(crate) fn equation(&self, sign: Value) -> Linear {
        self.value.equals(&self.of * sign)
    }
}

impl Constraint for Absolute {
    fn scope(&self) -> Scope {
        Scope::of_exprs([&self.of, &self.value])
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Vec::new()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let [of, value] = [&self.of, &self.value].map(|expr| assignment.value(expr));
        value >= 0 && of.unsigned_abs() == value.unsigned_abs()
    }

    fn implied(&self, _: &mut ValueLiterals<'_>) -> Vec<Linear> {
        vec![self.value.at_least(&self.of), self.value.at_least(&self.of * -1)]
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        // If `value >= 0`, the constraint holds if and only if `value = of` or `value = -of`.
        let apart = Conjunction::both(self.equation(1).negated(), self.equation(-1).negated());
        Arc::new(Disjunction::either(self.value.at_most(-1), apart))
    }
}
