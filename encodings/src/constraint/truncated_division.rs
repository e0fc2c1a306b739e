//! Division that truncates towards zero.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};

/// The constraint that `result` equals the quotient or the remainder of a division or, if `equal` is false, differs
/// from it. The division truncates towards zero. Quotient and remainder satisfy `dividend = divisor * quotient +
/// remainder` and `|remainder| < |divisor|`, and the remainder is 0 or has the sign of the dividend. A division by 0
/// has no quotient and no remainder, so every value of `result` counts as different.
///
/// For Euclidean division by a constant, use [`Division`](super::Division).
///
/// ```
/// use gordian_encodings::constraint::TruncatedDivision;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [x, y, q, r] = model.integers(-99..=99);
/// model.post(TruncatedDivision::quotient(x, y, q));
/// model.post(TruncatedDivision::remainder(x, y, r));
/// assert!(model.holds(&Assignment::new(vec![], vec![-15, 7, -2, -1])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![-15, 7, -3, 6])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![-15, 0, 0, -15])), "division by 0");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
///
/// # Panics
/// Encoding panics if `|divisor| * |quotient| + |dividend|` can exceed `i128::MAX / 64` for values in the domains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruncatedDivision {
    /// The dividend.
    pub dividend: Expr,
    /// The divisor.
    pub divisor: Expr,
    /// Whether `result` is compared with the quotient or with the remainder.
    pub part: DivisionPart,
    /// The expression that is compared with the quotient or the remainder.
    pub result: Expr,
    /// True if `result` must be equal to the quotient or remainder, false if it must be different.
    pub equal: bool,
}

/// The quotient or the remainder of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DivisionPart {
    /// The quotient of the division.
    Quotient,
    /// The remainder of the division.
    Remainder,
}

impl TruncatedDivision {
    /// Creates the constraint `quotient = dividend / divisor`, truncated towards zero.
    pub fn quotient(dividend: impl Into<Expr>, divisor: impl Into<Expr>, quotient: impl Into<Expr>) -> Self {
        Self::new(dividend.into(), divisor.into(), DivisionPart::Quotient, quotient.into())
    }

    /// Creates the constraint that `remainder` is the remainder of `dividend / divisor`.
    pub fn remainder(
        dividend: impl Into<Expr>,
        divisor: impl Into<Expr>,
        remainder: impl Into<Expr>,
    ) -> Self {
        Self::new(dividend.into(), divisor.into(), DivisionPart::Remainder, remainder.into())
    }

    fn new(dividend: Expr, divisor: Expr, part: DivisionPart, result: Expr) -> Self {
        Self { dividend, divisor, part, result, equal: true }
    }

    /// Returns the quotient or remainder of `dividend` by `divisor`, or `None` if it is undefined or does not fit in
    /// a [`Value`].
    pub(crate) fn value(&self, dividend: Value, divisor: Value) -> Option<Value> {
        match self.part {
            DivisionPart::Quotient => dividend.checked_div(divisor),
            DivisionPart::Remainder => (divisor != 0).then(|| dividend.wrapping_rem(divisor)),
        }
    }
}

impl Constraint for TruncatedDivision {
    fn scope(&self) -> Scope {
        Scope::of_exprs([&self.dividend, &self.divisor, &self.result])
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let value = self.value(assignment.value(&self.dividend), assignment.value(&self.divisor));
        (value == Some(assignment.value(&self.result))) == self.equal
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { equal: !self.equal, ..self.clone() })
    }
}
