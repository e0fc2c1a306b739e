//! Edges without a closed loop.

use super::{Edge, along, areas};

/// The edges whose entries are true contain no closed loop.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Acyclic<B> {
    /// The number of vertices.
    pub vertices: usize,
    /// The edges.
    pub edges: Vec<Edge<B>>,
}

impl Acyclic<bool> {
    /// Returns the vertices of a component that contains a loop, without the branches that lead nowhere.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let neighbours = along(self.vertices, &self.edges);
        let mut degrees: Vec<usize> = neighbours.iter().map(Vec::len).collect();
        // Remove leaves until none is left: what remains are loops and the paths between them.
        let mut leaves: Vec<usize> = (0..self.vertices).filter(|&vertex| degrees[vertex] == 1).collect();
        while let Some(leaf) = leaves.pop() {
            degrees[leaf] = 0;
            for &next in &neighbours[leaf] {
                if degrees[next] > 0 {
                    degrees[next] -= 1;
                    if degrees[next] == 1 {
                        leaves.push(next);
                    }
                }
            }
        }
        areas(&neighbours, |vertex| degrees[vertex] > 0, |_, _| true).into_iter().next()
    }
}
