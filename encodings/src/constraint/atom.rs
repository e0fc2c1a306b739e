//! Atomic conditions: literals and comparisons of an integer with a value.

use super::Comparison;
use crate::int::{IntVar, Value};
use crate::lit::Lit;

/// A literal, or a comparison of an integer whose literal may not exist yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A literal, possibly a constant.
    Lit(Lit),
    /// A comparison of an integer with a value that its domain does not decide.
    Int(IntVar, Comparison, Value),
}
