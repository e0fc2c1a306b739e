//! Integer solvability of systems of linear equations.
//!
//! The integer solutions of the equations added so far are `x = base + sum of t[j] * step[j]` for arbitrary integer
//! parameters t. In each further equation, x is replaced by this sum, and column operations as in the Euclidean
//! algorithm eliminate all parameters but one. If the coefficient of this parameter divides the constant of the
//! equation, the equation fixes the parameter; otherwise, there is no integer solution. For example, `x + y = 2 a` and
//! `x - y = 2 b + 1` have no solution.
//!
//! Paper: Cohen: *A Course in Computational Algebraic Number Theory*, 1993, section 2.4 (Hermite normal form).

use gordian_encodings::Value;

/// The set of integer solutions of linear equations.
#[derive(Debug, Clone)]
pub(super) struct Lattice {
    base: Vec<Value>,
    /// The vectors `step[j]`, one for each free parameter `t[j]`.
    steps: Vec<Vec<Value>>,
}

impl Lattice {
    /// Creates the set of all integer vectors of the given length.
    pub(super) fn all(length: usize) -> Self {
        let unit = |index: usize| (0..length).map(|other| Value::from(other == index)).collect();
        Self { base: vec![0; length], steps: (0..length).map(unit).collect() }
    }

    /// Restricts the set to the solutions of `sum of factor * x[index] = bound`. Returns `Some(false)` if the result
    /// is empty, and `None` on overflow.
    pub(super) fn restrict(&mut self, terms: &[(Value, usize)], bound: Value) -> Option<bool> {
        let apply = |vector: &[Value]| {
            terms
                .iter()
                .try_fold(0_i128, |sum, &(factor, index)| sum.checked_add(factor.checked_mul(vector[index])?))
        };
        let rest = bound.checked_sub(apply(&self.base)?)?;
        let mut values = self.steps.iter().map(|step| apply(step)).collect::<Option<Vec<Value>>>()?;
        // Reduces all coefficients modulo the smallest nonzero coefficient, until only one coefficient is not 0.
        loop {
            let open = (0..values.len()).filter(|&index| values[index] != 0);
            let Some(least) = open.min_by_key(|&index| values[index].unsigned_abs()) else {
                return Some(rest == 0);
            };
            let mut reduced = false;
            for index in (0..values.len()).filter(|&index| index != least) {
                let times = values[index].checked_div(values[least])?;
                if times != 0 {
                    reduced = true;
                    values[index] = values[index].checked_sub(times.checked_mul(values[least])?)?;
                    for entry in 0..self.base.len() {
                        let change = times.checked_mul(self.steps[least][entry])?;
                        self.steps[index][entry] = self.steps[index][entry].checked_sub(change)?;
                    }
                }
            }
            if reduced {
                continue;
            }
            let step = self.steps.swap_remove(least);
            if rest.checked_rem(values[least])? != 0 {
                return Some(false);
            }
            let times = rest.checked_div(values[least])?;
            for (entry, step) in self.base.iter_mut().zip(step) {
                *entry = entry.checked_add(times.checked_mul(step)?)?;
            }
            return Some(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parity_of_a_system() {
        let mut lattice = Lattice::all(4);
        assert_eq!(lattice.restrict(&[(1, 0), (1, 1), (-2, 2)], 0), Some(true));
        assert_eq!(lattice.restrict(&[(1, 0), (-1, 1), (-2, 3)], 1), Some(false));
    }

    proptest! {
        /// Tests that no system with an integer solution is refuted, and that the base vector solves the equations.
        #[test]
        fn solutions_are_kept(
            solution in proptest::collection::vec(-9..10_i128, 4),
            rows in proptest::collection::vec(proptest::collection::vec(-9..10_i128, 4), 1..5),
        ) {
            let mut lattice = Lattice::all(4);
            let value = |row: &[Value], x: &[Value]| row.iter().zip(x).map(|(a, x)| a * x).sum::<Value>();
            for (index, row) in rows.iter().enumerate() {
                let terms: Vec<_> = row.iter().copied().zip(0..).collect();
                prop_assert_eq!(lattice.restrict(&terms, value(row, &solution)), Some(true));
                for row in &rows[..=index] {
                    prop_assert_eq!(value(row, &lattice.base), value(row, &solution));
                    prop_assert!(lattice.steps.iter().all(|step| value(row, step) == 0));
                }
            }
        }
    }
}
