//! Smallest: given a number, find its smallest multiple whose digits are all different and belong to a given set.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use num_bigint::BigUint;

use crate::error::{Invalid, Violation, ensure, entry_within, within};
use crate::{Rules, Solution};

mod opb;

/// The task of finding a multiple of a given number. The digits of the multiple must all be different and belong to a
/// given set. By default, the set consists of the even digits.
///
/// A solution has the field `number`. The checker does not test whether the number is the smallest solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Smallest {
    base: u32,
    length: usize,
    multiplier: i128,
    digits: Vec<i128>,
}

impl Smallest {
    /// The range of the base. In each of these bases, a number whose digits are all different fits in 128 bits.
    pub const BASES: RangeInclusive<i128> = 2..=25;
    /// The range of `length`, the number of digits of a solution. A length greater than the base is valid, but such a
    /// board has no solution.
    pub const LENGTHS: RangeInclusive<i128> = 1..=1000;
    /// The range of the number that must divide the solution.
    pub const MULTIPLIERS: RangeInclusive<i128> = 1..=10_i128.pow(30);

    /// Creates a board. A solution is a multiple of `multiplier` with `length` digits in `base`. The digits of the
    /// solution must all be different and belong to the list `digits`. If `digits` is `None`, the digits must be even.
    ///
    /// # Errors
    /// Returns an error if a number is out of range, or if `digits` is empty.
    pub fn new(
        base: i128,
        length: i128,
        multiplier: i128,
        digits: Option<Vec<i128>>,
    ) -> Result<Self, Invalid> {
        let greatest_digit = base - 1;
        let base = within("base", "a base", base, &Self::BASES)?;
        let length = within("num_digits", "a number of digits", length, &Self::LENGTHS)?;
        let multiplier = within("multiplier", "a multiplier", multiplier, &Self::MULTIPLIERS)?;
        let mut digits = digits.unwrap_or_else(|| (0..=greatest_digit).step_by(2).collect());
        for (index, &digit) in digits.iter().enumerate() {
            entry_within::<i128>("digits", Some(index), "digits", digit, &(0..=greatest_digit))?;
        }
        if digits.is_empty() {
            let (expected, found) = ("a digit".to_owned(), "none".to_owned());
            return Err(Invalid { name: "digits", index: None, expected, found });
        }
        digits.sort_unstable();
        digits.dedup();
        Ok(Self { base, length, multiplier, digits })
    }

    /// Returns the base of the number system.
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Returns the number of digits.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the number that must divide the solution.
    #[must_use]
    pub fn multiplier(&self) -> i128 {
        self.multiplier
    }

    /// Returns the allowed digits in ascending order.
    #[must_use]
    pub fn digits(&self) -> &[i128] {
        &self.digits
    }
}

impl Rules for Smallest {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let number = solution.natural("number")?;
        let digits = number.to_radix_be(self.base);
        let has_length = digits.len() == self.length && digits[0] != 0;
        ensure!(has_length, "{number} does not have {} digits", self.length);
        let different = digits.iter().collect::<BTreeSet<_>>().len() == digits.len();
        ensure!(different, "a digit of {number} occurs twice");
        let allowed = digits.iter().all(|&digit| self.digits.contains(&digit.into()));
        ensure!(allowed, "a digit of {number} may not be used");
        let is_multiple = &number % self.multiplier.unsigned_abs() == BigUint::ZERO;
        ensure!(is_multiple, "{number} is not a multiple of {}", self.multiplier);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    #[test]
    fn the_published_number_is_the_first() {
        let puzzle = Smallest::new(10, 4, 11, None).unwrap();
        let passes =
            |&number: &i128| puzzle.check(&Solution::new().with("number", Field::Number(number))).is_ok();
        assert_eq!((0..100_000).find(passes), Some(2046));
        assert!((0..100_000).filter(passes).all(|number| number % 11 == 0 && number < 10_000));
    }

    #[test]
    fn digits_are_those_of_the_base() {
        let refused = |base, digits| Smallest::new(base, 2, 3, Some(digits)).unwrap_err();
        assert_eq!((refused(1, vec![0]).name, refused(10, vec![]).name), ("base", "digits"));
        assert_eq!(refused(3, vec![0, 3]).index, Some(1));
        assert_eq!(Smallest::new(10, 2, 3, Some(vec![4, 2, 4])).unwrap().digits(), [2, 4]);
        assert!(Smallest::new(10, 0, 3, None).is_err() && Smallest::new(10, 2, 0, None).is_err());
    }
}
