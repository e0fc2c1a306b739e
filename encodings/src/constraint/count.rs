//! The count constraint: how many expressions have a given value.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::value_literals::ValueLiterals;

/// The number of expressions with a given value is between two bounds, equals an expression, or differs from an
/// expression. An expression that occurs twice counts twice.
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
    /// The expressions among which the value is counted.
    pub exprs: Vec<Expr>,
    /// The value whose occurrences are counted.
    pub value: Value,
    /// The condition on the count.
    pub times: Times,
}

/// A condition on a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Times {
    /// The count is at least the first number and at most the second number.
    Between(usize, usize),
    /// The count equals the expression.
    Equal(Expr),
    /// The count differs from the expression.
    Other(Expr),
}

impl Count {
    /// Creates the constraint that between `min` and `max` of the expressions have the value.
    pub fn between(exprs: impl IntoIterator<Item: Into<Expr>>, value: Value, min: usize, max: usize) -> Self {
        let exprs = exprs.into_iter().map(Into::into).collect();
        Self { exprs, value, times: Times::Between(min, max) }
    }

    /// Creates the constraint that exactly `times` of the expressions have the value.
    pub fn exactly(exprs: impl IntoIterator<Item: Into<Expr>>, value: Value, times: usize) -> Self {
        Self::between(exprs, value, times, times)
    }

    /// Creates the constraint that the number of expressions with the value equals the expression `times`.
    pub fn counted(exprs: impl IntoIterator<Item: Into<Expr>>, value: Value, times: impl Into<Expr>) -> Self {
        Self { times: Times::Equal(times.into()), ..Self::between(exprs, value, 0, 0) }
    }
}

impl Constraint for Count {
    fn scope(&self) -> Scope {
        let times = match &self.times {
            Times::Between(..) => None,
            Times::Equal(times) | Times::Other(times) => Some(times),
        };
        Scope::of_exprs(self.exprs.iter().chain(times))
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let found = self.exprs.iter().filter(|&expr| assignment.value(expr) == self.value).count();
        match &self.times {
            Times::Between(min, max) => (min..=max).contains(&&found),
            Times::Equal(times) => assignment.value(times) == found as Value,
            Times::Other(times) => assignment.value(times) != found as Value,
        }
    }

    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        let Some(lits) = literals.all_equal(&self.exprs, self.value) else { return Vec::new() };
        let found = Expr::new(lits.into_iter().map(|lit| (1, lit.into())), 0);
        match &self.times {
            Times::Between(min, max) => {
                let most = (*max).min(self.exprs.len());
                vec![found.at_least(*min), found.at_most(most)]
            }
            Times::Equal(times) => vec![found.equals(times)],
            Times::Other(_) => Vec::new(),
        }
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        let with = |times| Arc::new(Self { times, ..self.clone() }) as Arc<dyn Constraint>;
        let (min, max) = match &self.times {
            Times::Equal(times) => return with(Times::Other(times.clone())),
            Times::Other(times) => return with(Times::Equal(times.clone())),
            Times::Between(min, max) if min > max => return Arc::new(Conjunction::new([])),
            &Times::Between(min, max) => (min, max),
        };
        let fewer = min.checked_sub(1).map(|most| Times::Between(0, most));
        let more = max.checked_add(1).map(|least| Times::Between(least, usize::MAX));
        Arc::new(Disjunction::exclusive(fewer.into_iter().chain(more).map(with)))
    }
}
