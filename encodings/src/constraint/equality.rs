//! Equality of two integers.

use std::sync::Arc;

use super::{Constraint, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar};

/// The constraint that two expressions have the same value or, if `equal` is false, different values.
///
/// ```
/// use gordian_encodings::constraint::{Reified, Equality};
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// // Two countries, each in one of three colours, which must differ if the countries are neighbours.
/// let mut model = Model::new();
/// let neighbours = model.boolean();
/// let [x, y] = [0; 2].map(|_| model.unordered(Domain::interval(1, 3)));
/// model.post(Reified::implies(neighbours, Equality::different(x, y)));
/// assert!(model.holds(&Assignment::new(vec![true], vec![1, 3])));
/// assert!(!model.holds(&Assignment::new(vec![true], vec![2, 2])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equality {
    /// The first expression.
    pub left: Expr,
    /// The second expression.
    pub right: Expr,
    /// True if the values must be equal, false if they must be different.
    pub equal: bool,
}

impl Equality {
    /// Creates the constraint `left = right`.
    pub fn equal(left: impl Into<Expr>, right: impl Into<Expr>) -> Self {
        Self { left: left.into(), right: right.into(), equal: true }
    }

    /// Creates the constraint `left != right`.
    pub fn different(left: impl Into<Expr>, right: impl Into<Expr>) -> Self {
        Self { equal: false, ..Self::equal(left, right) }
    }
}

impl Constraint for Equality {
    fn scope(&self) -> Scope {
        Scope::of_exprs([&self.left, &self.right])
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        if self.equal { Vec::new() } else { Needs::Literals.of(self.scope().ints) }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        (assignment.value(&self.left) == assignment.value(&self.right)) == self.equal
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { equal: !self.equal, ..self.clone() })
    }
}
