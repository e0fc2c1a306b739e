//! Paths by degrees: each vertex has the degree that it has in a path, and the path is connected.
//!
//! * Both ends are on the path. An end has one edge on the path, any other vertex of the path has two, and a vertex
//!   off the path has none: `x[v] -> exactly 2 of its edges`, `e -> x[v]` for each edge e at v.
//! * The edges and vertices of the path are connected. For this, each edge becomes a vertex between its two ends. The
//!   start is certain to be in the set, which gives encodings of [connected sets](crate::constraint::Connected) a
//!   root.
//!
//! Example: a path from a to c by the edges ab and bc is `a`, `c`, `ab`, `bc`, `b -> ab`, `b -> bc`, `ab -> b`, `bc
//! -> b`.
//!
//! Size: that of a cardinality constraint for each vertex, one clause for each end of an edge, and that of a
//! connected set of n + m vertices. Strength: checks total assignments only, or search if that is the strength of the
//! connected set. The number of solutions is kept on request if the encoding of the connected set keeps it.
//!
//! Redundant clauses: those of the connected set that the degrees imply, and those that are redundant in the
//! connected set itself.
//!
//! Paper: none for the definition by degrees and connectivity; as a decomposition for routing puzzles, Erdem,
//! Lifschitz, Wong: *Wire routing and satisfiability planning*, CL 2000.
//!
//! Differs from the paper in that the ends are fixed, and in the encoding of connectivity.
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
