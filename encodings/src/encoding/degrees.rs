//! Paths by degrees: as many edges at each vertex as a path has there, and all of it connected.
//!
//! * Both ends are on the path. A vertex on the path has two edges of it, an end has one, and one that is off has none:
//!   `x[v] -> exactly 2 of its edges`, `e -> x[v]` for each edge e at v.
//! * Edges and vertices of the path are connected, as a set of vertices of the graph in which each edge is a vertex between
//!   its two ends. The start is certain, which is what encodings for [connected sets](crate::constraint::Connected) like.
//!
//! For a path from a to c by the edges ab, bc: `a`, `c`, `ab`, `bc`, `b -> ab`, `b -> bc`, `ab -> b`, `bc -> b`.
//!
//! Size: that of a cardinality constraint for each vertex, one clause for each end of an edge, and of one connected set of
//! n + m vertices. Strength: checks total assignments only, or search if that of the connected set is. The number of solutions is kept on
//! request where that of the connected set is.
//!
//! Redundant clauses: those of the connected set that the degrees imply, and those that are redundant in the
//! connected set.
//!
//! Paper: degrees and connection are the definition; as a decomposition for routing puzzles, Erdem, Lifschitz, Wong:
//! *Wire routing and satisfiability planning*, CL 2000.
//!
//! Differs from the paper in that the ends are fixed, and in how connection is encoded.
//!
//! ```
//! use gordian_encodings::constraint::Path;
//! use gordian_encodings::{Cnf, Encodings, Model, TRUE};
//!
//! let mut model = Model::new();
//! let [b, ab, bc] = [0; 3].map(|_| model.boolean());
//! model.post(Path::new(0, 2, [TRUE, b, TRUE], [(0, 1, ab), (1, 2, bc)]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(cnf.len(), 18);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, Path};
use crate::sink::Sink;

/// Paths by degrees.
pub static DEGREES: Encoding<Path> = Encoding {
    name: "degrees",
    paper: "Erdem, Lifschitz, Wong: Wire routing and satisfiability planning, CL 2000",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    encode,
};

fn encode(path: &Path, sink: &mut Sink<'_>) {
    for (vertex, &on) in path.vertices.iter().enumerate() {
        let edges = path.at(vertex);
        if vertex == path.start || vertex == path.end {
            sink.clause(&[on]);
        }
        for &edge in &edges {
            sink.clause(&[!edge, on]);
        }
        sink.when(on).post(&Cardinality::exactly(edges, path.degree(vertex)));
    }
    sink.post(&path.connected());
}
