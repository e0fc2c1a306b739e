//! Encodes connectivity with a propagator that runs in the solver.
//!
//! The encoding writes only unit clauses, for vertices that cannot be reached from a vertex that is always in the set.
//! At each fixpoint of unit propagation, the solver calls [`theory::connected`](crate::theory::connected) to derive
//! implied literals and the clauses that explain them. For a solver without support for propagators, the constraint is
//! enforced by [cuts](super::connectivity_cuts).
//!
//! The propagator itself does not support half-reified constraints. If the constraint is half-reified by a literal c,
//! the literal of each vertex is therefore replaced by its conjunction with c. If c is false, the set is empty and
//! hence connected.
//!
//! Size: no variables, and a clause for each vertex that cannot be reached from the vertices that are always in the
//! set. A half-reified constraint also needs a variable and three clauses for each vertex whose literal is not
//! constant. Strength: lazy; the propagator is domain consistent for connectivity as soon as one vertex is in the set,
//! but not for connectivity together with the size. The propagator excludes vertices that are not connected to the set,
//! and includes articulation points that separate two vertices of the set. It uses the size bounds of the set only to
//! compare them with component sizes and distances.
//!
//! Paper: Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA 2014; Bayless, Bayless, Hoos, Hu: *SAT
//! modulo monotonic theories*, AAAI 2015 (reachability explained by cuts); Tarjan: *Depth-first search and linear graph
//! algorithms*, SIAM Journal on Computing 1972 (lowpoints). Unlike in these papers, literals represent vertices instead
//! of edges, the propagator derives articulation points and uses sizes, and its clauses come from minimal separators.
//!
//! ```
//! use gordian_encodings::constraint::Connected;
//! use gordian_encodings::encoding::connectivity_propagator::PROPAGATOR;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model, TRUE};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let [b, c] = [0; 2].map(|_| model.boolean());
//! let apart = Arc::new(Graph::new(3, [(0, 1)]));
//! model.post(Connected::new(apart, [TRUE, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().deferring().with(&PROPAGATOR), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-2 0"]);
//! ```

use super::connectivity_cuts::defer;
use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Connected;
use crate::lit::Lit;
use crate::theory::connected::LazyConnected;

/// Encodes connectivity with a propagator.
pub static PROPAGATOR: Encoding<Connected> = Encoding {
    name: "propagator",
    paper: "Bayless, Bayless, Hoos, Hu: SAT modulo monotonic theories, AAAI 2015",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: true,
    applies: always,
    encode: |Connected { graph, vertices, size, .. }, sink| {
        if !sink.is_conditional() {
            return defer(LazyConnected::by_propagation(graph, vertices, *size), sink);
        }
        let conditions: Vec<Lit> = sink.conditions().iter().map(|&unless| !unless).collect();
        let condition = sink.and(&conditions);
        let vertices: Vec<Lit> = vertices.iter().map(|&vertex| sink.and(&[vertex, condition])).collect();
        defer(LazyConnected::by_propagation(graph, &vertices, *size), &mut sink.always());
    },
};
