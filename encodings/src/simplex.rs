//! The dual simplex method for variables with bounds.
//!
//! Each row `a x` of the problem has a variable t for its negated sum, so the rows become the equations `a x + t = 0`.
//! There are as many *basic* variables as rows. The equations determine their values, while each *nonbasic* variable is
//! at one of its bounds. The signs of the reduced costs always match these bounds, so the multipliers of the rows are
//! feasible for the dual problem at any time, and the method can be stopped early. Initially, the variables of the rows
//! are basic. When the bounds of variables change, the method continues with the same basis.
//!
//! The inverse of the basis is a product of elementary matrices, and is computed anew after some steps (product form of
//! the inverse). Two methods reduce the number of steps: the variable that leaves the basis is chosen by dual steepest
//! edge pricing, and a step may move nonbasic variables from one bound to the other (bound flipping).
//!
//! This file has over 400 lines because all operations share the state of the basis.
//!
//! Papers: Lemke: *The dual method of solving the linear programming problem*, Naval Research Logistics Quarterly 1,
//! 1954; Dantzig, Orchard-Hays: *The product form for the inverse in the simplex method*, Mathematical Tables and Other
//! Aids to Computation 8, 1954; Forrest, Goldfarb: *Steepest-edge simplex algorithms for linear programming*,
//! Mathematical Programming 57, 1992; Maros: *A generalized dual phase-2 simplex algorithm*, European Journal of
//! Operational Research 149, 2003 (bound flipping).

mod inverse;
#[cfg(test)]
mod tests;

use inverse::Inverse;

/// A problem: minimise the sum of `costs[j] * x[j]` such that all variables and all sums are within their bounds.
#[derive(Debug, Default)]
pub(crate) struct Problem {
    pub(crate) costs: Vec<f64>,
    /// The bounds of the variables, which are finite.
    pub(crate) bounds: Vec<Range>,
    /// The sums, each with its bounds. A bound may be infinite. No variable may occur twice in a sum.
    pub(crate) rows: Vec<(Sum, Range)>,
}

/// The terms of a sum: each is a coefficient and the index of a variable.
pub(crate) type Sum = Vec<(f64, usize)>;
/// A lower and an upper bound.
pub(crate) type Range = (f64, f64);

/// The tolerance for bound violations.
const FEASIBLE: f64 = 1e-7;
/// Smaller coefficients are not used as pivots.
const LEAST_PIVOT: f64 = 1e-7;
/// Smaller numbers are considered rounding errors.
const ZERO: f64 = 1e-11;
/// The inverse is computed anew after this many steps.
const STEPS_PER_INVERSE: usize = 64;

/// The state of the method.
#[derive(Debug)]
pub(crate) struct Simplex {
    /// The rows and the columns of the matrix: the coefficients with the indices of their columns or rows.
    rows: Vec<Sum>,
    columns: Vec<Sum>,
    costs: Vec<f64>,
    /// The bounds, reduced costs and positions of all variables: first the variables of the problem, then those of the
    /// rows. The reduced cost of a basic variable is 0.
    bounds: Vec<Range>,
    reduced: Vec<f64>,
    at_upper: Vec<bool>,
    is_basic: Vec<bool>,
    /// The basic variable of each row, its value, and the squared length of the corresponding row of the inverse.
    basic: Vec<usize>,
    values: Vec<f64>,
    lengths: Vec<f64>,
    inverse: Inverse,
    /// The value of the objective.
    objective: f64,
    /// The equation of the leaving variable: the coefficients of the nonbasic variables, and the variables whose
    /// coefficients are not 0.
    pivots: Vec<f64>,
    touched: Vec<usize>,
    /// The number of operations so far.
    work: u64,
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// The step has changed the basis.
    Changed,
    /// The basis is optimal.
    Optimal,
    /// The problem has no solution: the sum of the rows, each scaled by its multiplier, can't be within its bounds.
    Infeasible(Vec<f64>),
    /// The step would be too imprecise.
    Imprecise,
}

impl Simplex {
    pub(crate) fn new(problem: &Problem) -> Self {
        let rows: Vec<Sum> = problem.rows.iter().map(|(terms, _)| terms.clone()).collect();
        let mut columns = vec![Vec::new(); problem.costs.len()];
        for (row, terms) in rows.iter().enumerate() {
            for &(coefficient, column) in terms {
                columns[column].push((coefficient, row));
            }
        }
        let negated = problem.rows.iter().map(|&(_, (lower, upper))| (-upper, -lower));
        let (count, all) = (rows.len(), rows.len() + columns.len());
        let mut simplex = Self {
            bounds: problem.bounds.iter().copied().chain(negated).collect(),
            costs: problem.costs.clone(),
            reduced: vec![0.0; all],
            at_upper: vec![false; all],
            is_basic: vec![false; all],
            basic: vec![0; count],
            values: vec![0.0; count],
            lengths: vec![1.0; count],
            inverse: Inverse::default(),
            objective: 0.0,
            pivots: vec![0.0; all],
            touched: Vec::new(),
            work: 0,
            rows,
            columns,
        };
        simplex.restart();
        simplex
    }

