//! Variables of a formula under numbers without great gaps: a solver takes memory for each number up to the greatest, and a
//! formula of one clause may name the hundred-millionth variable.

use std::collections::HashMap;

use gordian_encodings::Lit;

/// Variables below keep their numbers, as those of nearly all formulas.
const KEPT: u32 = 1_000_000;

/// The new numbers of variables.
#[derive(Debug, Default)]
pub(super) struct Renumbered {
    greater: HashMap<u32, u32>,
}

impl Renumbered {
    /// The literal by the number that its variable has or now gets.
    pub(super) fn take(&mut self, lit: Lit) -> Lit {
        if lit.vidx32() < KEPT {
            return lit;
        }
        let next = KEPT + self.greater.len() as u32;
        Lit::new(*self.greater.entry(lit.vidx32()).or_insert(next), lit.is_neg())
    }

    /// The literal by the number that its variable has, if it is in the formula.
    pub(super) fn get(&self, lit: Lit) -> Option<Lit> {
        if lit.vidx32() < KEPT {
            return Some(lit);
        }
        self.greater.get(&lit.vidx32()).map(|&index| Lit::new(index, lit.is_neg()))
    }

    /// How many numbers there are, of a formula with so many variables.
    pub(super) fn count(&self, variables: u32) -> u32 {
        variables.min(KEPT) + self.greater.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn great_numbers_follow_those_that_are_kept() {
        let mut numbers = Renumbered::default();
        let lit = |index, negated| Lit::new(index, negated);
        assert_eq!(numbers.take(lit(KEPT - 1, true)), lit(KEPT - 1, true));
        assert_eq!(numbers.take(lit(99_999_999, true)), lit(KEPT, true));
        assert_eq!(numbers.take(lit(KEPT, false)), lit(KEPT + 1, false));
        assert_eq!(numbers.take(lit(99_999_999, false)), lit(KEPT, false));
        assert_eq!(numbers.get(lit(KEPT, true)), Some(lit(KEPT + 1, true)));
        assert_eq!(numbers.get(lit(KEPT + 1, true)), None);
        assert_eq!((numbers.count(100_000_000), Renumbered::default().count(7)), (KEPT + 2, 7));
    }
}
