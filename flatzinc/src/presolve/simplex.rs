//! Exact bounds of variables in a system of linear constraints, computed by the simplex algorithm over rational
//! numbers.
//!
//! For `x < y` and `y < x`, propagation does not terminate if the variables are unbounded, and takes long if their
//! bounds are large. The rational relaxation refutes two contradictory inequalities immediately. Bland's rule
//! prevents cycling. Overflow and too many pivots are reported as errors.
//!
//! Papers: Dutertre, de Moura: *A fast linear-arithmetic solver for DPLL(T)*, CAV 2006, for finding a feasible
//! assignment. Bland: *New finite pivoting rules for the simplex method*, Mathematics of Operations Research 2, 1977.

use std::cmp::Ordering;

use super::rational::{Overflow, Rational};

/// A system of equations `row = sum of coefficients * columns` with bounds on all variables. Some variables are
/// *basic*: they are expressed as linear combinations of the nonbasic variables.
#[derive(Debug, Clone)]
pub(super) struct Simplex {
    lower: Vec<Option<Rational>>,
    upper: Vec<Option<Rational>>,
    values: Vec<Rational>,
    /// The basic variable of each row.
    basic: Vec<usize>,
    /// The coefficients of each row. Basic variables have the coefficient 0.
    rows: Vec<Vec<Rational>>,
    /// The row of each basic variable; `None` for nonbasic variables.
    row_of: Vec<Option<usize>>,
    /// The number of pivots that are still allowed.
    pivots: usize,
}

/// The maximum number of pivots for a system.
const MOST_PIVOTS: usize = 2_000;

/// The lower and the upper bound of a variable; `None` if the variable has no such bound.
pub(super) type Bounds = (Option<Rational>, Option<Rational>);

impl Simplex {
    /// Creates a system from the bounds of the columns, and the coefficients and bounds of the rows.
    pub(super) fn new(columns: &[Bounds], rows: Vec<(Vec<Rational>, Bounds)>) -> Result<Self, Overflow> {
        let (n, total) = (columns.len(), columns.len() + rows.len());
        let bounds = || columns.iter().chain(rows.iter().map(|(_, bounds)| bounds));
        let lower: Vec<_> = bounds().map(|&(lower, _)| lower).collect();
        let upper: Vec<_> = bounds().map(|&(_, upper)| upper).collect();
        // The initial value of a column is its lower bound, its upper bound if there is no lower bound, or 0 if there
        // are no bounds.
        let start = |column: usize| lower[column].or(upper[column]).unwrap_or(Rational::ZERO);
        let mut values: Vec<Rational> = (0..n).map(start).collect();
        let mut coefficients = Vec::with_capacity(rows.len());
        for (row, _) in rows {
            let mut value = Rational::ZERO;
            for (&factor, &column) in row.iter().zip(&values) {
                value = value.add(factor.mul(column)?)?;
            }
            values.push(value);
            coefficients.push(row.into_iter().chain(vec![Rational::ZERO; total - n]).collect());
        }
        let row_of = (0..total).map(|variable| variable.checked_sub(n)).collect();
        let basic = (n..total).collect();
        Ok(Self { lower, upper, values, basic, rows: coefficients, row_of, pivots: MOST_PIVOTS })
    }

    fn is_below(&self, variable: usize) -> Result<bool, Overflow> {
        let value = self.values[variable];
        self.lower[variable].map_or(Ok(false), |bound| Ok(value.compare(bound)?.is_lt()))
    }

    fn is_above(&self, variable: usize) -> Result<bool, Overflow> {
        let value = self.values[variable];
        self.upper[variable].map_or(Ok(false), |bound| Ok(value.compare(bound)?.is_gt()))
    }

    /// Returns whether a nonbasic variable can increase (or decrease) within its bounds.
    fn can_move(&self, variable: usize, up: bool) -> Result<bool, Overflow> {
        let bound = if up { self.upper[variable] } else { self.lower[variable] };
        bound.map_or(Ok(true), |bound| Ok(self.values[variable].compare(bound)?.is_ne()))
    }

