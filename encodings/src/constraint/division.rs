//! Division by a constant.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
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
    pub dividend: IntVar,
    /// The divisor.
    pub divisor: Value,
    /// The quotient.
    pub quotient: IntVar,
    /// The remainder, which is never negative.
    pub remainder: IntVar,
}

impl Division {
    /// Creates the constraint `dividend = divisor * quotient + remainder`.
    #[must_use]
    pub fn new(dividend: IntVar, divisor: Value, quotient: IntVar, remainder: IntVar) -> Self {
        Self { dividend, divisor, quotient, remainder }
    }

    pub(crate) fn variables(&self) -> [IntVar; 3] {
        [self.dividend, self.quotient, self.remainder]
    }

    /// Returns the equation `dividend - divisor * quotient - remainder = 0`.
    pub(crate) fn equation(&self) -> Linear {
        let Self { dividend, divisor, quotient, remainder } = *self;
        Linear::equal([(1, dividend.into()), (-divisor, quotient.into()), (-1, remainder.into())], 0)
    }

    /// Returns the quotient and the remainder of a value.
    pub(crate) fn divide(&self, value: Value) -> Option<(Value, Value)> {
        Some((value.checked_div_euclid(self.divisor)?, value.checked_rem_euclid(self.divisor)?))
    }
}

impl Constraint for Division {
    fn scope(&self) -> Scope {
        Scope { ints: self.variables().to_vec(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let [x, quotient, remainder] = self.variables().map(|x| assignment.int(x));
        self.divide(x) == Some((quotient, remainder))
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        if self.divisor == 0 {
            return Arc::new(Conjunction::new([]));
        }
        let remainder = || [(1, self.remainder.into())];
        let too_large = Value::try_from(self.divisor.unsigned_abs()).ok();
        let too_large = too_large.map(|least| Linear::at_least(remainder(), least));
        let wrong =
            [Linear::at_most(remainder(), -1), self.equation().negated()].into_iter().chain(too_large);
        Arc::new(Disjunction::new(wrong.map(|wrong| Arc::new(wrong) as Arc<dyn Constraint>)))
    }
}
