//! A linear program that bounds the objective, or refutes decisions if there is no objective.
//!
//! The *linear relaxation* of a formula consists of linear constraints that every solution satisfies. When all other
//! constraints derive nothing more, and the objective has a bound, the [dual simplex method](crate::simplex) minimises the
//! objective over the real numbers within the current bounds. The result is an inequality: the sum of the constraints,
//! each scaled by its multiplier. The propagator uses it like any other inequality: it derives a conflict if the
//! objective exceeds its bound, and otherwise bounds of integers that would make the objective too large (reduced cost
//! fixing). If the linear program has no solution, the scaled sum is a contradiction (Farkas' lemma).
//!
//! The simplex method computes with rounding errors. Its multipliers are therefore rounded, and the sum is computed with
//! integers. Any multipliers of the right sign result in a correct inequality.
//!
//! The method starts with the basis of the previous call, because a change of bounds leaves the multipliers feasible for
//! the dual problem. Each fixpoint adds a credit, and each call spends it. A call that derives nothing spends more, so
//! such calls become rarer.
//!
//! Papers: Achterberg: *Constraint integer programming*, 2007; Perron, Didier, Gay: *The CP-SAT-LP solver*, CP 2023
//! (explanations of linear programs by exact sums of their rows).

use super::bounds::Bounds;
use super::linear::Linear;
use super::{Id, Side};
use crate::simplex::{Problem, Simplex, Step};

/// A linear constraint of the relaxation: the sum of the terms is within the bounds.
#[derive(Debug)]
pub(crate) struct ProgramRow<X = Id> {
    /// The terms: each is a coefficient and an integer, or the index of its column.
    pub(crate) terms: Vec<(i64, X)>,
    pub(crate) lower: Option<i64>,
    pub(crate) upper: Option<i64>,
}

/// The maximum number of operations of the simplex method in the first call, and in later calls.
const MOST_WORK_AT_FIRST: u64 = 200_000_000;
const MOST_WORK: u64 = 5_000_000;
/// Each fixpoint of the propagation adds this many operations to the credit.
const WORK_PER_FIXPOINT: i64 = 20_000;
/// If a call derives something, only its work divided by this number is charged.
const USEFUL: i64 = 4;
/// Without an objective, the n-th successive call that derives nothing spends n times its work, up to this factor.
const MOST_USELESS: i64 = 20;
/// Differences of the objective up to this number are considered rounding errors.
const TOLERANCE: f64 = 1e-5;
/// The absolute values of all numbers that can occur in an inequality add up to at most two to this power.
const BITS: f64 = 58.0;
/// Multipliers are rounded to at most this many bits.
const MULTIPLIER_BITS: f64 = 40.0;
/// Multipliers with fewer bits than this would be too imprecise.
const LEAST_BITS: f64 = 20.0;

/// A linear program and the state of the simplex method.
#[derive(Debug)]
pub(super) struct Program {
    columns: Vec<Id>,
    rows: Vec<ProgramRow<usize>>,
    /// The cost of each column.
    costs: Vec<i64>,
    /// The upper bound of this integer, or of its negation, is a bound on `constant` plus the cost.
    objective: Option<Side>,
    constant: i64,
    /// For each row, the sum of the absolute values that can occur. The last entry is for the objective.
    reaches: Vec<f64>,
    simplex: Option<Simplex>,
    /// The number of operations that may be spent. If it is negative, no call is made.
    credit: i64,
    /// The number of operations of the last call.
    spent: i64,
    /// The number of successive calls that have derived nothing.
    useless: i64,
}

impl Program {
    pub(super) fn new(
        rows: &[ProgramRow],
        cost: &[(i64, Id)],
        constant: i64,
        objective: Option<Side>,
    ) -> Self {
        let terms = || rows.iter().flat_map(|row| &row.terms).chain(cost);
        let mut columns: Vec<Id> = terms().map(|&(_, id)| id).collect();
        columns.sort_unstable();
        columns.dedup();
        let column = |id: Id| columns.binary_search(&id).expect("every integer has a column");
        let mut costs = vec![0; columns.len()];
        for &(factor, id) in cost {
            costs[column(id)] += factor;
        }
        let numbered = |row: &ProgramRow| {
            let terms = row.terms.iter().map(|&(factor, id)| (factor, column(id))).collect();
            ProgramRow { terms, lower: row.lower, upper: row.upper }
        };
        let rows = rows.iter().map(numbered).collect();
        Self {
            rows,
            costs,
            objective,
            constant,
            columns,
            reaches: Vec::new(),
            simplex: None,
            credit: 0,
            spent: 0,
            useless: 0,
        }
    }

