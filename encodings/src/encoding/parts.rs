//! Encodes disconnected sets: the set is split into two nonempty parts without an edge between them.
//!
//! The literal `p[v]` is true if the vertex v is in the first part: `p[v] -> x[v]` for each v; `p[v]` for at least
//! one v; and `p[u], x[v] -> p[v]` for each edge in both directions. The remaining vertices of the set form the
//! second part, which must not be empty. If the literal of some vertex r is constantly true, r is in the second part.
//! Otherwise, a literal `q[v]` holds for some v, with `q[v] -> x[v]` and `q[v] -> -p[v]`.
//!
//! Example: for the path a - b - c with the vertex a always in the set, the clauses are `-p[b]`, `p[b] -> b`, `p[c]
//! -> c`, `p[b], c -> p[c]`, `p[c], b -> p[b]`, `p[b] or p[c]`.
//!
//! Size for n vertices that can be in the set and m edges between them: 2n variables and 3n + 2m + 2 clauses. If a
//! vertex of degree d is always in the set: n-1 variables and n + 2m - d clauses, minus one clause for each further
//! vertex that is always in the set. Size for n < 2: one (empty) clause. Strength: search, as the solver may have to
//! try values of auxiliary variables. If some vertex is always in the set, unit propagation refutes every connected
//! set once all literals of the set have values. The encoding does not preserve the number of solutions: a
//! disconnected set can be split into two parts in several ways.
//!
//! Some clauses of a vertex are redundant if none of its neighbours can be in the set. Some clauses of a vertex that is
//! adjacent to r are also redundant, because the vertex cannot be in the first part. In small sets, clauses of some
//! edges are redundant.
//!
//! Paper: none. The encoding follows from a characterisation of connected graphs: every cut contains an edge. For cuts
//! in integer programming, see Dantzig, Fulkerson, Johnson: *Solution of a large-scale traveling-salesman problem*,
//! Operations Research 1954.
//!
//! In integer programming, every cut must contain an edge. This encoding states that some cut contains no edge.
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
//! // Variables 1 and 2 are b and c, 3 and 4 are p[b] and p[c].
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 1 0", "-3 0", "-3 -2 4 0", "-4 2 0", "-4 -1 3 0", "3 4 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Connected, Disconnected};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Encodes a disconnected set as two nonempty parts without an edge between them.
pub static PARTS: Encoding<Disconnected> = Encoding {
    name: "parts",
    paper: "none: the definition of a connected graph by its cuts",
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
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
