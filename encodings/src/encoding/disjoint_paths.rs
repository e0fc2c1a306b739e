//! Disjoint paths by degrees and connectivity.
//!
//! * Both ends of each pair are on a path. There is one edge at each end, two edges at every other vertex on a path,
//!   and no edge at a vertex off the paths, as in [`degrees`](super::degrees).
//! * For each of several selections of one end of each pair, the edges and vertices are connected with the selected
//!   ends ([`Connected`](crate::constraint::Connected)). A path between ends of two pairs contains no selected end of
//!   some selection. The selections are the first ends, the second ends, and, for each bit of the numbers of the
//!   pairs, the first ends of the pairs with this bit and the second ends of all other pairs, and the opposite ends.
//!
//! Example: the edges ab and cd join the pairs (a, b) and (c, d) by the clauses `a`, `b`, `c`, `d`, `ab`, `cd`. The
//! selections are (a, c), (b, d), (a, d) and (b, c).
//!
//! Size for k pairs: that of a cardinality constraint for each vertex, one clause for each end of an edge, and that of
//! 2 + 2 ceil(log2 k) connected sets (one if k < 2) of n + m + 1 vertices. Strength: checks total assignments only, or
//! that of the connected sets if it is weaker. On request, the encoding preserves the number of solutions if the
//! encoding of the connected sets does.
//!
//! Redundant clauses: clauses of the connected sets that the degrees imply, and clauses that are redundant in the
//! connected sets themselves.
//!
//! Paper: none for disjoint paths by selections of their ends. For routing by degrees and reachability, see Erdem,
//! Lifschitz, Wong: *Wire routing and satisfiability planning*, CL 2000.
//!
//! Unlike in the paper, the vertices have no literal for each pair.
//!
//! ```
//! use gordian_encodings::constraint::DisjointPaths;
//! use gordian_encodings::{Cnf, Encodings, Model, TRUE};
//!
//! let mut model = Model::new();
//! let [ab, bc, cd] = [0; 3].map(|_| model.boolean());
//! model.post(DisjointPaths::new([[0, 1], [2, 3]], [TRUE; 4], [(0, 1, ab), (1, 2, bc), (2, 3, cd)]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&gordian_encodings::encoding::connectivity_cuts::CUTS).deferring(), &mut cnf);
//! assert_eq!(cnf.to_string(), "1 0\n2 1 0\n-2 -1 0\n3 2 0\n-3 -2 0\n3 0\n");
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, DisjointPaths};
use crate::sink::Sink;

/// Disjoint paths by degrees and connectivity.
pub static SELECTIONS: Encoding<DisjointPaths> = Encoding {
    name: "selections",
    paper: "none: degrees, and connectivity with selected ends",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    encode,
};

fn encode(paths: &DisjointPaths, sink: &mut Sink<'_>) {
    for &end in paths.pairs.iter().flatten() {
        sink.clause(&[paths.vertices[end]]);
    }
    for ((&on, edges), degree) in paths.vertices.iter().zip(paths.edges_at()).zip(paths.degrees()) {
        for &edge in &edges {
            sink.clause(&[!edge, on]);
        }
        sink.when(on).post(&Cardinality::exactly(edges, degree));
    }
    for connected in paths.connected() {
        sink.post(&connected);
    }
}
