//! Pairwise distinct integers.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Constraint, Count, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar, Value};

/// All integers have different values. If there are as many values as integers, this is a permutation. An integer
/// that occurs twice makes the constraint unsatisfiable.
///
/// ```
/// use gordian_encodings::constraint::AllDifferent;
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Model};
///
/// let mut model = Model::new();
/// let row: Vec<_> = (0..4).map(|_| model.integer(Domain::interval(1, 4))).collect();
/// model.post(AllDifferent::new(row));
/// assert!(model.holds(&Assignment::new(vec![], vec![2, 4, 1, 3])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![2, 4, 1, 4])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllDifferent {
    /// The integers.
    pub ints: Vec<IntVar>,
}

impl AllDifferent {
    /// Creates the constraint that all integers differ.
    pub fn new(ints: impl Into<Vec<IntVar>>) -> Self {
        Self { ints: ints.into() }
    }

    /// Returns one disequality for each pair of integers.
    pub(crate) fn disequalities(&self) -> impl Iterator<Item = Linear> {
        let before = |(index, &x): (usize, _)| self.ints[..index].iter().map(move |&y| (x, y));
        let pairs = self.ints.iter().enumerate().flat_map(before);
        pairs.map(|(x, y)| Linear::not_equal([(1, x.into()), (-1, y.into())], 0))
    }

    /// Returns whether the domains are small enough for encodings with one literal for each value.
    pub(crate) fn is_enumerable(&self, domains: Domains<'_>) -> bool {
        can_enumerate(&self.ints, domains)
    }
}

/// The maximum domain size for encodings with one literal for each value.
const MOST_VALUES: u128 = 1 << 16;

/// Returns whether the domains of all integers have at most [`MOST_VALUES`] values.
pub(crate) fn can_enumerate(ints: &[IntVar], domains: Domains<'_>) -> bool {
    ints.iter().all(|&x| domains.of(x).size() <= MOST_VALUES)
}

impl Constraint for AllDifferent {
    fn scope(&self) -> Scope {
        Scope { ints: self.ints.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values: BTreeSet<_> = self.ints.iter().map(|&x| assignment.int(x)).collect();
        values.len() == self.ints.len()
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        let repeated: Vec<Arc<dyn Constraint>> = if self.is_enumerable(domains) {
            let values: BTreeSet<Value> = self.ints.iter().flat_map(|&x| domains.of(x).values()).collect();
            let twice = |value| Count::between(self.ints.as_slice(), value, 2, usize::MAX);
            values.into_iter().map(|value| Arc::new(twice(value)) as Arc<dyn Constraint>).collect()
        } else {
            self.disequalities().map(|pair| Arc::new(pair.negated()) as Arc<dyn Constraint>).collect()
        };
        Arc::new(Disjunction::new(repeated))
    }
}