    /// Changes a nonbasic variable, and updates the basic variables that depend on it.
    fn shift(&mut self, column: usize, by: Rational) -> Result<(), Overflow> {
        self.values[column] = self.values[column].add(by)?;
        for (row, &basic) in self.rows.iter().zip(&self.basic) {
            self.values[basic] = self.values[basic].add(row[column].mul(by)?)?;
        }
        Ok(())
    }

    /// Exchanges the basic variable of a row with a nonbasic variable.
    fn pivot(&mut self, row: usize, column: usize) -> Result<(), Overflow> {
        self.pivots = self.pivots.checked_sub(1).ok_or(Overflow)?;
        let leaving = self.basic[row];
        let factor = self.rows[row][column];
        let mut solved = self.rows[row].clone();
        solved[column] = Rational::ZERO;
        solved[leaving] = Rational::ONE.neg()?;
        for entry in &mut solved {
            *entry = entry.div(factor)?.neg()?;
        }
        for (index, other) in self.rows.iter_mut().enumerate() {
            let factor = other[column];
            if index == row || factor.sign() == Ordering::Equal {
                continue;
            }
            other[column] = Rational::ZERO;
            for (entry, &solved) in other.iter_mut().zip(&solved) {
                if solved.sign() != Ordering::Equal {
                    *entry = entry.add(factor.mul(solved)?)?;
                }
            }
        }
        self.rows[row] = solved;
        self.basic[row] = column;
        self.row_of[leaving] = None;
        self.row_of[column] = Some(row);
        Ok(())
    }

    /// Searches for values within the bounds of all variables. Returns `true` if all variables have values within
    /// their bounds.
    pub(super) fn is_feasible(&mut self) -> Result<bool, Overflow> {
        loop {
            let mut broken: Option<(usize, bool)> = None;
            for &variable in &self.basic {
                let up = self.is_below(variable)?;
                if (up || self.is_above(variable)?) && broken.is_none_or(|(least, _)| variable < least) {
                    broken = Some((variable, up));
                }
            }
            let Some((variable, up)) = broken else { return Ok(true) };
            let bound = if up { self.lower[variable] } else { self.upper[variable] };
            // The pattern always matches, because a basic variable has a row, and the violated bound exists.
            let (Some(row), Some(bound)) = (self.row_of[variable], bound) else { return Err(Overflow) };
            let Some(column) = self.entering(row, up)? else { return Ok(false) };
            let by = bound.sub(self.values[variable])?.div(self.rows[row][column])?;
            self.shift(column, by)?;
            self.pivot(row, column)?;
        }
    }

    /// Returns the first nonbasic variable that can be changed to increase (or decrease) the basic variable of a row.
    fn entering(&self, row: usize, up: bool) -> Result<Option<usize>, Overflow> {
        for (column, factor) in self.rows[row].iter().enumerate() {
            let moves = match factor.sign() {
                Ordering::Equal => false,
                Ordering::Greater => self.can_move(column, up)?,
                Ordering::Less => self.can_move(column, !up)?,
            };
            if moves {
                return Ok(Some(column));
            }
        }
        Ok(None)
    }

