//! Encodes the constraint that edges contain no cycle.
//!
//! * `levels`: each vertex has a level in the order view, and each edge has two directions, each with a literal. An edge
//!   that is chosen has a direction, which leads to a higher level, and at most one direction leads to each vertex. The
//!   edges have such levels exactly if they form a forest: the level of a vertex can be its distance from a middle vertex
//!   of its tree, which is at most D = n/2 in a component of the graph with n vertices. Size for m edges: n D level
//!   variables, 2m variables for the directions, m clauses, 2m comparisons of D+1 clauses, and an at-most-one constraint
//!   for each vertex. Strength: search. The encoding does not preserve the number of solutions.
//! * `levels-log`: the same with levels in the log view, which are compared by adders. Size: O(n log n) variables, and
//!   O(m log n) variables and clauses for the comparisons. Strength: search.
//! * `transitive-closure`: directions as in `levels`, and a literal `t[u][v]` for each pair of vertices of a component. A
//!   direction from v to w implies `t[v][w]`, `-t[w][v]`, and `t[u][v] -> t[u][w]` for each other vertex u. Size: n(n-1)
//!   variables and 2mn clauses, besides the directions. Strength: search.
//! * `vertex-elimination`: directions as in `levels`, and arcs between the vertices, at first for the directions. A vertex
//!   with the fewest neighbours is eliminated: if there are arcs from u to the vertex and from it to w, there is an arc from
//!   u to w, and no arcs from u to the vertex and back. Size: if a vertex has at most d neighbours when it is eliminated,
//!   O(n d) variables and O(n d²) clauses, besides the directions; in a grid, d is about the number of columns. Strength:
//!   search.
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
//! propagator, with levels in unary and in binary; Rankooh, Rintanen: *Propositional encodings of acyclicity and
//! reachability by using vertex elimination*, AAAI 2022, which compares vertex elimination with the transitive closure.
//! Unlike in these papers, the edges of the graph have no direction, so the encodings choose one. `connections` is the frontier method of Sekine, Imai, Tani: *Computing the Tutte polynomial of a graph of
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

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use super::parent_tree::{above_in_log, above_in_order};
use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Acyclic, AtMostOne};
use crate::graph::Graph;
use crate::int::{Domain, IntVar};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;
use crate::theory::acyclic::LazyAcyclic;

const PAPER: &str = "Gebser, Janhunen, Rintanen: SAT modulo graphs: acyclicity, JELIA 2014";
const ELIMINATION: &str = "Rankooh, Rintanen: Propositional encodings of acyclicity and reachability by using vertex \
                           elimination, AAAI 2022";

/// Encodes forests by levels of the vertices.
pub static LEVELS: Encoding<Acyclic> = Encoding {
    name: "levels",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: |constraint, sink| levels(constraint, above_in_order, sink),
};

/// Encodes forests by levels of the vertices in binary.
pub static LEVELS_LOG: Encoding<Acyclic> = Encoding {
    name: "levels-log",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: |constraint, sink| levels(constraint, above_in_log, sink),
};

/// Encodes forests by the pairs of a vertex and one of its ancestors.
pub static TRANSITIVE_CLOSURE: Encoding<Acyclic> = Encoding {
    name: "transitive-closure",
    paper: ELIMINATION,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: transitive_closure,
};

