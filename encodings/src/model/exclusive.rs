//! At-most-one groups of literals for the optimisation strategies.

use std::collections::BTreeMap;

use super::Model;
use crate::constraint::{Atom, Comparison, Constraint, Linear, Term};
use crate::int::{Domains, IntVar, Relation, Value};
use crate::linear_sum::LinearSum;
use crate::lit::Lit;

impl Model {
    /// Returns groups of literals. Every solution satisfies at most one literal of each group. The groups come from
    /// binary clauses, linear constraints, and the literals `x = v` of each integer x. Groups may overlap.
    ///
    /// For example, the constraint `2 a + 2 b + c <= 3` yields the group of a and b.
    ///
    /// ```
    /// use gordian_encodings::Model;
    /// use gordian_encodings::constraint::{AtMostOne, Clause, Linear};
    ///
    /// let mut model = Model::new();
    /// let [a, b, c] = model.booleans();
    /// model.post(Linear::at_most([(2, a.into()), (2, b.into()), (1, c.into())], 3));
    /// model.post(Clause::new([a, c]));
    /// assert_eq!(model.exclusive(), [vec![a, b], vec![!a, !c]]);
    /// ```
    #[must_use]
    pub fn exclusive(&self) -> Vec<Vec<Lit>> {
        let domains = self.domains();
        let mut groups = Vec::new();
        for posted in &self.constraints {
            of_constraint(&*posted.constraint, domains, &mut groups);
        }
        let mut values: BTreeMap<IntVar, Vec<Lit>> = BTreeMap::new();
        for (bound, lit) in self.integers.bounds().filter(|(bound, _)| bound.relation == Relation::Equal) {
            values.entry(bound.variable).or_default().push(lit);
        }
        groups.extend(values.into_values().map(|mut lits| {
            lits.sort_unstable();
            lits
        }));
        groups.retain(|group| group.len() > 1);
        groups
    }
}

/// Appends the at-most-one groups of a constraint to `groups`.
fn of_constraint(constraint: &dyn Constraint, domains: Domains<'_>, groups: &mut Vec<Vec<Lit>>) {
    if let Some(clause) = constraint.clause(domains) {
        if let [Atom::Lit(a), Atom::Lit(b)] = clause[..] {
            groups.push(vec![!a, !b]);
        }
        return;
    }
    for linear in constraint.linear().into_iter().flatten() {
        let upper = matches!(linear.comparison, Comparison::AtMost | Comparison::Equal);
        let lower = matches!(linear.comparison, Comparison::AtLeast | Comparison::Equal);
        // If computing a group overflows, the group is omitted.
        groups.extend([(upper, 1), (lower, -1)].into_iter().filter_map(|(applies, sign)| {
            if applies { of_inequality(&linear, sign, domains) } else { None }
        }));
    }
}

/// Returns an at-most-one group of an inequality: the coefficients of any two literals in the group add up to more
/// than the bound. The group contains the literals with the largest coefficients. The inequality is `sum <= bound` if
/// `sign` is 1, and `-sum <= -bound` if it is -1.
fn of_inequality(linear: &Linear, sign: Value, domains: Domains<'_>) -> Option<Vec<Lit>> {
    let mut sum: LinearSum<Lit> = LinearSum::new();
    sum.add_constant(linear.bound.checked_mul(-sign)?).ok()?;
    for &(coefficient, term) in &linear.terms {
        let coefficient = coefficient.checked_mul(sign)?;
        match term {
            Term::Lit(lit) => sum.add_lit(coefficient, lit).ok()?,
            Term::Int(x) => {
                let domain = domains.of(x);
                let least = if coefficient > 0 { domain.min() } else { domain.max() };
                sum.add_constant(coefficient.checked_mul(least)?).ok()?;
            }
        }
    }
    // The inequality implies that `least` plus the weights of the true literals is at most 0.
    let (least, mut weights) = sum.weights().ok()?;
    let most = u128::try_from(least.checked_neg()?).ok()?;
    weights.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let exceeds = |pair: &&[(u128, Lit)]| pair[0].0.checked_add(pair[1].0).is_none_or(|sum| sum > most);
    let pairs = weights.windows(2).take_while(exceeds).count();
    (pairs > 0).then(|| weights[..=pairs].iter().map(|&(_, lit)| lit).collect())
}
