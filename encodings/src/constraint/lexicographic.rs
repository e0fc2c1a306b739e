//! Lexicographic order of lists of literals.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::Domains;
use crate::lit::Lit;

/// The constraint that a list of literals is lexicographically smaller than another list of the same length. Unless
/// `strict` is true, the lists may also be equal. At the first position where the lists differ, the literal of the left
/// list is false. The constraint is used for symmetry breaking (`lex-leader`).
///
/// ```
/// use gordian_encodings::constraint::Lexicographic;
/// use gordian_encodings::{Assignment, Model};
///
/// let mut model = Model::new();
/// let [a, b, c, d] = [0; 4].map(|_| model.boolean());
/// model.post(Lexicographic::at_most([a, b], [c, d]));
/// assert!(model.holds(&Assignment::new(vec![false, true, true, false], vec![])));
/// assert!(model.holds(&Assignment::new(vec![true, false, true, false], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![true, false, false, true], vec![])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexicographic {
    /// The smaller list, starting with the most significant literal.
    pub left: Vec<Lit>,
    /// The larger list.
    pub right: Vec<Lit>,
    /// True if the lists must not be equal.
    pub strict: bool,
}

impl Lexicographic {
    /// Creates the constraint `left <= right` in lexicographic order.
    ///
    /// # Panics
    /// Panics if the lists differ in length.
    pub fn at_most(left: impl Into<Vec<Lit>>, right: impl Into<Vec<Lit>>) -> Self {
        let (left, right) = (left.into(), right.into());
        assert_eq!(left.len(), right.len(), "lists of the same length");
        Self { left, right, strict: false }
    }

    /// Creates the constraint `left < right` in lexicographic order.
    ///
    /// # Panics
    /// Panics if the lists differ in length.
    pub fn below(left: impl Into<Vec<Lit>>, right: impl Into<Vec<Lit>>) -> Self {
        Self { strict: true, ..Self::at_most(left, right) }
    }
}

impl Constraint for Lexicographic {
    fn scope(&self) -> Scope {
        Scope { lits: self.left.iter().chain(&self.right).copied().collect(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values = |lits: &[Lit]| lits.iter().map(|&lit| assignment.lit(lit)).collect::<Vec<_>>();
        let (left, right) = (values(&self.left), values(&self.right));
        if self.strict { left < right } else { left <= right }
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { left: self.right.clone(), right: self.left.clone(), strict: !self.strict })
    }
}
