//! The constraint that each connected component of a set has a given size.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::graph::Graph;
use crate::int::Domains;
use crate::lit::Lit;

/// The vertices whose literals hold form a set, every connected component of which has the same given number of
/// vertices. The empty set has no components.
///
/// ```
/// use gordian_encodings::constraint::ComponentSize;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Graph, Model};
/// use std::sync::Arc;
///
/// // A path of five vertices.
/// let graph = Arc::new(Graph::new(5, [(0, 1), (1, 2), (2, 3), (3, 4)]));
/// let mut model = Model::new();
/// let vertices: Vec<_> = (0..5).map(|_| model.boolean()).collect();
/// model.post(ComponentSize::new(graph, vertices, 2));
/// let (on, off) = (true, false);
/// assert!(model.holds(&Assignment::new(vec![on, on, off, on, on], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![on, on, on, off, off], vec![])), "three vertices");
/// assert!(!model.holds(&Assignment::new(vec![on, on, off, on, off], vec![])), "one vertex");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct ComponentSize {
    /// The graph of all vertices.
    pub graph: Arc<Graph>,
    /// The literal of each vertex. It is true if the vertex is in the set.
    pub vertices: Vec<Lit>,
    /// The number of vertices of each component.
    pub size: usize,
    /// True if the constraint must hold, false if it must be violated.
    pub holds: bool,
}

impl ComponentSize {
    /// Creates the constraint that each component of the set has `size` vertices.
    ///
    /// # Panics
    /// Panics if the number of literals differs from the number of vertices.
    #[must_use]
    pub fn new(graph: Arc<Graph>, vertices: impl Into<Vec<Lit>>, size: usize) -> Self {
        let vertices = vertices.into();
        assert_eq!(vertices.len(), graph.len(), "one literal for each vertex");
        Self { graph, vertices, size, holds: true }
    }
}

impl Constraint for ComponentSize {
    fn scope(&self) -> Scope {
        Scope { lits: self.vertices.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let inside = |vertex: usize| assignment.lit(self.vertices[vertex]);
        let mut open: Vec<bool> = (0..self.vertices.len()).map(inside).collect();
        let mut all_fit = true;
        for start in 0..open.len() {
            if open[start] {
                let steps = self.graph.distances([start], inside);
                all_fit &= steps.iter().flatten().count() == self.size;
                for (open, steps) in open.iter_mut().zip(steps) {
                    *open &= steps.is_none();
                }
            }
        }
        all_fit == self.holds
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { holds: !self.holds, ..self.clone() })
    }
}
