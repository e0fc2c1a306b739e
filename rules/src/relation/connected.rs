//! Connected sets of vertices.

use super::{Neighbours, areas, pairs};
use crate::opb::{Opb, Truth};

/// The vertices whose entries are true are connected in a graph. The empty set is connected.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Connected<B> {
    /// The graph.
    pub neighbours: Neighbours,
    /// An entry for each vertex.
    pub vertices: Vec<B>,
}

impl Connected<bool> {
    /// Returns the smallest component, if there are several.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let areas = areas(&self.neighbours, |vertex| self.vertices[vertex], |_, _| true);
        (areas.len() > 1).then(|| areas.into_iter().min_by_key(Vec::len)).flatten()
    }
}

impl Connected<Truth> {
    /// States the flow of [`Opb::connected`].
    pub(super) fn state(&self, opb: &mut Opb) {
        opb.connected_set(&self.vertices, pairs(&self.neighbours));
    }
}
