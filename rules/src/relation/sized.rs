//! Areas of equal numbers whose sizes are these numbers.

use super::{Neighbours, areas};

/// Every maximal connected set of vertices with equal numbers has as many vertices as the number says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sized<N> {
    /// The graph.
    pub neighbours: Neighbours,
    /// A number for each vertex.
    pub numbers: Vec<N>,
}

impl Sized<i64> {
    /// Returns an area whose size is not its number.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let areas = areas(&self.neighbours, |_| true, |a, b| self.numbers[a] == self.numbers[b]);
        areas.into_iter().find(|area| i64::try_from(area.len()) != Ok(self.numbers[area[0]]))
    }
}
