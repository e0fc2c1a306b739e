//! Constraints that hold under a condition: reification.

use std::sync::Arc;

use super::{
    AtMostOne, Cardinality, Clause, Constraint, Equality, ExactlyOne, Lexicographic, Linear, Meaning, Scope,
};
use crate::assignment::Assignment;
use crate::encoding::{Technique, conditional};
use crate::int::Domains;
use crate::lit::Lit;

/// If the condition holds, so does one constraint; if not, another. With none for the other case it is an implication,
/// with the negation it is an equivalence.
///
/// ```
/// use gordian_encodings::constraint::{Conditional, Linear};
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let (b, x) = (model.boolean(), model.integer(Domain::interval(0, 9)));
/// model.post(Conditional::equivalent(b, Linear::at_least([(2, x.into())], 7)));
/// assert!(model.holds(&Assignment::new(vec![true], vec![4])));
/// assert!(!model.holds(&Assignment::new(vec![false], vec![4])));
/// assert!(model.holds(&Assignment::new(vec![false], vec![3])));
/// ```
#[derive(Debug, Clone)]
pub struct Conditional {
    /// What decides.
    pub condition: Lit,
    /// What holds if it does.
    pub then: Option<Arc<dyn Constraint>>,
    /// What holds if it doesn't.
    pub otherwise: Option<Arc<dyn Constraint>>,
}

/// A constraint whose negation is a constraint. What has none is made equivalent to a literal by its parts: a range of
/// numbers by two linear constraints, of a product or another function by that of an integer of its own, which then equals
/// the one meant or does not.
pub trait Negate: Constraint + Sized + 'static {
    /// What the negation is.
    type Negation: Constraint + 'static;

    /// The constraint that holds exactly where this one doesn't.
    #[must_use]
    fn negate(&self) -> Self::Negation;
}

impl Negate for Linear {
    type Negation = Self;

    fn negate(&self) -> Self {
        self.negated()
    }
}

impl Negate for Equality {
    type Negation = Self;

    fn negate(&self) -> Self {
        self.negated()
    }
}

impl Negate for Lexicographic {
    type Negation = Self;

    fn negate(&self) -> Self {
        self.negated()
    }
}

impl Negate for Clause {
    type Negation = Cardinality;

    fn negate(&self) -> Cardinality {
        Cardinality::at_most(self.lits.as_slice(), 0)
    }
}

impl Negate for AtMostOne {
    type Negation = Cardinality;

    fn negate(&self) -> Cardinality {
        Cardinality::at_least(self.lits.as_slice(), 2)
    }
}

impl Negate for ExactlyOne {
    type Negation = Linear;

    fn negate(&self) -> Linear {
        Linear::not_equal(self.lits.iter().map(|&lit| (1, lit.into())), 1)
    }
}

impl Conditional {
    /// If the condition holds, so does the constraint.
    pub fn implies(condition: Lit, constraint: impl Constraint + 'static) -> Self {
        Self { condition, then: Some(Arc::new(constraint)), otherwise: None }
    }

    /// If the condition holds, so does the first constraint, and otherwise the second.
    pub fn choose(
        condition: Lit,
        then: impl Constraint + 'static,
        otherwise: impl Constraint + 'static,
    ) -> Self {
        Self { condition, then: Some(Arc::new(then)), otherwise: Some(Arc::new(otherwise)) }
    }

    /// The literal holds exactly if the constraint does.
    pub fn equivalent(lit: Lit, constraint: impl Negate) -> Self {
        let otherwise = constraint.negate();
        Self::choose(lit, constraint, otherwise)
    }
}

impl Meaning for Conditional {
    const NAME: &'static str = "conditional";
    const SUMMARY: &'static str = "a constraint holds if a literal does, and another if it doesn't";

    fn techniques() -> &'static [&'static Technique<Self>] {
        static TECHNIQUES: &[&Technique<Conditional>] = &[&conditional::CONDITIONAL];
        TECHNIQUES
    }

    fn auto(&self, _: Domains<'_>) -> &'static Technique<Self> {
        &conditional::CONDITIONAL
    }

    fn scope(&self) -> Scope {
        let mut scope = Scope { lits: vec![self.condition], ..Scope::default() };
        for constraint in [&self.then, &self.otherwise].into_iter().flatten() {
            let Scope { lits, ints } = constraint.scope();
            scope.lits.extend(lits);
            scope.ints.extend(ints);
        }
        scope
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let constraint = if assignment.lit(self.condition) { &self.then } else { &self.otherwise };
        constraint.as_ref().is_none_or(|constraint| constraint.holds(assignment))
    }
}
