//! Simple paths.

use std::sync::Arc;

use super::{Cardinality, Clause, Connected, Constraint, Disconnected, Disjunction, Reified, Scope};
use crate::assignment::Assignment;
use crate::frontier::{Frontier, PathsFrontier};
use crate::graph::Graph;
use crate::int::Domains;
use crate::lit::{Lit, TRUE};

/// The edges whose literals hold form a simple path between two given vertices. The vertices whose literals hold are
/// the vertices on the path. If all vertices must be on the path, their literals should be [`TRUE`](crate::TRUE). If
/// both ends are the same vertex, the path has no edges.
///
/// ```
/// use gordian_encodings::constraint::Path;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model, TRUE};
///
/// // A path from 0 to 2 in the cycle 0 1 2 3.
/// let mut model = Model::new();
/// let vertices: Vec<_> = (0..4).map(|_| model.boolean()).collect();
/// let edges: Vec<_> = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|(a, b)| (a, b, model.boolean())).to_vec();
/// model.post(Path::new(0, 2, vertices, edges));
/// let (on, off) = (true, false);
/// assert!(model.holds(&Assignment::new(vec![on, on, on, off, on, on, off, off], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![on, on, on, off, on, off, off, off], vec![])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Path {
    /// The first vertex.
    pub start: usize,
    /// The last vertex.
    pub end: usize,
    /// The literal of each vertex. It is true if the vertex is on the path.
    pub vertices: Vec<Lit>,
    /// The edges, each with its two vertices and the literal that is true if the path uses the edge.
    pub edges: Vec<(usize, usize, Lit)>,
}

impl Path {
    /// Creates the constraint that the literals form a simple path from `start` to `end`.
    ///
    /// # Panics
    /// Panics if an edge or an end refers to a vertex that does not exist, or an edge is a loop.
    pub fn new(
        start: usize,
        end: usize,
        vertices: impl Into<Vec<Lit>>,
        edges: impl Into<Vec<(usize, usize, Lit)>>,
    ) -> Self {
        let (vertices, edges) = (vertices.into(), edges.into());
        assert!(start.max(end) < vertices.len(), "ends are vertices");
        assert!(
            edges.iter().all(|&(a, b, _)| a != b && a.max(b) < vertices.len()),
            "edges join two vertices"
        );
        Self { start, end, vertices, edges }
    }

    /// Returns the constraint that the edges and vertices of the path are connected. The connectivity constraint uses
    /// a graph in which each edge of the original graph is subdivided by a vertex. The start of the path is always in
    /// the connected set.
    pub(crate) fn connected(&self) -> Connected {
        let n = self.vertices.len();
        let ends = self.edges.iter().enumerate().flat_map(|(i, &(a, b, _))| [(n + i, a), (n + i, b)]);
        let edges = self.edges.iter().map(|&(_, _, lit)| lit);
        let mut members: Vec<Lit> = self.vertices.iter().copied().chain(edges).collect();
        members[self.start] = TRUE;
        Connected::new(Arc::new(Graph::new(n + self.edges.len(), ends)), members)
    }

    /// Returns the literals of the edges at a vertex.
    pub(crate) fn at(&self, vertex: usize) -> Vec<Lit> {
        self.edges.iter().filter(|&&(a, b, _)| a == vertex || b == vertex).map(|&(_, _, lit)| lit).collect()
    }

    /// Returns the degree of a vertex in the path, provided that the vertex is on the path.
    pub(crate) fn degree(&self, vertex: usize) -> usize {
        match (vertex == self.start, vertex == self.end) {
            (true, true) => 0,
            (false, false) => 2,
            _ => 1,
        }
    }
}

impl Constraint for Path {
    fn scope(&self) -> Scope {
        let edges = self.edges.iter().map(|&(_, _, lit)| lit);
        Scope { lits: self.vertices.iter().copied().chain(edges).collect(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        are_paths(&[[self.start, self.end]], &self.vertices, &self.edges, assignment)
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        let at = |(vertex, &on): (usize, &Lit)| {
            let edges = self.at(vertex);
            let wrong =
                Constraint::negation(&Cardinality::exactly(edges.as_slice(), self.degree(vertex)), domains);
            let stray = Arc::new(Clause::new(edges));
            Reified { condition: on, then: Some(wrong), otherwise: Some(stray) }
        };
        let degrees = self.vertices.iter().enumerate().map(at);
        let degrees = degrees.map(|wrong| Arc::new(wrong) as Arc<dyn Constraint>);
        let ends = Clause::new([!self.vertices[self.start], !self.vertices[self.end]]);
        let apart = Disconnected { connected: self.connected() };
        Arc::new(Disjunction::new(degrees.chain([Arc::new(ends) as Arc<dyn Constraint>, Arc::new(apart)])))
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let pairs = vec![[self.start, self.end]];
        Some(Box::new(PathsFrontier::new(pairs, self.vertices.clone(), self.edges.clone())?))
    }
}

/// Returns whether the true literals describe disjoint paths, one between the two ends of each pair.
pub(super) fn are_paths(
    pairs: &[[usize; 2]],
    vertices: &[Lit],
    edges: &[(usize, usize, Lit)],
    assignment: &Assignment,
) -> bool {
    // Follow the path from the first end of each pair. The literals of all other edges and vertices must be false.
    let mut used = vec![false; edges.len()];
    let mut visited = vec![false; vertices.len()];
    for &[start, end] in pairs {
        let mut here = start;
        loop {
            if std::mem::replace(&mut visited[here], true) {
                return false;
            }
            let on = |&(i, &(a, b, lit)): &(usize, &(usize, usize, Lit))| {
                !used[i] && (a == here || b == here) && assignment.lit(lit)
            };
            let Some((i, &(a, b, _))) = edges.iter().enumerate().find(on) else { break };
            used[i] = true;
            here = if a == here { b } else { a };
        }
        if here != end {
            return false;
        }
    }
    edges.iter().zip(used).all(|(&(_, _, lit), used)| assignment.lit(lit) == used)
        && vertices.iter().zip(visited).all(|(&lit, visited)| assignment.lit(lit) == visited)
}
