//! What one literal says.

use super::Comparison;
use crate::int::{IntVar, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// A literal, or what a literal says of an integer, which may not be made yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The literal; constants are such.
    Lit(Lit),
    /// An integer compares with a value, and its domain does not decide how.
    Int(IntVar, Comparison, Value),
}

impl Sink<'_> {
    /// The literal.
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
