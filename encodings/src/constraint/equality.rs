//! Equality of two integers.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// Two integers are equal, or different.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equality {
    /// The first integer.
    pub left: IntVar,
    /// The second integer.
    pub right: IntVar,
    /// True for equal, false for different integers.
    pub equal: bool,
}

impl Equality {
    /// Creates the constraint `left = right`.
    #[must_use]
    pub fn equal(left: IntVar, right: IntVar) -> Self {
        Self { left, right, equal: true }
    }

    /// Creates the constraint `left != right`.
    #[must_use]
    pub fn different(left: IntVar, right: IntVar) -> Self {
        Self { left, right, equal: false }
    }
}

impl Constraint for Equality {
    fn scope(&self) -> Scope {
        Scope { ints: vec![self.left, self.right], ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        (assignment.int(self.left) == assignment.int(self.right)) == self.equal
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { equal: !self.equal, ..*self })
    }
}
