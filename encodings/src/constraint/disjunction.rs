//! Disjunctions of constraints.

use std::sync::Arc;

use super::{Atom, Conjunction, Constraint, Needs, Negation, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// At least one of several constraints holds. Implications and equivalences between constraints are posted as
/// disjunctions.
///
/// ```
/// use gordian_encodings::constraint::{AllDifferent, Disjunction, Linear};
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let ints = [0; 3].map(|_| model.integer(Domain::interval(1, 9)));
/// let sum = Linear::equal(ints.map(|x| (1, x.into())), 6);
/// model.post(Disjunction::implies(sum.clone(), AllDifferent::new(ints)));
/// assert!(model.holds(&Assignment::new(vec![], vec![3, 1, 2])));
/// assert!(model.holds(&Assignment::new(vec![], vec![3, 3, 3])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![2, 2, 2])));
///
/// model.post(Disjunction::equivalent(sum, AllDifferent::new(ints)));
/// assert!(!model.holds(&Assignment::new(vec![], vec![3, 4, 5])));
/// ```
#[derive(Debug, Clone)]
pub struct Disjunction {
    /// The constraints of the disjunction. An empty disjunction never holds.
    pub constraints: Vec<Arc<dyn Constraint>>,
    /// True if the caller guarantees that no assignment satisfies two of the constraints. Encodings may assume that the
    /// constraints exclude each other, but need not enforce this.
    pub exclusive: bool,
}

impl Disjunction {
    /// Creates the constraint that at least one of `constraints` holds.
    #[must_use]
    pub fn new(constraints: impl IntoIterator<Item = Arc<dyn Constraint>>) -> Self {
        Self { constraints: constraints.into_iter().collect(), exclusive: false }
    }

    /// Creates the disjunction of `constraints` and asserts that no assignment satisfies two of them. The assertion
    /// is stored in [`Disjunction::exclusive`].
    #[must_use]
    pub fn exclusive(constraints: impl IntoIterator<Item = Arc<dyn Constraint>>) -> Self {
        Self { exclusive: true, ..Self::new(constraints) }
    }

    /// Creates the constraint that at least one of two constraints holds.
    pub fn either(first: impl Constraint + 'static, second: impl Constraint + 'static) -> Self {
        Self::new([Arc::new(first) as Arc<dyn Constraint>, Arc::new(second)])
    }

    /// Creates the constraint that the first constraint implies the second.
    pub fn implies(condition: impl Constraint + 'static, constraint: impl Constraint + 'static) -> Self {
        Self::either(Negation::new(condition), constraint)
    }

    /// Creates the constraint that either both constraints hold or neither does.
    pub fn equivalent(first: impl Constraint + 'static, second: impl Constraint + 'static) -> Self {
        let both: [Arc<dyn Constraint>; 2] = [Arc::new(first), Arc::new(second)];
        let neither = both.clone().map(|of| Arc::new(Negation { of }) as Arc<dyn Constraint>);
        Self::exclusive([both, neither].map(|all| Arc::new(Conjunction::new(all)) as Arc<dyn Constraint>))
    }
}

impl Constraint for Disjunction {
    fn scope(&self) -> Scope {
        Scope::of_all(&self.constraints)
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        self.constraints.iter().flat_map(|constraint| constraint.needs()).collect()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        self.constraints.iter().any(|constraint| constraint.holds(assignment))
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Conjunction::new(self.constraints.iter().map(|constraint| constraint.negation(domains))))
    }

    fn clause(&self, domains: Domains<'_>) -> Option<Vec<Atom>> {
        let clauses = self.constraints.iter().map(|constraint| constraint.clause(domains));
        Some(clauses.collect::<Option<Vec<_>>>()?.concat())
    }
}
