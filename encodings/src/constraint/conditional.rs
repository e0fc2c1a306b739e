//! Constraints that hold under a condition: reification.

use std::sync::Arc;

use super::{Constraint, Lexicographic, Linear, Meaning, Scope};
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

/// A constraint whose negation is a constraint.
pub trait Negate: Constraint + Sized + 'static {
    /// The constraint that holds exactly where this one doesn't.
    #[must_use]
    fn negate(&self) -> Self;
}

impl Negate for Linear {
    fn negate(&self) -> Self {
        self.negated()
    }
}

impl Negate for Lexicographic {
    fn negate(&self) -> Self {
        self.negated()
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
