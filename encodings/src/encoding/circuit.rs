//! Encodings of circuits: every vertex has exactly one predecessor, and further clauses rule out separate smaller
//! circuits.
//!
//! Each vertex v is the successor of exactly one vertex u: the literals `x[u] = v` satisfy an [`ExactlyOne`]
//! constraint. The root is the first vertex on the circuit. If all vertices must be on the circuit, the root is
//! vertex 0. Otherwise, the literal `r[v]` (v is the root) is true if and only if `x[v] != v` and all vertices u before
//! v have `x[u] = u`. A vertex that is its own successor is not on the circuit.
//!
//! * `positions`: each vertex has a position, an integer in the order view. Positions increase along the circuit
//!   except at the root: `x[u] = v and p[u] >= k -> r[v] or p[v] >= k + 1`. Size for n vertices that must all be on
//!   the circuit: n exactly-one constraints, at most n³ clauses and n² variables. Strength: checks total assignments
//!   only.
//! * `positions-log`: each vertex has a position, an integer of w bits with `2^w >= n`. Unless v is the root, clauses
//!   for each bit enforce `x[u] = v -> p[v] = p[u] + 1`. All bits of the root's position are 0. Size: at most `3 * w *
//!   n` variables and `2 * w * n² + 7 * w * n` clauses, and the exactly-one constraints. Strength: search, as the
//!   solver may have to try values of the bits.
//! * `connectivity`: the vertices and edges of the circuit form a [connected set](crate::constraint::Connected) in a
//!   graph in which each edge is subdivided by a vertex. Strength: lazy, because the search adds the clauses that
//!   exclude separate circuits.
//!
//! With `Encodings::keep_count`, the encoding preserves the number of solutions: the position of a vertex that is not
//! on the circuit is 0, and the positions of consecutive vertices differ by 1.
//!
//! In the negated constraint, the literal `a[k][v]` is true if k steps from the root lead to v. The negated constraint
//! requires that some successor is not a vertex, that some vertex is not the successor of any vertex, or that some
//! vertex on the circuit is not reached from the root in n - 1 steps. Size of the negated constraint: O(n³) variables
//! and clauses.
//!
//! Example with `positions`: for three vertices, the clause `x[1] = 2 and p[1] >= 2 -> p[2] >= 3` forbids vertex 2
//! after vertex 1 if vertex 1 has the last position.
//!
//! A clause of the exactly-one constraints is redundant if it follows from the clauses for successors or positions.
//! Clauses for a position's bits are redundant if no circuit contains a vertex with this position.
//!
//! Paper: Miller, Tucker, Zemlin: *Integer programming formulation of traveling salesman problems*, JACM 7, 1960, for
//! `positions`; Zhou: *In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem*, CP 2020, for
//! `positions-log`; Dantzig, Fulkerson, Johnson: *Solution of a large-scale traveling-salesman problem*, Operations
//! Research 1954, for `connectivity`. Unlike in these papers, some vertices may be off the circuit.
//!
//! ```
//! use gordian_encodings::constraint::Circuit;
//! use gordian_encodings::encoding::circuit::{POSITIONS, POSITIONS_LOG};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let successors = model.integers::<3>(0..=2);
//! model.post(Circuit::hamiltonian(successors));
//! let [mut order, mut log] = [Cnf::default(), Cnf::default()];
//! model.encode(&Encodings::auto().with(&POSITIONS), &mut order);
//! model.encode(&Encodings::auto().with(&POSITIONS_LOG), &mut log);
//! assert!(order.len() < log.len());
//! ```

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Circuit, Connected, ExactlyOne};
use crate::graph::Graph;
use crate::int::{Domain, IntVar, Value};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes circuits with positions in the order view.
pub static POSITIONS: Encoding<Circuit> = Encoding {
    name: "positions",
    paper: "Miller, Tucker, Zemlin: Integer programming formulation of traveling salesman problems, JACM 7, 1960",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |circuit, _| circuit.successors.len() <= MOST_ORDERED,
    encode: |circuit, sink| encode(circuit, in_order, sink),
};

