//! At-most-one constraints.

use std::sync::Arc;

use super::{Cardinality, Constraint, Linear, Scope};
use crate::assignment::Assignment;
use crate::frontier::{Frontier, SumFrontier};
use crate::int::Domains;
use crate::lit::{Lit, constant};
use crate::sink::Sink;

/// At most one of the literals holds. A literal that occurs twice counts twice and must therefore be false.
///
/// ```
/// use gordian_encodings::constraint::AtMostOne;
/// use gordian_encodings::encoding::ladder::LADDER;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let lits: Vec<_> = (0..100).map(|_| model.boolean()).collect();
/// model.post(AtMostOne::new(lits));
/// let mut values = vec![false; 100];
/// values[7] = true;
/// assert!(model.holds(&Assignment::new(values.clone(), vec![])));
/// values[99] = true;
/// assert!(!model.holds(&Assignment::new(values, vec![])));
///
/// let encodings = Encodings::auto().with(&LADDER);
/// let mut cnf = Cnf::default();
/// model.encode(&encodings, &mut cnf);
/// assert_eq!((cnf.variables(), cnf.len()), (199, 296));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtMostOne {
    /// The literals of the at-most-one constraint.
    pub lits: Vec<Lit>,
}

impl AtMostOne {
    /// Creates the constraint that at most one of `lits` holds.
    #[must_use]
    pub fn new(lits: impl Into<Vec<Lit>>) -> Self {
        Self { lits: lits.into() }
    }

    /// If a literal is the constant true, writes clauses for the whole constraint and returns `None`; otherwise,
    /// returns the literals that are not constant.
    pub(crate) fn write_trivial(&self, sink: &mut Sink<'_>) -> Option<Vec<Lit>> {
        let open: Vec<Lit> = self.lits.iter().copied().filter(|&lit| constant(lit).is_none()).collect();
        let held = self.lits.iter().filter(|&&lit| constant(lit) == Some(true)).count();
        match held {
            0 => return Some(open),
            1 => open.iter().for_each(|&lit| sink.clause(&[!lit])),
            _ => sink.clause(&[]),
        }
        None
    }
}

impl Constraint for AtMostOne {
    fn scope(&self) -> Scope {
        Scope { lits: self.lits.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        assignment.count(&self.lits) <= 1
    }

    fn linear(&self) -> Option<Vec<Linear>> {
        Some(vec![Linear::at_most(self.lits.iter().map(|&lit| (1, lit.into())), 1)])
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Cardinality::at_least(self.lits.as_slice(), 2))
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let terms = self.lits.iter().map(|&lit| (1, lit));
        Some(Box::new(SumFrontier::new(terms, 0, 1, true)?))
    }
}
