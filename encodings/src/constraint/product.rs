//! Products of integers.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::Domains;

/// The constraint that `product` equals the product of the `factors` or, if `equal` is false, differs from it. A factor
/// may occur more than once. The empty product is 1.
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
/// [`Constraint::holds`] panics if the product of the factors overflows an `i128`. Encoding may panic if the product
/// of the largest absolute values of the factors exceeds `i128::MAX / 64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// The factors.
    pub factors: Vec<Expr>,
    /// The expression that is compared with the product of the factors.
    pub product: Expr,
    /// True if `product` must equal the product of the factors, false if it must differ.
    pub equal: bool,
}

impl Product {
    /// Creates the constraint that `product` is the product of the `factors`.
    pub fn new(factors: impl IntoIterator<Item: Into<Expr>>, product: impl Into<Expr>) -> Self {
        let factors = factors.into_iter().map(Into::into).collect();
        Self { factors, product: product.into(), equal: true }
    }

    /// Creates the constraint that `power` is `base` raised to the constant `exponent`. Any value raised to 0 is 1.
    pub fn power(base: impl Into<Expr>, exponent: usize, power: impl Into<Expr>) -> Self {
        Self::new(vec![base.into(); exponent], power)
    }
}

impl Constraint for Product {
    fn scope(&self) -> Scope {
        Scope::of_exprs(self.factors.iter().chain([&self.product]))
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let times = |product: i128, factor: &Expr| product.checked_mul(assignment.value(factor));
        let product = self.factors.iter().try_fold(1, times).expect("the product exceeds an i128");
        (product == assignment.value(&self.product)) == self.equal
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { equal: !self.equal, ..self.clone() })
    }
}
