//! Constraints on one integer variable, such as `x <= 3`, each represented by a literal.

use super::{IntVar, Value};

/// The relation between the variable and the value of a [`Bound`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `x <= v`
    AtMost,
    /// `x = v`
    Equal,
}

/// A constraint `x <= v` or `x = v` on one integer variable, represented by a literal of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The variable.
    pub variable: IntVar,
    /// The relation between the variable and the value.
    pub relation: Relation,
    /// The value, which must be in the variable's domain.
    pub value: Value,
}

impl Bound {
    /// Returns whether the given value of the variable satisfies the relation.
    #[must_use]
    pub fn holds(self, value: Value) -> bool {
        match self.relation {
            Relation::AtMost => value <= self.value,
            Relation::Equal => value == self.value,
        }
    }
}

/// A constraint on one integer variable, represented by a literal of the formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicConstraint {
    /// `x <= v`
    AtMost(Value),
    /// `x = v`
    Equal(Value),
    /// The bit with the given number is 1 in `x - least`.
    Bit {
        /// The number of the bit; bit 0 is the least significant bit.
        number: usize,
        /// The minimum of the variable.
        least: Value,
    },
}
