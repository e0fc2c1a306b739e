//! Linear inequalities over literals.

use rustsat::types::Lit;

/// The error for a coefficient or a bound that does not fit in 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a coefficient of a linear inequality exceeds 128 bits")]
pub struct Overflow;

/// A linear inequality in normal form: the coefficients of the true literals add up to at least the bound. All
/// coefficients are positive, each variable occurs at most once, and the terms are sorted by variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Row {
    terms: Vec<(i128, Lit)>,
    bound: i128,
}

impl Row {
    /// Creates the inequality `sum >= bound`, where `sum` is the sum of the terms.
    ///
    /// # Errors
    /// Returns an error if a number overflows.
    pub fn at_least(terms: impl IntoIterator<Item = (i128, Lit)>, bound: i128) -> Result<Self, Overflow> {
        let mut sum = Sum::default();
        sum.add(terms, bound)?;
        sum.row()
    }

    /// Creates the inequality `sum <= bound`, where `sum` is the sum of the terms.
    ///
    /// # Errors
    /// Returns an error if a number overflows.
    pub fn at_most(terms: impl IntoIterator<Item = (i128, Lit)>, bound: i128) -> Result<Self, Overflow> {
        let mut sum = Sum::default();
        for (coefficient, lit) in terms {
            sum.add([(coefficient.checked_neg().ok_or(Overflow)?, lit)], 0)?;
        }
        sum.add([], bound.checked_neg().ok_or(Overflow)?)?;
        sum.row()
    }

    /// Creates the inequality `l1 + ... + ln >= 1` for the literals of a clause.
    #[must_use]
    pub fn clause(lits: &[Lit]) -> Self {
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            return Self { terms: Vec::new(), bound: 0 };
        }
        Self { terms: lits.into_iter().map(|lit| (1, lit)).collect(), bound: 1 }
    }

    /// Returns the coefficients and their literals.
    #[must_use]
    pub fn terms(&self) -> &[(i128, Lit)] {
        &self.terms
    }

    /// Returns the lower bound on the sum.
    #[must_use]
    pub fn bound(&self) -> i128 {
        self.bound
    }

    /// Returns the greatest common divisor of the coefficients, and the inequality divided by this divisor. The bound
    /// is rounded up. Returns `None` if the divisor is 1 or does not fit in 64 bits, or if there are no terms.
    pub(crate) fn without_divisor(&self) -> Option<(u64, Self)> {
        let divisor = self.terms.iter().fold(0, |divisor, &(coefficient, _)| {
            let (mut a, mut b) = (divisor, coefficient);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        });
        let small = u64::try_from(divisor).ok().filter(|&divisor| divisor > 1)?;
        let terms = self.terms.iter().map(|&(coefficient, lit)| (coefficient / divisor, lit)).collect();
        let bound = self.bound / divisor + i128::from(self.bound % divisor > 0);
        Some((small, Self { terms, bound }))
    }

    /// Returns whether the inequality is violated whenever all literals of a clause are false. The literals must be in
    /// ascending order.
    pub(crate) fn is_violated_without(&self, clause: &[Lit]) -> bool {
        let mut clause = clause.iter().peekable();
        let mut missing = self.bound;
        for &(coefficient, lit) in &self.terms {
            while clause.next_if(|&&other| other < lit).is_some() {}
            if clause.peek() != Some(&&lit) {
                missing = missing.saturating_sub(coefficient);
                if missing <= 0 {
                    return false;
                }
            }
        }
        missing > 0
    }

    /// Returns whether every assignment satisfies the inequality.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.bound <= 0
    }
}

/// A sum of linear inequalities, whose terms contain variables instead of literals. A coefficient may be negative.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sum {
    /// Variables with their coefficients. A variable may occur more than once.
    terms: Vec<(u32, i128)>,
    bound: i128,
}

impl Sum {
    /// Adds the inequality `sum >= bound`, where `sum` is the sum of the terms.
    pub(crate) fn add(
        &mut self,
        terms: impl IntoIterator<Item = (i128, Lit)>,
        bound: i128,
    ) -> Result<(), Overflow> {
        self.bound = self.bound.checked_add(bound).ok_or(Overflow)?;
        for (coefficient, lit) in terms {
            if lit.is_pos() {
                self.terms.push((lit.vidx32(), coefficient));
            } else {
                // This uses the equation `c * (1 - x) = c - c * x`.
                self.terms.push((lit.vidx32(), coefficient.checked_neg().ok_or(Overflow)?));
                self.bound = self.bound.checked_sub(coefficient).ok_or(Overflow)?;
            }
        }
        Ok(())
    }

