//! Conjunctions of constraints.

use std::sync::Arc;

use super::{Atom, Constraint, Disjunction, Needs, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// All constraints in a list hold.
///
/// ```
/// use gordian_encodings::constraint::{AtMostOne, Clause, Reified, Conjunction};
/// use gordian_encodings::{Assignment, Model};
///
/// let mut model = Model::new();
/// let [a, b, one] = [0; 3].map(|_| model.boolean());
/// let exactly_one = Conjunction::both(Clause::new([a, b]), AtMostOne::new([a, b]));
/// model.post(Reified::equivalent(one, exactly_one));
/// assert!(model.holds(&Assignment::new(vec![true, false, true], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![true, true, true], vec![])));
/// ```
#[derive(Debug, Clone)]
pub struct Conjunction {
    /// The constraints. An empty conjunction always holds.
    pub constraints: Vec<Arc<dyn Constraint>>,
}

impl Conjunction {
    /// Creates the conjunction of `constraints`.
    #[must_use]
    pub fn new(constraints: impl IntoIterator<Item = Arc<dyn Constraint>>) -> Self {
        Self { constraints: constraints.into_iter().collect() }
    }

    /// Creates the conjunction of two constraints.
    pub fn both(first: impl Constraint + 'static, second: impl Constraint + 'static) -> Self {
        Self { constraints: vec![Arc::new(first), Arc::new(second)] }
    }
}

impl Constraint for Conjunction {
    fn scope(&self) -> Scope {
        Scope::of_all(&self.constraints)
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        self.constraints.iter().flat_map(|constraint| constraint.needs()).collect()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        self.constraints.iter().all(|constraint| constraint.holds(assignment))
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Disjunction::new(self.constraints.iter().map(|constraint| constraint.negation(domains))))
    }

    fn clause(&self, domains: Domains<'_>) -> Option<Vec<Atom>> {
        match &self.constraints[..] {
            [] => Some(vec![Atom::Lit(crate::TRUE)]),
            [only] => only.clause(domains),
            _ => None,
        }
    }
}