    /// Returns the approximate number of operations so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Makes the variables of the rows basic.
    pub(crate) fn restart(&mut self) {
        let count = self.columns.len();
        self.is_basic.fill(false);
        self.is_basic[count..].fill(true);
        self.basic = (count..count + self.rows.len()).collect();
        self.lengths.fill(1.0);
        self.inverse = Inverse::default();
        self.recompute();
    }

    /// Returns the minimum of the objective if the basis is optimal, and a lower bound otherwise.
    pub(crate) fn minimum(&self) -> f64 {
        self.objective
    }

    /// Returns a multiplier for each row: the rate at which the minimum changes with the bound that limits the row. The
    /// multiplier is positive if the lower bound limits the row, and negative if the upper bound limits it.
    pub(crate) fn multipliers(&self) -> Vec<f64> {
        self.reduced[self.columns.len()..].iter().map(|&cost| -cost).collect()
    }

    /// Returns the reduced cost of each variable of the problem.
    pub(crate) fn reduced_costs(&self) -> &[f64] {
        &self.reduced[..self.columns.len()]
    }

    /// Returns the values of the variables of the problem. They are a solution if the basis is optimal.
    pub(crate) fn solution(&self) -> Vec<f64> {
        let mut solution: Vec<f64> = (0..self.columns.len()).map(|variable| self.at(variable)).collect();
        for (&variable, &value) in self.basic.iter().zip(&self.values) {
            if let Some(basic) = solution.get_mut(variable) {
                *basic = value;
            }
        }
        solution
    }

    /// Changes the bounds of the variables of the problem.
    pub(crate) fn set_bounds(&mut self, bounds: impl Iterator<Item = Range>) {
        let mut change = vec![0.0; self.rows.len()];
        let mut is_changed = false;
        for (variable, bounds) in bounds.enumerate() {
            if self.bounds[variable] == bounds {
                continue;
            }
            if self.is_basic[variable] {
                self.bounds[variable] = bounds;
                continue;
            }
            let before = self.at(variable);
            self.bounds[variable] = bounds;
            self.match_sign(variable);
            let difference = self.at(variable) - before;
            if difference != 0.0 {
                is_changed = true;
                self.objective += self.reduced[variable] * difference;
                self.add_column(variable, difference, &mut change);
            }
        }
        if is_changed {
            self.shift(change);
        }
    }

    /// Makes one step.
    pub(crate) fn step(&mut self) -> Step {
        if self.inverse.steps() >= STEPS_PER_INVERSE {
            self.invert();
        }
        let Some((row, bound)) = self.leaving() else { return Step::Optimal };
        let mut line = vec![0.0; self.rows.len()];
        line[row] = 1.0;
        self.inverse.times_row(&mut line);
        self.find_equation(&line);
        self.work += (self.inverse.size() + 4 * self.rows.len()) as u64;
        let rises = self.values[row] < bound;
        let mut violation = (self.values[row] - bound).abs();
        let candidates = self.candidates(rises);
        let mut flipped = Vec::new();
        let mut entering = None;
        for &(_, variable) in &candidates {
            let (lower, upper) = self.bounds[variable];
            violation -= self.pivots[variable].abs() * (upper - lower);
            if violation <= FEASIBLE {
                entering = Some(variable);
                break;
            }
            flipped.push(variable);
        }
        let Some(mut entering) = entering else {
            let sign = if rises { -1.0 } else { 1.0 };
            return Step::Infeasible(line.iter().map(|&entry| sign * entry).collect());
        };
        // Among the variables with almost the same ratio, the one with the largest coefficient is the most precise.
        let ratio = |variable: usize| self.reduced[variable].abs() / self.pivots[variable].abs();
        let limit = ratio(entering) + ZERO;
        for &(ratio, variable) in &candidates[flipped.len()..] {
            if ratio > limit {
                break;
            }
            if self.pivots[variable].abs() > self.pivots[entering].abs() {
                entering = variable;
            }
        }
        let mut column = vec![0.0; self.rows.len()];
        self.add_column(entering, 1.0, &mut column);
        self.inverse.times(&mut column);
        let pivot = column[row];
        if pivot.abs() < LEAST_PIVOT || (pivot - self.pivots[entering]).abs() > 1e-6 * (1.0 + pivot.abs()) {
            // A new inverse may be more precise.
            let is_new = self.inverse.steps() == 0;
            if is_new {
                return Step::Imprecise;
            }
            self.invert();
            return Step::Changed;
        }
        self.flip(&flipped);
        self.change_basis(row, bound, entering, line, &column);
        Step::Changed
    }

