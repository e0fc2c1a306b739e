//! Edges without a closed loop.

use super::{Edge, along, areas};
use crate::opb::{Opb, Sum, Truth};

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

impl Acyclic<Truth> {
    /// States that every vertex has a level, that every chosen edge leads to a higher level in one of its two directions,
    /// and that at most one edge leads to each vertex.
    pub(super) fn state(&self, opb: &mut Opb) {
        let bits = usize::BITS - self.vertices.saturating_sub(1).leading_zeros();
        let level = |opb: &mut Opb| -> Sum {
            let terms = (0..bits).map(|bit| (1 << bit, opb.auxiliary())).collect();
            Sum { terms, constant: 0 }
        };
        let levels: Vec<Sum> = (0..self.vertices).map(|_| level(opb)).collect();
        let mut into: Vec<Vec<Truth>> = vec![Vec::new(); self.vertices];
        for &(a, b, chosen) in &self.edges {
            let mut clause = vec![!chosen];
            for (from, to) in [(a, b), (b, a)] {
                let way = opb.auxiliary();
                let mut climb = Sum { terms: Vec::new(), constant: 1 };
                climb.add(1, &levels[from]);
                climb.add(-1, &levels[to]);
                opb.at_most_zero(&climb, [!way]);
                into[to].push(Truth::Same(way));
                clause.push(Truth::Same(way));
            }
            opb.clause_of(clause);
        }
        for ways in into {
            opb.at_most_of(&ways, 1);
        }
    }
}
