//! Computes windows (bounded ranges of values) that contain a solution if the linear constraints are satisfiable.
//!
//! Suppose that all constraints on a group of unbounded variables are combinations of linear comparisons. If these
//! constraints are satisfiable, they have a solution whose absolute values do not exceed a computable limit.
//! Restricting each variable to a window that extends to this limit preserves satisfiability.
//!
//! * Differences: each comparison has the form `x - y <= w` or `x <= w` (or `=`, `!=`) with `|w| < W`. Take any
//!   solution, sort its values together with 0, and reduce each gap of more than W to W. A difference either stays the
//!   same, or keeps its sign and has an absolute value of at least W, so no comparison changes. Hence n variables have
//!   a solution with `|x| <= n W`.
//! * Other sums: m equations in n nonnegative variables, with coefficients and bounds up to a, have a solution with
//!   `x <= n (m a)^(2 m + 1)`. An inequality becomes an equation with a slack variable, and a variable of any sign
//!   becomes the difference of two nonnegative variables.
//!
//! Paper for the sums that are not differences: Papadimitriou: *On the complexity of integer programming*, Journal of
//! the ACM 28, 1981.

use std::collections::HashMap;

use gordian_encodings::Value;

use super::{Presolved, Store};
use crate::constraint::{Ref, Relation};
use crate::instance::VarId;

/// A group of unbounded variables that are connected by constraints. The comparisons in these constraints determine a
/// limit on the values of the variables.
#[derive(Debug, Clone, Copy)]
struct Component {
    /// The number of variables in the group.
    variables: u128,
    /// The number of comparisons in the constraints.
    rows: u128,
    /// The largest absolute value of a coefficient.
    factor: u128,
    /// The largest absolute value of a bound after the terms of bounded variables are moved to the right-hand side.
    rest: u128,
    /// True if all comparisons are differences.
    differences: bool,
}

impl Component {
    /// Returns a limit on the absolute values of some solution, or `None` on overflow.
    fn window(self) -> Option<u128> {
        let width = self.rest.checked_add(1)?;
        if self.differences {
            return self.variables.checked_mul(width);
        }
        let base = self.rows.checked_mul(self.factor.max(width))?;
        let exponent = u32::try_from(self.rows.checked_mul(2)?.checked_add(1)?).ok()?;
        let variables = self.variables.checked_mul(2)?.checked_add(self.rows)?;
        variables.checked_mul(base.checked_pow(exponent)?)
    }

    fn join(self, other: Self) -> Self {
        Self {
            variables: self.variables + other.variables,
            rows: self.rows.saturating_add(other.rows),
            factor: self.factor.max(other.factor),
            rest: self.rest.max(other.rest),
            differences: self.differences && other.differences,
        }
    }
}

impl Presolved {
    /// Maps unbounded variables to limits on their absolute values. If the instance is satisfiable, it has a solution
    /// within these limits. If a group contains a constraint that is not a combination of linear comparisons, its
    /// variables are not in the map.
    pub(crate) fn windows_for_one(&self, open: &[VarId]) -> HashMap<VarId, u128> {
        let mut parents: HashMap<VarId, VarId> = open.iter().map(|&x| (x, x)).collect();
        let mut components: HashMap<VarId, Option<Component>> =
            open.iter().map(|&x| (x, Some(own_bounds(x, &self.store)))).collect();
        for constraint in &self.constraints {
            let mut variables = Vec::new();
            constraint.relation.operands(&mut |operand| {
                let root = self.store.resolve(operand).variable();
                variables.extend(root.filter(|x| parents.contains_key(x)));
            });
            let Some(&first) = variables.first() else { continue };
            let first = root(&mut parents, first);
            let mut joined = components[&first];
            for x in variables {
                let x = root(&mut parents, x);
                if x != first {
                    joined = joined.zip(components[&x]).map(|(a, b)| a.join(b));
                    parents.insert(x, first);
                }
            }
            let own = comparisons(&constraint.relation, &self.store);
            joined = joined.zip(own).map(|(a, b)| a.join(b));
            components.insert(first, joined);
        }
        let window = |&x: &VarId| Some((x, components[&root(&mut parents, x)]?.window()?));
        open.iter().filter_map(window).collect()
    }
}

