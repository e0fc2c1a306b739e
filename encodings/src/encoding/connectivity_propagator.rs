//! Propagator: connectivity as a theory inside the solver.
//!
//! Nothing is written but what is certain from the start; the solver asks [`theory::connected`](crate::theory::connected)
//! at each fixpoint of unit propagation what follows, and for the clauses that explain it. A solver that can't do so
//! keeps the constraint by [cuts](super::connectivity_cuts).
//!
//! Size: no variable, a clause for each vertex that no way from a certain one leads to. Strength: with a vertex that is in, every literal that connectivity alone implies (vertices beyond the
//! component are out, articulation points between vertices that are in are in), so domain consistency; of the promised
//! size only lower bounds by components and distances.
//!
//! Paper: Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA 2014; Bayless, Bayless, Hoos, Hu: *SAT
//! modulo monotonic theories*, AAAI 2015 (reachability explained by cuts); lowpoints: Tarjan: *Depth-first search and
//! linear graph algorithms*, SIAM Journal on Computing 1972. Differs from these in that vertices are switched, not
//! edges, in the rules for articulation points and sizes, and in clauses from minimal separators.
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
use crate::theory::connected::LazyConnected;

/// Propagator.
pub static PROPAGATOR: Encoding<Connected> = Encoding {
    name: "propagator",
    paper: "Bayless, Bayless, Hoos, Hu: SAT modulo monotonic theories, AAAI 2015",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    applies: always,
    encode: |constraint, sink| defer(LazyConnected::by_propagation(constraint), sink),
};
