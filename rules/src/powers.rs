//! Powers: a number whose powers with the given exponents together contain every digit.

use std::ops::RangeInclusive;

use num_bigint::BigUint;

use crate::error::{Invalid, Violation, ensure, entry_within, within};
use crate::{Rules, Solution};

mod opb;

/// The required number of occurrences of each digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Each digit must occur exactly once.
    Exactly,
    /// Each digit must occur at least once.
    AtLeast,
}

/// The task of finding a number whose powers with the given exponents together contain every digit.
///
/// A solution has two fields: the number `n` and the list `powers` of its powers, in the order of the exponents. The
/// checker does not test whether `n` is the smallest solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Powers {
    exponents: Vec<u32>,
    base: u32,
    mode: Mode,
    max_n: Option<BigUint>,
}

impl Powers {
    /// The range of an exponent.
    pub const EXPONENTS: RangeInclusive<i128> = 1..=64;
    /// The maximum number of exponents.
    pub const MOST_EXPONENTS: usize = 64;
    /// The range of the base. In each of these bases, a number that contains every digit exactly once fits in 128
    /// bits.
    pub const BASES: RangeInclusive<i128> = 2..=25;

    /// Creates a board. A solution is a positive number n. Each exponent yields one power of n. Written in the given
    /// base, these powers together contain each digit as often as `mode` requires. If `max_n` is given, n must not
    /// exceed it.
    ///
    /// # Errors
    /// Returns an error if an exponent or the base is out of range, if there are no exponents, or if there are too
    /// many.
    pub fn new(exponents: &[i128], base: i128, mode: Mode, max_n: Option<BigUint>) -> Result<Self, Invalid> {
        if exponents.is_empty() || exponents.len() > Self::MOST_EXPONENTS {
            let expected = format!("1 to {} exponents", Self::MOST_EXPONENTS);
            let found = exponents.len().to_string();
            return Err(Invalid { name: "exponents", index: None, expected, found });
        }
        let exponent = |(index, &exponent): (usize, &i128)| {
            entry_within("exponents", Some(index), "exponents", exponent, &Self::EXPONENTS)
        };
        let exponents = exponents.iter().enumerate().map(exponent).collect::<Result<_, _>>()?;
        Ok(Self { exponents, base: within("base", "a base", base, &Self::BASES)?, mode, max_n })
    }

    /// Returns a board with another upper bound on the number.
    #[must_use]
    pub fn with_max_n(&self, max_n: BigUint) -> Self {
        Self { max_n: Some(max_n), ..self.clone() }
    }

    /// Returns the exponents of the powers.
    #[must_use]
    pub fn exponents(&self) -> &[u32] {
        &self.exponents
    }

    /// Returns the base in which the powers are written.
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Returns how often each digit must occur.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the upper bound on the number, or `None` if there is no upper bound.
    #[must_use]
    pub fn max_n(&self) -> Option<&BigUint> {
        self.max_n.as_ref()
    }
}

impl Rules for Powers {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let (n, said) = (solution.natural("n")?, solution.naturals("powers")?);
        ensure!(n != BigUint::ZERO, "n is 0");
        if let Some(max_n) = &self.max_n {
            ensure!(n <= *max_n, "{n} is above {max_n}");
        }
        // The bit length is checked first, because computing a very large power is slow.
        let may_be = |(&exponent, power): (&u32, &BigUint)| {
            let (least, most) = ((n.bits() - 1) * u64::from(exponent) + 1, n.bits() * u64::from(exponent));
            (least..=most).contains(&power.bits())
        };
        let fit = said.len() == self.exponents.len() && self.exponents.iter().zip(&said).all(may_be);
        ensure!(fit, "{} are not the powers of {n} by {:?}", list(&said), self.exponents);
        let powers: Vec<BigUint> = self.exponents.iter().map(|&exponent| n.pow(exponent)).collect();
        ensure!(said == powers, "the powers of {n} are {}", list(&powers));
        let mut counts = vec![0_usize; self.base as usize];
        for digit in powers.iter().flat_map(|power| power.to_radix_be(self.base)) {
            counts[usize::from(digit)] += 1;
        }
        for (digit, count) in counts.into_iter().enumerate() {
            ensure!(count > 0, "no digit {digit} in {}", list(&powers));
            let allowed = count == 1 || self.mode == Mode::AtLeast;
            ensure!(allowed, "{count} digits {digit} in {}", list(&powers));
        }
        Ok(())
    }
}

fn list(powers: &[BigUint]) -> String {
    powers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests;
