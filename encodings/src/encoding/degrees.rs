//! Paths by degrees: as many edges at each vertex as a path has there, and all of it connected.
//!
//! * Both ends are on the path. A vertex on the path has two edges of it, an end has one, and one that is off has none:
//!   `x[v] -> exactly 2 of its edges`, `e -> x[v]` for each edge e at v.
//! * Edges and vertices of the path are connected, as a set of vertices of the graph in which each edge is a vertex between
//!   its two ends. The start is certain, which is what techniques for [connected sets](crate::constraint::Connected) like.
//!
//! For a path from a to c by the edges ab, bc: `a`, `c`, `ab`, `bc`, `b -> ab`, `b -> bc`, `ab -> b`, `bc -> b`.
//!
//! Size: that of a cardinality constraint for each vertex, one clause for each end of an edge, and of one connected set of
//! n + m vertices. Strength: checking, or search if that of the connected set is. The number of solutions is kept on
//! request where that of the connected set is.
//!
//! Paper: degrees and connection are the definition; as a decomposition for routing puzzles, Erdem, Lifschitz, Wong:
//! *Wire routing and satisfiability planning*, CL 2000.

use super::{Count, Strength, Technique, always};
use crate::constraint::{Cardinality, Connected, Path};
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

/// Paths by degrees.
pub static DEGREES: Technique<Path> = Technique {
    name: "degrees",
    paper: "Erdem, Lifschitz, Wong: Wire routing and satisfiability planning, CL 2000",
    strength: Strength::Checking,
    count: Count::OnRequest,
    applies: always,
    size: None,
    redundant: Some("those of the connected set"),
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
    let mut members: Vec<Lit> =
        path.vertices.iter().copied().chain(path.edges.iter().map(|&(_, _, lit)| lit)).collect();
    members[path.start] = TRUE;
    sink.post(&Connected::new(path.incidence(), members));
}
