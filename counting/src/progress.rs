//! Reports of an unfinished count.

use num_bigint::BigUint;

/// The state of an unfinished count.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// A lower bound on the number of solutions.
    pub at_least: BigUint,
    /// The finished share of the work, from 0 to 1. It is an estimate.
    pub share: f64,
    /// The number of cached components or of states in the current layer.
    pub entries: usize,
}
