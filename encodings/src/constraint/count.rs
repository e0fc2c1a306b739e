//! The number of occurrences of a value.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar, Value};

/// The number of integers with a given value is between two bounds, or equals (or differs from) an integer variable.
/// An integer that occurs twice counts twice.
///
/// ```
/// use gordian_encodings::constraint::Count;
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Model};
///
/// let mut model = Model::new();
/// let ints: Vec<_> = (0..4).map(|_| model.integer(Domain::interval(1, 3))).collect();
/// model.post(Count::between(ints.clone(), 3, 1, 2));
/// let ones = model.integer(Domain::interval(0, 9));
/// model.post(Count::counted(ints, 1, ones));
/// assert!(model.holds(&Assignment::new(vec![], vec![1, 3, 2, 3, 1])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![3, 3, 2, 3, 0])), "three of the value 3");
/// assert!(!model.holds(&Assignment::new(vec![], vec![1, 3, 1, 3, 1])), "two of the value 1");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The integers.
    pub ints: Vec<IntVar>,
    /// The value whose occurrences are counted.
    pub value: Value,
    /// The number of occurrences.
    pub times: Times,
}

/// The number of occurrences of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// At least the first and at most the second number.
    Between(usize, usize),
    /// The value of this integer variable.
    Int(IntVar),
    /// Any number except the value of this integer variable.
    Other(IntVar),
}

impl Count {
    /// Creates the constraint that between `min` and `max` of the integers have the value.
    pub fn between(ints: impl Into<Vec<IntVar>>, value: Value, min: usize, max: usize) -> Self {
        Self { ints: ints.into(), value, times: Times::Between(min, max) }
    }

    /// Creates the constraint that exactly `times` of the integers have the value.
    pub fn exactly(ints: impl Into<Vec<IntVar>>, value: Value, times: usize) -> Self {
        Self::between(ints, value, times, times)
    }

    /// Creates the constraint that the number of integers with the value equals the integer variable `times`.
    pub fn counted(ints: impl Into<Vec<IntVar>>, value: Value, times: IntVar) -> Self {
        Self { ints: ints.into(), value, times: Times::Int(times) }
    }
}

impl Constraint for Count {
    fn scope(&self) -> Scope {
        let mut ints = self.ints.clone();
        if let Times::Int(times) | Times::Other(times) = self.times {
            ints.push(times);
        }
        Scope { ints, ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let found = self.ints.iter().filter(|&&x| assignment.int(x) == self.value).count();
        match self.times {
            Times::Between(min, max) => (min..=max).contains(&found),
            Times::Int(times) => assignment.int(times) == found as Value,
            Times::Other(times) => assignment.int(times) != found as Value,
        }
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        let with = |times| Arc::new(Self { times, ..self.clone() }) as Arc<dyn Constraint>;
        let (min, max) = match self.times {
            Times::Int(times) => return with(Times::Other(times)),
            Times::Other(times) => return with(Times::Int(times)),
            Times::Between(min, max) if min > max => return Arc::new(Conjunction::new([])),
            Times::Between(min, max) => (min, max),
        };
        let fewer = min.checked_sub(1).map(|most| Times::Between(0, most));
        let more = max.checked_add(1).map(|least| Times::Between(least, usize::MAX));
        Arc::new(Disjunction::exclusive(fewer.into_iter().chain(more).map(with)))
    }
}
