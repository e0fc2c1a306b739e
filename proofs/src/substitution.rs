//! Changes of assignments.

use rustsat::types::Lit;

/// A change of an assignment. A [dominance step](crate::Writer::dom) derives a clause from a change of the assignments that
/// violate the clause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Substitution {
    /// The literals that become true.
    pub made_true: Vec<Lit>,
    /// Pairs of literals: the first one takes the value that the second one had before the change.
    pub replaced: Vec<(Lit, Lit)>,
}