/// Encodes circuits with positions in the log view.
pub static POSITIONS_LOG: Encoding<Circuit> = Encoding {
    name: "positions-log",
    paper: "Zhou: In pursuit of an efficient SAT encoding for the Hamiltonian cycle problem, CP 2020",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |circuit, sink| encode(circuit, in_binary, sink),
};

/// Encodes circuits with a connected set of vertices and edges.
pub static CONNECTIVITY: Encoding<Circuit> = Encoding {
    name: "connectivity",
    paper: "Dantzig, Fulkerson, Johnson: Solution of a large-scale traveling-salesman problem, Operations Research 1954",
    strength: Strength::Lazy,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |circuit, sink| encode(circuit, connected, sink),
};

/// `positions` applies to circuits with at most this many vertices.
const MOST_ORDERED: usize = 100;

/// The literals that describe a circuit.
struct Arcs {
    /// The literal `x[u] = v` for each pair of vertices u and v.
    next: Vec<Vec<Lit>>,
    /// Maps each vertex to the literal that is true if the vertex is on the circuit.
    on: Vec<Lit>,
    /// Maps each vertex to the literal that is true if the vertex is the root.
    root: Vec<Lit>,
}

impl Arcs {
    fn new(circuit: &Circuit, sink: &mut Sink<'_>) -> Self {
        let ints = sink.integers_for(&circuit.successors);
        let n = ints.len();
        let next: Vec<Vec<Lit>> =
            ints.iter().map(|&x| (0..n).map(|v| sink.equals(x, v as Value)).collect()).collect();
        let on: Vec<Lit> = (0..n).map(|v| if circuit.optional { !next[v][v] } else { TRUE }).collect();
        // The literal that is true if no vertex before the current one is on the circuit.
        let mut none = TRUE;
        let mut root = Vec::new();
        for &on in &on {
            root.push(sink.and(&[none, on]));
            none = sink.and(&[none, !on]);
        }
        Self { next, on, root }
    }

    fn len(&self) -> usize {
        self.on.len()
    }

    /// Returns the arcs from u to v for u != v, each with the literal `x[u] = v`.
    fn arcs(&self) -> impl Iterator<Item = (usize, usize, Lit)> {
        let arcs = self.next.iter().enumerate();
        let arcs = arcs.flat_map(|(u, next)| next.iter().enumerate().map(move |(v, &lit)| (u, v, lit)));
        arcs.filter(|&(u, v, lit)| u != v && lit != FALSE)
    }
}

fn encode(circuit: &Circuit, exclude: fn(&Arcs, &mut Sink<'_>), sink: &mut Sink<'_>) {
    let arcs = Arcs::new(circuit, sink);
    if !circuit.holds {
        return no_circuit(circuit, &arcs, sink);
    }
    let n = arcs.len();
    for (u, next) in arcs.next.iter().enumerate() {
        sink.clause(next);
        if !circuit.optional && n > 1 {
            sink.clause(&[!next[u]]);
        }
    }
    for v in 0..n {
        sink.post(&ExactlyOne::new(arcs.next.iter().map(|next| next[v]).collect::<Vec<_>>()));
    }
    exclude(&arcs, sink);
}

fn in_order(arcs: &Arcs, sink: &mut Sink<'_>) {
    let last = arcs.len().saturating_sub(1) as Value;
    let position = |&root: &Lit, sink: &mut Sink<'_>| {
        let (first, last) = match root {
            TRUE => (0, 0),
            FALSE => (last.min(1), last),
            _ => (0, last),
        };
        sink.integer(Domain::interval(first, last))
    };
    let positions: Vec<IntVar> = arcs.root.iter().map(|root| position(root, sink)).collect();
    for (u, v, lit) in arcs.arcs() {
        let (p, q) = (positions[u], positions[v]);
        let mut sink = sink.unless(&[!lit, arcs.root[v]]);
        let (first, last) = (sink.domains().of(p).min(), sink.domains().of(p).max());
        for k in first..=last {
            let [here, there] = [sink.at_least(p, k), sink.at_least(q, k + 1)];
            sink.clause(&[!here, there]);
            if sink.keeps_count() {
                let [here, there] = [sink.at_most(p, k), sink.at_most(q, k + 1)];
                sink.clause(&[!here, there]);
            }
        }
    }
    if sink.keeps_count() {
        // If the condition of the constraint is false, every position has its minimum value.
        let unless = sink.conditions().to_vec();
        for (v, &position) in positions.iter().enumerate() {
            let first = sink.domains().of(position).min();
            let first = sink.at_most(position, first);
            sink.clause(&[arcs.on[v], first]);
            sink.clause(&[!arcs.root[v], first]);
            for &lit in &unless {
                sink.always().clause(&[!lit, first]);
            }
        }
    }
}

