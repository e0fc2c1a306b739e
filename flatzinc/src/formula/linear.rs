//! Linear constraints over Boolean variables.

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{FormulaLit, LARGEST_SUM, TooLarge};
use crate::instance::{Argument, Operand, VarId};

/// A sum over variables, compared with a bound. Each variable occurs once, with a coefficient other than 0.
pub(super) struct Linear {
    pub(super) terms: Vec<(Value, VarId)>,
    pub(super) comparison: Comparison,
    pub(super) bound: Value,
}

impl Linear {
    /// Replaces negated literals, and merges terms with the same variable.
    pub(super) fn new(
        terms: impl IntoIterator<Item = (Value, FormulaLit)>,
        comparison: Comparison,
        bound: Value,
    ) -> Result<Self, TooLarge> {
        let mut reach = bound.unsigned_abs();
        let mut bound = bound;
        let mut merged: Vec<(Value, VarId)> = Vec::new();
        for (factor, lit) in terms {
            reach = reach
                .checked_add(factor.unsigned_abs())
                .filter(|&reach| reach <= LARGEST_SUM)
                .ok_or(TooLarge)?;
            if lit.is_positive {
                merged.push((factor, lit.variable));
            } else {
                bound -= factor;
                merged.push((-factor, lit.variable));
            }
        }
        if reach > LARGEST_SUM {
            return Err(TooLarge);
        }
        merged.sort_unstable_by_key(|term| term.1);
        merged.dedup_by(|next, last| {
            let is_same = next.1 == last.1;
            if is_same {
                last.0 += next.0;
            }
            is_same
        });
        merged.retain(|term| term.0 != 0);
        Ok(Self { terms: merged, comparison, bound })
    }

    /// Returns the minimum and the maximum of the sum.
    fn range(&self) -> (Value, Value) {
        let negative = self.terms.iter().map(|term| term.0.min(0)).sum();
        let positive = self.terms.iter().map(|term| term.0.max(0)).sum();
        (negative, positive)
    }

    /// Turns `>=` into `<=`, because calls have no other inequality.
    pub(super) fn at_most(self) -> Self {
        if self.comparison != Comparison::AtLeast {
            return self;
        }
        let terms = self.terms.into_iter().map(|(factor, x)| (-factor, x)).collect();
        Self { terms, comparison: Comparison::AtMost, bound: -self.bound }
    }

    /// Returns whether all assignments satisfy the constraint (true), or none (false). The result is `None` if this is
    /// not known.
    pub(super) fn constant(&self) -> Option<bool> {
        let (min, max) = self.range();
        match self.comparison {
            Comparison::AtMost if max <= self.bound => Some(true),
            Comparison::AtMost if min > self.bound => Some(false),
            Comparison::Equal if min == max => Some(min == self.bound),
            Comparison::Equal if !(min..=max).contains(&self.bound) => Some(false),
            _ => None,
        }
    }

    /// Returns the literals of the clause that the constraint is equivalent to, or `None` if it is not a clause. The
    /// constraint must have the form of [`Linear::at_most`] and must not be [constant](Linear::constant).
    pub(super) fn clause(&self) -> Option<Vec<FormulaLit>> {
        // Each false literal adds at least `excess` to the minimum, so a clause has one true literal.
        let excess = self.range().1 - self.bound;
        let is_clause = self.comparison == Comparison::AtMost
            && self.terms.iter().all(|&(factor, _)| factor.abs() >= excess);
        let lit = |&(factor, variable): &(Value, VarId)| FormulaLit { variable, is_positive: factor < 0 };
        is_clause.then(|| self.terms.iter().map(lit).collect())
    }

    pub(super) fn arguments(&self) -> Vec<Argument> {
        vec![
            Argument::Array(self.terms.iter().map(|term| Operand::Int(term.0)).collect()),
            Argument::Array(self.terms.iter().map(|term| Operand::Var(term.1)).collect()),
            Argument::One(Operand::Int(self.bound)),
        ]
    }

    /// Returns the name of the call, and its name with a result as an additional argument.
    pub(super) fn call_names(&self) -> (&'static str, &'static str) {
        match self.comparison {
            Comparison::Equal => ("bool_lin_eq", "bool_lin_eq_reif"),
            Comparison::NotEqual => ("bool_lin_ne", "bool_lin_ne_reif"),
            Comparison::AtMost | Comparison::AtLeast => ("bool_lin_le", "bool_lin_le_reif"),
        }
    }
}
