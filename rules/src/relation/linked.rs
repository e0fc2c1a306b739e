//! Sets of vertices that are connected by chosen edges.

use super::{Edge, along, areas};

/// The vertices whose entries are true are connected by the edges whose entries are true and whose ends are both among
/// these vertices. The empty set is connected.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Linked<B> {
    /// An entry for each vertex.
    pub vertices: Vec<B>,
    /// The edges.
    pub edges: Vec<Edge<B>>,
}

impl Linked<bool> {
    /// Returns the smallest component, if there are several.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let neighbours = along(self.vertices.len(), &self.edges);
        let areas = areas(&neighbours, |vertex| self.vertices[vertex], |_, _| true);
        (areas.len() > 1).then(|| areas.into_iter().min_by_key(Vec::len)).flatten()
    }
}
