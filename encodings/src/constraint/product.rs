//! Products of integers.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// An integer is the product of other integers, or differs from it. A factor that occurs several times is raised to a
/// power. The empty product is 1.
///
/// ```
/// use gordian_encodings::constraint::Product;
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Model};
///
/// let mut model = Model::new();
/// let digits: Vec<_> = (0..3).map(|_| model.integer(Domain::interval(1, 9))).collect();
/// let product = model.integer(Domain::interval(504, 504));
/// model.post(Product::new(digits, product));
/// assert!(model.holds(&Assignment::new(vec![], vec![7, 8, 9, 504])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![7, 8, 8, 504])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
///
/// # Panics
/// [`Constraint::holds`] and encoding panic if the product of the largest absolute values exceeds a quarter of the
/// range of `i128`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// The factors.
    pub factors: Vec<IntVar>,
    /// The product.
    pub product: IntVar,
    /// True for the product, false for any other value.
    pub equal: bool,
}

impl Product {
    /// Creates the constraint that `product` is the product of the `factors`.
    pub fn new(factors: impl Into<Vec<IntVar>>, product: IntVar) -> Self {
        Self { factors: factors.into(), product, equal: true }
    }

    /// Creates the constraint that `power` is `base` raised to a constant. Any value raised to 0 is 1.
    #[must_use]
    pub fn power(base: IntVar, exponent: usize, power: IntVar) -> Self {
        Self::new(vec![base; exponent], power)
    }
}

impl Constraint for Product {
    fn scope(&self) -> Scope {
        let ints = self.factors.iter().copied().chain([self.product]).collect();
        Scope { ints, ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let product =
            self.factors.iter().try_fold(1_i128, |product, &x| product.checked_mul(assignment.int(x)));
        let product = product.expect("the product exceeds an i128");
        (product == assignment.int(self.product)) == self.equal
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { equal: !self.equal, ..self.clone() })
    }
}
