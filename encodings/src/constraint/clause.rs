//! Clauses.

use std::sync::Arc;

use super::{Atom, Cardinality, Constraint, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};
use crate::lit::Lit;

/// At least one of the literals holds.
///
/// ```
/// use gordian_encodings::constraint::Clause;
/// use gordian_encodings::{Assignment, Cnf, Encodings, FALSE, Model};
///
/// let mut model = Model::new();
/// let [a, b] = [0; 2].map(|_| model.boolean());
/// model.post(Clause::new([a, !b, FALSE]));
/// assert!(model.holds(&Assignment::new(vec![false, false], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![false, true], vec![])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert_eq!(cnf.iter().collect::<Vec<_>>(), [[a, !b]]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The literals of the clause. A clause without literals is unsatisfiable.
    pub lits: Vec<Lit>,
}

impl Clause {
    /// Creates the constraint that at least one of `lits` holds.
    #[must_use]
    pub fn new(lits: impl Into<Vec<Lit>>) -> Self {
        Self { lits: lits.into() }
    }
}

impl Constraint for Clause {
    fn scope(&self) -> Scope {
        Scope { lits: self.lits.clone(), ..Scope::default() }
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Vec::new()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        self.lits.iter().any(|&lit| assignment.lit(lit))
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Cardinality::at_most(self.lits.as_slice(), 0))
    }

    fn inequalities(&self, _: Domains<'_>) -> Option<Vec<Linear>> {
        Some(vec![Linear::at_least(self.lits.iter().map(|&lit| (1, lit.into())), 1)])
    }

    fn clause(&self, _: Domains<'_>) -> Option<Vec<Atom>> {
        Some(self.lits.iter().copied().map(Atom::Lit).collect())
    }
}
