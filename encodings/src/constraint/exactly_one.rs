//! Exactly-one constraints.

use std::sync::Arc;

use gordian_proofs::{Derive, Formula};

use super::{Cardinality, Constraint, Scope};
use crate::assignment::Assignment;
use crate::frontier::{Frontier, SumFrontier};
use crate::int::Domains;
use crate::lit::Lit;

/// Exactly one of the literals holds. A literal that occurs twice counts twice and must therefore be false.
///
/// ```
/// use gordian_encodings::constraint::ExactlyOne;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [a, b, c] = [0; 3].map(|_| model.boolean());
/// model.post(ExactlyOne::new([a, b, !c]));
/// assert!(model.holds(&Assignment::new(vec![false, true, true], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![true, true, true], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![false, false, true], vec![])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert_eq!(cnf.len(), 4);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactlyOne {
    /// The literals of the exactly-one constraint. An exactly-one constraint without literals is unsatisfiable.
    pub lits: Vec<Lit>,
}

impl ExactlyOne {
    /// Creates the constraint that exactly one of `lits` holds.
    #[must_use]
    pub fn new(lits: impl Into<Vec<Lit>>) -> Self {
        Self { lits: lits.into() }
    }
}

impl Constraint for ExactlyOne {
    fn scope(&self) -> Scope {
        Scope { lits: self.lits.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        assignment.count(&self.lits) == 1
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        Constraint::negation(&Cardinality::exactly(self.lits.as_slice(), 1), domains)
    }

    fn formula(&self, formula: &mut Formula, domains: Domains<'_>) -> Option<Box<dyn Derive>> {
        Cardinality::exactly(self.lits.as_slice(), 1).formula(formula, domains)
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let terms = self.lits.iter().map(|&lit| (1, lit));
        Some(Box::new(SumFrontier::new(terms, 1, 1, true)?))
    }
}
