//! A propagator for connected sets of vertices. It derives implied literals and conflicts, and explains them by
//! clauses.
//!
//! In the following, a vertex is *in* if its literal is true, *out* if its literal is false, and *open* otherwise. A
//! depth-first search visits the vertices that are not out. It starts from the root (a vertex that is in every
//! solution) or, if there is no root, from the vertex whose literal became true first. It finds the component that must
//! contain the whole set, and the articulation points of this component (Tarjan 1972). From these, the propagator
//! derives the following literals and conflicts, each explained by a clause:
//!
//! * **beyond**: every vertex outside the component is out; if such a vertex is already in, there is a conflict. The
//!   clause contains the literals of the start, the vertex, and a minimal set of vertices that are out and separate the
//!   vertex from the start.
//! * **between**: an articulation point is in if it separates the start from a vertex that is in. The clause contains
//!   the literals of the start, the separated vertex, and a minimal separator that includes the articulation point.
//! * **too few** (if the set must have at least `min` vertices): if the component has fewer than `min` vertices, there
//!   is a conflict. An articulation point is in if fewer than `min` vertices can be reached without passing through it.
//!   The clause contains the literals of the start and of the vertices around the component; these vertices are out.
//! * **too far** (if the set can have at most `max` vertices): when k vertices are in, another vertex is out if every
//!   path from the start to it has more than `max - k` open vertices, counting the vertex itself. The clause contains
//!   the literals of all vertices that are in, and of the vertices that are out and block all paths with at most `max -
//!   k` open vertices.
//!
//! In a proof, the clauses of all rules are derived from a [flow](Flow).
//!
//! The propagator builds the clause for a derived literal only if the solver requests it, so it stores the order in
//! which the vertices were assigned. A depth-first search takes time linear in the size of the component, and is
//! skipped if no vertex was assigned since the last search.

mod costs;
pub(super) mod depth_first;
mod flow;
mod network;
mod propagator;

use std::sync::Arc;

use super::network::{BreadthFirst, Network};
use super::{Lazy, Propagator};
use crate::graph::Graph;
use crate::lit::{Lit, TRUE};

pub use flow::Flow;
pub use propagator::ConnectedPropagator;

/// The assignment time of an unassigned vertex. For an assigned vertex, the time is its position on the trail plus 1,
/// or 0 if its literal is constant.
pub(super) const NEVER: u32 = u32::MAX;

/// A connected set of vertices as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyConnected {
    network: Arc<Network>,
    size: (usize, usize),
    propagates: bool,
}

impl LazyConnected {
    /// Creates a constraint that is enforced by cuts. `vertices` contains the literals of the graph's vertices. `size`
    /// contains a lower and an upper bound on the number of true literals. These bounds must follow from the other
    /// constraints.
    #[must_use]
    pub fn by_cuts(graph: &Graph, vertices: &[Lit], size: (usize, usize)) -> Self {
        Self { network: Arc::new(Network::new(graph, vertices)), size, propagates: false }
    }

    /// Creates a constraint that is enforced by a propagator if the solver supports propagators, and by cuts otherwise.
    /// The arguments are the same as for [`LazyConnected::by_cuts`].
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

/// The maximum number of clauses for a component that is not connected to the root. Each clause contains the
/// separator and one vertex of the component.
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
        // The component of the root or, if there is no root, the largest component. The clauses require all other
        // components to be connected to this component.
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
            // If the component has a vertex that is always in the set, the clause for this vertex implies the clauses
            // for all other vertices.
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
