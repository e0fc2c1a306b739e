//! Disjoint paths between ends with equal labels.

use super::{Edge, along, areas};

/// The edges whose entries are true form disjoint paths. Each path joins two ends with the same label, and all ends
/// are joined.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Paths<B> {
    /// The number of vertices.
    pub vertices: usize,
    /// The ends, each with the number of its label.
    pub ends: Vec<(usize, usize)>,
    /// The edges.
    pub edges: Vec<Edge<B>>,
}

impl Paths<bool> {
    /// Returns a vertex with a wrong number of edges, or a path that does not join two ends with the same label.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let neighbours = along(self.vertices, &self.edges);
        let label = |vertex| self.ends.iter().find(|end| end.0 == vertex).map(|end| end.1);
        let wrong = |&vertex: &usize| match (label(vertex), neighbours[vertex].len()) {
            (Some(_), degree) => degree != 1,
            (None, degree) => degree != 0 && degree != 2,
        };
        if let Some(vertex) = (0..self.vertices).find(wrong) {
            return Some(vec![vertex]);
        }
        let areas = areas(&neighbours, |vertex| !neighbours[vertex].is_empty(), |_, _| true);
        areas.into_iter().find(|area| {
            let labels: Vec<usize> = area.iter().filter_map(|&vertex| label(vertex)).collect();
            !matches!(labels[..], [a, b] if a == b)
        })
    }
}
