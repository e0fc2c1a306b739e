//! Permutations of given values.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Conjunction, Constraint, Count, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::value_literals::ValueLiterals;

/// The expressions are a permutation of the values. If a value occurs twice in the list, two expressions must have this
/// value.
///
/// ```
/// use gordian_encodings::constraint::Permutation;
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Model};
///
/// let mut model = Model::new();
/// let ints: Vec<_> = (0..3).map(|_| model.integer(Domain::interval(0, 9))).collect();
/// model.post(Permutation::new(ints, [2, 2, 7]));
/// assert!(model.holds(&Assignment::new(vec![], vec![2, 7, 2])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![2, 7, 7])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permutation {
    /// The expressions.
    pub exprs: Vec<Expr>,
    /// The values. The constraint is unsatisfiable if the number of values differs from the number of expressions.
    pub values: Vec<Value>,
}

impl Permutation {
    /// Creates the constraint that the expressions are a permutation of `values`.
    pub fn new(exprs: impl IntoIterator<Item: Into<Expr>>, values: impl Into<Vec<Value>>) -> Self {
        Self { exprs: exprs.into_iter().map(Into::into).collect(), values: values.into() }
    }

    /// Returns how often each value occurs.
    pub(crate) fn times(&self) -> BTreeMap<Value, usize> {
        let mut times = BTreeMap::new();
        for &value in &self.values {
            *times.entry(value).or_default() += 1;
        }
        times
    }
}

impl Constraint for Permutation {
    fn scope(&self) -> Scope {
        Scope::of_exprs(&self.exprs)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let mut found: Vec<Value> = self.exprs.iter().map(|expr| assignment.value(expr)).collect();
        let mut values = self.values.clone();
        found.sort_unstable();
        values.sort_unstable();
        found == values
    }

    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        let Some(mut by_value) = literals.by_value(&self.exprs) else { return Vec::new() };
        let of_value = |(value, times)| {
            let lits = by_value.remove(&value).unwrap_or_default();
            Linear::equal(lits.into_iter().map(|lit| (1, lit.into())), times as Value)
        };
        self.times().into_iter().map(of_value).collect()
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        if self.exprs.len() != self.values.len() {
            return Arc::new(Conjunction::new([]));
        }
        // The lists of values and expressions have the same length, so if one value occurs too often, another value
        // occurs too rarely.
        let too_few = |(value, times)| Count::between(&self.exprs, value, 0, times - 1);
        let too_few = self.times().into_iter().map(too_few);
        Arc::new(Disjunction::new(too_few.map(|few| Arc::new(few) as Arc<dyn Constraint>)))
    }
}