    /// Returns the row whose basic variable leaves the basis, and the violated bound.
    fn leaving(&self) -> Option<(usize, f64)> {
        let mut most = 0.0;
        let mut found = None;
        for (row, (&value, &variable)) in self.values.iter().zip(&self.basic).enumerate() {
            let (lower, upper) = self.bounds[variable];
            let (by, bound) = if value < lower { (lower - value, lower) } else { (value - upper, upper) };
            if by > FEASIBLE * (1.0 + bound.abs() * 1e-3) && by * by > most * self.lengths[row] {
                most = by * by / self.lengths[row];
                found = Some((row, bound));
            }
        }
        found
    }

    /// Finds the equation of a row, given this row of the inverse.
    fn find_equation(&mut self, line: &[f64]) {
        for variable in self.touched.drain(..) {
            self.pivots[variable] = 0.0;
        }
        let count = self.columns.len();
        let mut add = |variable: usize, coefficient: f64| {
            if !self.is_basic[variable] {
                if self.pivots[variable] == 0.0 {
                    self.touched.push(variable);
                }
                self.pivots[variable] += coefficient;
            }
        };
        for (row, &factor) in line.iter().enumerate() {
            if factor.abs() > ZERO {
                add(count + row, factor);
                self.work += self.rows[row].len() as u64;
                for &(coefficient, column) in &self.rows[row] {
                    add(column, factor * coefficient);
                }
            }
        }
        // A variable occurs twice if its coefficient became 0 and was increased again.
        self.touched.sort_unstable();
        self.touched.dedup();
        self.work += 4 * self.touched.len() as u64;
    }

    /// Returns the variables whose change moves the leaving variable towards its bound, in ascending order of the ratio at
    /// which their reduced costs become 0.
    fn candidates(&self, rises: bool) -> Vec<(f64, usize)> {
        let mut candidates = Vec::new();
        for &variable in &self.touched {
            let pivot = self.pivots[variable];
            // If the variable rises by 1, the leaving variable falls by the coefficient.
            let helps = (pivot < 0.0) == (rises != self.at_upper[variable]);
            let (lower, upper) = self.bounds[variable];
            if pivot.abs() > LEAST_PIVOT && helps && lower < upper {
                candidates.push((self.reduced[variable].abs() / pivot.abs(), variable));
            }
        }
        candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        candidates
    }

    /// Moves nonbasic variables to their other bounds.
    fn flip(&mut self, variables: &[usize]) {
        if variables.is_empty() {
            return;
        }
        let mut change = vec![0.0; self.rows.len()];
        for &variable in variables {
            let before = self.at(variable);
            self.at_upper[variable] = !self.at_upper[variable];
            let difference = self.at(variable) - before;
            self.objective += self.reduced[variable] * difference;
            self.add_column(variable, difference, &mut change);
        }
        self.shift(change);
    }

    /// Updates the values of the basic variables after nonbasic variables have moved. `change` is the sum of their columns,
    /// each multiplied by the distance.
    fn shift(&mut self, mut change: Vec<f64>) {
        self.inverse.times(&mut change);
        self.work += self.inverse.size() as u64;
        for (value, change) in self.values.iter_mut().zip(&change) {
            *value -= change;
        }
    }

