//! The bits that represent an integer variable.

use super::{Domain, Value};
use crate::lit::Lit;

/// The bits that represent an integer variable. The value of the variable is `min` plus `2^k` for each true
/// `bits[k]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The minimum of the domain, which is the value if all bits are false.
    pub min: Value,
    /// The bits, starting with the least significant bit.
    pub bits: Vec<Lit>,
}

impl Log {
    /// Returns the number of bits that are needed for the values of a domain.
    #[must_use]
    pub fn width(domain: &Domain) -> usize {
        width(domain.max().abs_diff(domain.min()))
    }

    /// Returns the value of the integer variable under an assignment of the bits.
    pub fn value(&self, holds: impl Fn(Lit) -> bool) -> Value {
        let offset =
            (0..self.bits.len()).filter(|&k| holds(self.bits[k])).fold(0_u128, |sum, k| sum | 1 << k);
        self.min.wrapping_add(offset as Value)
    }

    /// Returns the distance of a value from the minimum.
    pub(crate) fn offset(&self, value: Value) -> u128 {
        value.wrapping_sub(self.min) as u128
    }
}

/// Returns the number of binary digits of `number`, without leading zeros.
pub(crate) fn width(number: u128) -> usize {
    (u128::BITS - number.leading_zeros()) as usize
}

/// Returns whether bit `k` of `number` is 1.
pub(crate) fn has(number: u128, k: usize) -> bool {
    k < 128 && number >> k & 1 == 1
}
