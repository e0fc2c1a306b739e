//! Cardinality constraints.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::frontier::{Frontier, SumFrontier};
use crate::int::{Domains, Value};
use crate::lit::{Lit, constant};
use crate::sink::Sink;

/// At least `min` and at most `max` of the literals hold. A literal that occurs twice counts twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cardinality {
    /// The literals that are counted.
    pub lits: Vec<Lit>,
    /// The minimum number of literals that hold. If the minimum exceeds the number of literals, the constraint is
    /// unsatisfiable.
    pub min: usize,
    /// The maximum number of literals that hold. If the maximum is less than `min`, the constraint is unsatisfiable.
    pub max: usize,
}

impl Cardinality {
    /// Creates the constraint that between `min` and `max` of the literals hold.
    #[must_use]
    pub fn between(lits: impl Into<Vec<Lit>>, min: usize, max: usize) -> Self {
        Self { lits: lits.into(), min, max }
    }

    /// Creates the constraint that at most `max` of the literals hold.
    #[must_use]
    pub fn at_most(lits: impl Into<Vec<Lit>>, max: usize) -> Self {
        Self::between(lits, 0, max)
    }

    /// Creates the constraint that at least `min` of the literals hold.
    #[must_use]
    pub fn at_least(lits: impl Into<Vec<Lit>>, min: usize) -> Self {
        Self::between(lits, min, usize::MAX)
    }

    /// Creates the constraint that exactly `count` of the literals hold.
    #[must_use]
    pub fn exactly(lits: impl Into<Vec<Lit>>, count: usize) -> Self {
        Self::between(lits, count, count)
    }

    /// Returns an equivalent constraint over n non-constant literals, with `min < n` and `1 <= max <= n`. If the
    /// constraint is equivalent to a few clauses, returns the clauses instead of a constraint.
    pub(crate) fn simplified(&self) -> Result<Self, Vec<Vec<Lit>>> {
        let lits: Vec<Lit> = self.lits.iter().copied().filter(|&lit| constant(lit).is_none()).collect();
        let held = self.lits.iter().filter(|&&lit| constant(lit) == Some(true)).count();
        let (n, min) = (lits.len(), self.min.saturating_sub(held));
        if self.min > self.max || held > self.max || min > n {
            return Err(vec![Vec::new()]);
        }
        let max = (self.max - held).min(n);
        match (min, max) {
            (_, 0) => Err(lits.iter().map(|&lit| vec![!lit]).collect()),
            (min, _) if min == n => Err(lits.iter().map(|&lit| vec![lit]).collect()),
            (0, max) if max == n => Err(Vec::new()),
            (1, max) if max == n => Err(vec![lits]),
            _ => Ok(Self { lits, min, max }),
        }
    }

    /// If the constraint is equivalent to a few clauses, writes the clauses and returns `None`; otherwise, returns
    /// the simplified constraint ([`Cardinality::simplified`]).
    pub(crate) fn write_trivial(&self, sink: &mut Sink<'_>) -> Option<Self> {
        let write = |clauses: Vec<Vec<Lit>>| clauses.iter().for_each(|clause| sink.clause(clause));
        self.simplified().map_err(write).ok()
    }
}

impl Constraint for Cardinality {
    fn scope(&self) -> Scope {
        Scope { lits: self.lits.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        (self.min..=self.max).contains(&assignment.count(&self.lits))
    }

    fn linear(&self) -> Option<Vec<Linear>> {
        let terms = || self.lits.iter().map(|&lit| (1, lit.into()));
        let bound = |bound: usize| bound as Value;
        Some(if self.min == self.max {
            vec![Linear::equal(terms(), bound(self.min))]
        } else {
            // The formula omits tautologies, so a bound that always holds adds nothing to it.
            vec![Linear::at_least(terms(), bound(self.min)), Linear::at_most(terms(), bound(self.max))]
        })
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        if self.min > self.max {
            return Arc::new(Conjunction::new([]));
        }
        let lits = self.lits.as_slice();
        let fewer = self.min.checked_sub(1).map(|most| Self::at_most(lits, most));
        let more = (self.max < lits.len()).then(|| Self::at_least(lits, self.max + 1));
        let sides = [fewer, more].into_iter().flatten();
        Arc::new(Disjunction::exclusive(sides.map(|side| Arc::new(side) as Arc<dyn Constraint>)))
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let terms = self.lits.iter().map(|&lit| (1, lit));
        Some(Box::new(SumFrontier::new(terms, self.min as Value, self.max as Value, true)?))
    }
}
