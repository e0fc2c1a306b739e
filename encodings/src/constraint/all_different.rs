//! Integers that differ from each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Constraint, Count, Disjunction, Meaning, Scope};
use crate::assignment::Assignment;
use crate::encoding::{Encoding, all_different};
use crate::int::{Domains, IntVar, Value};

/// No two of the integers have the same value: an injection into the values, and a permutation where there are as many
/// values as integers. An integer given twice makes the constraint unsatisfiable.
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
    /// The integers differ from each other.
    pub fn new(ints: impl Into<Vec<IntVar>>) -> Self {
        Self { ints: ints.into() }
    }
}

impl Meaning for AllDifferent {
    const NAME: &'static str = "all-different";
    const SUMMARY: &'static str = "no two of the integers have the same value";

    fn encodings() -> &'static [&'static Encoding<Self>] {
        static ENCODINGS: &[&Encoding<AllDifferent>] =
            &[&all_different::DIRECT, &all_different::PIGEON_HOLE, &all_different::LINEAR];
        ENCODINGS
    }

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if all_different::applies(self, domains) {
            &all_different::PIGEON_HOLE
        } else {
            &all_different::LINEAR
        }
    }

    fn scope(&self) -> Scope {
        Scope { ints: self.ints.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values: BTreeSet<_> = self.ints.iter().map(|&x| assignment.int(x)).collect();
        values.len() == self.ints.len()
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        let repeated: Vec<Arc<dyn Constraint>> = if all_different::applies(self, domains) {
            let values: BTreeSet<Value> = self.ints.iter().flat_map(|&x| domains.of(x).values()).collect();
            let twice = |value| Count::between(self.ints.as_slice(), value, 2, usize::MAX);
            values.into_iter().map(|value| Arc::new(twice(value)) as Arc<dyn Constraint>).collect()
        } else {
            let pairs = all_different::pairs(&self.ints);
            let same = |pair| Arc::new(all_different::different(pair).negated());
            pairs.map(|pair| same(pair) as Arc<dyn Constraint>).collect()
        };
        Arc::new(Disjunction::new(repeated))
    }
}
