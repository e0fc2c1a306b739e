//! Equality of two integers.

use std::sync::Arc;

use super::{Constraint, Meaning, Scope};
use crate::assignment::Assignment;
use crate::encoding::{Encoding, equality, linear};
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

impl Meaning for Equality {
    const NAME: &'static str = "equality";
    const SUMMARY: &'static str = "two integers have the same value, or differ";

    fn encodings() -> &'static [&'static Encoding<Self>] {
        static ENCODINGS: &[&Encoding<Equality>] = &[&equality::DIRECT, &equality::LOG, &linear::EQUALITY];
        ENCODINGS
    }

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let named = |x: IntVar| domains.is_unordered(x) || domains.of(x).size() == 1;
        if named(self.left) && named(self.right) && (equality::LOG.applies)(self, domains) {
            &equality::LOG
        } else {
            &linear::EQUALITY
        }
    }

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
