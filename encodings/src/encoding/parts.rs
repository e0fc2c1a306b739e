//! A disconnected set as two parts: a part with no edge to the rest of the set, and a rest.
//!
//! `p[v]` says that v is in the part: `p[v] -> x[v]`, some `p[v]`, and `p[u], x[v] -> p[v]` for each edge, both ways. The
//! rest is not empty: where a vertex r is certain, r is in it; otherwise a witness is, by `q[v] -> x[v]`, `q[v] -> -p[v]` and
//! some `q[v]`.
//!
//! For the way a - b - c with a certain: `-p[b]`, `p[b] -> b`, `p[c] -> c`, `p[b], c -> p[c]`, `p[c], b -> p[b]`,
//! `p[b] or p[c]`.
//!
//! Size for n vertices that can be in the set and m edges between them: 2n variables, 3n + 2m + 2 clauses; with a certain
//! vertex of degree d, n-1 variables and n + 2m - d clauses, less one for each other vertex that is certain. One clause for
//! n < 2. Strength: search; with a certain vertex, once all others are known, connected ones contradict. The number of
//! solutions is lost: any union of components will do for the part.
//!
//! Redundant clauses: next to a certain vertex, what its edge says of the part; of vertices that can only be apart by
//! themselves, what more the part asks; edges between sets so small that another part will do.
//!
//! Paper: none; that each cut has an edge is the definition of a connected graph. As cuts in integer programming: Dantzig,
//! Fulkerson, Johnson: *Solution of a large-scale traveling-salesman problem*, Operations Research 1954.
//!
//! Differs from the paper, where cuts are forbidden one by one, in that one is asked for.
//!
//! ```
//! use gordian_encodings::constraint::{Connected, Disconnected};
//! use gordian_encodings::encoding::parts::PARTS;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model, TRUE};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let [b, c] = [0; 2].map(|_| model.boolean());
//! let way = Arc::new(Graph::new(3, [(0, 1), (1, 2)]));
//! model.post(Disconnected { connected: Connected::new(way, [TRUE, b, c]) });
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PARTS), &mut cnf);
//! // 1 and 2 are b and c, 3 and 4 are p[b] and p[c].
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 1 0", "-3 0", "-3 -2 4 0", "-4 2 0", "-4 -1 3 0", "3 4 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Connected, Disconnected};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Two parts.
pub static PARTS: Encoding<Disconnected> = Encoding {
    name: "parts",
    paper: "none: the definition of a connected graph by its cuts",
    strength: Strength::Search,
    count: ModelCount::Lost,
    applies: always,
    encode: |disconnected, sink| encode(&disconnected.connected, sink),
};

fn encode(connected: &Connected, sink: &mut Sink<'_>) {
    let Connected { graph, vertices, .. } = connected;
    let members = connected.members();
    if members.len() < 2 {
        return sink.clause(&[]);
    }
    let root = connected.root();
    let mut part = vec![FALSE; vertices.len()];
    for &v in members.iter().filter(|&&v| Some(v) != root) {
        part[v] = sink.fresh();
    }
    for &u in members.iter().filter(|&&u| Some(u) != root) {
        sink.clause(&[!part[u], vertices[u]]);
        for &v in graph.neighbours(u).iter().filter(|&&v| vertices[v] != FALSE) {
            sink.clause(&[!part[u], !vertices[v], part[v]]);
        }
    }
    sink.clause(&part);
    if root.is_none() {
        let mut rest: Vec<Lit> = Vec::new();
        for &v in &members {
            let witness = sink.fresh();
            sink.clause(&[!witness, vertices[v]]);
            sink.clause(&[!witness, !part[v]]);
            rest.push(witness);
        }
        sink.clause(&rest);
    }
}
