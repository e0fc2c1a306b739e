//! Digit triangles: the digits 1 to 9 around a triangle, four on each side.
//!
//! The positions are numbered around the triangle. The three sides are the positions 1 to 4, the positions 4 to 7,
//! and the positions 7, 8, 9 and 1.

use crate::error::{Invalid, Violation, ensure};
use crate::text::counted;
use crate::{Field, Rules, Solution};

mod opb;

/// A triangle that contains each digit from 1 to 9 once.
///
/// In the magic triangle, all sides have the same given sum. In the max triangle, the objective is to maximise the
/// total of the three sums. The checker does not test whether a solution is optimal.
///
/// A solution has the field `digits` with the digits in the order of the positions. The field `sums`, with the sums
/// of the three sides, is optional.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triangle {
    given: [Option<u8>; 9],
    sum: Option<i128>,
}

impl Triangle {
    /// Creates a magic triangle, in which every side has the sum `sum`. `given` contains the fixed digits.
    ///
    /// # Errors
    /// Returns an error if a given digit is not between 1 and 9, or is given twice.
    pub fn magic(given: [Option<i128>; 9], sum: i128) -> Result<Self, Invalid> {
        let mut digits = [None; 9];
        for (position, digit) in given.iter().enumerate() {
            let Some(digit) = digit else { continue };
            let first = given[..position].iter().position(|other| *other == Some(*digit));
            let expected = match (first, u8::try_from(*digit)) {
                (Some(first), _) => format!("a digit that differs from position {}", first + 1),
                (None, Ok(digit @ 1..=9)) => {
                    digits[position] = Some(digit);
                    continue;
                }
                _ => "a digit from 1 to 9, or 0 for unknown".to_owned(),
            };
            let (name, index) = ("starting_conf", Some(position));
            return Err(Invalid { name, index, expected, found: format!("`{digit}`") });
        }
        Ok(Self { given: digits, sum: Some(sum) })
    }

    /// Creates a max triangle, whose sums are not given.
    #[must_use]
    pub fn of_any_sums() -> Self {
        Self { given: [None; 9], sum: None }
    }

    /// Returns the given digit of each position, or `None` for a position without one.
    #[must_use]
    pub fn given(&self) -> [Option<u8>; 9] {
        self.given
    }

    /// Returns the required sum of each side, or `None` if the sums are unrestricted.
    #[must_use]
    pub fn sum(&self) -> Option<i128> {
        self.sum
    }
}

impl Rules for Triangle {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let Some(Field::Numbers(digits)) = solution.get("digits") else {
            return Err(Violation::new("the solution has no `digits`"));
        };
        let &[a, b, c, d, e, f, g, h, i] = &digits[..] else {
            return Err(Violation::new(format!("{} instead of nine", counted(digits.len(), "digit"))));
        };
        for digit in 1..=9 {
            let count = digits.iter().filter(|&&other| other == digit).count();
            ensure!(count > 0, "the digit {digit} is missing");
            ensure!(count == 1, "the digit {digit} occurs more than once");
        }
        for (position, (&digit, given)) in (1..).zip(digits.iter().zip(self.given)) {
            let given = given.map_or(digit, i128::from);
            ensure!(digit == given, "{digit} at position {position}, where {given} is given");
        }
        let sums = [a + b + c + d, d + e + f + g, g + h + i + a];
        for (side, sum) in (1..).zip(sums) {
            let expected = self.sum.unwrap_or(sum);
            ensure!(sum == expected, "side {side} adds up to {sum}, not {expected}");
        }
        let said = solution.get("sums");
        let right = said.is_none_or(|said| *said == Field::Numbers(sums.to_vec()));
        ensure!(right, "the sums of the sides are {sums:?}, but the solution states others");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(digits: [i128; 9]) -> Solution {
        Solution::new().with("digits", Field::Numbers(digits.to_vec()))
    }

    #[test]
    fn sides_share_their_corners() {
        let published = digits([7, 2, 1, 9, 5, 4, 8, 6, 3]);
        assert_eq!(Triangle::of_any_sums().check(&published), Ok(()));
        let sums = |sums: &[i128]| published.clone().with("sums", Field::Numbers(sums.to_vec()));
        assert_eq!(Triangle::of_any_sums().check(&sums(&[19, 26, 24])), Ok(()));
        assert!(Triangle::of_any_sums().check(&sums(&[19, 26, 23])).is_err());
        assert!(Triangle::of_any_sums().check(&digits([7, 2, 1, 9, 5, 4, 8, 6, 6])).is_err());
    }

    #[test]
    fn a_magic_triangle_has_equal_sides() {
        let mut given = [None; 9];
        given[1] = Some(4);
        let sides = |sum| Triangle::magic(given, sum).unwrap().check(&digits([2, 4, 9, 5, 1, 6, 8, 3, 7]));
        assert_eq!(sides(20), Ok(()));
        assert!(sides(21).is_err());
        given[0] = Some(3);
        assert!(Triangle::magic(given, 20).unwrap().check(&digits([2, 4, 9, 5, 1, 6, 8, 3, 7])).is_err());
        given[8] = Some(4);
        assert_eq!(Triangle::magic(given, 20).unwrap_err().index, Some(8));
        given[8] = Some(10);
        assert_eq!(Triangle::magic(given, 20).unwrap_err().index, Some(8));
    }
}
