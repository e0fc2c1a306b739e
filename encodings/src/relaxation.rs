//! Bounds on objectives, and refutations, from linear programming.
//!
//! The *linear relaxation* of a model consists of linear constraints over real numbers: the linear constraints that the
//! model's constraints [imply](crate::Constraint::implied), the model's clauses, and its at-most-one groups of
//! literals. The dual simplex method finds multipliers for the constraints. Each constraint is scaled by its multiplier
//! and subtracted from the objective. The result is a constant plus a sum of terms. The constant bounds the objective,
//! and the coefficients of the terms are the *reduced costs*. Core-guided search starts with the constant as its bound
//! and with the reduced costs as the weights of its soft literals. A literal whose weight exceeds the gap is fixed
//! (reduced cost fixing). When the search bounds the objective, the propagator of lazily created order literals [solves
//! the linear program again](crate::Objective::linear). Without an objective, the propagator solves the linear program to
//! find out whether it has a solution at all.
//!
//! The simplex method computes with rounding errors. Its multipliers are therefore rounded to fractions with a common
//! denominator, and the sum is computed with integers. Any multipliers of the right sign result in a correct bound.
//!
//! Papers: Crowder, Johnson, Padberg: *Solving large-scale zero-one linear programming problems*, Operations Research
//! 31, 1983 (reduced cost fixing); Neumaier, Shcherbina: *Safe bounds in linear and mixed-integer linear programming*,
//! Mathematical Programming 99, 2004; Bacchus, Hyttinen, Jarvisalo, Saikko: *Reduced cost fixing in MaxSAT*, CP 2017.
//! Unlike in the last paper, the relaxation is computed from the constraints, not from the cores found so far.

use std::collections::{BTreeMap, HashMap};

use crate::cancel::tick;
use crate::constraint::{Linear, Term};
use crate::int::{Domains, Value};
use crate::linear_sum::LinearSum;
use crate::lit::Lit;
use crate::model::Model;
use crate::objective::{Objective, Relaxation, Sense};
use crate::simplex::{Problem, Simplex, Step};
use rows::{Row, related, rows};

mod rows;
#[cfg(test)]
mod tests;

/// The maximum number of operations of the simplex method. This many operations take a fraction of a second.
const MOST_WORK: u64 = 200_000_000;
/// The solution of the linear program guides the search if the program covers all rows, and at most this percentage of the
/// literals have fractional values.
const MOST_FRACTIONAL: usize = 5;
/// Multipliers are considered exact if they have a common denominator up to this number.
const EXACT_SCALE: Value = 360;
/// The common denominator to which all other multipliers are rounded.
const SCALE: Value = 1 << 20;

impl Model {
    /// Adds a [relaxation](crate::Objective::relaxation) and its [constraints](crate::Objective::linear) to the objective,
    /// as described in the [module](self). Does nothing if the relaxation gives no better bound than the domains. Without an
    /// objective, the model keeps the constraints of the relaxation, and the search solves the linear program to refute
    /// its decisions. If the model [prefers](Model::prefer) no literals, the linear program contains all
    /// constraints of the relaxation, and its solution is almost integral, the model prefers the rounded solution.
    pub fn relax(&mut self) {
        let rows = rows(self);
        let domains = self.domains();
        let Some(objective) = self.objective() else {
            self.relaxation = related_to_sums(&rows);
            return;
        };
        let sign = if objective.sense == Sense::Minimise { 1 } else { -1 };
        let cost = || {
            let mut sum = LinearSum::of(&objective.terms, domains).ok()?;
            sum.add_constant(objective.constant).ok()?;
            let terms = sum.terms().map(|(weight, term)| Some((weight.checked_mul(sign)?, term)));
            Some((terms.collect::<Option<Vec<_>>>()?, sum.constant.checked_mul(sign)?))
        };
        let Some((terms, constant)) = cost() else { return };
        let all = rows.len();
        let (columns, rows) = related(&terms, &rows);
        let is_whole = rows.len() == all;
        let (relaxation, rounded) = relax(&terms, &columns, &rows, domains);
        let relaxation = relaxation.and_then(|relaxation| {
            let constant = relaxation.constant.checked_add(constant.checked_mul(relaxation.scale)?)?;
            Some(Relaxation { constant, ..relaxation })
        });
        if relaxation.is_none() {
            return;
        }
        let linear = rows.iter().filter_map(|row| row.linear()).collect();
        self.set_objective(Objective { relaxation, linear, ..objective.clone() });
        if is_whole && self.preferred().is_empty() {
            self.prefer(rounded);
        }
    }
}

/// Returns the constraints that share terms with a sum, directly or through other constraints. A sum has an integer or a
/// coefficient other than 1 and -1. Without sums, the result is empty.
fn related_to_sums(rows: &[Row]) -> Vec<Linear> {
    let is_sum = |row: &&Row| row.terms.iter().any(|&(c, term)| c.abs() > 1 || matches!(term, Term::Int(_)));
    let sums: Vec<(Value, Term)> = rows.iter().filter(is_sum).flat_map(|row| row.terms.clone()).collect();
    let (_, related) = related(&sums, rows);
    related.iter().filter_map(|row| row.linear()).collect()
}