    /// Returns an inequality that, except for rounding errors, is violated or implies a bound. Returns `None` if there is
    /// none, if the objective has no bound yet, or if earlier calls have derived too little for their work.
    pub(super) fn inequality(&mut self, bounds: &Bounds) -> Option<Linear> {
        let has_bound = |objective: Side| bounds.history(!objective, bounds.time).len() > 1;
        if !self.objective.is_none_or(has_bound) {
            return None;
        }
        self.credit = (self.credit + WORK_PER_FIXPOINT).min(MOST_WORK as i64);
        if self.credit < 0 {
            return None;
        }
        let Some(simplex) = &self.simplex else {
            self.prepare(bounds);
            let most = if self.objective.is_some() { MOST_WORK_AT_FIRST } else { MOST_WORK };
            return self.solve(bounds, most);
        };
        let before = simplex.work();
        let found = self.solve(bounds, MOST_WORK);
        let steps = self.simplex.as_ref().map_or(0, |simplex| simplex.work() - before);
        self.spent = steps as i64 + (self.rows.len() + 2 * self.columns.len()) as i64;
        if let Some(inequality) = &found {
            // The scaled rows were added up.
            let terms: usize = self.rows.iter().map(|row| row.terms.len()).sum();
            self.spent += (terms + inequality.terms().count()) as i64;
        }
        // Without an objective, only a contradiction is useful, which is rare.
        if self.objective.is_none() {
            self.spent *= (1 + self.useless).min(MOST_USELESS);
        }
        self.useless += 1;
        self.credit -= self.spent;
        found
    }

    /// Notifies the program that its last inequality has derived something.
    pub(super) fn was_useful(&mut self) {
        self.credit += self.spent - self.spent / USEFUL;
        self.spent = 0;
        self.useless = 0;
    }

    /// Continues the simplex method within the current bounds, and returns an inequality as [`Program::inequality`] does.
    fn solve(&mut self, bounds: &Bounds, most_work: u64) -> Option<Linear> {
        let range = |id: Id| (bounds.min(Side::of(id)) as f64, bounds.max(Side::of(id)) as f64);
        let most =
            self.objective.map_or(f64::INFINITY, |objective| (bounds.max(objective) - self.constant) as f64);
        let simplex = self.simplex.as_mut()?;
        simplex.set_bounds(self.columns.iter().map(|&id| range(id)));
        let enough = simplex.work() + most_work;
        for _ in 0..10 * (self.rows.len() + self.columns.len()) {
            if simplex.minimum() > most + TOLERANCE || simplex.work() > enough {
                break;
            }
            match simplex.step() {
                Step::Changed => {}
                Step::Optimal => break,
                Step::Infeasible(multipliers) => return self.combine(0.0, &multipliers, bounds),
                Step::Imprecise => {
                    simplex.restart();
                    return None;
                }
            }
        }
        // Whether the objective would be too large if an integer moved to the other end of its range.
        let gap = most - simplex.minimum();
        let fixes = |(&id, &cost): (&Id, &f64)| {
            let (low, high) = range(id);
            low < high && cost.abs() * (high - low) > gap + TOLERANCE
        };
        let is_useful = gap < -TOLERANCE || self.columns.iter().zip(simplex.reduced_costs()).any(fixes);
        let multipliers = is_useful.then(|| simplex.multipliers())?;
        self.combine(1.0, &multipliers, bounds)
    }

