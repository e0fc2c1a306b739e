//! Connectivity as a flow.

use std::fmt::Display;

use super::{Literal, Opb};

/// A vertex of a graph.
#[derive(Debug, Clone)]
pub struct Vertex {
    /// The name of the vertex, which is part of the names of variables.
    pub name: String,
    /// The literal that is true if the vertex is a member of the set, or `None` if it is always a member.
    pub member: Option<Literal>,
}

impl Opb {
    /// Adds rows which state that the members of a set are connected. `edges` has pairs of vertices, each pair once.
    /// The set has at most `most` members. If `root` is given, this vertex is always a member.
    ///
    /// A flow starts at the root, each member consumes one unit, and only members pass units on. See [`Opb::flow`]:
    /// the flow from u to v is 0 unless u is a member.
    pub fn connected(
        &mut self,
        set: impl Display,
        vertices: &[Vertex],
        edges: impl IntoIterator<Item = (usize, usize)>,
        root: Option<usize>,
        most: usize,
    ) {
        let arcs = edges.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        let arcs: Vec<_> = arcs.map(|(u, v)| (u, v, vertices[u].member)).collect();
        self.flow(set, vertices, arcs, root.as_slice(), most);
    }

    /// Adds rows which state that a flow from `roots` supplies all members of a set. Each arc has two vertices and the
    /// literal that must be true for a flow from the first to the second. At most `most` members get their flow from
    /// the same root.
    ///
    /// * The flow from u to v is a binary number of as many bits as `most - 1` has, but at least one. It is 0 if the
    ///   literal of the arc is false. The bits have the names `flow_SET_U_V_BIT`; bit 0 is the lowest. No flow enters a
    ///   root.
    /// * At each vertex v except the roots, `inflow - outflow >= member(v)`.
    /// * If `roots` is empty, at most one vertex v is the root, which the variable `root_SET_V` states. The row of v is
    ///   then `inflow - outflow + most root(v) >= member(v)`.
    ///
    /// # Panics
    /// Panics if `roots` or an arc has a vertex that is not in `vertices`.
    pub fn flow(
        &mut self,
        set: impl Display,
        vertices: &[Vertex],
        arcs: impl IntoIterator<Item = (usize, usize, Option<Literal>)>,
        roots: &[usize],
        most: usize,
    ) {
        let bits = usize::BITS - (most.max(2) - 1).leading_zeros();
        let mut net: Vec<Vec<(i128, Literal)>> = vec![Vec::new(); vertices.len()];
        for (u, v, open) in arcs.into_iter().filter(|(_, v, _)| !roots.contains(v)) {
            let name = |bit| format!("flow_{set}_{}_{}_{bit}", vertices[u].name, vertices[v].name);
            let flow: Vec<(i128, Literal)> =
                (0..bits).map(|bit| (1 << bit, self.variable(name(bit)))).collect();
            let most_flow = (1 << bits) - 1;
            if let Some(open) = open {
                self.at_most(flow.iter().copied().chain([(-most_flow, open)]), 0);
            }
            net[v].extend(&flow);
            net[u].extend(flow.iter().map(|&(weight, bit)| (-weight, bit)));
        }
        let mut free_roots = Vec::new();
        for (v, mut terms) in net.into_iter().enumerate().filter(|(v, _)| !roots.contains(v)) {
            if roots.is_empty() {
                let root = self.variable(format!("root_{set}_{}", vertices[v].name));
                terms.push((i128::try_from(most).expect("fewer than 2^127 vertices"), root));
                free_roots.push((1, root));
            }
            let member = vertices[v].member;
            terms.extend(member.map(|member| (-1, member)));
            self.at_least(terms, i128::from(member.is_none()));
        }
        if roots.is_empty() {
            self.at_most(free_roots, 1);
        }
    }
}
