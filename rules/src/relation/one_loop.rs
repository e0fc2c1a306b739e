//! Edges that form a single closed loop.

use super::{Edge, along, areas};

/// The edges whose entries are true form one closed loop: at least one edge is true, each vertex has none or two of
/// them, and they are connected.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OneLoop<B> {
    /// The number of vertices.
    pub vertices: usize,
    /// The edges.
    pub edges: Vec<Edge<B>>,
}

impl OneLoop<bool> {
    /// Returns a vertex at which the loop ends or branches, or the shortest of several loops. If no edge is true, the
    /// broken part is empty.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let neighbours = along(self.vertices, &self.edges);
        if let Some(vertex) = neighbours.iter().position(|near| !near.is_empty() && near.len() != 2) {
            return Some(vec![vertex]);
        }
        let areas = areas(&neighbours, |vertex| !neighbours[vertex].is_empty(), |_, _| true);
        match areas.len() {
            0 => Some(Vec::new()),
            1 => None,
            _ => areas.into_iter().min_by_key(Vec::len),
        }
    }
}
