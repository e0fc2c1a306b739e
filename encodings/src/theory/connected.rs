//! Connectivity during the search: what a partial assignment implies for a connected set, and why.
//!
//! A vertex is *in* (its literal holds), *out* (its negation does) or *open*. One depth-first walk over the vertices
//! that are not out, from the root or else from the first vertex told to be in, gives the component in which the whole
//! set must lie, and by lowpoints (Tarjan 1972) its articulation points. From these follow, with the clause that
//! explains each:
//!
//! * **beyond**: a vertex outside the component is out, and if it is in there is a conflict. The clause: the start, the
//!   vertex, and a minimal set of out vertices that keeps them apart;
//! * **between**: an articulation point between the start and a vertex that is in, is in. The same clause, with the
//!   articulation point as one of those that keep them apart;
//! * **too few** (where the set has at least `min` vertices): a component with fewer is a conflict, and an articulation
//!   point without which fewer are left is in. The clause: the start and the out vertices around the component;
//! * **too far** (where it has at most `max`): with k vertices in, one that needs more than `max - k` open vertices on
//!   its way to the start (itself included) is out. The clause: the vertices that are in, and those out vertices that
//!   lie on a way that would have been short enough.
//!
//! So every clause speaks of a cut, not of the walk that found it. Clauses are made only when a solver asks, from the
//! order in which the vertices were told; the walk itself costs time linear in the component and is not done when
//! nothing has changed that could matter.

mod costs;
mod propagator;
mod walk;

use std::sync::Arc;

use super::network::{Network, Walker};
use super::{Lazy, Propagator};
use crate::constraint::Connected;
use crate::lit::{Lit, TRUE};

pub use propagator::ConnectedPropagator;

/// When a vertex was told, if it was: one more than its place among all that was told, 0 for constants.
const NEVER: u32 = u32::MAX;

/// A connected set of vertices, left to the search.
#[derive(Debug, Clone)]
pub struct LazyConnected {
    network: Arc<Network>,
    size: (usize, usize),
    propagates: bool,
}

impl LazyConnected {
    /// The constraint, to be kept by cuts.
    #[must_use]
    pub fn by_cuts(constraint: &Connected) -> Self {
        Self { network: Arc::new(Network::new(constraint)), size: constraint.size, propagates: false }
    }

    /// The constraint, to be kept by a propagator where the solver can.
    #[must_use]
    pub fn by_propagation(constraint: &Connected) -> Self {
        Self { propagates: true, ..Self::by_cuts(constraint) }
    }

    /// What of the graph matters.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// Of a separated component, at most this many vertices get a clause of their own.
const WITNESSES: usize = 4;

impl Lazy for LazyConnected {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let network = &*self.network;
        let outside = |vertex: u32| !holds(network.lit(vertex));
        let mut walker = Walker::new(network.len());
        let mut seen = vec![false; network.len()];
        let mut components: Vec<Vec<u32>> = Vec::new();
        for vertex in network.vertices() {
            if !seen[vertex as usize] && !outside(vertex) {
                let region = walker.region(network, vertex, outside).to_vec();
                for &member in &region {
                    seen[member as usize] = true;
                }
                components.push(region);
            }
        }
        // The component with the root, or the largest, is what the others must be joined to.
        let base = match network.root() {
            Some(root) => components.iter().position(|component| component.contains(&root)),
            None => (0..components.len()).max_by_key(|&index| components[index].len()),
        };
        let mut clauses = Vec::new();
        let Some(base) = base else { return clauses };
        let far = network.root().unwrap_or(components[base][0]);
        let mut separator = Vec::new();
        for component in components.iter().enumerate().filter(|&(index, _)| index != base) {
            separator.clear();
            walker.separator(network, component.1[0], far, outside, &mut separator);
            let open = separator.iter().map(|&vertex| network.lit(vertex));
            let known = [far].map(|vertex| !network.lit(vertex));
            // A vertex that is certainly in makes the clauses of the others needless.
            let certain = component.1.iter().position(|&vertex| network.lit(vertex) == TRUE);
            let witnesses = certain.map_or(&component.1[..], |index| &component.1[index..=index]);
            for &witness in witnesses.iter().take(WITNESSES) {
                let clause = open.clone().chain(known).chain([!network.lit(witness)]);
                clauses.push(clause.filter(|&lit| lit != !TRUE).collect());
            }
        }
        clauses
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        self.propagates.then(|| {
            let propagator = ConnectedPropagator::new(Arc::clone(&self.network), self.size);
            Box::new(propagator) as Box<dyn Propagator>
        })
    }
}
