//! Cuts: solve without the constraint, and forbid each separation that turns up.
//!
//! Only the smallest cuts are written from the start, those around one vertex and around two neighbours, and they only
//! where a root is certain. When an assignment leaves a component C of the set apart from
//! the rest, some of the vertices outside the set keep them apart; a minimal separator S among them, those nearest to
//! C, gives the clause
//!
//! `!x[w] | !x[r] | x[s1] | .. | x[sk]` for a vertex w of C, the root (or a vertex of the largest component) r,
//!
//! which follows from connectivity: a set with w and r has a vertex of every separator of the two. There is one clause
//! for each of a few w, all with the same S; they cost little and the next assignment often only changes w.
//!
//! Size: at first, a clause for each vertex that no way leads to and, with a root, for each vertex and each edge that
//! has no certain vertex next to it; then up to four clauses for each component of each assignment, of at most |S| +
//! 2 literals. Strength: none until the clause is there. There are exponentially many cuts, so this is for boards
//! where few matter.
//!
//! Paper: Dantzig, Fulkerson, Johnson: *Solution of a large-scale traveling-salesman problem*, Operations Research
//! 1954, for the principle; node separators as cutting planes: Fischetti et al.: *Thinning out Steiner trees*,
//! Mathematical Programming Computation 2017. Differs in that only integral assignments are separated, and in the
//! several witnesses for one separator.
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
//! // What is next to the root is never cut off.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Connected;
use crate::sink::Sink;
use crate::theory::connected::LazyConnected;
use crate::theory::network::Network;

/// Cuts.
pub static CUTS: Encoding<Connected> = Encoding {
    name: "cuts",
    paper: "Dantzig, Fulkerson, Johnson: Solution of a large-scale traveling-salesman problem, Operations Research 1954",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    applies: always,
    encode: |constraint, sink| {
        let constraint = LazyConnected::by_cuts(constraint);
        small_components(constraint.network(), sink);
        defer(constraint, sink);
    },
};

/// Forbids components of one and of two vertices without the root.
fn small_components(network: &Network, sink: &mut Sink<'_>) {
    let Some(root) = network.root() else { return };
    for vertex in network.vertices().filter(|&vertex| vertex != root) {
        let near = network.neighbours(vertex);
        sink.clause_of(near.iter().map(|&v| network.lit(v)).chain([!network.lit(vertex)]));
        for &other in near.iter().filter(|&&other| other > vertex && other != root) {
            let beside = near.iter().chain(network.neighbours(other));
            let beside = beside.filter(|&&v| v != vertex && v != other).map(|&v| network.lit(v));
            sink.clause_of(beside.chain([!network.lit(vertex), !network.lit(other)]));
        }
    }
}

/// Writes what is certain and leaves the rest to the search.
pub(super) fn defer(constraint: LazyConnected, sink: &mut Sink<'_>) {
    for &lit in constraint.network().cut_off() {
        sink.clause(&[!lit]);
    }
    if constraint.network().len() > 1 {
        sink.defer(constraint);
    }
}
