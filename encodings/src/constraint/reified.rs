//! Reification: constraints under conditions.

use std::sync::Arc;

use super::{Clause, Comparison, Constraint, Linear, Needs, Negation, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar, Value};
use crate::linear_sum::range;
use crate::lit::Lit;
use crate::value_literals::ValueLiterals;

/// If a condition holds, the first constraint must hold; otherwise, the second constraint must hold. Without a second
/// constraint, the reification is an implication (half reification). If the second constraint is the negation of the
/// first, the reification is an equivalence (full reification). For implications and equivalences between two
/// constraints, see [`Disjunction`](super::Disjunction).
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
    /// The condition.
    pub condition: Lit,
    /// The constraint that must hold if the condition holds.
    pub then: Option<Arc<dyn Constraint>>,
    /// The constraint that must hold if the condition does not hold.
    pub otherwise: Option<Arc<dyn Constraint>>,
}

impl Reified {
    /// Creates the constraint `condition -> constraint`.
    pub fn implies(condition: Lit, constraint: impl Constraint + 'static) -> Self {
        Self { condition, then: Some(Arc::new(constraint)), otherwise: None }
    }

    /// Creates the constraints `condition -> then` and `-condition -> otherwise`.
    pub fn choose(
        condition: Lit,
        then: impl Constraint + 'static,
        otherwise: impl Constraint + 'static,
    ) -> Self {
        Self { condition, then: Some(Arc::new(then)), otherwise: Some(Arc::new(otherwise)) }
    }

    /// Creates the constraint `lit <-> constraint`.
    pub fn equivalent(lit: Lit, constraint: impl Constraint + 'static) -> Self {
        let constraint: Arc<dyn Constraint> = Arc::new(constraint);
        let negation = Negation { of: Arc::clone(&constraint) };
        Self { condition: lit, then: Some(constraint), otherwise: Some(Arc::new(negation)) }
    }

    /// Returns the constraints, each with its condition.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (Lit, &Arc<dyn Constraint>)> {
        let cases = [(self.condition, &self.then), (!self.condition, &self.otherwise)];
        cases.into_iter().filter_map(|(condition, constraint)| Some((condition, constraint.as_ref()?)))
    }
}

impl Constraint for Reified {
    fn scope(&self) -> Scope {
        let mut scope = Scope::of_all(self.then.iter().chain(&self.otherwise));
        scope.lits.push(self.condition);
        scope
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        self.cases().flat_map(|(_, constraint)| constraint.needs()).collect()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let constraint = if assignment.lit(self.condition) { &self.then } else { &self.otherwise };
        constraint.as_ref().is_none_or(|constraint| constraint.holds(assignment))
    }

    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        let mut implied = Vec::new();
        for (condition, constraint) in self.cases() {
            for linear in constraint.implied(literals) {
                implied.extend(under(condition, &linear, literals.domains()).into_iter().flatten());
            }
        }
        implied
    }

    fn inequalities(&self, domains: Domains<'_>) -> Option<Vec<Linear>> {
        let mut inequalities = Vec::new();
        for (condition, constraint) in self.cases() {
            for linear in constraint.inequalities(domains)? {
                inequalities.extend(under(condition, &linear, domains)?);
            }
        }
        Some(inequalities)
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        // A missing constraint counts as true, so its negation is the empty clause.
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

/// Returns linear inequalities that are equivalent to `condition -> linear`. If the condition is false, each inequality
/// is trivial ("big M"). Returns `None` for `!=`, and if a number overflows.
fn under(condition: Lit, linear: &Linear, domains: Domains<'_>) -> Option<Vec<Linear>> {
    let (least, greatest) = range(&linear.terms, 0, domains).ok()?;
    let bounds: &[(Comparison, Value)] = match linear.comparison {
        Comparison::AtMost => &[(Comparison::AtMost, greatest)],
        Comparison::AtLeast => &[(Comparison::AtLeast, least)],
        Comparison::Equal => &[(Comparison::AtLeast, least), (Comparison::AtMost, greatest)],
        Comparison::NotEqual => return None,
    };
    let inequality = |&(comparison, trivial): &(Comparison, Value)| {
        let slack = trivial.checked_sub(linear.bound)?;
        let terms = linear.terms.iter().copied().chain([(slack, condition.into())]);
        Some(Linear::new(terms, comparison, trivial))
    };
    bounds.iter().map(inequality).collect()
}
