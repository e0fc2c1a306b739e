//! Absolute value.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar, Value};

/// An integer is the absolute value of another integer.
///
/// ```
/// use gordian_encodings::constraint::Absolute;
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let (x, y) = (model.integer(Domain::interval(-5, 5)), model.integer(Domain::interval(0, 9)));
/// model.post(Absolute { of: x, value: y });
/// assert!(model.holds(&Assignment::new(vec![], vec![-4, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![4, 5])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absolute {
    /// The integer whose absolute value is taken.
    pub of: IntVar,
    /// Its absolute value.
    pub value: IntVar,
}

impl Absolute {
    /// Returns the equation `value = sign * of`.
    pub(crate) fn equation(&self, sign: Value) -> Linear {
        Linear::equal([(1, self.value.into()), (-sign, self.of.into())], 0)
    }
}

impl Constraint for Absolute {
    fn scope(&self) -> Scope {
        Scope { ints: vec![self.of, self.value], ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        assignment.int(self.of).unsigned_abs() == assignment.int(self.value).unsigned_abs()
            && assignment.int(self.value) >= 0
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        // If `value` is not negative, one of the two equations holds.
        let apart = Conjunction::both(self.equation(1).negated(), self.equation(-1).negated());
        Arc::new(Disjunction::either(Linear::at_most([(1, self.value.into())], -1), apart))
    }
}