/// Encodes forests by the elimination of one vertex after the other.
pub static VERTEX_ELIMINATION: Encoding<Acyclic> = Encoding {
    name: "vertex-elimination",
    paper: ELIMINATION,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: vertex_elimination,
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

/// Returns the edges that can be chosen.
fn edges(constraint: &Acyclic) -> impl Iterator<Item = (usize, usize, Lit)> {
    constraint.edges.iter().copied().filter(|&(_, _, lit)| lit != FALSE)
}

/// Returns the vertices of each connected component of the graph.
fn components(constraint: &Acyclic) -> Vec<Vec<usize>> {
    let ends = edges(constraint).map(|(a, b, _)| (a, b)).filter(|(a, b)| a != b);
    let graph = Graph::new(constraint.vertices, ends);
    let mut is_known = vec![false; constraint.vertices];
    let mut components = Vec::new();
    for start in 0..constraint.vertices {
        if !is_known[start] {
            let steps = graph.distances([start], |_| true);
            let reached: Vec<usize> = (0..steps.len()).filter(|&vertex| steps[vertex].is_some()).collect();
            for &vertex in &reached {
                is_known[vertex] = true;
            }
            components.push(reached);
        }
    }
    components
}

/// Gives each chosen edge a direction, with at most one direction into each vertex. Calls `direction` with the literal
/// of each direction and the vertices from and to which it leads.
fn orient(
    constraint: &Acyclic,
    sink: &mut Sink<'_>,
    mut direction: impl FnMut(Lit, [usize; 2], &mut Sink<'_>),
) {
    let mut into: Vec<Vec<Lit>> = vec![Vec::new(); constraint.vertices];
    for (a, b, chosen) in edges(constraint) {
        if a == b {
            sink.clause(&[!chosen]);
            continue;
        }
        let mut clause = vec![!chosen];
        for [from, to] in [[a, b], [b, a]] {
            let way = sink.fresh();
            direction(way, [from, to], sink);
            into[to].push(way);
            clause.push(way);
        }
        sink.clause(&clause);
    }
    for ways in into.into_iter().filter(|ways| ways.len() > 1) {
        sink.post(&AtMostOne::new(ways));
    }
}

fn levels(constraint: &Acyclic, above: fn(Lit, IntVar, IntVar, &mut Sink<'_>), sink: &mut Sink<'_>) {
    let mut levels: Vec<Option<IntVar>> = vec![None; constraint.vertices];
    for component in components(constraint) {
        for &vertex in &component {
            levels[vertex] = Some(sink.integer(Domain::interval(0, component.len() as i128 / 2)));
        }
    }
    orient(constraint, sink, |way, [from, to], sink| {
        if let (Some(lower), Some(upper)) = (levels[from], levels[to]) {
            above(way, lower, upper, sink);
        }
    });
}

fn transitive_closure(constraint: &Acyclic, sink: &mut Sink<'_>) {
    let mut component_of: Vec<Vec<usize>> = vec![Vec::new(); constraint.vertices];
    let mut leads: HashMap<[usize; 2], Lit> = HashMap::new();
    for component in components(constraint) {
        for &from in &component {
            for &to in component.iter().filter(|&&to| to != from) {
                leads.insert([from, to], sink.fresh());
            }
            component_of[from].clone_from(&component);
        }
    }
    orient(constraint, sink, |way, [from, to], sink| {
        sink.clause(&[!way, leads[&[from, to]]]);
        sink.clause(&[!way, !leads[&[to, from]]]);
        for &start in component_of[from].iter().filter(|&&start| start != from && start != to) {
            sink.clause(&[!way, !leads[&[start, from]], leads[&[start, to]]]);
        }
    });
}

/// The arcs between the vertices that are not yet eliminated.
#[derive(Default)]
struct Arcs {
    /// The literal of each arc, and whether it is that of a direction, so no other literals may imply it.
    lits: HashMap<[usize; 2], (Lit, bool)>,
}

impl Arcs {
    /// Adds an arc for the direction of an edge, or writes that the direction implies the arc.
    fn add(&mut self, ends: [usize; 2], way: Lit, sink: &mut Sink<'_>) {
        match self.lits.entry(ends) {
            Entry::Vacant(entry) => {
                entry.insert((way, true));
            }
            Entry::Occupied(_) => self.imply(ends, &[way], sink),
        }
    }

    /// Writes the clause by which the conjunction of the literals implies an arc. Creates the literal of the arc if needed.
    fn imply(&mut self, ends: [usize; 2], lits: &[Lit], sink: &mut Sink<'_>) {
        let arc = match self.lits.get(&ends) {
            Some(&(arc, false)) => arc,
            direction => {
                let direction = direction.map(|&(lit, _)| lit);
                let arc = sink.fresh();
                self.lits.insert(ends, (arc, false));
                if let Some(direction) = direction {
                    sink.clause(&[!direction, arc]);
                }
                arc
            }
        };
        sink.clause_of(lits.iter().map(|&lit| !lit).chain([arc]));
    }
}

fn vertex_elimination(constraint: &Acyclic, sink: &mut Sink<'_>) {
    let mut arcs = Arcs::default();
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); constraint.vertices];
    orient(constraint, sink, |way, [from, to], sink| {
        arcs.add([from, to], way, sink);
        neighbours[from].insert(to);
    });
    let mut rest: BTreeSet<usize> = (0..constraint.vertices).collect();
    while let Some(&vertex) = rest.iter().min_by_key(|&&vertex| neighbours[vertex].len()) {
        rest.remove(&vertex);
        let around = std::mem::take(&mut neighbours[vertex]);
        for &from in &around {
            neighbours[from].remove(&vertex);
            let into = arcs.lits[&[from, vertex]].0;
            for &to in &around {
                let out = arcs.lits[&[vertex, to]].0;
                if from == to {
                    sink.clause(&[!into, !out]);
                } else {
                    arcs.imply([from, to], &[into, out], sink);
                    neighbours[from].insert(to);
                }
            }
        }
    }
}

fn connections(constraint: &Acyclic, sink: &mut Sink<'_>) {
    let edges: Vec<_> = edges(constraint).collect();
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
