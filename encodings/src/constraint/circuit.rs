//! The circuit constraint: the successors of vertices form a single circuit.

use std::sync::Arc;

use super::{Constraint, Linear, Permutation, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::value_literals::ValueLiterals;

/// The successors of n vertices, numbered from 0, form a single circuit through all vertices. If `optional` is true,
/// a vertex that is its own successor is not on the circuit, and the circuit may be empty. If `holds` is false, the
/// successors must not form a single circuit.
///
/// ```
/// use gordian_encodings::constraint::Circuit;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let successors = model.integers::<4>(0..=3);
/// model.post(Circuit::hamiltonian(successors));
/// assert!(model.holds(&Assignment::new(vec![], vec![2, 3, 1, 0])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![1, 0, 3, 2])), "two circuits");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    /// The successor of each vertex.
    pub successors: Vec<Expr>,
    /// True if a vertex may be its own successor. Such a vertex is not on the circuit.
    pub optional: bool,
    /// True if the successors must form a circuit, false if they must not.
    pub holds: bool,
}

impl Circuit {
    /// Creates the constraint that the successors form a circuit through all vertices.
    pub fn hamiltonian(successors: impl IntoIterator<Item: Into<Expr>>) -> Self {
        let successors = successors.into_iter().map(Into::into).collect();
        Self { successors, optional: false, holds: true }
    }

    /// Creates the constraint that the successors form a circuit through all vertices that are not their own
    /// successors.
    pub fn optional(successors: impl IntoIterator<Item: Into<Expr>>) -> Self {
        Self { optional: true, ..Self::hamiltonian(successors) }
    }
}

impl Constraint for Circuit {
    fn scope(&self) -> Scope {
        Scope::of_exprs(&self.successors)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let n = self.successors.len();
        let next = |expr| usize::try_from(assignment.value(expr)).ok().filter(|&next| next < n);
        let next: Option<Vec<usize>> = self.successors.iter().map(next).collect();
        let circuit = next.is_some_and(|next| {
            let on = |&vertex: &usize| !self.optional || next[vertex] != vertex;
            let Some(first) = (0..n).find(on) else { return true };
            // Follow the successors of the first vertex until a vertex repeats. If the successors form a circuit, the
            // repeated vertex is the first vertex.
            let mut visited = vec![false; n];
            let mut here = first;
            while !std::mem::replace(&mut visited[here], true) {
                here = next[here];
            }
            here == first && (0..n).all(|vertex| visited[vertex] == on(&vertex))
        });
        circuit == self.holds
    }

    /// Each vertex has one predecessor, which may be the vertex itself if the circuit is optional.
    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        if !self.holds {
            return Vec::new();
        }
        let vertices: Vec<Value> = (0..self.successors.len() as Value).collect();
        Permutation::new(self.successors.iter().cloned(), vertices).implied(literals)
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { holds: !self.holds, ..self.clone() })
    }
}