    /// Replaces the basic variable of a row, which moves to its bound, by `entering`. `line` is the row of the inverse,
    /// and `column` is the inverse times the column of `entering`.
    fn change_basis(&mut self, row: usize, bound: f64, entering: usize, line: Vec<f64>, column: &[f64]) {
        let leaving = self.basic[row];
        let pivot = column[row];
        // The reduced costs.
        let rate = self.reduced[entering] / pivot;
        if rate != 0.0 {
            for &variable in &self.touched {
                self.reduced[variable] -= rate * self.pivots[variable];
            }
        }
        self.reduced[entering] = 0.0;
        self.reduced[leaving] = -rate;
        // The values.
        let step = (self.values[row] - bound) / pivot;
        self.objective += rate * pivot * step;
        let entered = self.at(entering) + step;
        for (value, &coefficient) in self.values.iter_mut().zip(column) {
            *value -= coefficient * step;
        }
        self.values[row] = entered;
        // The lengths of the rows of the inverse.
        let length = line.iter().map(|entry| entry * entry).sum::<f64>();
        let mut product = line;
        self.inverse.times(&mut product);
        for (other, (&coefficient, &product)) in column.iter().zip(&product).enumerate() {
            if coefficient != 0.0 && other != row {
                let factor = coefficient / pivot;
                let updated = self.lengths[other] + factor * (factor * length - 2.0 * product);
                self.lengths[other] = updated.max(1e-4);
            }
        }
        self.lengths[row] = (length / (pivot * pivot)).max(1e-4);
        let entries = column.iter().enumerate().filter(|(_, value)| value.abs() > ZERO);
        self.inverse.push(row, pivot, entries.map(|(at, &value)| (value, at)));
        self.work += (2 * self.inverse.size()) as u64;
        self.basic[row] = entering;
        self.is_basic[entering] = true;
        self.is_basic[leaving] = false;
        self.at_upper[leaving] = bound >= self.bounds[leaving].1;
    }

    /// Computes the inverse of the basis anew. Restarts if the basis is almost singular.
    fn invert(&mut self) {
        let mut lengths = vec![1.0; self.bounds.len()];
        for (&variable, &length) in self.basic.iter().zip(&self.lengths) {
            lengths[variable] = length;
        }
        let Some((inverse, basic)) = Inverse::new(&self.rows, &self.columns, &self.basic) else {
            self.restart();
            return;
        };
        self.work += (inverse.factors() * self.rows.len()) as u64;
        self.inverse = inverse;
        self.lengths = basic.iter().map(|&variable| lengths[variable]).collect();
        self.basic = basic;
        self.recompute();
    }

    /// Computes the values and the reduced costs from the inverse.
    fn recompute(&mut self) {
        let count = self.columns.len();
        // The multipliers of the rows.
        let mut line: Vec<f64> =
            self.basic.iter().map(|&variable| self.costs.get(variable).copied().unwrap_or(0.0)).collect();
        self.inverse.times_row(&mut line);
        for variable in 0..self.bounds.len() {
            self.reduced[variable] = match (self.is_basic[variable], variable.checked_sub(count)) {
                (true, _) => 0.0,
                (false, Some(row)) => -line[row],
                (false, None) => {
                    let column = &self.columns[variable];
                    self.costs[variable] - column.iter().map(|&(factor, row)| factor * line[row]).sum::<f64>()
                }
            };
            self.match_sign(variable);
        }
        let mut values = vec![0.0; self.rows.len()];
        for variable in 0..self.bounds.len() {
            if !self.is_basic[variable] {
                self.add_column(variable, -self.at(variable), &mut values);
            }
        }
        self.inverse.times(&mut values);
        self.values = values;
        let costs = self.reduced.iter().enumerate().filter(|&(_, &cost)| cost != 0.0);
        self.objective = costs.map(|(variable, cost)| cost * self.at(variable)).sum();
        self.work += (2 * self.inverse.size() + 4 * self.bounds.len()) as u64;
    }

    /// Moves a nonbasic variable to the bound that matches the sign of its reduced cost. If this bound is infinite, the
    /// reduced cost is a rounding error.
    fn match_sign(&mut self, variable: usize) {
        let (lower, upper) = self.bounds[variable];
        let cost = &mut self.reduced[variable];
        if *cost > 0.0 && lower == f64::NEG_INFINITY
            || *cost < 0.0 && upper == f64::INFINITY
            || cost.abs() < ZERO
        {
            *cost = 0.0;
        }
        if *cost != 0.0 {
            self.at_upper[variable] = *cost < 0.0;
        } else if lower == f64::NEG_INFINITY || upper == f64::INFINITY {
            self.at_upper[variable] = lower == f64::NEG_INFINITY;
        }
    }

    /// Returns the value of a nonbasic variable.
    fn at(&self, variable: usize) -> f64 {
        let (lower, upper) = self.bounds[variable];
        if self.at_upper[variable] { upper } else { lower }
    }

    /// Adds a multiple of a variable's column to `sum`.
    fn add_column(&self, variable: usize, factor: f64, sum: &mut [f64]) {
        match variable.checked_sub(self.columns.len()) {
            Some(row) => sum[row] += factor,
            None => {
                for &(coefficient, row) in &self.columns[variable] {
                    sum[row] += coefficient * factor;
                }
            }
        }
    }
}