    /// Adds up the coefficients of each variable, and sorts the terms by variable.
    fn merge(&mut self) -> Result<(), Overflow> {
        self.terms.sort_unstable_by_key(|&(variable, _)| variable);
        let mut kept = 0;
        for index in 0..self.terms.len() {
            let (variable, coefficient) = self.terms[index];
            match self.terms[..kept].last_mut() {
                Some(last) if last.0 == variable => {
                    last.1 = last.1.checked_add(coefficient).ok_or(Overflow)?;
                }
                _ => {
                    self.terms[kept] = (variable, coefficient);
                    kept += 1;
                }
            }
        }
        self.terms.truncate(kept);
        Ok(())
    }

    /// Returns whether the inequality is violated whenever all of `lits` are false. The literals must be in ascending
    /// order.
    pub(crate) fn refutes(mut self, lits: &[Lit]) -> Result<bool, Overflow> {
        self.merge()?;
        let mut most: i128 = 0;
        for (variable, coefficient) in self.terms {
            let highest = match lits.binary_search_by_key(&variable, |lit| lit.vidx32()) {
                Ok(at) if lits[at].is_pos() => 0,
                Ok(_) => coefficient,
                Err(_) => coefficient.max(0),
            };
            most = most.checked_add(highest).ok_or(Overflow)?;
        }
        Ok(most < self.bound)
    }

    fn row(mut self) -> Result<Row, Overflow> {
        self.merge()?;
        let mut bound = self.bound;
        let mut terms = Vec::with_capacity(self.terms.len());
        for (variable, coefficient) in self.terms.into_iter().filter(|&(_, coefficient)| coefficient != 0) {
            if coefficient > 0 {
                terms.push((coefficient, Lit::positive(variable)));
            } else {
                let weight = coefficient.checked_neg().ok_or(Overflow)?;
                bound = bound.checked_add(weight).ok_or(Overflow)?;
                terms.push((weight, Lit::negative(variable)));
            }
        }
        Ok(Row { terms, bound })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_one_positive_coefficient_for_each_variable() {
        let [a, b, c] = [0, 1, 2].map(Lit::positive);
        // 2a - 3b + ~a + 0c >= 1 becomes a + 3 ~b >= 3.
        let row = Row::at_least([(2, a), (-3, b), (1, !a), (1, c), (-1, c)], 1).unwrap();
        assert_eq!((row.terms(), row.bound()), (&[(1, a), (3, !b)][..], 3));
        let most = Row::at_most([(1, a), (1, b)], 1).unwrap();
        assert_eq!((most.terms(), most.bound()), (&[(1, !a), (1, !b)][..], 1));
        assert_eq!(Row::clause(&[b, a, b]), Row::at_least([(1, a), (1, b)], 1).unwrap());
        assert!(Row::clause(&[a, !a]).is_trivial());
    }

    #[test]
    fn a_row_is_violated_without_enough_literals() {
        let [a, b, c] = [0, 1, 2].map(Lit::positive);
        let row = Row::at_least([(2, a), (1, !b), (1, c)], 3).unwrap();
        assert!(row.is_violated_without(&[a]));
        assert!(row.is_violated_without(&[!b, c]));
        assert!(!row.is_violated_without(&[!b]));
        assert!(!row.is_violated_without(&[!a, b]));
        assert!(!Row::at_least([(1, a)], 0).unwrap().is_violated_without(&[a]));
    }

    #[test]
    fn a_common_divisor_is_removed() {
        let [a, b] = [0, 1].map(Lit::positive);
        let row = Row::at_least([(10, a), (4, b)], 7).unwrap();
        assert_eq!(row.without_divisor(), Some((2, Row::at_least([(5, a), (2, b)], 4).unwrap())));
        assert_eq!(Row::at_least([(3, a), (2, b)], 4).unwrap().without_divisor(), None);
    }

    #[test]
    fn overflow_is_an_error() {
        let a = Lit::positive(0);
        assert_eq!(Row::at_least([(i128::MAX, a), (1, a)], 0), Err(Overflow));
        assert_eq!(Row::at_most([(i128::MIN, a)], 0), Err(Overflow));
    }

    #[test]
    fn a_sum_refutes_what_it_contradicts() {
        let [a, b, c] = [0, 1, 2].map(Lit::positive);
        let mut sum = Sum::default();
        sum.add([(1, a), (1, b), (1, c)], 2).unwrap();
        assert!(sum.clone().refutes(&[a, b]).unwrap());
        assert!(!sum.clone().refutes(&[a, !b]).unwrap());
        sum.add([(1, !c)], 1).unwrap();
        assert!(sum.refutes(&[a]).unwrap());
    }
}
