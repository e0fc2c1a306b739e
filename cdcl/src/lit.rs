//! Literals.

use std::fmt;
use std::ops::Not;

/// A literal: a variable or its negation. The code of a literal is twice the index of its variable, plus one if the
/// literal is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// Creates a literal. The index of the variable must be less than [`Solver::MOST_VARIABLES`](crate::Solver).
    #[must_use]
    pub fn new(variable: u32, is_positive: bool) -> Self {
        Self(variable << 1 | u32::from(!is_positive))
    }

    /// Returns the index of the variable.
    #[must_use]
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Returns whether the literal is positive, that is, a variable without a negation.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// Returns the variable as a vector index.
    pub(crate) fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns the code as a vector index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Self(code)
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.variable() + 1)
    }
}
