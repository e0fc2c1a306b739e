//! Inverse functions.

use std::sync::Arc;

use super::{Constraint, Linear, Permutation, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::value_literals::ValueLiterals;

/// Two lists are inverse to each other: `left[i] = j` if and only if `right[j] = i`, and every value is an index of
/// the other list. Indices start at 0. If `holds` is false, the lists must not be inverse.
///
/// ```
/// use gordian_encodings::constraint::Inverse;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let (left, right) = (model.integers::<3>(0..=2), model.integers::<3>(1..=3));
/// model.post(Inverse::new(left, right.map(|x| x - 1)));
/// assert!(model.holds(&Assignment::new(vec![], vec![1, 2, 0, 3, 1, 2])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![1, 2, 0, 2, 3, 1])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inverse {
    /// The first list.
    pub left: Vec<Expr>,
    /// The second list.
    pub right: Vec<Expr>,
    /// True if the lists must be inverse, false if they must not.
    pub holds: bool,
}

impl Inverse {
    /// Creates the constraint that the lists are inverse to each other.
    pub fn new(
        left: impl IntoIterator<Item: Into<Expr>>,
        right: impl IntoIterator<Item: Into<Expr>>,
    ) -> Self {
        let left = left.into_iter().map(Into::into).collect();
        Self { left, right: right.into_iter().map(Into::into).collect(), holds: true }
    }
}

impl Constraint for Inverse {
    fn scope(&self) -> Scope {
        Scope::of_exprs(self.left.iter().chain(&self.right))
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let numbers = |exprs: &[Expr]| -> Vec<_> {
            exprs.iter().map(|expr| usize::try_from(assignment.value(expr)).ok()).collect()
        };
        let (left, right) = (numbers(&self.left), numbers(&self.right));
        // The lists are inverse if `right[left[i]] = i` and `left[right[j]] = j` for all indices i and j.
        let back = |one: &[Option<usize>], other: &[Option<usize>]| {
            one.iter().enumerate().all(|(i, &j)| j.is_some_and(|j| other.get(j) == Some(&Some(i))))
        };
        (back(&left, &right) && back(&right, &left)) == self.holds
    }

    /// Each index occurs once in either list.
    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        if !self.holds || self.left.len() != self.right.len() {
            return Vec::new();
        }
        let indices: Vec<Value> = (0..self.left.len() as Value).collect();
        let lists = [&self.left, &self.right];
        lists
            .into_iter()
            .flat_map(|list| Permutation::new(list.iter().cloned(), &*indices).implied(literals))
            .collect()
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { holds: !self.holds, ..self.clone() })
    }
}
