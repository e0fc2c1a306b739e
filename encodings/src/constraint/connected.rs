//! Connected sets of vertices.

use std::sync::Arc;

use gordian_proofs::{Derive, Formula};

use super::{Constraint, Disconnected, Scope};
use crate::assignment::Assignment;
use crate::frontier::{ConnectedFrontier, Frontier};
use crate::graph::Graph;
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE};
use crate::theory::connected::Flow;

/// The vertices whose literals hold induce a connected subgraph. The empty set and single vertices are connected.
///
/// The literal of a vertex that is always in the set should be [`TRUE`](crate::TRUE). The encodings can then use this
/// vertex as the root.
///
/// ```
/// use gordian_encodings::constraint::Connected;
/// use gordian_encodings::encoding::reachability_layers::LAYERS;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Graph, Model};
/// use std::sync::Arc;
///
/// // A path of four vertices.
/// let graph = Arc::new(Graph::new(4, [(0, 1), (1, 2), (2, 3)]));
/// let mut model = Model::new();
/// let vertices: Vec<_> = (0..4).map(|_| model.boolean()).collect();
/// model.post(Connected::new(graph, vertices));
/// assert!(model.holds(&Assignment::new(vec![false, true, true, false], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![true, false, true, false], vec![])));
///
/// let encodings = Encodings::auto().with(&LAYERS);
/// let mut cnf = Cnf::default();
/// model.encode(&encodings, &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Connected {
    /// The graph of all vertices.
    pub graph: Arc<Graph>,
    /// The literal of each vertex. It is true if the vertex is in the set.
    pub vertices: Vec<Lit>,
    /// An upper bound on the distance between two vertices in the same component, measured along paths within the set.
    /// The caller guarantees the bound for every set that satisfies the remaining constraints of the model. Encodings
    /// may rely on the bound but need not enforce it.
    pub diameter: Option<usize>,
    /// The minimum and the maximum number of vertices in the set. The caller guarantees these bounds. Encodings may
    /// rely on the bounds but need not enforce them.
    pub size: (usize, usize),
    /// A hint for choosing an encoding: true if almost all sets that satisfy the model's other constraints are
    /// connected. Propagating connectivity on partial assignments is then rarely useful.
    pub nearly_implied: bool,
}

impl Connected {
    /// Creates the constraint that the vertices whose literals hold are connected in `graph`.
    ///
    /// # Panics
    /// Panics if the number of literals differs from the number of vertices.
    #[must_use]
    pub fn new(graph: Arc<Graph>, vertices: impl Into<Vec<Lit>>) -> Self {
        let vertices = vertices.into();
        assert_eq!(vertices.len(), graph.len(), "one literal for each vertex");
        Self { graph, vertices, diameter: None, size: (0, usize::MAX), nearly_implied: false }
    }

    /// Returns the vertices that can be in the set.
    pub(crate) fn members(&self) -> Vec<usize> {
        (0..self.vertices.len()).filter(|&vertex| self.vertices[vertex] != FALSE).collect()
    }

    /// Returns the first vertex that is always in the set, or `None` if there is no such vertex.
    pub(crate) fn root(&self) -> Option<usize> {
        self.vertices.iter().position(|&lit| lit == TRUE)
    }

    /// Declares that any two vertices in the same component of the set are at most `steps` edges apart. The caller
    /// guarantees this bound, which is stored in [`Connected::diameter`].
    #[must_use]
    pub fn within(mut self, steps: usize) -> Self {
        self.diameter = Some(steps);
        self
    }

    /// Declares that the set has between `min` and `max` vertices. The caller guarantees these bounds, which are stored
    /// in [`Connected::size`].
    #[must_use]
    pub fn of_size(mut self, min: usize, max: usize) -> Self {
        self.size = (min, max);
        self
    }

    /// Declares that almost all sets that satisfy the other constraints of the model are connected. The declaration
    /// is stored in [`Connected::nearly_implied`], and is only a hint.
    #[must_use]
    pub fn nearly_implied(mut self) -> Self {
        self.nearly_implied = true;
        self
    }
}

impl Constraint for Connected {
    fn scope(&self) -> Scope {
        Scope { lits: self.vertices.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let inside = |vertex: usize| assignment.lit(self.vertices[vertex]);
        let first = (0..self.vertices.len()).find(|&vertex| inside(vertex));
        let steps = self.graph.distances(first, inside);
        (0..self.vertices.len()).all(|vertex| !inside(vertex) || steps[vertex].is_some())
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Disconnected { connected: self.clone() })
    }

    fn formula(&self, formula: &mut Formula, _: Domains<'_>) -> Option<Box<dyn Derive>> {
        Some(Box::new(Flow::new(&self.graph, &self.vertices, self.size, formula)))
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        Some(Box::new(ConnectedFrontier::new(Arc::clone(&self.graph), self.vertices.clone())))
    }
}
