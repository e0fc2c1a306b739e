//! Atomic conditions: literals and comparisons of an integer with a value.

use super::Comparison;
use crate::int::{IntVar, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// A literal, or a comparison of an integer whose literal may not exist yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A literal, possibly a constant.
    Lit(Lit),
    /// A comparison of an integer with a value that its domain does not decide.
    Int(IntVar, Comparison, Value),
}

impl Sink<'_> {
    /// Returns the literal of an atom, creating it if necessary.
    pub fn atom(&mut self, atom: Atom) -> Lit {
        match atom {
            Atom::Lit(lit) => lit,
            Atom::Int(x, Comparison::AtMost, value) => self.at_most(x, value),
            Atom::Int(x, Comparison::AtLeast, value) => self.at_least(x, value),
            Atom::Int(x, Comparison::Equal, value) => self.equals(x, value),
            Atom::Int(x, Comparison::NotEqual, value) => !self.equals(x, value),
        }
    }
}
