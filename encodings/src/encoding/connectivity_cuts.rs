//! Encodes connectivity with cuts: the search initially ignores the constraint, and adds clauses for each assignment
//! that violates it.
//!
//! Initially, the encoding writes only the smallest cuts, around one vertex or two adjacent vertices, and only if
//! there is a root (a vertex that is always in the set). If the set is not connected in an assignment, vertices
//! outside the set separate a component C from the rest of the set. Let S be the minimal vertex separator nearest to
//! C. For the component C, the encoding adds the clause
//!
//! `!x[w] | !x[r] | x[s1] | .. | x[sk]` for a vertex w of C and the root r (or, without a root, a vertex r of the
//! largest component).
//!
//! The clause follows from connectivity: a connected set that contains w and r contains a vertex of every separator
//! between w and r. The encoding adds a clause for each of up to four vertices w of C, all with the same separator S.
//! Several clauses cost little. With only one clause for each component, the next assignment often violates
//! connectivity in nearly the same way.
//!
//! Initial size: a clause for each vertex that cannot be reached; if there is a root, also at most one clause for each
//! vertex and each edge. Size during the search: for each disconnected set that the search finds, each component of the
//! set gives up to four clauses of at most |S| + 2 literals. Strength: lazy; the initial clauses do not enforce
//! connectivity. There are exponentially many cuts, so the encoding is suitable only for instances that need few of
//! them.
//!
//! Paper: Dantzig, Fulkerson, Johnson: *Solution of a large-scale traveling-salesman problem*, Operations Research
//! 1954, for cuts in general; node separators as cutting planes: Fischetti et al.: *Thinning out Steiner trees*,
//! Mathematical Programming Computation 2017. Unlike in these papers, cuts are derived only from integral
//! assignments, and each separator gives several clauses.
//!
//! ```
//! use gordian_encodings::constraint::Connected;
//! use gordian_encodings::encoding::connectivity_cuts::CUTS;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model, TRUE};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let [b, c] = [0; 2].map(|_| model.boolean());
//! let way = Arc::new(Graph::new(3, [(0, 1), (1, 2)]));
//! model.post(Connected::new(way, [TRUE, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().deferring().with(&CUTS), &mut cnf);
//! // A vertex next to the root cannot be separated from the root, so it needs no clause.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Connected;
use crate::sink::Sink;
use crate::theory::connected::LazyConnected;
use crate::theory::network::Network;

/// Encodes connectivity with cuts.
pub static CUTS: Encoding<Connected> = Encoding {
    name: "cuts",
    paper: "Dantzig, Fulkerson, Johnson: Solution of a large-scale traveling-salesman problem, Operations Research 1954",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: true,
    applies: always,
    encode: |Connected { graph, vertices, size, .. }, sink| {
        let constraint = LazyConnected::by_cuts(graph, vertices, *size);
        small_components(constraint.network(), sink);
        defer(constraint, sink);
    },
};

/// Forbids components of one or two vertices that do not contain the root of the set.
fn small_components(network: &Network, sink: &mut Sink<'_>) {
    let Some(root) = network.root() else { return };
    for vertex in network.vertices().filter(|&vertex| vertex != root) {
        let near = network.neighbours(vertex);
        sink.clause_of(near.iter().map(|&v| network.lit(v)).chain([!network.lit(vertex)]));
        for &other in near.iter().filter(|&&other| other > vertex && other != root) {
            let around = near.iter().chain(network.neighbours(other));
            let around = around.filter(|&&v| v != vertex && v != other).map(|&v| network.lit(v));
            sink.clause_of(around.chain([!network.lit(vertex), !network.lit(other)]));
        }
    }
}

/// Writes unit clauses for vertices that cannot be reached from the root, and leaves the rest of the constraint to
/// the search.
pub(super) fn defer(constraint: LazyConnected, sink: &mut Sink<'_>) {
    for &lit in constraint.network().cut_off() {
        sink.clause(&[!lit]);
    }
    if constraint.network().len() > 1 {
        sink.defer(constraint);
    }
}