/// Returns a relaxation for minimising `cost`, or `None` if it gives no better bound than the domains. Also returns the
/// [rounded] solution of the linear program.
fn relax(
    cost: &[(Value, Term)],
    columns: &HashMap<Term, usize>,
    rows: &[&Row],
    domains: Domains<'_>,
) -> (Option<Relaxation>, Vec<Lit>) {
    let mut problem = Problem { costs: vec![0.0; columns.len()], ..Problem::default() };
    let mut terms: Vec<Term> = columns.keys().copied().collect();
    terms.sort_unstable_by_key(|term| columns[term]);
    problem.bounds = terms.iter().map(|term| float(term.range(domains))).collect();
    for (weight, term) in cost {
        problem.costs[columns[term]] = *weight as f64;
    }
    for row in rows {
        let terms = row.terms.iter().map(|&(weight, term)| (weight as f64, columns[&term]));
        let lower = row.lower.map_or(f64::NEG_INFINITY, |bound| bound as f64);
        let upper = row.upper.map_or(f64::INFINITY, |bound| bound as f64);
        problem.rows.push((terms.collect(), (lower, upper)));
    }
    let (simplex, is_optimal) = solve(&problem);
    let bound = bound(cost, rows, &simplex, domains);
    (bound, if is_optimal { rounded(&terms, &simplex.solution()) } else { Vec::new() })
}

/// Returns the literals that are true in the solution of a linear program after rounding. The result is empty if too many
/// literals have fractional values.
fn rounded(terms: &[Term], solution: &[f64]) -> Vec<Lit> {
    let values = || {
        terms.iter().zip(solution).filter_map(|(term, &value)| match *term {
            Term::Lit(lit) => Some((lit, value)),
            Term::Int(_) => None,
        })
    };
    let fractional = values().filter(|(_, value)| (value - value.round()).abs() > 1e-6).count();
    if 100 * fractional > MOST_FRACTIONAL * values().count() {
        return Vec::new();
    }
    values().map(|(lit, value)| if value > 0.5 { lit } else { !lit }).collect()
}

/// Returns the relaxation with the multipliers of `simplex`, or `None` if it gives no better bound than the domains.
fn bound(
    cost: &[(Value, Term)],
    rows: &[&Row],
    simplex: &Simplex,
    domains: Domains<'_>,
) -> Option<Relaxation> {
    let (scale, multipliers) = rational(&simplex.multipliers());
    let relaxation = combine(cost, rows, scale, &multipliers, domains)?;
    let trivial = Relaxation { scale: 1, terms: cost.to_vec(), constant: 0 }.least(domains)?;
    (relaxation.least(domains)? > trivial.checked_mul(scale)?).then_some(relaxation)
}

/// Returns the last basis within the limits, and whether it is optimal.
fn solve(problem: &Problem) -> (Simplex, bool) {
    let mut simplex = Simplex::new(problem);
    let mut is_optimal = false;
    for _ in 0..10 * (problem.rows.len() + problem.costs.len()) {
        let before = simplex.work();
        let step = simplex.step();
        is_optimal = step == Step::Optimal;
        if step != Step::Changed || simplex.work() > MOST_WORK {
            break;
        }
        tick((simplex.work() - before) / 64);
    }
    (simplex, is_optimal)
}

fn float((a, b): (Value, Value)) -> (f64, f64) {
    (a as f64, b as f64)
}

/// Returns fractions near the multipliers: a common denominator, and the numerators.
fn rational(multipliers: &[f64]) -> (Value, Vec<Value>) {
    let is_near = |scale: Value, multiplier: f64| {
        let scaled = multiplier * scale as f64;
        (scaled - scaled.round()).abs() < 1e-6
    };
    let fits = |&scale: &Value| multipliers.iter().all(|&multiplier| is_near(scale, multiplier));
    let scale = (1..=EXACT_SCALE).find(fits).unwrap_or(SCALE);
    (scale, multipliers.iter().map(|&multiplier| (multiplier * scale as f64).round() as Value).collect())
}

/// Scales each constraint by its multiplier, and subtracts the results from the cost. Returns `None` on overflow.
fn combine(
    cost: &[(Value, Term)],
    rows: &[&Row],
    scale: Value,
    multipliers: &[Value],
    domains: Domains<'_>,
) -> Option<Relaxation> {
    let mut sum: BTreeMap<Term, Value> = BTreeMap::new();
    let mut constant: Value = 0;
    let mut add = |weight: Value, factor: Value, term: Term| {
        let entry = sum.entry(term).or_default();
        *entry = entry.checked_add(weight.checked_mul(factor)?)?;
        Some(())
    };
    for &(weight, term) in cost {
        add(weight, scale, term)?;
    }
    for (row, &multiplier) in rows.iter().zip(multipliers) {
        // A multiplier of the wrong sign is a rounding error.
        let Some(bound) = (if multiplier > 0 { row.lower } else { row.upper }) else { continue };
        constant = constant.checked_add(bound.checked_mul(multiplier)?)?;
        for &(weight, term) in &row.terms {
            add(weight, multiplier.checked_neg()?, term)?;
        }
    }
    let mut terms = Vec::new();
    for (term, weight) in sum.into_iter().filter(|&(_, weight)| weight != 0) {
        // Small reduced costs are rounding errors: the exact reduced cost of a basic variable is 0.
        if scale > EXACT_SCALE && term.spread(weight, domains) < scale.unsigned_abs() / 1_000 {
            let (low, high) = term.range(domains);
            let least = weight.checked_mul(if weight > 0 { low } else { high })?;
            constant = constant.checked_add(least)?;
        } else {
            terms.push((weight, term));
        }
    }
    Some(Relaxation { scale, terms, constant })
}
