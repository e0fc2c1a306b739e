//! Substitutions, the witnesses of dominance steps.

use rustsat::types::Lit;

/// A substitution that changes an assignment. It is the witness of a [dominance step](crate::Writer::dom): it maps
/// assignments that violate the clause to assignments of smaller rank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Substitution {
    /// The literals that become true.
    pub made_true: Vec<Lit>,
    /// Pairs of literals: the first one takes the value that the second one had before the change.
    pub replaced: Vec<(Lit, Lit)>,
}
