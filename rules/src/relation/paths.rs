//! Disjoint paths between ends with equal labels.

use super::{Edge, along, areas, incident};
use crate::opb::{Opb, Sum, Truth};

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

impl Paths<Truth> {
    /// States the number of edges at each vertex, labels as binary numbers that are equal along edges, and that edges
    /// connect each vertex with an edge to an end.
    pub(super) fn state(&self, opb: &mut Opb) {
        let at = incident(self.vertices, &self.edges);
        let label_of = |vertex: usize| self.ends.iter().find(|end| end.0 == vertex).map(|end| end.1);
        let mut used = Vec::new();
        for (vertex, here) in at.iter().enumerate() {
            let here: Vec<Truth> = here.iter().map(|&edge| self.edges[edge].2).collect();
            if label_of(vertex).is_some() {
                Sum::of_truths(&here).equals(opb, 1);
                used.push(Truth::Constant(true));
                continue;
            }
            opb.none_or_two(&here);
            let none: Vec<Truth> = here.iter().map(|&edge| !edge).collect();
            used.push(!opb.all_of(&none));
        }
        let greatest = self.ends.iter().map(|end| end.1).max().unwrap_or(0);
        for bit in 0..usize::BITS - greatest.leading_zeros() {
            let labels: Vec<Truth> = (0..self.vertices)
                .map(|vertex| match label_of(vertex) {
                    Some(label) => Truth::Constant(label >> bit & 1 == 1),
                    None => Truth::Same(opb.auxiliary()),
                })
                .collect();
            for &(a, b, chosen) in &self.edges {
                opb.clause_of([!chosen, !labels[a], labels[b]]);
                opb.clause_of([!chosen, labels[a], !labels[b]]);
            }
        }
        // All ends are neighbours of a further vertex, so that the paths together are connected.
        let hub = self.vertices + self.edges.len();
        let members = used.into_iter().chain(self.edges.iter().map(|edge| edge.2));
        let members: Vec<Truth> = members.chain([Truth::Constant(true)]).collect();
        let steps = (self.vertices..).zip(&self.edges);
        let steps = steps.flat_map(|(edge, &(a, b, _))| [(a, edge), (b, edge)]);
        opb.connected_set(&members, steps.chain(self.ends.iter().map(|end| (end.0, hub))));
    }
}