fn in_binary(arcs: &Arcs, sink: &mut Sink<'_>) {
    let width = arcs.len().next_power_of_two().trailing_zeros();
    let position = |&root: &Lit, sink: &mut Sink<'_>| -> Vec<Lit> {
        (0..width).map(|_| if root == TRUE { FALSE } else { sink.fresh() }).collect()
    };
    let positions: Vec<Vec<Lit>> = arcs.root.iter().map(|root| position(root, sink)).collect();
    let next: Vec<Vec<Lit>> = positions.iter().map(|bits| increment(bits, sink)).collect();
    for (u, v, lit) in arcs.arcs() {
        let mut sink = sink.unless(&[!lit, arcs.root[v]]);
        for (&after, &there) in next[u].iter().zip(&positions[v]) {
            sink.clause(&[!after, there]);
            sink.clause(&[after, !there]);
        }
    }
    for (v, bits) in positions.iter().enumerate() {
        for &bit in bits {
            sink.clause(&[!arcs.root[v], !bit]);
            if sink.keeps_count() {
                sink.clause(&[arcs.on[v], !bit]);
            }
        }
    }
}

/// Returns the bits of `x + 1` modulo 2^w, given the w bits of x.
fn increment(bits: &[Lit], sink: &mut Sink<'_>) -> Vec<Lit> {
    let mut carry = TRUE;
    let mut sums = Vec::new();
    for &bit in bits {
        let next = sink.and(&[carry, bit]);
        let neither = sink.and(&[!carry, !bit]);
        sums.push(sink.and(&[!next, !neither]));
        carry = next;
    }
    sums
}

fn connected(arcs: &Arcs, sink: &mut Sink<'_>) {
    let n = arcs.len();
    let (mut members, mut ends) = (arcs.on.clone(), Vec::new());
    for u in 0..n {
        for v in 0..u {
            let edge = sink.or(&[arcs.next[u][v], arcs.next[v][u]]);
            if edge != FALSE {
                ends.extend([(members.len(), u), (members.len(), v)]);
                members.push(edge);
            }
        }
    }
    let graph = Arc::new(Graph::new(members.len(), ends));
    sink.post(&Connected::new(graph, members));
}

/// Writes the clauses of the negated constraint: the successors do not form a circuit.
fn no_circuit(circuit: &Circuit, arcs: &Arcs, sink: &mut Sink<'_>) {
    let n = arcs.len();
    let mut reasons = Vec::new();
    for x in sink.integers_for(&circuit.successors) {
        reasons.extend([sink.at_most(x, -1), sink.at_least(x, n as Value)]);
    }
    for v in 0..n {
        let before: Vec<Lit> = arcs.next.iter().map(|next| next[v]).collect();
        reasons.push(!sink.or(&before));
    }
    let mut at = arcs.root.clone();
    let mut visited = at.clone();
    for _ in 1..n {
        let mut after = Vec::new();
        for v in 0..n {
            let ways: Vec<Lit> = (0..n).map(|u| sink.and(&[at[u], arcs.next[u][v]])).collect();
            after.push(sink.or(&ways));
        }
        at = after;
        for (visited, &at) in visited.iter_mut().zip(&at) {
            *visited = sink.or(&[*visited, at]);
        }
    }
    for (&on, &visited) in arcs.on.iter().zip(&visited) {
        reasons.push(sink.and(&[on, !visited]));
    }
    sink.clause(&reasons);
}
