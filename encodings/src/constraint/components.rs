//! The constraint that each connected component of a set contains exactly one root.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::frontier::{ComponentsFrontier, Frontier};
use crate::graph::Graph;
use crate::int::Domains;
use crate::lit::Lit;

/// The vertices whose literals hold form a set. Every connected component of the set contains exactly one root, and all
/// roots are in the set. If a size is given for a root, the component of this root has this many vertices.
///
/// ```
/// use gordian_encodings::constraint::Components;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Graph, Model};
/// use std::sync::Arc;
///
/// // A path of five vertices with roots at both ends. The component of the first root must have two vertices.
/// let graph = Arc::new(Graph::new(5, [(0, 1), (1, 2), (2, 3), (3, 4)]));
/// let mut model = Model::new();
/// let vertices: Vec<_> = (0..5).map(|_| model.boolean()).collect();
/// model.post(Components::new(graph, vertices, [(0, Some(2)), (4, None)]));
/// let (on, off) = (true, false);
/// assert!(model.holds(&Assignment::new(vec![on, on, off, on, on], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![on, off, on, on, on], vec![])), "one vertex");
/// assert!(!model.holds(&Assignment::new(vec![on, on, on, on, on], vec![])), "two roots");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Components {
    /// The graph of all vertices.
    pub graph: Arc<Graph>,
    /// The literal of each vertex. It is true if the vertex is in the set.
    pub vertices: Vec<Lit>,
    /// The roots, each with the number of vertices in its component, or `None` for any number.
    pub roots: Vec<(usize, Option<usize>)>,
    /// True if the constraint must hold, false if it must be violated.
    pub holds: bool,
}

impl Components {
    /// Creates the constraint that each component of the set contains exactly one of `roots`. If a size is given for a
    /// root, its component must have this many vertices.
    ///
    /// # Panics
    /// Panics if the number of literals differs from the number of vertices, or if a root is not a vertex or occurs
    /// twice.
    #[must_use]
    pub fn new(
        graph: Arc<Graph>,
        vertices: impl Into<Vec<Lit>>,
        roots: impl Into<Vec<(usize, Option<usize>)>>,
    ) -> Self {
        let (vertices, roots) = (vertices.into(), roots.into());
        assert_eq!(vertices.len(), graph.len(), "one literal for each vertex");
        let mut is_root = vec![false; vertices.len()];
        for &(root, _) in &roots {
            assert!(!std::mem::replace(&mut is_root[root], true), "roots differ");
        }
        Self { graph, vertices, roots, holds: true }
    }
}

impl Constraint for Components {
    fn scope(&self) -> Scope {
        Scope { lits: self.vertices.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let inside = |vertex: usize| assignment.lit(self.vertices[vertex]);
        let mut covered = 0;
        let rooted = self.roots.iter().all(|&(root, size)| {
            let steps = self.graph.distances([root], inside);
            let members = steps.iter().flatten().count();
            covered += members;
            let others = self.roots.iter().filter(|&&(other, _)| other != root);
            members > 0
                && size.is_none_or(|size| size == members)
                && others.into_iter().all(|&(other, _)| steps[other].is_none())
        });
        (rooted && covered == assignment.count(&self.vertices)) == self.holds
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { holds: !self.holds, ..self.clone() })
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let frontier = ComponentsFrontier::new(Arc::clone(&self.graph), self.vertices.clone(), &self.roots)?;
        self.holds.then(|| Box::new(frontier) as Box<dyn Frontier>)
    }
}
