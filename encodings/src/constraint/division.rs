//! Division by a constant.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar, Value};

/// `dividend = divisor * quotient + remainder` and `0 <= remainder < |divisor|` (Euclidean division). A divisor of 0
/// makes the constraint unsatisfiable.
///
/// ```
/// use gordian_encodings::constraint::Division;
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let [x, q, r] = [0; 3].map(|_| model.integer(Domain::interval(-99, 99)));
/// model.post(Division::new(x, 7, q, r));
/// assert!(model.holds(&Assignment::new(vec![], vec![-15, -3, 6])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![-15, -2, -1])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    /// The dividend.
    pub dividend: Expr,
    /// The divisor.
    pub divisor: Value,
    /// The quotient.
    pub quotient: Expr,
    /// The remainder, which is never negative.
    pub remainder: Expr,
}

impl Division {
    /// Creates the constraint `dividend = divisor * quotient + remainder`.
    pub fn new(
        dividend: impl Into<Expr>,
        divisor: Value,
        quotient: impl Into<Expr>,
        remainder: impl Into<Expr>,
    ) -> Self {
        Self { dividend: dividend.into(), divisor, quotient: quotient.into(), remainder: remainder.into() }
    }

    pub(crate) fn exprs(&self) -> [&Expr; 3] {
        [&self.dividend, &self.quotient, &self.remainder]
    }

    /// Returns the equation `dividend - divisor * quotient - remainder = 0`.
    pub(crate) fn equation(&self) -> Linear {
        (&self.dividend - self.divisor * &self.quotient).equals(&self.remainder)
    }

    /// Returns the quotient and the remainder if the dividend has the given value, or `None` if the divisor is 0 or a
    /// number overflows.
    pub(crate) fn divide(&self, value: Value) -> Option<(Value, Value)> {
        Some((value.checked_div_euclid(self.divisor)?, value.checked_rem_euclid(self.divisor)?))
    }
}

impl Constraint for Division {
    fn scope(&self) -> Scope {
        Scope::of_exprs(self.exprs())
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Needs::Literals.of(self.scope().ints)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let [x, quotient, remainder] = self.exprs().map(|expr| assignment.value(expr));
        self.divide(x) == Some((quotient, remainder))
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        if self.divisor == 0 {
            return Arc::new(Conjunction::new([]));
        }
        let too_large = Value::try_from(self.divisor.unsigned_abs()).ok();
        let too_large = too_large.map(|least| self.remainder.at_least(least));
        let wrong = [self.remainder.at_most(-1), self.equation().negated()].into_iter().chain(too_large);
        Arc::new(Disjunction::new(wrong.map(|wrong| Arc::new(wrong) as Arc<dyn Constraint>)))
    }
}
