//! Renumbers the variables of a formula to avoid large gaps between their numbers. A solver allocates memory for
//! every variable up to the largest, but even a formula with a single clause may use variable 100,000,000.

use std::collections::HashMap;

use gordian_encodings::Lit;

/// Variables below this index keep their number. Almost all formulas have fewer variables.
const KEPT: u32 = 1_000_000;

/// Maps the variables of a formula to new numbers.
#[derive(Debug, Default)]
pub(super) struct Renumbered {
    greater: HashMap<u32, u32>,
    /// The original numbers of the renumbered variables, in the order of their new numbers.
    original: Vec<u32>,
}

impl Renumbered {
    /// Returns the number of renumbered variables.
    #[expect(clippy::cast_possible_truncation, reason = "the keys are variables, which are 32-bit numbers")]
    fn assigned(&self) -> u32 {
        self.original.len() as u32
    }

    /// Returns the renumbered literal. If the variable has no new number yet, assigns one to it.
    pub(super) fn take(&mut self, lit: Lit) -> Lit {
        if lit.vidx32() < KEPT {
            return lit;
        }
        let next = KEPT + self.assigned();
        let number = *self.greater.entry(lit.vidx32()).or_insert(next);
        if number == next {
            self.original.push(lit.vidx32());
        }
        Lit::new(number, lit.is_neg())
    }

    /// Returns the renumbered literal, or `None` if its variable does not occur in the formula.
    pub(super) fn get(&self, lit: Lit) -> Option<Lit> {
        if lit.vidx32() < KEPT {
            return Some(lit);
        }
        self.greater.get(&lit.vidx32()).map(|&index| Lit::new(index, lit.is_neg()))
    }

    /// Returns the literal that was renumbered to `lit`.
    pub(super) fn original(&self, lit: Lit) -> Lit {
        let variable = lit.vidx32().checked_sub(KEPT).and_then(|at| self.original.get(at as usize));
        variable.map_or(lit, |&variable| Lit::new(variable, lit.is_neg()))
    }

    /// Returns the number of variables after renumbering. `variables` is the number of variables of the formula.
    pub(super) fn count(&self, variables: u32) -> u32 {
        variables.min(KEPT) + self.assigned()
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
        assert_eq!(numbers.original(lit(KEPT, true)), lit(99_999_999, true));
        assert_eq!(numbers.original(lit(KEPT - 1, true)), lit(KEPT - 1, true));
        assert_eq!((numbers.count(100_000_000), Renumbered::default().count(7)), (KEPT + 2, 7));
    }
}
