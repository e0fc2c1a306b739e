//! Encodes paths by constraining the degree of each vertex and requiring that the path is connected.
//!
//! * Both ends are on the path. The path uses one edge at each end, two edges at every other vertex on the path,
//!   and no edge at a vertex off the path: `x[v] -> exactly 2 of the edges at v`, `e -> x[v]` for each edge e at v.
//! * The edges and vertices of the path are connected. The encoding posts the constraint
//!   [`Connected`](crate::constraint::Connected) on the graph in which each edge is subdivided by a vertex. The start
//!   of the path is always in the connected set, so it can be the root.
//!
//! Example: a path from a to c over the edges ab and bc gives the clauses `a`, `c`, `ab`, `bc`, `b -> ab`, `b -> bc`,
//! `ab -> b`, `bc -> b`.
//!
//! Size for n vertices and m edges: a cardinality constraint for each vertex, a connectivity constraint on n + m
//! vertices, and one clause for each end of an edge. Strength: checks total assignments only, unless the encoding of
//! the connected set is even weaker. With `Encodings::keep_count`, the encoding preserves the number of solutions if
//! the encoding of the connected set does.
//!
//! A clause that is redundant in the encoding of the connected set remains redundant. The degree constraints may make
//! further clauses of this encoding redundant.
//!
//! Paper: none for the combination of degrees and connectivity; degree constraints for wire routing are in Erdem,
//! Lifschitz, Wong: *Wire routing and satisfiability planning*, CL 2000.
//!
//! Unlike in the paper, the ends of the path are fixed, and connectivity has a separate encoding.
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

/// Encodes paths with degrees and connectivity.
pub static DEGREES: Encoding<Path> = Encoding {
    name: "degrees",
    paper: "Erdem, Lifschitz, Wong: Wire routing and satisfiability planning, CL 2000",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
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
