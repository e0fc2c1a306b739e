//! Powers with variable exponents.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};

/// The constraint that `power` equals `base` raised to `exponent` or, if `equal` is false, differs from it. For a
/// negative exponent, the power is `1 / base^-exponent`, truncated towards zero, as in `MiniZinc`. A negative power of
/// 0 is undefined. Any value raised to 0 is 1.
///
/// For a constant exponent, use [`Product::power`](super::Product::power).
///
/// ```
/// use gordian_encodings::constraint::Power;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [x, y] = model.integers(-4..=4);
/// let z = model.integer(-100..=300);
/// model.post(Power::new(x, y, z));
/// assert!(model.holds(&Assignment::new(vec![], vec![-4, 3, -64])));
/// assert!(model.holds(&Assignment::new(vec![], vec![-1, -3, -1])));
/// assert!(model.holds(&Assignment::new(vec![], vec![2, -1, 0])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![0, -1, 0])), "division by 0");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
///
/// # Panics
/// Encoding panics if `|power|` can exceed `i128::MAX / 64` for values in the domains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Power {
    /// The base of the power.
    pub base: Expr,
    /// The exponent of the power.
    pub exponent: Expr,
    /// The expression that is compared with `base` raised to `exponent`.
    pub power: Expr,
    /// True if `power` must equal `base` raised to `exponent`, false if it must differ.
    pub equal: bool,
}

impl Power {
    /// Creates the constraint that `power` is `base` raised to `exponent`.
    pub fn new(base: impl Into<Expr>, exponent: impl Into<Expr>, power: impl Into<Expr>) -> Self {
        Self { base: base.into(), exponent: exponent.into(), power: power.into(), equal: true }
    }

    /// Returns `base` raised to `exponent`, or `None` if the power is undefined or does not fit in a [`Value`].
    pub(crate) fn value(base: Value, exponent: Value) -> Option<Value> {
        match (base, exponent) {
            (1, _) | (_, 0) => Some(1),
            (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
            (0, _) => (exponent > 0).then_some(0),
            (_, ..0) => Some(0),
            _ => base.checked_pow(u32::try_from(exponent).ok()?),
        }
    }
}

impl Constraint for Power {
    fn scope(&self) -> Scope {
        Scope::of_exprs([&self.base, &self.exponent, &self.power])
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let value = Self::value(assignment.value(&self.base), assignment.value(&self.exponent));
        (value == Some(assignment.value(&self.power))) == self.equal
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { equal: !self.equal, ..self.clone() })
    }
}
