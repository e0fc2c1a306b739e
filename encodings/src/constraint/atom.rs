//! Atomic conditions: literals and comparisons of an integer with a value.

use super::Comparison;
use crate::int::{IntVar, Value};
use crate::lit::Lit;

/// A literal, or a comparison of an integer with a value. The formula need not have a literal for the comparison yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A literal, possibly a constant.
    Lit(Lit),
    /// A comparison of an integer with a value. Some values of the integer's domain satisfy the comparison, and
    /// others violate it.
    Int(IntVar, Comparison, Value),
}
