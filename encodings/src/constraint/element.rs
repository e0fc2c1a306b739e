//! Elements of arrays.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domain, Domains, IntVar, Value};
use crate::lit::Lit;
use crate::value_literals::ValueLiterals;

/// `value = array[index]`, where the first element has index 0. The constraint is violated if the index is outside
/// the array.
///
/// ```
/// use gordian_encodings::constraint::Element;
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let [a, b, i, x] = [0; 4].map(|_| model.integer(Domain::interval(0, 9)));
/// model.post(Element::new(i, [a, b], x));
/// assert!(model.holds(&Assignment::new(vec![], vec![7, 4, 1, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![7, 4, 0, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![7, 4, 2, 4])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The index of an element; the first element has index 0.
    pub index: Expr,
    /// The elements of the array.
    pub array: Vec<Expr>,
    /// The element at the index.
    pub value: Expr,
}

impl Element {
    /// Creates the constraint `value = array[index]`.
    pub fn new(
        index: impl Into<Expr>,
        array: impl IntoIterator<Item: Into<Expr>>,
        value: impl Into<Expr>,
    ) -> Self {
        let array = array.into_iter().map(Into::into).collect();
        Self { index: index.into(), array, value: value.into() }
    }
}

impl Constraint for Element {
    fn scope(&self) -> Scope {
        Scope::of_exprs([&self.index, &self.value].into_iter().chain(&self.array))
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Needs::Values.of(Scope::of_exprs([&self.index]).ints)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let index = usize::try_from(assignment.value(&self.index)).ok();
        let element = index.and_then(|index| self.array.get(index));
        element.is_some_and(|element| assignment.value(element) == assignment.value(&self.value))
    }

    /// The value lies between the minimum and the maximum of the element at the index.
    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        let Some(index) = literals.values(&self.index) else { return Vec::new() };
        let element = |(index, lit)| Some((self.array.get(usize::try_from(index).ok()?)?, lit));
        let elements: Vec<(&Expr, Lit)> = index.into_iter().filter_map(element).collect();
        let sum_of = |end: fn(&Domain) -> Value| {
            let domains = literals.domains();
            let terms = elements.iter().map(|&(element, lit)| (end(&domains.of_expr(element)), lit.into()));
            Expr::new(terms, 0)
        };
        let (least, greatest) = (sum_of(Domain::min), sum_of(Domain::max));
        if least == greatest {
            return vec![self.value.equals(least)];
        }
        vec![self.value.at_least(least), self.value.at_most(greatest)]
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        let wrong = |(index, element): (usize, &Expr)| {
            let (elsewhere, other) = (self.index.not_equals(index), element.not_equals(&self.value));
            Arc::new(Disjunction::either(elsewhere, other)) as Arc<dyn Constraint>
        };
        Arc::new(Conjunction::new(self.array.iter().enumerate().map(wrong)))
    }
}
