//! The bits of an integer.

use super::{Domain, Value};
use crate::lit::Lit;

/// The bits of an integer. Its value is `min` plus `2^k` for each true `bits[k]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The minimum of the domain.
    pub min: Value,
    /// The bits, the lowest first.
    pub bits: Vec<Lit>,
}

impl Log {
    /// Returns the number of bits that a domain needs.
    #[must_use]
    pub fn width(domain: &Domain) -> usize {
        width(domain.max().abs_diff(domain.min()))
    }

    /// Returns the value that the bits encode.
    pub fn value(&self, holds: impl Fn(Lit) -> bool) -> Value {
        let offset =
            (0..self.bits.len()).filter(|&k| holds(self.bits[k])).fold(0_u128, |sum, k| sum | 1 << k);
        self.min.wrapping_add(offset as Value)
    }

    /// Returns the distance of the value from the minimum.
    pub(crate) fn offset(&self, value: Value) -> u128 {
        value.wrapping_sub(self.min) as u128
    }
}

/// Returns the number of bits of `number` without leading zeros.
pub(crate) fn width(number: u128) -> usize {
    (u128::BITS - number.leading_zeros()) as usize
}

/// Returns whether bit `k` of `number` is 1.
pub(crate) fn has(number: u128, k: usize) -> bool {
    k < 128 && number >> k & 1 == 1
}
