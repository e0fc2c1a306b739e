//! Edges that form a single closed loop.

use std::collections::BTreeSet;

use super::{Edge, along, areas, incident};
use crate::opb::{Literal, Opb, Truth};

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

impl OneLoop<Truth> {
    /// States that there is an edge if the condition holds, that each vertex has none or two edges, and that the edges are
    /// connected, where edges with a common end are neighbours.
    pub(super) fn state(&self, opb: &mut Opb, condition: Option<Literal>) {
        let chosen: Vec<Truth> = self.edges.iter().map(|edge| edge.2).collect();
        let unless = condition.map(|condition| Truth::Same(!condition));
        opb.clause_of(chosen.iter().copied().chain(unless));
        let at = incident(self.vertices, &self.edges);
        for here in &at {
            let here: Vec<Truth> = here.iter().map(|&edge| chosen[edge]).collect();
            opb.none_or_two(&here);
        }
        let pairs = at.iter().flat_map(|here| here.iter().flat_map(|&a| here.iter().map(move |&b| (a, b))));
        let pairs: BTreeSet<(usize, usize)> = pairs.filter(|(a, b)| a < b).collect();
        opb.connected_set(&chosen, pairs);
    }
}
