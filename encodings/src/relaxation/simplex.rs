//! The dual simplex method for variables with bounds, on a dense dictionary.
//!
//! Each row has a variable for its sum. The dictionary expresses the *basic* variables in terms of the *nonbasic*
//! variables. A nonbasic variable is at one of its bounds. The signs of the reduced costs always match these bounds, so
//! the multipliers are feasible for the dual problem at any time, and the method can be stopped early. Initially, all
//! row variables are basic.
//!
//! Papers: Lemke: *The dual method of solving the linear programming problem*, Naval Research Logistics Quarterly 1,
//! 1954; Wagner: *The dual simplex algorithm for bounded variables*, Naval Research Logistics Quarterly 5, 1958.

use crate::cancel::tick;

/// A problem: minimise the sum of `costs[j] * x[j]` such that all variables and all sums are within their bounds.
#[derive(Debug, Default)]
pub(super) struct Problem {
    pub(super) costs: Vec<f64>,
    /// The bounds of the variables, which are finite.
    pub(super) bounds: Vec<Bounds>,
    /// The sums, each with its bounds. A bound may be infinite.
    pub(super) rows: Vec<(Sum, Bounds)>,
}

/// The terms of a sum: each is a coefficient and the index of a variable.
type Sum = Vec<(f64, usize)>;
/// A lower and an upper bound.
type Bounds = (f64, f64);

/// The tolerance for rounding errors: smaller bound violations are ignored, and smaller coefficients are not used as
/// pivots.
const TOLERANCE: f64 = 1e-7;
/// The maximum number of changes to coefficients. This many changes take a fraction of a second.
const MOST_CHANGES: usize = 200_000_000;

#[derive(Debug)]
struct Dictionary {
    /// The coefficients, row by row.
    entries: Vec<f64>,
    /// The reduced cost of each nonbasic variable.
    costs: Vec<f64>,
    /// The variables of the rows and columns. The variables of the sums come after the variables of the problem.
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// True for each column whose variable is at its upper bound.
    at_upper: Vec<bool>,
    /// The values of the basic variables.
    values: Vec<f64>,
    bounds: Vec<Bounds>,
}

impl Problem {
    /// Returns a multiplier for each row: the rate at which the minimum changes with the bound that limits the row. The
    /// multiplier is positive if the lower bound limits the row, and negative if the upper bound limits it.
    pub(super) fn multipliers(&self) -> Vec<f64> {
        let mut dictionary = Dictionary::new(self);
        let (rows, columns) = (self.rows.len(), self.costs.len());
        let most_pivots = 10 * (rows + columns);
        let mut changes = 0;
        for _ in 0..most_pivots {
            let Some((row, bound)) = dictionary.violated() else { break };
            let Some(column) = dictionary.entering(row, bound) else { break };
            let changed = dictionary.pivot(row, column, bound);
            tick(changed as u64 / 64);
            changes += changed + rows + columns;
            if changes > MOST_CHANGES {
                break;
            }
        }
        let mut multipliers = vec![0.0; rows];
        for (&variable, &cost) in dictionary.nonbasic.iter().zip(&dictionary.costs) {
            if let Some(row) = variable.checked_sub(columns) {
                multipliers[row] = cost;
            }
        }
        multipliers
    }
}

impl Dictionary {
    fn new(problem: &Problem) -> Self {
        let columns = problem.costs.len();
        let mut entries = vec![0.0; problem.rows.len() * columns];
        for (line, (terms, _)) in entries.chunks_mut(columns.max(1)).zip(&problem.rows) {
            for &(coefficient, column) in terms {
                line[column] += coefficient;
            }
        }
        let at_upper: Vec<bool> = problem.costs.iter().map(|&cost| cost < 0.0).collect();
        let at = |column: usize| {
            let (lower, upper) = problem.bounds[column];
            if at_upper[column] { upper } else { lower }
        };
        let values = problem
            .rows
            .iter()
            .map(|(terms, _)| terms.iter().map(|&(coefficient, column)| coefficient * at(column)).sum());
        Self {
            values: values.collect(),
            entries,
            costs: problem.costs.clone(),
            basic: (columns..columns + problem.rows.len()).collect(),
            nonbasic: (0..columns).collect(),
            at_upper,
            bounds: problem.bounds.iter().copied().chain(problem.rows.iter().map(|row| row.1)).collect(),
        }
    }

