//! Lexicographic order of literals.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::Domains;
use crate::lit::Lit;

/// One list of literals comes before another of the same length, or is the same unless `strict`: at the first place
/// where they differ, the left is false. Symmetries are broken so (`lex-leader`).
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
    /// What comes first; the most significant literal first.
    pub left: Vec<Lit>,
    /// What comes after it.
    pub right: Vec<Lit>,
    /// Whether they must differ.
    pub strict: bool,
}

impl Lexicographic {
    /// `left` comes before `right` or is the same.
    ///
    /// # Panics
    /// If they have not the same length.
    pub fn at_most(left: impl Into<Vec<Lit>>, right: impl Into<Vec<Lit>>) -> Self {
        let (left, right) = (left.into(), right.into());
        assert_eq!(left.len(), right.len(), "lists of the same length");
        Self { left, right, strict: false }
    }

    /// `left` comes before `right`.
    ///
    /// # Panics
    /// If they have not the same length.
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
