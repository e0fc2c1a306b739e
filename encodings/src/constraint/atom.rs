//! Atomic conditions: literals and comparisons of an integer with a value.

use super::Comparison;
use crate::int::{IntVar, Value};
use crate::lit::Lit;

/// A literal, or a comparison of an integer with a value. The literal of the comparison may not have been created
/// yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A literal, possibly a constant.
    Lit(Lit),
    /// A comparison of an integer with a value. The domain of the integer does not decide the comparison.
    Int(IntVar, Comparison, Value),
}
