//! Linear comparisons under conditions.

use std::collections::BTreeMap;
use std::ops::Neg;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;
use gordian_rules::opb::{Integer, OpbRow, Sum};

use super::{Writer, constant, value};
use crate::instance::{Operand, VarId};

/// A sum with its minimum and maximum over the domains of the variables.
#[derive(Clone, Default)]
pub(super) struct Ranged {
    sum: Sum,
    min: Value,
    max: Value,
}

impl Ranged {
    fn add(&mut self, factor: Value, other: &Sum, (min, max): (Value, Value)) {
        self.sum.add(factor, other);
        self.min += (factor * min).min(factor * max);
        self.max += (factor * min).max(factor * max);
    }

    pub(super) fn add_integer(&mut self, factor: Value, integer: &Integer) {
        self.add(factor, &value(integer), integer.range());
    }

    /// Returns the value of the sum if no terms remain after equal and complementary literals are added up.
    pub(super) fn constant(&self) -> Option<Value> {
        let row = OpbRow::at_least(self.sum.terms.iter().copied(), 0)?;
        row.terms.is_empty().then_some(self.sum.constant - row.bound)
    }

    /// Returns the total weight of the integers with certain values, or `None` if the weights are too large.
    pub(super) fn number(
        integers: &[Integer],
        weights: &[Value],
        is_counted: &dyn Fn(Value) -> bool,
    ) -> Option<Self> {
        const GREATEST: u128 = 1 << 120;
        let total = weights.iter().try_fold(0_u128, |sum, weight| sum.checked_add(weight.unsigned_abs()));
        total.filter(|&total| total <= GREATEST)?;
        let mut number = Self::default();
        for (integer, &weight) in integers.iter().zip(weights) {
            let counted: Vec<Value> =
                integer.values().iter().copied().filter(|&value| is_counted(value)).collect();
            if counted.len() == integer.values().len() {
                number.add(weight, &constant(!counted.is_empty()), (1, 1));
                continue;
            }
            for value in counted {
                number.add(weight, &integer.is(value), (0, 1));
            }
        }
        Some(number)
    }
}

impl Neg for &Ranged {
    type Output = Ranged;

    fn neg(self) -> Ranged {
        let mut negated = Ranged::default();
        negated.add(-1, &self.sum, (self.min, self.max));
        negated
    }
}

/// A relation that is stated under a condition: a term that must be 1, or a comparison of a sum.
pub(super) enum Stated {
    Term(Sum),
    Compare(Ranged, Comparison, Value),
}

impl Writer {
    /// States that a sum is at least `bound` if all conditions are 1.
    fn at_least(&mut self, conditions: &[&Sum], Ranged { sum, min, .. }: &Ranged, bound: Value) {
        if *min >= bound {
            return;
        }
        // If n conditions are 0, the row requires only that the sum is at least `bound - n (bound - min)`.
        let mut sum = sum.clone();
        for condition in conditions {
            sum.add(bound - min, &condition.complement());
        }
        sum.at_least(&mut self.opb, bound);
    }

    /// States a comparison under a condition.
    pub(super) fn compare(&mut self, condition: &Sum, sum: &Ranged, comparison: Comparison, bound: Value) {
        if comparison == Comparison::NotEqual {
            if (sum.min..=sum.max).contains(&bound) {
                self.differences += 1;
                let less = self.opb.variable(format_args!("less_{}", self.differences));
                let [less, more] = [less, !less].map(|literal| [literal].into_iter().collect::<Sum>());
                self.at_least(&[condition, &less], &-sum, 1 - bound);
                self.at_least(&[condition, &more], sum, bound + 1);
            }
            return;
        }
        if comparison != Comparison::AtLeast {
            self.at_least(&[condition], &-sum, -bound);
        }
        if comparison != Comparison::AtMost {
            self.at_least(&[condition], sum, bound);
        }
    }

