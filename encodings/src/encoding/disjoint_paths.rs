//! Encodes disjoint paths with degrees, labels and connectivity.
//!
//! * Both ends of each pair are on a path. One edge is used at each end, two edges at every other vertex on a path,
//!   and no edge at a vertex off the paths, as in [`degrees`](super::degrees).
//! * The label of a vertex is the number of the pair whose path contains the vertex, or 0 if the vertex is not on a
//!   path. Each used edge joins vertices with the same label. The labels are integers without an order view. If there
//!   is only one pair, no labels are needed.
//! * The used edges and vertices are connected to the first ends of the pairs
//!   ([`Connected`](crate::constraint::Connected)). This condition excludes cycles.
//!
//! Example: for the edges ab and cd and the pairs (a, b) and (c, d), the clauses are `a`, `b`, `c`, `d`, `ab`, `cd`.
//!
//! Size for k pairs: for each vertex, a cardinality constraint and an integer from 0 to k; for each edge, an equality
//! and two clauses; and a connected set of n + m + 1 vertices. Strength: checks total assignments only. If the encoding
//! of the connected set is weaker, this encoding is equally weak. With `Encodings::keep_count`, the encoding preserves
//! the number of solutions if the encoding of the connected set does.
//!
//! Clauses that are redundant in the encoding of the connected set are also redundant in this encoding. The degrees and
//! labels may make further clauses of this encoding redundant.
//!
//! Paper: Erdem, Lifschitz, Wong: *Wire routing and satisfiability planning*, CL 2000.
//!
//! Unlike in the paper, each vertex has one integer as its label, and the degrees exclude detours.
//!
//! ```
//! use gordian_encodings::constraint::DisjointPaths;
//! use gordian_encodings::encoding::connectivity_cuts::CUTS;
//! use gordian_encodings::{Cnf, Encodings, Model, TRUE};
//!
//! let mut model = Model::new();
//! let [ab, bc, ac] = [0; 3].map(|_| model.boolean());
//! model.post(DisjointPaths::new([[0, 2]], [TRUE; 3], [(0, 1, ab), (1, 2, bc), (0, 2, ac)]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&CUTS).deferring(), &mut cnf);
//! // The last two clauses are cuts at the neighbours of the vertices 0 and 1.
//! assert_eq!(cnf.to_string(), "1 3 0\n-1 -3 0\n1 0\n2 0\n2 3 0\n-2 -3 0\n1 2 0\n2 3 0\n");
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, DisjointPaths, Equality, Reified};
use crate::int::{Domain, IntVar, Value};
use crate::lit::{Lit, constant};
use crate::sink::Sink;

/// Encodes disjoint paths with degrees, labels and connectivity.
pub static LABELS: Encoding<DisjointPaths> = Encoding {
    name: "labels",
    paper: "Erdem, Lifschitz, Wong: Wire routing and satisfiability planning, CL 2000",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
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
    if paths.pairs.len() > 1 {
        let labels = labels(paths, sink);
        for &(a, b, edge) in &paths.edges {
            sink.post(&Reified::implies(edge, Equality::equal(labels[a], labels[b])));
        }
    }
    sink.post(&paths.connected_with(paths.pairs.iter().map(|&[first, _]| first)));
}

/// Returns a label for each vertex: an integer from 0 to the number of pairs.
fn labels(paths: &DisjointPaths, sink: &mut Sink<'_>) -> Vec<IntVar> {
    let mut pair_of = vec![None; paths.vertices.len()];
    for (pair, &[a, b]) in (1..).zip(&paths.pairs) {
        (pair_of[a], pair_of[b]) = (Some(pair), Some(pair));
    }
    let label = |(pair, &on): (Option<Value>, &Lit)| {
        let (first, last) = match (pair, constant(on)) {
            (Some(pair), _) => (pair, pair),
            (None, Some(false)) => (0, 0),
            (None, on) => (Value::from(on == Some(true)), paths.pairs.len() as Value),
        };
        let label = sink.unordered(Domain::interval(first, last));
        if pair.is_none() && constant(on).is_none() {
            let off = sink.equals(label, 0);
            sink.clause(&[on, off]);
            sink.clause(&[!on, !off]);
        }
        label
    };
    pair_of.into_iter().zip(&paths.vertices).map(label).collect()
}
