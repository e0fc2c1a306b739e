//! What a literal says of an integer variable.

use super::{IntVar, Value};

/// How a literal speaks of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `x <= v`
    AtMost,
    /// `x = v`
    Equal,
}

/// What a literal of the model says of an integer variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The variable.
    pub variable: IntVar,
    /// How it relates to the value.
    pub relation: Relation,
    /// A value of its domain.
    pub value: Value,
}

impl Bound {
    /// Whether it is true when the variable has this value.
    #[must_use]
    pub fn holds(self, value: Value) -> bool {
        match self.relation {
            Relation::AtMost => value <= self.value,
            Relation::Equal => value == self.value,
        }
    }
}

/// What a literal of a formula says of an integer variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// `x <= v`
    AtMost(Value),
    /// `x = v`
    Equal(Value),
    /// Bit `number` of `x - least` is 1.
    Bit {
        /// From 0, the lowest.
        number: usize,
        /// The least value of the variable.
        least: Value,
    },
}
