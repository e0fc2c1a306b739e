//! Connected sets of vertices.

use std::sync::Arc;

use super::{Constraint, Disconnected, Scope};
use crate::assignment::Assignment;
use crate::graph::Graph;
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE};

/// The vertices whose literals hold are connected with each other by edges between them. No vertex, or one, is
/// connected.
///
/// Where it is known that a vertex is in the set, its literal should be [`TRUE`](crate::TRUE): encodings start there.
///
/// ```
/// use gordian_encodings::constraint::Connected;
/// use gordian_encodings::encoding::reachability_layers::LAYERS;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Graph, Model};
/// use std::sync::Arc;
///
/// // A way of four vertices.
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
    /// The graph.
    pub graph: Arc<Graph>,
    /// For each vertex of the graph, the literal that says it is in the set.
    pub vertices: Vec<Lit>,
    /// A promise of the model, which encodings may use and need not enforce: in each set that satisfies the *other*
    /// constraints, two connected vertices are at most this many steps apart, by a way within the set.
    pub diameter: Option<usize>,
    /// A promise like [`Connected::diameter`]: a set that satisfies the other constraints has at least and at most
    /// this many vertices.
    pub size: (usize, usize),
    /// A hint: what satisfies the other constraints is nearly always connected, so that little is gained by looking after
    /// it before everything has a value.
    pub nearly_implied: bool,
}

impl Connected {
    /// The vertices whose literals hold are connected in `graph`.
    ///
    /// # Panics
    /// If there is not one literal for each vertex.
    #[must_use]
    pub fn new(graph: Arc<Graph>, vertices: impl Into<Vec<Lit>>) -> Self {
        let vertices = vertices.into();
        assert_eq!(vertices.len(), graph.len(), "one literal for each vertex");
        Self { graph, vertices, diameter: None, size: (0, usize::MAX), nearly_implied: false }
    }

    /// The vertices that can be in the set.
    pub(crate) fn members(&self) -> Vec<usize> {
        (0..self.vertices.len()).filter(|&vertex| self.vertices[vertex] != FALSE).collect()
    }

    /// A vertex that is certainly in the set: the first.
    pub(crate) fn root(&self) -> Option<usize> {
        self.vertices.iter().position(|&lit| lit == TRUE)
    }

    /// With the promise that vertices of the set are at most `steps` apart. See [`Connected::diameter`].
    #[must_use]
    pub fn within(mut self, steps: usize) -> Self {
        self.diameter = Some(steps);
        self
    }

    /// With the promise that the set has from `min` to `max` vertices. See [`Connected::size`].
    #[must_use]
    pub fn of_size(mut self, min: usize, max: usize) -> Self {
        self.size = (min, max);
        self
    }

    /// With the hint that the other constraints nearly imply it. See [`Connected::nearly_implied`].
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
}
