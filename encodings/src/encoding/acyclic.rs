//! Encodes the constraint that edges contain no cycle.
//!
//! * `levels`: each vertex has a level in the order view, and each edge has two directions, each with a literal. An edge
//!   that is chosen has a direction, which leads to a higher level, and at most one direction leads to each vertex. The
//!   edges have such levels exactly if they form a forest: the level of a vertex can be its distance from a middle vertex
//!   of its tree, which is at most D = n/2 in a component of the graph with n vertices. Size for m edges: n D level
//!   variables, 2m variables for the directions, m clauses, 2m comparisons of D+1 clauses, and an at-most-one constraint
//!   for each vertex. Strength: search. The encoding does not preserve the number of solutions.
//! * `propagator`: writes no clauses. At each fixpoint of unit propagation, the solver calls
//!   [`theory::acyclic`](crate::theory::acyclic). Strength: lazy; if the edges have different literals, the propagator
//!   is domain consistent.
//!
//! * `connections`: takes the edges in the given order. After each edge, there is a literal for each two vertices with
//!   edges both among those so far and among the others: whether the chosen edges so far connect them. A chosen edge must
//!   not connect two vertices that are connected. Size: if there are at most w such vertices at a time, O(m w²) variables
//!   and clauses; in a grid whose edges are listed row by row, w is about the number of columns. Strength: domain
//!   consistent if the edges have different literals: if all edges of a cycle but one are chosen, unit propagation sets the
//!   literals of the connections that follow from them, and then excludes the last edge.
//!   The encoding preserves the number of solutions, and also encodes the negation (some edge connects two vertices that
//!   are connected), which it checks for total assignments only.
//!
//! Paper: Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA 2014, for directed graphs, as levels and as a
//! propagator. `connections` is the frontier method of Sekine, Imai, Tani: *Computing the Tutte polynomial of a graph of
//! moderate size*, ISAAC 1995, as clauses.
//!
//! ```
//! use gordian_encodings::constraint::Acyclic;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! // A single edge contains no cycle, and an edge from a vertex to itself is one.
//! let mut model = Model::new();
//! let [a, b] = [0; 2].map(|_| model.boolean());
//! model.post(Acyclic::new(2, [(0, 1, a), (1, 1, b)]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert!(cnf.to_string().contains("-2 0\n"));
//! ```

use std::collections::HashMap;

use super::parent_tree::above_in_order;
use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Acyclic, AtMostOne};
use crate::graph::Graph;
use crate::int::{Domain, IntVar};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;
use crate::theory::acyclic::LazyAcyclic;

const PAPER: &str = "Gebser, Janhunen, Rintanen: SAT modulo graphs: acyclicity, JELIA 2014";

/// Encodes forests by levels of the vertices.
pub static LEVELS: Encoding<Acyclic> = Encoding {
    name: "levels",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: levels,
};

/// Encodes forests, and edges with a cycle, by the connections after each edge.
pub static CONNECTIONS: Encoding<Acyclic> = Encoding {
    name: "connections",
    paper: "Sekine, Imai, Tani: Computing the Tutte polynomial of a graph of moderate size, ISAAC 1995",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: super::always,
    encode: connections,
};

/// Leaves forests to a propagator.
pub static PROPAGATOR: Encoding<Acyclic> = Encoding {
    name: "propagator",
    paper: PAPER,
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: |constraint, sink| {
        let Acyclic { vertices, edges, .. } = constraint;
        if !sink.is_conditional() {
            return sink.defer(LazyAcyclic::new(*vertices, edges));
        }
        // Without the condition, no edge is chosen.
        let conditions: Vec<Lit> = sink.conditions().iter().map(|&unless| !unless).collect();
        let condition = sink.and(&conditions);
        let edges: Vec<_> = edges.iter().map(|&(a, b, lit)| (a, b, sink.and(&[lit, condition]))).collect();
        sink.always().defer(LazyAcyclic::new(*vertices, &edges));
    },
};

fn levels(constraint: &Acyclic, sink: &mut Sink<'_>) {
    let edges = || constraint.edges.iter().copied().filter(|&(_, _, lit)| lit != FALSE);
    let graph = Graph::new(constraint.vertices, edges().map(|(a, b, _)| (a, b)).filter(|(a, b)| a != b));
    let mut levels: Vec<Option<IntVar>> = vec![None; constraint.vertices];
    for start in 0..constraint.vertices {
        if levels[start].is_none() {
            let steps = graph.distances([start], |_| true);
            let reached: Vec<usize> = (0..steps.len()).filter(|&vertex| steps[vertex].is_some()).collect();
            for &vertex in &reached {
                levels[vertex] = Some(sink.integer(Domain::interval(0, reached.len() as i128 / 2)));
            }
        }
    }
    let mut into: Vec<Vec<Lit>> = vec![Vec::new(); constraint.vertices];
    for (a, b, chosen) in edges() {
        if a == b {
            sink.clause(&[!chosen]);
            continue;
        }
        let mut clause = vec![!chosen];
        for (from, to) in [(a, b), (b, a)] {
            let (Some(lower), Some(upper)) = (levels[from], levels[to]) else { continue };
            let way = sink.fresh();
            above_in_order(way, lower, upper, sink);
            into[to].push(way);
            clause.push(way);
        }
        sink.clause(&clause);
    }
    for ways in into.into_iter().filter(|ways| ways.len() > 1) {
        sink.post(&AtMostOne::new(ways));
    }
}

fn connections(constraint: &Acyclic, sink: &mut Sink<'_>) {
    let edges: Vec<_> = constraint.edges.iter().copied().filter(|&(_, _, lit)| lit != FALSE).collect();
    // The vertices with edges both among those so far and among the others, and the literals of their connections.
    let mut frontier: Vec<usize> = Vec::new();
    let mut connected: HashMap<[usize; 2], Lit> = HashMap::new();
    let mut closing = Vec::new();
    for (index, &(a, b, chosen)) in edges.iter().enumerate() {
        for end in [a, b] {
            if !frontier.contains(&end) {
                frontier.push(end);
            }
        }
        let known = connected.clone();
        let are_connected = |u: usize, v: usize| {
            if u == v { TRUE } else { known.get(&[u.min(v), u.max(v)]).copied().unwrap_or(FALSE) }
        };
        let before = are_connected(a, b);
        if constraint.holds {
            sink.clause(&[!chosen, !before]);
        } else {
            closing.push(sink.and(&[chosen, before]));
        }
        let is_last = |end: usize| !edges[index + 1..].iter().any(|&(a, b, _)| [a, b].contains(&end));
        let rest: Vec<usize> =
            frontier.iter().copied().filter(|&end| ![a, b].contains(&end) || !is_last(end)).collect();
        for (at, &u) in rest.iter().enumerate() {
            for &v in &rest[at + 1..] {
                let old = are_connected(u, v);
                let ways = [(a, b), (b, a)]
                    .map(|(a, b)| sink.and(&[chosen, are_connected(u, a), are_connected(b, v)]));
                let none = sink.and(&[!old, !ways[0], !ways[1]]);
                connected.insert([u.min(v), u.max(v)], !none);
            }
        }
        connected.retain(|pair, _| pair.iter().all(|end| rest.contains(end)));
        frontier = rest;
    }
    if !constraint.holds {
        sink.clause(&closing);
    }
}
