//! Connectivity as a flow.

use std::fmt::Display;
use std::ops::Range;

use super::{Literal, Opb};

/// A vertex of a graph.
#[derive(Debug, Clone)]
pub struct Vertex {
    /// The name of the vertex, for use in variable names.
    pub name: String,
    /// The literal that is true if the vertex is a member of the set, or `None` if it is always a member.
    pub member: Option<Literal>,
}

/// A graph, and a connected set of its vertices.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The name of the set.
    pub set: String,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The edges, as pairs of indices of vertices.
    pub edges: Vec<(usize, usize)>,
    /// The minimum and the maximum size of the set.
    pub size: (usize, usize),
    /// The indices of the rows which state the flow.
    pub rows: Range<usize>,
    /// The variables that only these rows contain.
    pub variables: Range<usize>,
}

impl Opb {
    /// Adds rows which state that the members of a set are connected. An edge is a pair of vertices, and no pair may
    /// occur twice. `size` contains the minimum and the maximum size of the set, which other rows of the formula must
    /// enforce. If `root` is given, this vertex is always a member.
    ///
    /// The rows describe a flow from the root to all members. Each member consumes one unit of the flow, and only
    /// members forward the remaining units:
    ///
    /// * The flow from u to v is a binary number. It has as many bits as `max - 1` in binary, but at least one bit,
    ///   where `max` is the maximum size of the set. The flow is 0 unless u is a member. The bits have the names
    ///   `flow_SET_U_V_BIT`; bit 0 is the lowest. No flow enters the root.
    /// * At each vertex v except the root, `inflow - outflow >= member(v)`.
    /// * If no root is given, each vertex v has a variable `root_SET_V`, which is true if v is the root. At most one
    ///   vertex is the root. The row of v is then `inflow - outflow + max * root(v) >= member(v)`.
    ///
    /// # Panics
    /// Panics if `root` or an endpoint of an edge is not in `vertices`.
    pub fn connected(
        &mut self,
        set: impl Display,
        vertices: &[Vertex],
        edges: impl IntoIterator<Item = (usize, usize)>,
        root: Option<usize>,
        size: (usize, usize),
    ) {
        let (set, edges, most) = (set.to_string(), edges.into_iter().collect::<Vec<_>>(), size.1);
        let of_graph = edges.clone();
        let (first_row, first_variable) = (self.rows.len(), self.names.len());
        let bits = usize::BITS - (most.max(2) - 1).leading_zeros();
        let mut net: Vec<Vec<(i128, Literal)>> = vec![Vec::new(); vertices.len()];
        let arcs = edges.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        for (u, v) in arcs.filter(|&(_, v)| Some(v) != root) {
            let name = |bit| format!("flow_{set}_{}_{}_{bit}", vertices[u].name, vertices[v].name);
            let flow: Vec<(i128, Literal)> =
                (0..bits).map(|bit| (1 << bit, self.variable(name(bit)))).collect();
            let most_flow = (1 << bits) - 1;
            if let Some(member) = vertices[u].member {
                self.at_most(flow.iter().copied().chain([(-most_flow, member)]), 0);
            }
            net[v].extend(&flow);
            net[u].extend(flow.iter().map(|&(weight, bit)| (-weight, bit)));
        }
        let mut free_roots = Vec::new();
        for (v, mut terms) in net.into_iter().enumerate().filter(|&(v, _)| Some(v) != root) {
            if root.is_none() {
                let root = self.variable(format!("root_{set}_{}", vertices[v].name));
                terms.push((i128::try_from(most).expect("fewer than 2^127 vertices"), root));
                free_roots.push((1, root));
            }
            let member = vertices[v].member;
            terms.extend(member.map(|member| (-1, member)));
            self.at_least(terms, i128::from(member.is_none()));
        }
        if root.is_none() {
            self.at_most(free_roots, 1);
        }
        let (rows, variables) = (first_row..self.rows.len(), first_variable..self.names.len());
        self.graphs.push(Graph { set, vertices: vertices.to_vec(), edges: of_graph, size, rows, variables });
    }

    /// Adds rows which state that taken steps connect each used place to one of `ends`. A step consists of two places
    /// and a literal that is true if the step is taken.
    ///
    /// The rows are the same as for [`Opb::connected`], with 1 as the name of the set. The first vertex of the graph is
    /// the root, which is adjacent to all ends. The next vertices are the places, and the last vertices are the steps,
    /// each adjacent to its two places.
    pub(crate) fn connected_by_steps(
        &mut self,
        used: &[Literal],
        steps: &[(usize, usize, Literal)],
        ends: &[usize],
    ) {
        let literals = used.iter().copied().chain(steps.iter().map(|&(_, _, step)| step));
        let members = std::iter::once(None).chain(literals.map(Some));
        let vertices: Vec<Vertex> = (1..)
            .zip(members)
            .map(|(number, member): (usize, _)| Vertex { name: number.to_string(), member })
            .collect();
        let to_root = ends.iter().map(|&end| (0, 1 + end));
        let of_steps = (1 + used.len()..).zip(steps);
        let of_steps = of_steps.flat_map(|(step, &(a, b, _))| [(1 + a, step), (1 + b, step)]);
        self.connected(1, &vertices, to_root.chain(of_steps), Some(0), (0, vertices.len()));
    }
}