fn root(parents: &mut HashMap<VarId, VarId>, mut x: VarId) -> VarId {
    while parents[&x] != x {
        let next = parents[&parents[&x]];
        parents.insert(x, next);
        x = next;
    }
    x
}

/// Returns the group of a single variable. Its comparisons state the finite bounds of the intervals in the variable's
/// domain.
fn own_bounds(x: VarId, store: &Store) -> Component {
    let ends = store.domain(x).intervals().iter().flat_map(|&(first, last)| [first, last]);
    let finite = ends.filter(|&end| end != Value::MIN && end != Value::MAX).map(Value::unsigned_abs);
    let (rows, rest) = finite.fold((0, 0), |(rows, rest), end| (rows + 1, end.max(rest)));
    Component { variables: 1, rows, factor: 1, rest, differences: true }
}

/// Returns the largest absolute value of an operand, or `None` if the operand is unbounded.
fn magnitude(x: Ref, store: &Store) -> Option<u128> {
    let (first, last) = store.range(x);
    (first != Value::MIN && last != Value::MAX).then(|| first.unsigned_abs().max(last.unsigned_abs()))
}

/// Returns the number of linear comparisons that a relation combines, and their largest coefficient and bound. Returns
/// `None` if the relation is not a combination of linear comparisons.
fn comparisons(relation: &Relation, store: &Store) -> Option<Component> {
    let none = Component { variables: 0, rows: 0, factor: 1, rest: 0, differences: true };
    // Returns the comparisons of a relation that only compares operands with each other and with constants.
    let compared = |operands: &mut dyn Iterator<Item = Ref>, constant: u128| {
        let (mut count, mut rest) = (0_u128, constant);
        for x in operands {
            count += 1;
            rest = magnitude(x, store).map_or(rest, |own| own.max(rest));
        }
        Some(Component { rows: count.checked_mul(count)?, rest, ..none })
    };
    match relation {
        Relation::Clause(_) | Relation::And(_) | Relation::Parity(..) => Some(none),
        Relation::Sum(sum) => {
            let sum = sum.merged(store)?;
            let mut rest = sum.bound.unsigned_abs();
            let mut factors = Vec::new();
            for &(factor, x) in &sum.terms {
                match magnitude(x, store) {
                    Some(most) => rest = rest.checked_add(factor.unsigned_abs().checked_mul(most)?)?,
                    None => factors.push(factor),
                }
            }
            let differences = match factors[..] {
                [] | [_] => true,
                [a, b] => a.checked_add(b) == Some(0),
                _ => false,
            };
            let factor = factors.iter().map(|factor| factor.unsigned_abs()).max().unwrap_or(1);
            Some(Component { rows: 1, factor, rest, differences, ..none })
        }
        Relation::In(x, values) => {
            let ends =
                values.intervals().flat_map(|(first, last)| [first.unsigned_abs(), last.unsigned_abs()]);
            compared(&mut std::iter::once(*x), ends.max().unwrap_or(0))
                .map(|own| Component { rows: values.intervals().count() as u128 * 2, ..own })
        }
        Relation::MinMax { of, value, .. } => compared(&mut of.iter().chain([value]).copied(), 0),
        Relation::Lexicographic { left, right, .. } => compared(&mut left.iter().chain(right).copied(), 0),
        Relation::AllDifferent(list, except) => {
            let ends =
                except.intervals().flat_map(|(first, last)| [first.unsigned_abs(), last.unsigned_abs()]);
            compared(&mut list.iter().copied(), ends.max().unwrap_or(0))
        }
        Relation::Element { index, array, value, .. } => {
            magnitude(*index, store)?;
            compared(&mut array.iter().map(Ref::of).chain([*value]), 0)
        }
        Relation::Count { of, value, times, .. } => {
            magnitude(*times, store)?;
            compared(&mut of.iter().map(|&(_, x)| x).chain([*value]), 0)
        }
        Relation::All(relations) => {
            relations.iter().try_fold(none, |all, relation| Some(all.join(comparisons(relation, store)?)))
        }
        _ => None,
    }
}
