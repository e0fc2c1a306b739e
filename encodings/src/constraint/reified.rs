//! Constraints that hold under a condition: reification.

use std::sync::Arc;

use super::{Clause, Constraint, Negation, Scope};
use crate::assignment::Assignment;
use crate::int::Domains;
use crate::lit::Lit;

/// If the condition holds, so does one constraint; if not, another. With none for the other case it is an implication,
/// with the negation it is an equivalence. What a literal says of two constraints makes them equivalent to each other; see
/// [`Disjunction`](super::Disjunction) for that without the literal.
///
/// ```
/// use gordian_encodings::constraint::{Reified, Linear};
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let (b, x) = (model.boolean(), model.integer(Domain::interval(0, 9)));
/// model.post(Reified::equivalent(b, Linear::at_least([(2, x.into())], 7)));
/// assert!(model.holds(&Assignment::new(vec![true], vec![4])));
/// assert!(!model.holds(&Assignment::new(vec![false], vec![4])));
/// assert!(model.holds(&Assignment::new(vec![false], vec![3])));
/// ```
#[derive(Debug, Clone)]
pub struct Reified {
    /// What decides.
    pub condition: Lit,
    /// What holds if it does.
    pub then: Option<Arc<dyn Constraint>>,
    /// What holds if it doesn't.
    pub otherwise: Option<Arc<dyn Constraint>>,
}

impl Reified {
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
    pub fn equivalent(lit: Lit, constraint: impl Constraint + 'static) -> Self {
        let constraint: Arc<dyn Constraint> = Arc::new(constraint);
        let negation = Negation { of: Arc::clone(&constraint) };
        Self { condition: lit, then: Some(constraint), otherwise: Some(Arc::new(negation)) }
    }
}

impl Constraint for Reified {
    fn scope(&self) -> Scope {
        let mut scope = Scope::of_all(self.then.iter().chain(&self.otherwise));
        scope.lits.push(self.condition);
        scope
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let constraint = if assignment.lit(self.condition) { &self.then } else { &self.otherwise };
        constraint.as_ref().is_none_or(|constraint| constraint.holds(assignment))
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        // Where nothing is asked for, nothing can be wrong.
        let negated = |constraint: &Option<Arc<dyn Constraint>>| match constraint {
            Some(constraint) => constraint.negation(domains),
            None => Arc::new(Clause::new([])),
        };
        Arc::new(Self {
            condition: self.condition,
            then: Some(negated(&self.then)),
            otherwise: Some(negated(&self.otherwise)),
        })
    }
}
