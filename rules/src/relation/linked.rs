//! Sets of vertices that are connected by chosen edges.

use super::{Edge, along, areas};
use crate::opb::{Opb, Truth};

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

impl Linked<Truth> {
    /// States that the vertices and the edges between them are connected, where each edge is a vertex between its ends.
    pub(super) fn state(&self, opb: &mut Opb) {
        let mut members = self.vertices.clone();
        for &(a, b, chosen) in &self.edges {
            members.push(opb.all_of(&[chosen, self.vertices[a], self.vertices[b]]));
        }
        let steps = (self.vertices.len()..).zip(&self.edges);
        opb.connected_set(&members, steps.flat_map(|(edge, &(a, b, _))| [(a, edge), (b, edge)]));
    }
}
