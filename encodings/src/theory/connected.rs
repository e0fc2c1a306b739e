//! Connectivity during the search: derives the consequences of a partial assignment for a connected set, with
//! explanations.
//!
//! In the following, a vertex is *in* if its literal is true, *out* if its literal is false, and *open* otherwise. A
//! depth-first search visits the vertices that are not out. The search starts from the root. Without a root, the search
//! starts from the vertex whose literal became true first. The search finds the component that must contain the whole
//! set and, by lowpoints (Tarjan 1972), the articulation points of the component. From the component and the
//! articulation points, the propagator derives the following literals and conflicts, each with a clause as its
//! explanation:
//!
//! * **beyond**: a vertex outside the component is out; if it is in, there is a conflict. The clause contains the
//!   start, the vertex, and a minimal set of out vertices that separates the vertex from the start.
//! * **between**: an articulation point that separates the start from an in vertex is in. The clause contains the
//!   start, the in vertex, and a minimal separator that includes the articulation point.
//! * **too few** (if the set has at least `min` vertices): a component with fewer vertices is a conflict, and an
//!   articulation point is in if fewer vertices would remain without it. The clause contains the start and the out
//!   vertices around the component.
//! * **too far** (if the set has at most `max` vertices): with k vertices in, a vertex is out if every path from the
//!   start to it has more than `max - k` open vertices, counting the vertex itself. The clause contains the in
//!   vertices and the out vertices that are on paths of at most the maximum length.
//!
//! In a proof, each of these clauses is derived from a [flow](Flow).
//!
//! A clause is built only if the solver requests it, from the order in which the vertices were assigned. A search
//! takes time linear in the size of the component. No search is needed if no vertex was assigned since the last
//! search.

mod costs;
mod depth_first;
mod flow;
mod propagator;

use std::sync::Arc;

use super::network::{BreadthFirst, Network};
use super::{Lazy, Propagator};
use crate::graph::Graph;
use crate::lit::{Lit, TRUE};

pub use flow::Flow;
pub use propagator::ConnectedPropagator;

/// The time at which an unassigned vertex is assigned. The time of an assigned vertex is its position on the trail
/// plus one, or 0 if its literal is constant.
const NEVER: u32 = u32::MAX;

/// A connected set of vertices as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyConnected {
    network: Arc<Network>,
    size: (usize, usize),
    propagates: bool,
}

impl LazyConnected {
    /// Creates a constraint that cuts enforce. `vertices` contains the literals of the graph's vertices. `size`
    /// contains the minimum and the maximum number of true literals in any solution of the remaining constraints.
    #[must_use]
    pub fn by_cuts(graph: &Graph, vertices: &[Lit], size: (usize, usize)) -> Self {
        Self { network: Arc::new(Network::new(graph, vertices)), size, propagates: false }
    }

    /// Creates a constraint that a propagator enforces if the solver supports propagators. The arguments are the same
    /// as for [`LazyConnected::by_cuts`].
    #[must_use]
    pub fn by_propagation(graph: &Graph, vertices: &[Lit], size: (usize, usize)) -> Self {
        Self { propagates: true, ..Self::by_cuts(graph, vertices, size) }
    }

    /// Returns the graph of the vertices that can be in the set.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// The maximum number of vertices of a component for which the clause of its separator is added.
const WITNESSES: usize = 4;

impl Lazy for LazyConnected {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let network = &*self.network;
        let outside = |vertex: u32| !holds(network.lit(vertex));
        let mut search = BreadthFirst::new(network.len());
        let mut seen = vec![false; network.len()];
        let mut components: Vec<Vec<u32>> = Vec::new();
        for vertex in network.vertices() {
            if !seen[vertex as usize] && !outside(vertex) {
                let region = search.region(network, vertex, outside).to_vec();
                for &member in &region {
                    seen[member as usize] = true;
                }
                components.push(region);
            }
        }
        // Every other component must be connected to the component of the root or, without a root, to the largest
        // component.
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
            search.separator(network, component.1[0], far, outside, &mut separator);
            let open = separator.iter().map(|&vertex| network.lit(vertex));
            let known = [far].map(|vertex| !network.lit(vertex));
            // If a vertex is always in the set, the clause for this vertex is the strongest, and no clauses for
            // further vertices are needed.
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
