//! The number of solutions in which a literal is true.

use gordian_encodings::{Lit, constant};
use num_bigint::BigUint;

/// The number of solutions, and for each literal the number of solutions in which the literal is true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteralCounts {
    total: BigUint,
    /// The number of solutions in which each variable is true.
    positive: Vec<BigUint>,
}

impl LiteralCounts {
    pub(crate) fn new(total: BigUint, positive: Vec<BigUint>) -> Self {
        Self { total, positive }
    }

    /// Returns the number of solutions.
    #[must_use]
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// Returns the number of solutions in which a literal is true. The variable must belong to the projection or, if
    /// there is no projection, to the formula.
    #[must_use]
    pub fn of(&self, lit: Lit) -> BigUint {
        if let Some(holds) = constant(lit) {
            return if holds { self.total.clone() } else { BigUint::ZERO };
        }
        let positive = self.positive.get(lit.vidx()).cloned().unwrap_or_default();
        if lit.is_pos() { positive } else { &self.total - positive }
    }
}
