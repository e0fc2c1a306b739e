//! Negations of constraints.

use std::sync::Arc;

use super::{Atom, Constraint, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// The negation of another constraint.
///
/// ```
/// use gordian_encodings::constraint::{AllDifferent, Negation};
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let ints = [0; 3].map(|_| model.integer(Domain::interval(1, 9)));
/// model.post(Negation::new(AllDifferent::new(ints)));
/// assert!(model.holds(&Assignment::new(vec![], vec![4, 7, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![4, 7, 5])));
/// ```
#[derive(Debug, Clone)]
pub struct Negation {
    /// The constraint that must not hold.
    pub of: Arc<dyn Constraint>,
}

impl Negation {
    /// Creates the negation of a constraint.
    pub fn new(of: impl Constraint + 'static) -> Self {
        Self { of: Arc::new(of) }
    }
}

impl Constraint for Negation {
    fn scope(&self) -> Scope {
        self.of.scope()
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        self.of.needs()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        !self.of.holds(assignment)
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::clone(&self.of)
    }

    fn inequalities(&self, domains: Domains<'_>) -> Option<Vec<Linear>> {
        self.of.negation(domains).inequalities(domains)
    }

    fn clause(&self, domains: Domains<'_>) -> Option<Vec<Atom>> {
        self.of.negation(domains).clause(domains)
    }
}
