//! Elements of arrays.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope, Term};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// `value = array[index]`, counted from 0. The index must be within the array.
///
/// ```
/// use gordian_encodings::constraint::Element;
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let [a, b, i, x] = [0; 4].map(|_| model.integer(Domain::interval(0, 9)));
/// model.post(Element { index: i, array: vec![a.into(), b.into()], value: x.into() });
/// assert!(model.holds(&Assignment::new(vec![], vec![7, 4, 1, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![7, 4, 0, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![7, 4, 2, 4])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The index.
    pub index: IntVar,
    /// The elements.
    pub array: Vec<Term>,
    /// The element at the index.
    pub value: Term,
}

impl Constraint for Element {
    fn scope(&self) -> Scope {
        let mut scope = Scope { lits: Vec::new(), ints: vec![self.index] };
        for &term in self.array.iter().chain([&self.value]) {
            match term {
                Term::Int(x) => scope.ints.push(x),
                Term::Lit(lit) => scope.lits.push(lit),
            }
        }
        scope
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let index = usize::try_from(assignment.int(self.index)).ok();
        let element = index.and_then(|index| self.array.get(index));
        element.is_some_and(|&element| assignment.term(element) == assignment.term(self.value))
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        let wrong = |(index, &element): (usize, &Term)| {
            let elsewhere = Linear::not_equal([(1, self.index.into())], index as i128);
            let other = Linear::not_equal([(1, element), (-1, self.value)], 0);
            Arc::new(Disjunction::either(elsewhere, other)) as Arc<dyn Constraint>
        };
        Arc::new(Conjunction::new(self.array.iter().enumerate().map(wrong)))
    }
}
