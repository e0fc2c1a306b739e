//! Minimum and maximum.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::int::{Domains, IntVar};

/// An integer is the maximum (or the minimum) of a list of integers. The constraint is unsatisfiable if the list is
/// empty.
///
/// ```
/// use gordian_encodings::constraint::Extremum;
/// use gordian_encodings::{Assignment, Domain, Model};
///
/// let mut model = Model::new();
/// let [x, y, most] = [0; 3].map(|_| model.integer(Domain::interval(0, 9)));
/// model.post(Extremum::maximum([x, y], most));
/// assert!(model.holds(&Assignment::new(vec![], vec![3, 7, 7])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![3, 7, 8])));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extremum {
    /// The integers.
    pub of: Vec<IntVar>,
    /// The maximum or the minimum of the integers.
    pub value: IntVar,
    /// True for the maximum, false for the minimum.
    pub greatest: bool,
}

impl Extremum {
    /// Creates the constraint that `value` is the maximum of the integers.
    pub fn maximum(of: impl Into<Vec<IntVar>>, value: IntVar) -> Self {
        Self { of: of.into(), value, greatest: true }
    }

    /// Creates the constraint that `value` is the minimum of the integers.
    pub fn minimum(of: impl Into<Vec<IntVar>>, value: IntVar) -> Self {
        Self { of: of.into(), value, greatest: false }
    }
}

impl Constraint for Extremum {
    fn scope(&self) -> Scope {
        Scope { ints: self.of.iter().copied().chain([self.value]).collect(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values = self.of.iter().map(|&x| assignment.int(x));
        let extremum = if self.greatest { values.max() } else { values.min() };
        extremum == Some(assignment.int(self.value))
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        // Either some integer exceeds the value, or no integer reaches it.
        let [beyond, below] = [1, -1].map(|way| {
            let sign = if self.greatest { way } else { -way };
            let apart =
                move |&x: &IntVar| Linear::at_least([(sign, x.into()), (-sign, self.value.into())], 1);
            self.of.iter().map(move |x| Arc::new(apart(x)) as Arc<dyn Constraint>)
        });
        let below: Arc<dyn Constraint> = Arc::new(Conjunction::new(below));
        Arc::new(Disjunction::new(beyond.chain([below])))
    }
}
