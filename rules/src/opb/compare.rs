//! Comparison of two formulas row by row.

use std::collections::HashSet;

use super::{Literal, Opb, OpbRow, Truth};

/// A row that occurs in one formula but not in the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The index of the row.
    pub row: usize,
    /// The row in the OPB format.
    pub text: String,
}

/// Maps each variable to the value that propagation derives from the rows of a formula.
#[derive(Debug)]
pub(super) struct Simplified {
    values: Vec<Truth>,
    changed: bool,
    /// True if a row is violated by every assignment.
    pub(super) contradiction: bool,
}

impl Simplified {
    /// Propagates the rows until nothing changes. Literals that a row forces become constants. If two rows state that
    /// exactly one of two literals is true, one literal is replaced by the negation of the other.
    pub(super) fn new(variables: usize, rows: &[OpbRow]) -> Self {
        let unknown = |variable| Truth::Same(Literal { variable, negated: false });
        let mut known =
            Self { values: (0..variables).map(unknown).collect(), changed: true, contradiction: false };
        while known.changed && !known.contradiction {
            known.changed = false;
            let mut pairs = HashSet::new();
            for row in rows {
                let Some(row) = known.row(row) else { continue };
                let most = row.terms.iter().try_fold(0_i128, |sum, &(weight, _)| sum.checked_add(weight));
                let Some(slack) = most.and_then(|most| most.checked_sub(row.bound)) else { continue };
                known.contradiction |= slack < 0;
                for &(_, literal) in row.terms.iter().filter(|&&(weight, _)| weight > slack) {
                    known.set(literal, Truth::Constant(true));
                }
                if let ([(_, a), (_, b)], true) = (&row.terms[..], slack >= 0) {
                    if pairs.contains(&(!*a, !*b)) {
                        known.set(*b, Truth::Same(!*a));
                    }
                    pairs.insert((*a, *b));
                }
            }
        }
        known
    }

    /// Sets the value of a literal, unless it is known.
    fn set(&mut self, literal: Literal, value: Truth) {
        let unknown = Truth::Same(Literal { negated: false, ..literal });
        if self.values[literal.variable] == unknown {
            self.values[literal.variable] = match value {
                Truth::Constant(value) => Truth::Constant(value != literal.negated),
                Truth::Same(other) => Truth::Same(if literal.negated { !other } else { other }),
            };
            self.changed = true;
        }
    }

    pub(super) fn value(&self, literal: Literal) -> Truth {
        let mut literal = literal;
        loop {
            match self.values[literal.variable] {
                Truth::Constant(value) => return Truth::Constant(value != literal.negated),
                Truth::Same(other) if other.variable == literal.variable => return Truth::Same(literal),
                Truth::Same(other) => literal = if literal.negated { !other } else { other },
            }
        }
    }

    /// Replaces the literals of a row by their values. Returns `None` if every assignment satisfies the row.
    pub(super) fn row(&self, row: &OpbRow) -> Option<OpbRow> {
        let simplified = || {
            let mut bound = row.bound;
            let mut terms = Vec::with_capacity(row.terms.len());
            for &(weight, literal) in &row.terms {
                match self.value(literal) {
                    Truth::Constant(true) => bound = bound.checked_sub(weight)?,
                    Truth::Constant(false) => {}
                    Truth::Same(literal) => terms.push((weight, literal)),
                }
            }
            OpbRow::at_least(terms, bound)
        };
        // If a number overflows, the row stays as it is.
        Some(simplified().unwrap_or_else(|| row.clone())).filter(|row| row.bound > 0)
    }
}

/// Returns the rows of `other` that are neither in `rules` nor in `opposite`. The rows of `opposite` use the
/// variables of `rules`.
///
/// Variables are matched by name. Before the comparison, both formulas are simplified. Literals that follow from
/// `rules` by propagation are replaced by constants. If two literals must have opposite values, one of them is replaced
/// by the negation of the other. Rows that every assignment satisfies are ignored. A coefficient larger than the bound
/// is replaced by the bound. If propagation shows that `rules` has no model, then `rules` implies all rows, and the
/// result is empty. If every assignment violates a row of `opposite`, then `other` may have the row `>= 1`, which every
/// assignment violates, too.
#[must_use]
pub fn unstated(rules: &Opb, opposite: &[OpbRow], other: &Opb) -> Vec<Difference> {
    let known = Simplified::new(rules.variables(), rules.rows());
    if known.contradiction {
        return Vec::new();
    }
    // A coefficient larger than the bound has the same effect as the bound.
    let normal = |row: &OpbRow| {
        let mut row = known.row(row)?;
        for (weight, _) in &mut row.terms {
            *weight = row.bound.min(*weight);
        }
        Some(row)
    };
    let mut rows: HashSet<OpbRow> = rules.rows().iter().chain(opposite).filter_map(normal).collect();
    let is_violated = |row: &OpbRow| {
        let most = row.terms.iter().try_fold(0_i128, |sum, &(weight, _)| sum.checked_add(weight));
        most.is_some_and(|most| most < row.bound)
    };
    if opposite.iter().any(is_violated) {
        rows.insert(OpbRow { terms: Vec::new(), bound: 1 });
    }
    let stated = |row: &OpbRow| {
        let renamed = row.terms.iter().map(|&(weight, literal)| {
            let found = rules.find(other.name(literal))?;
            Some((weight, if literal.negated { !found } else { found }))
        });
        let Some(terms) = renamed.collect::<Option<Vec<_>>>() else { return false };
        let row = OpbRow::at_least(terms, row.bound);
        row.is_some_and(|row| normal(&row).is_none_or(|row| rows.contains(&row)))
    };
    let unstated = other.rows().iter().enumerate().filter(|(_, row)| !stated(row));
    unstated.map(|(index, row)| Difference { row: index, text: other.row_text(row) }).collect()
}
