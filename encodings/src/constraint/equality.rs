//! Equality of two integers.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// Two integers have the same value, or differ.
///
/// ```
/// use gordian_encodings::constraint::{Reified, Equality};
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// // Two countries, of one of three colours each, which differ if the countries are neighbours.
/// let mut model = Model::new();
/// let neighbours = model.boolean();
/// let [x, y] = [0; 2].map(|_| model.unordered(Domain::interval(1, 3)));
/// model.post(Reified::implies(neighbours, Equality::different(x, y)));
/// assert!(model.holds(&Assignment::new(vec![true], vec![1, 3])));
/// assert!(!model.holds(&Assignment::new(vec![true], vec![2, 2])));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equality {
    /// One of them.
    pub left: IntVar,
    /// The other.
    pub right: IntVar,
    /// Whether they are equal, rather than different.
    pub equal: bool,
}

impl Equality {
    /// `left = right`
    #[must_use]
    pub fn equal(left: IntVar, right: IntVar) -> Self {
        Self { left, right, equal: true }
    }

    /// `left != right`
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
