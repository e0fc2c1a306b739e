//! Disjoint paths that join pairs of vertices.

use std::sync::Arc;

use super::path::are_paths;
use super::{Cardinality, Clause, Connected, Constraint, Disconnected, Disjunction, Reified, Scope};
use crate::assignment::Assignment;
use crate::frontier::{Frontier, PathsFrontier};
use crate::graph::Graph;
use crate::int::Domains;
use crate::lit::{Lit, TRUE};

/// The edges whose literals hold form disjoint simple paths, one between the two vertices of each pair. The vertices
/// whose literals hold are the vertices on the paths. The path of a vertex that is paired with itself has no edges.
///
/// ```
/// use gordian_encodings::constraint::DisjointPaths;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// // A square of the vertices 0, 1, 2 and 3. The paths 0 1 and 2 3 are disjoint.
/// let mut model = Model::new();
/// let vertices: Vec<_> = (0..4).map(|_| model.boolean()).collect();
/// let edges: Vec<_> = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|(a, b)| (a, b, model.boolean())).to_vec();
/// model.post(DisjointPaths::new([[0, 1], [2, 3]], vertices, edges));
/// let (on, off) = (true, false);
/// assert!(model.holds(&Assignment::new(vec![on, on, on, on, on, off, on, off], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![on, on, on, on, off, on, off, on], vec![])), "0 3 and 1 2");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct DisjointPaths {
    /// The pairs of vertices that the paths join.
    pub pairs: Vec<[usize; 2]>,
    /// The literal of each vertex. It is true if the vertex is on a path.
    pub vertices: Vec<Lit>,
    /// The edges, each with its two vertices and the literal that is true if a path uses the edge.
    pub edges: Vec<(usize, usize, Lit)>,
}

impl DisjointPaths {
    /// Creates the constraint that the literals form disjoint paths between the vertices of each pair.
    ///
    /// # Panics
    /// Panics if an edge or a pair refers to a vertex that does not exist, if an edge is a loop, or if a vertex occurs in
    /// two pairs.
    pub fn new(
        pairs: impl Into<Vec<[usize; 2]>>,
        vertices: impl Into<Vec<Lit>>,
        edges: impl Into<Vec<(usize, usize, Lit)>>,
    ) -> Self {
        let (pairs, vertices, edges) = (pairs.into(), vertices.into(), edges.into());
        assert!(
            edges.iter().all(|&(a, b, _)| a != b && a.max(b) < vertices.len()),
            "edges join two vertices"
        );
        let mut is_end = vec![false; vertices.len()];
        for &[a, b] in &pairs {
            assert!(a.max(b) < vertices.len(), "ends are vertices");
            assert!(!is_end[a] && !is_end[b], "pairs have no common vertices");
            (is_end[a], is_end[b]) = (true, true);
        }
        Self { pairs, vertices, edges }
    }

    /// Returns, for each vertex, the literals of the edges at the vertex.
    pub(crate) fn edges_at(&self) -> Vec<Vec<Lit>> {
        let mut at = vec![Vec::new(); self.vertices.len()];
        for &(a, b, lit) in &self.edges {
            at[a].push(lit);
            at[b].push(lit);
        }
        at
    }

    /// Returns the number of path edges that each vertex has if it is on a path.
    pub(crate) fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![2; self.vertices.len()];
        for &[a, b] in &self.pairs {
            (degrees[a], degrees[b]) = if a == b { (0, 0) } else { (1, 1) };
        }
        degrees
    }

    /// Returns constraints that exclude cycles, and paths that join the ends of different pairs. If the vertices have
    /// the degrees that [`DisjointPaths::degrees`] returns, these constraints hold if and only if the edges form one
    /// path for each pair.
    ///
    /// Each of the constraints selects one end of each pair. Such a constraint excludes cycles, because it requires
    /// every vertex on a path to be connected to a selected end. One constraint selects the first end of every pair,
    /// and another selects the second end of every pair. The pairs are numbered in binary. For each bit, one
    /// constraint selects the first end of every pair whose bit is 0 and the second end of all other pairs; another
    /// constraint selects the opposite ends. If a path joined the ends of two different pairs, some constraint would
    /// select neither of the two ends and would be violated.
    fn connected(&self) -> Vec<Connected> {
        let pairs = self.pairs.len();
        let bits = (0..usize::BITS).take_while(|bit| pairs > 1 << bit);
        // A selection consists of a bit position and an end, 0 or 1. It selects this end of each pair whose number has
        // a 0 at the bit position, and the opposite end of all other pairs. Without a bit position, it selects the
        // given end of every pair.
        let mut selections: Vec<(Option<u32>, usize)> = vec![(None, 0)];
        if pairs > 1 {
            selections.push((None, 1));
            selections.extend(bits.flat_map(|bit| [(Some(bit), 0), (Some(bit), 1)]));
        }
        let ends = |(bit, end): (Option<u32>, usize)| {
            let side = move |number: usize| end ^ bit.map_or(0, |bit| number >> bit & 1);
            self.connected_with(self.pairs.iter().enumerate().map(move |(number, pair)| pair[side(number)]))
        };
        selections.into_iter().map(ends).collect()
    }

    /// Returns the constraint that the edges and vertices on the paths are connected to `ends`. The connectivity
    /// constraint uses a graph in which each edge is subdivided by a vertex, and in which an additional vertex is
    /// adjacent to `ends`.
    pub(crate) fn connected_with(&self, ends: impl Iterator<Item = usize>) -> Connected {
        let n = self.vertices.len();
        let root = n + self.edges.len();
        let halves = (n..).zip(&self.edges).flat_map(|(edge, &(a, b, _))| [(edge, a), (edge, b)]);
        let graph = Graph::new(root + 1, halves.chain(ends.map(|end| (root, end))));
        let members = self.vertices.iter().copied().chain(self.edges.iter().map(|&(_, _, lit)| lit));
        Connected::new(Arc::new(graph), members.chain([TRUE]).collect::<Vec<_>>())
    }
}

impl Constraint for DisjointPaths {
    fn scope(&self) -> Scope {
        let edges = self.edges.iter().map(|&(_, _, lit)| lit);
        Scope { lits: self.vertices.iter().copied().chain(edges).collect(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        are_paths(&self.pairs, &self.vertices, &self.edges, assignment)
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        let wrong_at = |((&on, edges), degree): ((&Lit, Vec<Lit>), usize)| -> Arc<dyn Constraint> {
            let wrong = Constraint::negation(&Cardinality::exactly(edges.as_slice(), degree), domains);
            let stray = Arc::new(Clause::new(edges));
            Arc::new(Reified { condition: on, then: Some(wrong), otherwise: Some(stray) })
        };
        let degrees = self.vertices.iter().zip(self.edges_at()).zip(self.degrees()).map(wrong_at);
        let off: Vec<Lit> = self.pairs.iter().flatten().map(|&end| !self.vertices[end]).collect();
        let off: Arc<dyn Constraint> = Arc::new(Clause::new(off));
        let apart = self
            .connected()
            .into_iter()
            .map(|connected| -> Arc<dyn Constraint> { Arc::new(Disconnected { connected }) });
        Arc::new(Disjunction::new(degrees.chain([off]).chain(apart)))
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let frontier = PathsFrontier::new(self.pairs.clone(), self.vertices.clone(), self.edges.clone())?;
        Some(Box::new(frontier))
    }
}
