//! Progress reports while models or solutions are counted.

use num_bigint::BigUint;

/// The progress of a running count.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// A lower bound on the number of solutions.
    pub at_least: BigUint,
    /// An estimate of the finished share of the work, from 0 to 1.
    pub share: f64,
    /// The number of cached components, or of states in the current layer.
    pub entries: usize,
}
