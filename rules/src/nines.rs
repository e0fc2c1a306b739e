//! Nines: a number whose products with given factors all contain a given digit.

use std::ops::RangeInclusive;

use crate::error::{Invalid, Violation, ensure, entry_within, within};
use crate::{Rules, Solution};

mod opb;

/// The task of finding a number whose multiples by given factors all contain a given decimal digit.
///
/// A solution has the field `number`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nines {
    length: usize,
    longest_multiple: usize,
    factors: Vec<i128>,
    digit: u8,
}

impl Nines {
    /// The range of `length`, the number of digits of a solution.
    pub const LENGTHS: RangeInclusive<i128> = 1..=1000;
    /// The range of `longest_multiple`, the maximum number of digits of a product.
    pub const LONGEST_MULTIPLES: RangeInclusive<i128> = 1..=2000;
    /// The range of a factor.
    pub const FACTORS: RangeInclusive<i128> = 1..=10_i128.pow(18);

    /// Creates a board. `length` is the number of digits of a solution. The product of the solution and each factor
    /// must contain the digit `digit`, and the length of each product must not exceed `longest_multiple`.
    ///
    /// # Errors
    /// Returns an error if an argument is out of range.
    pub fn new(
        length: i128,
        longest_multiple: i128,
        mut factors: Vec<i128>,
        digit: i128,
    ) -> Result<Self, Invalid> {
        let length = within("n_digits", "a number of digits", length, &Self::LENGTHS)?;
        let name = "max_digits_after_mult";
        let longest_multiple =
            within(name, "a number of digits", longest_multiple, &Self::LONGEST_MULTIPLES)?;
        let digit = within("num_to_check", "a digit", digit, &(0..=9))?;
        for (index, &factor) in factors.iter().enumerate() {
            entry_within::<i128>("multiplicator_range", Some(index), "factors", factor, &Self::FACTORS)?;
        }
        factors.sort_unstable();
        factors.dedup();
        Ok(Self { length, longest_multiple, factors, digit })
    }

    /// Returns the number of digits of the solution.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the maximum number of digits of a product.
    #[must_use]
    pub fn longest_multiple(&self) -> usize {
        self.longest_multiple
    }

    /// Returns the factors in ascending order.
    #[must_use]
    pub fn factors(&self) -> &[i128] {
        &self.factors
    }

    /// Returns the digit that each product must contain.
    #[must_use]
    pub fn digit(&self) -> u8 {
        self.digit
    }
}

impl Rules for Nines {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let number = solution.natural("number")?;
        let digits = number.to_radix_be(10);
        let has_length = digits.len() == self.length && digits[0] != 0;
        ensure!(has_length, "{number} does not have {} digits", self.length);
        for &factor in &self.factors {
            let multiple = &number * factor.unsigned_abs();
            let digits = multiple.to_radix_be(10);
            let (most, digit) = (self.longest_multiple, self.digit);
            ensure!(digits.len() <= most, "{multiple} has more than {most} digits");
            ensure!(digits.contains(&digit), "{factor} times {number} is {multiple}, without a {digit}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    #[test]
    fn one_number_has_the_published_property() {
        let passing = |longest| {
            let puzzle = Nines::new(2, longest, (2..=11).collect(), 9).unwrap();
            let passes = |n: &i128| puzzle.check(&Solution::new().with("number", Field::Number(*n))).is_ok();
            (0..2000).filter(passes).collect::<Vec<_>>()
        };
        assert_eq!(passing(4), [99]);
        assert!(passing(3).is_empty(), "11 * 99 has four digits");
    }

    #[test]
    fn digits_are_decimal_and_factors_positive() {
        assert_eq!(Nines::new(2, 4, vec![3], 10).unwrap_err().name, "num_to_check");
        assert_eq!(Nines::new(2, 4, vec![3, 0], 9).unwrap_err().index, Some(1));
        assert_eq!(Nines::new(2, 4, vec![3, 2, 3], 9).unwrap().factors(), [2, 3]);
    }
}
