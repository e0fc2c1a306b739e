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
    /// A comparison of an integer with a value. Neither its truth nor its falsity follows from the domain.
    Int(IntVar, Comparison, Value),
}
