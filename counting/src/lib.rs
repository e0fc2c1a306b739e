//! Exact model counting (#SAT): the number of solutions, without listing them.
//!
//! Both engines call [`gordian_encodings::tick`], so [`gordian_encodings::cancellable`] stops them, and report their
//! [`Progress`], which includes a lower bound on the count.

mod number;

use num_bigint::BigUint;

pub use number::Number;

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