    /// Returns the maximum (or minimum) of a variable in a feasible system, or `None` if the variable is unbounded.
    pub(super) fn extreme(&mut self, variable: usize, up: bool) -> Result<Option<Rational>, Overflow> {
        loop {
            let (column, up_column) = match self.row_of[variable] {
                None if !self.can_move(variable, up)? => return Ok(Some(self.values[variable])),
                None => (variable, up),
                Some(row) => {
                    // If no nonbasic variable can move the basic variable further, the basic variable has reached its
                    // optimum.
                    let Some(column) = self.entering(row, up)? else {
                        return Ok(Some(self.values[variable]));
                    };
                    (column, (self.rows[row][column].sign() == Ordering::Greater) == up)
                }
            };
            let own = if up_column { self.upper[column] } else { self.lower[column] };
            let mut limit = own.map(|bound| bound.sub(self.values[column])).transpose()?;
            let mut leaving = None;
            for (row, &basic) in self.basic.iter().enumerate() {
                let factor = self.rows[row][column];
                let rises = match factor.sign() {
                    Ordering::Equal => continue,
                    sign => (sign == Ordering::Greater) == up_column,
                };
                let Some(bound) = (if rises { self.upper[basic] } else { self.lower[basic] }) else {
                    continue;
                };
                let by = bound.sub(self.values[basic])?.div(factor)?;
                let closer = match limit {
                    None => true,
                    Some(limit) => {
                        let order = if up_column { by.compare(limit)? } else { limit.compare(by)? };
                        order.is_lt()
                            || order.is_eq() && leaving.is_some_and(|row: usize| basic < self.basic[row])
                    }
                };
                if closer {
                    limit = Some(by);
                    leaving = Some(row);
                }
            }
            let Some(by) = limit else { return Ok(None) };
            self.shift(column, by)?;
            if let Some(row) = leaving {
                self.pivot(row, column)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn q(value: i128) -> Rational {
        Rational::integer(value)
    }

    #[test]
    fn unbounded_systems() {
        // x - y <= -1
        let below = |factors: [i128; 2]| (factors.map(q).to_vec(), (None, Some(q(-1))));
        let free = [(None, None); 2];
        let mut cycle = Simplex::new(&free, vec![below([1, -1]), below([-1, 1])]).unwrap();
        assert_eq!(cycle.is_feasible(), Ok(false));
        let mut one = Simplex::new(&free, vec![below([1, -1])]).unwrap();
        assert_eq!((one.is_feasible(), one.extreme(0, true)), (Ok(true), Ok(None)));
        // From 3 <= x + y <= 4 and 1 <= x - y <= 2, it follows that x is at most 3 and y is at least 1/2.
        let rows =
            vec![(vec![q(1), q(1)], (Some(q(3)), Some(q(4)))), (vec![q(1), q(-1)], (Some(q(1)), Some(q(2))))];
        let mut square = Simplex::new(&free, rows).unwrap();
        assert_eq!(square.is_feasible(), Ok(true));
        assert_eq!(square.extreme(0, true), Ok(Some(q(3))));
        assert_eq!(square.extreme(1, false).unwrap().unwrap(), q(1).div(q(2)).unwrap());
    }

    proptest! {
        /// Tests that every integer solution of the rows lies within the computed minimums and maximums.
        #[test]
        fn bounds_keep_all_integer_points(
            rows in proptest::collection::vec((proptest::collection::vec(-3..4_i128, 3), -6..7_i128, 0..2_i128), 1..5),
        ) {
            let columns = [(Some(q(-3)), Some(q(3))), (Some(q(-3)), None), (None, Some(q(3)))];
            let bounded = |&(ref factors, bound, equal): &(Vec<i128>, i128, i128)| {
                let bound = Some(q(bound));
                (factors.iter().map(|&factor| q(factor)).collect(), (bound.filter(|_| equal == 1), bound))
            };
            let mut simplex = Simplex::new(&columns, rows.iter().map(bounded).collect()).unwrap();
            let points = (0..7_i128.pow(3)).map(|index| [index % 7 - 3, index / 7 % 7 - 3, index / 49 - 3]);
            let holds = |point: &[i128; 3]| rows.iter().all(|(factors, bound, equal)| {
                let sum: i128 = factors.iter().zip(point).map(|(a, x)| a * x).sum();
                sum <= *bound && (*equal == 0 || sum == *bound)
            });
            let points: Vec<_> = points.filter(holds).collect();
            let feasible = simplex.is_feasible().unwrap();
            prop_assert!(feasible || points.is_empty());
            for variable in (0..3).filter(|_| feasible) {
                let least = simplex.extreme(variable, false).unwrap();
                let greatest = simplex.extreme(variable, true).unwrap();
                for point in &points {
                    let value = q(point[variable]);
                    prop_assert!(least.is_none_or(|least| least.compare(value).unwrap().is_le()));
                    prop_assert!(greatest.is_none_or(|greatest| greatest.compare(value).unwrap().is_ge()));
                }
            }
        }
    }
}
