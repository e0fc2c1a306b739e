//! Age: the year in which a person's age is a given multiple of the year's digit sum.

use std::ops::RangeInclusive;

use crate::error::{Invalid, Violation, ensure, within};
use crate::{Rules, Solution};

mod opb;

/// The task of finding a year in which a person's age is a given multiple of the year's digit sum.
///
/// A solution has the field `year`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Age {
    born: i128,
    length: usize,
    fraction: i128,
}

impl Age {
    /// The range of the year of birth.
    pub const YEARS: RangeInclusive<i128> = 0..=10_i128.pow(30);
    /// The range of `length`, the number of digits of the year.
    pub const LENGTHS: RangeInclusive<i128> = 1..=30;
    /// The range of `fraction`, the age divided by the digit sum of the year.
    pub const FRACTIONS: RangeInclusive<i128> = 1..=10_i128.pow(30);

    /// Creates a board. A solution is a year after `born` in which the age is `fraction` times the digit sum of the
    /// year. The argument `length` is the number of digits of the year.
    ///
    /// # Errors
    /// Returns an error if a number is out of range.
    pub fn new(born: i128, length: i128, fraction: i128) -> Result<Self, Invalid> {
        Ok(Self {
            born: within("born_year", "a year", born, &Self::YEARS)?,
            length: within("len_born_year", "a number of digits", length, &Self::LENGTHS)?,
            fraction: within("fraction", "a number", fraction, &Self::FRACTIONS)?,
        })
    }

    /// Returns the year of birth.
    #[must_use]
    pub fn born(&self) -> i128 {
        self.born
    }

    /// Returns the number of decimal digits of the year in the solution.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the factor `fraction`: the age is `fraction` times the digit sum of the year.
    #[must_use]
    pub fn fraction(&self) -> i128 {
        self.fraction
    }
}

impl Rules for Age {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let &Self { born, length, fraction } = self;
        let year = solution.number("year")?;
        ensure!(year > born, "{year} is not after {born}");
        let written = year.to_string();
        ensure!(written.len() == length, "{year} does not have {length} digits");
        let digit_sum: i128 = written.bytes().map(|digit| i128::from(digit - b'0')).sum();
        let age = year - born;
        ensure!(age % fraction == 0, "the age {age} is not a multiple of {fraction}");
        let expected = age / fraction;
        ensure!(digit_sum == expected, "the digits of {year} add up to {digit_sum}, not {expected}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    #[test]
    fn two_years_have_the_published_property() {
        let age = Age::new(2000, 4, 5).unwrap();
        let passes = |year: &i128| age.check(&Solution::new().with("year", Field::Number(*year))).is_ok();
        assert_eq!((1..100_000).filter(passes).collect::<Vec<_>>(), [2020, 2065]);
    }

    #[test]
    fn ages_are_not_divided_by_zero() {
        let invalid = Age::new(2000, 4, 0).unwrap_err();
        assert_eq!(invalid.name, "fraction");
        assert!(Age::new(-1, 4, 5).is_err() && Age::new(2000, 31, 5).is_err());
    }
}