    /// States a relation under a condition, and its negation under another condition, if any.
    pub(super) fn state(&mut self, stated: &Stated, condition: &Sum, otherwise: Option<&Sum>) {
        match stated {
            Stated::Term(term) => {
                self.clause(condition, [term.clone()]);
                if let Some(otherwise) = otherwise {
                    self.clause(otherwise, [term.complement()]);
                }
            }
            Stated::Compare(sum, comparison, bound) => {
                self.compare(condition, sum, *comparison, *bound);
                if let Some(otherwise) = otherwise {
                    let (comparison, bound) = negated(*comparison, *bound);
                    self.compare(otherwise, sum, comparison, bound);
                }
            }
        }
    }

    /// Returns a linear comparison in normal form: each variable with several values occurs once, and the coefficients
    /// have no common divisor. A comparison of at most one variable is a term.
    pub(super) fn linear(
        &self,
        terms: &[(Value, &Operand)],
        comparison: Comparison,
        mut bound: Value,
    ) -> Option<Stated> {
        let mut factors: BTreeMap<VarId, Value> = BTreeMap::new();
        for &(factor, operand) in terms {
            match operand {
                Operand::Var(x) => *factors.entry(*x).or_default() += factor,
                _ => bound = bound.checked_sub(factor.checked_mul(operand.constant()?)?)?,
            }
        }
        let mut integers: Vec<(Value, &Integer)> = Vec::new();
        for (x, factor) in factors {
            match &self.variables[x.0 as usize] {
                integer if integer.values().len() == 1 => bound -= factor * integer.range().0,
                integer if factor != 0 => integers.push((factor, integer)),
                _ => {}
            }
        }
        let divisor = integers.iter().fold(0, |divisor, &(factor, _)| gcd(divisor, factor));
        let (comparison, bound) = match comparison {
            _ if divisor == 0 => {
                let holds = match comparison {
                    Comparison::AtMost => 0 <= bound,
                    Comparison::AtLeast => 0 >= bound,
                    Comparison::Equal => 0 == bound,
                    Comparison::NotEqual => 0 != bound,
                };
                return Some(Stated::Term(constant(holds)));
            }
            Comparison::AtMost => (Comparison::AtMost, bound.div_euclid(divisor)),
            Comparison::AtLeast => (Comparison::AtLeast, -(-bound).div_euclid(divisor)),
            other if bound % divisor == 0 => (other, bound / divisor),
            other => return Some(Stated::Term(constant(other == Comparison::NotEqual))),
        };
        if let [(factor, x)] = integers[..] {
            let value = bound * factor.signum();
            return Some(Stated::Term(match (comparison, factor > 0) {
                (Comparison::AtMost, true) | (Comparison::AtLeast, false) => x.at_most(value),
                (Comparison::AtLeast, true) | (Comparison::AtMost, false) => {
                    x.at_most(value - 1).complement()
                }
                (Comparison::Equal, _) => x.is(value),
                (Comparison::NotEqual, _) => x.is(value).complement(),
            }));
        }
        let mut sum = Ranged::default();
        for (factor, integer) in integers {
            sum.add_integer(factor / divisor, integer);
        }
        Some(Stated::Compare(sum, comparison, bound))
    }

    /// States a linear equation under a condition.
    pub(super) fn equals(
        &mut self,
        condition: &Sum,
        terms: &[(Value, &Operand)],
        bound: Value,
    ) -> Option<()> {
        let stated = self.linear(terms, Comparison::Equal, bound)?;
        self.state(&stated, condition, None);
        Some(())
    }
}

/// Returns the comparison with a bound that holds if and only if the given one does not.
fn negated(comparison: Comparison, bound: Value) -> (Comparison, Value) {
    match comparison {
        Comparison::AtMost => (Comparison::AtLeast, bound + 1),
        Comparison::AtLeast => (Comparison::AtMost, bound - 1),
        Comparison::Equal => (Comparison::NotEqual, bound),
        Comparison::NotEqual => (Comparison::Equal, bound),
    }
}

/// Returns the greatest common divisor, or 0 if both numbers are 0.
fn gcd(a: Value, b: Value) -> Value {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