    fn line(&self, row: usize) -> &[f64] {
        let columns = self.nonbasic.len();
        &self.entries[row * columns..(row + 1) * columns]
    }

    /// Returns the row with the largest bound violation, and the violated bound.
    fn violated(&self) -> Option<(usize, f64)> {
        let mut most = TOLERANCE;
        let mut found = None;
        for (row, (&value, &variable)) in self.values.iter().zip(&self.basic).enumerate() {
            let (lower, upper) = self.bounds[variable];
            let (by, bound) = if value < lower { (lower - value, lower) } else { (value - upper, upper) };
            if by > most {
                most = by;
                found = Some((row, bound));
            }
        }
        found
    }

    /// Returns the column of the variable that replaces the row's variable in the basis. A change of the new basic
    /// variable moves the row's variable to the violated bound. The signs of all reduced costs remain valid. Ties are
    /// broken by the largest coefficient.
    fn entering(&self, row: usize, bound: f64) -> Option<usize> {
        let direction = if self.values[row] < bound { 1.0 } else { -1.0 };
        let mut best: Option<(f64, f64, usize)> = None;
        for (column, &entry) in self.line(row).iter().enumerate() {
            let slope = direction * entry;
            let (lower, upper) = self.bounds[self.nonbasic[column]];
            let fits = if self.at_upper[column] { slope < -TOLERANCE } else { slope > TOLERANCE };
            if !fits || lower >= upper {
                continue;
            }
            let ratio = self.costs[column].abs() / entry.abs();
            let better = best.is_none_or(|(least, size, _)| {
                ratio < least - TOLERANCE || (ratio < least + TOLERANCE && entry.abs() > size)
            });
            if better {
                best = Some((ratio, entry.abs(), column));
            }
        }
        best.map(|(.., column)| column)
    }

    /// Exchanges the variable of a row with the variable of a column. The variable of the row moves to the bound.
    /// Returns the number of changed coefficients.
    fn pivot(&mut self, row: usize, column: usize, bound: f64) -> usize {
        let columns = self.nonbasic.len();
        let entry = self.line(row)[column];
        let step = (bound - self.values[row]) / entry;
        let (lower, upper) = self.bounds[self.nonbasic[column]];
        let entered = if self.at_upper[column] { upper } else { lower } + step;
        for (value, line) in self.values.iter_mut().zip(self.entries.chunks(columns)) {
            *value += line[column] * step;
        }
        self.values[row] = entered;
        let leaving = std::mem::replace(&mut self.basic[row], self.nonbasic[column]);
        self.nonbasic[column] = leaving;
        self.at_upper[column] = bound >= self.bounds[leaving].1;

        // The row is solved for the variable of the column.
        let solved: Vec<(usize, f64)> = (0..columns)
            .filter_map(|at| {
                let coefficient = self.entries[row * columns + at];
                let new = if at == column { 1.0 / entry } else { -coefficient / entry };
                (coefficient != 0.0).then_some((at, new))
            })
            .collect();
        let mut changed = solved.len();
        let substitute = |line: &mut [f64]| {
            let factor = std::mem::replace(&mut line[column], 0.0);
            if factor != 0.0 {
                for &(at, coefficient) in &solved {
                    let new = line[at] + factor * coefficient;
                    line[at] = if new.abs() < 1e-12 { 0.0 } else { new };
                }
            }
            factor != 0.0
        };
        substitute(&mut self.costs);
        for (at, line) in self.entries.chunks_mut(columns).enumerate() {
            if at == row {
                line.fill(0.0);
                for &(at, coefficient) in &solved {
                    line[at] = coefficient;
                }
            } else if substitute(line) {
                changed += solved.len();
            }
        }
        changed
    }
}