    /// Builds the linear program.
    fn prepare(&mut self, bounds: &Bounds) {
        let domain = |id: Id| {
            let integer = bounds.integer(Side::of(id));
            (integer.lower[0].value, integer.upper[0].value)
        };
        let reach = |factor: i64, id: Id| {
            let (low, high) = domain(id);
            factor.unsigned_abs() as f64 * low.unsigned_abs().max(high.unsigned_abs()) as f64
        };
        let reaches = self.rows.iter().map(|ProgramRow { terms, lower, upper }| {
            let sum: f64 = terms.iter().map(|&(factor, column)| reach(factor, self.columns[column])).sum();
            let bound = [lower, upper].into_iter().flatten().map(|bound| bound.unsigned_abs()).max();
            sum + bound.unwrap_or(0) as f64
        });
        let own = self.costs.iter().zip(&self.columns).map(|(&cost, &id)| reach(cost, id)).sum::<f64>();
        self.reaches = reaches
            .chain([own
                + self.constant.unsigned_abs() as f64
                + self.objective.map_or(0.0, |objective| reach(1, objective.id))])
            .collect();
        let float = |(low, high): (i64, i64)| (low as f64, high as f64);
        let rows = self.rows.iter().map(|ProgramRow { terms, lower, upper }| {
            let terms = terms.iter().map(|&(factor, column)| (factor as f64, column)).collect();
            let lower = lower.map_or(f64::NEG_INFINITY, |bound| bound as f64);
            (terms, (lower, upper.map_or(f64::INFINITY, |bound| bound as f64)))
        });
        self.simplex = Some(Simplex::new(&Problem {
            costs: self.costs.iter().map(|&cost| cost as f64).collect(),
            bounds: self.columns.iter().map(|&id| float(domain(id))).collect(),
            rows: rows.collect(),
        }));
    }

    /// Subtracts `weight` times the definition of the objective from the sum of the scaled rows. Returns `None` if the
    /// numbers would be too large or too imprecise.
    fn combine(&self, weight: f64, multipliers: &[f64], bounds: &Bounds) -> Option<Linear> {
        let all = || multipliers.iter().copied().chain([weight]);
        let used = || all().zip(&self.reaches).filter(|&(multiplier, _)| multiplier != 0.0);
        let greatest = all().map(f64::abs).fold(0.0, f64::max);
        let reach: f64 =
            used().map(|(multiplier, &reach)| (multiplier.abs() + greatest * 1e-6) * reach).sum();
        let bits = (BITS - reach.log2()).min(MULTIPLIER_BITS - greatest.log2()).floor();
        let is_precise = reach.is_finite() && greatest.log2() + bits >= LEAST_BITS;
        if !is_precise {
            return None;
        }
        let scale = bits.exp2();
        // The inequality is: the sum of the terms is at most `most`.
        let mut sums = vec![0_i128; self.columns.len()];
        let weight = (weight * scale) as i128;
        for (sum, &cost) in sums.iter_mut().zip(&self.costs) {
            *sum = weight * i128::from(cost);
        }
        let mut most = -weight * i128::from(self.constant);
        for (ProgramRow { terms, lower, upper }, multiplier) in self.rows.iter().zip(multipliers) {
            let multiplier = (multiplier * scale).round() as i128;
            if multiplier == 0 {
                continue;
            }
            // A multiplier of the wrong sign is a rounding error.
            let Some(bound) = (if multiplier > 0 { lower } else { upper }) else { continue };
            most -= multiplier * i128::from(*bound);
            for &(factor, column) in terms {
                sums[column] -= multiplier * i128::from(factor);
            }
        }
        let mut terms = Vec::new();
        let mut reach = 0_i128;
        let objective = self.objective.map(|side| (if side.negated { weight } else { -weight }, side.id));
        let negligible = (greatest * scale * 1e-7) as i128;
        for (factor, id) in sums.into_iter().zip(self.columns.iter().copied()).chain(objective) {
            let integer = bounds.integer(Side::of(id));
            let (low, high) = (i128::from(integer.lower[0].value), i128::from(integer.upper[0].value));
            if factor.abs() * (high - low) <= negligible {
                // A coefficient this small is a rounding error: the exact coefficient of a basic variable is 0.
                most -= factor * if factor > 0 { low } else { high };
                continue;
            }
            reach += factor.abs() * low.abs().max(high.abs());
            let side = if factor > 0 { Side::of(id) } else { !Side::of(id) };
            terms.push((i64::try_from(factor.abs()).ok()?, side));
        }
        let fits = reach + most.abs() < 1 << 61;
        fits.then(|| Linear::new(terms, most as i64))
    }
}
