//! Encodes linear constraints with a propagator that runs in the solver.
//!
//! The encoding writes only the clauses of the order views, and unit clauses for impossible values. At each fixpoint
//! of unit propagation, the solver asks [`theory::linear`](crate::theory::linear) for implied bounds and for the
//! clauses that explain them. If the solver does not support propagators, the search enforces the constraint by
//! adding clauses (cuts) after each solver call.
//!
//! The encoding is intended for sums whose clauses would not fit in memory. For smaller sums, adders were at least as
//! fast on three models of the MiniZinc benchmarks, so `auto` does not choose the propagator.
//!
//! Size: no variables and no clauses; if the constraint has several conditions, one variable and one clause. Strength:
//! lazy; the propagator is domain consistent for `<=` and `>=`, and checks total assignments only for `=` and `!=`.
//!
//! Paper: Ohrimenko, Stuckey, Codish: *Propagation via lazy clause generation*, Constraints 14, 2009. Unlike in the
//! paper, all literals of the order views exist from the beginning, and explanations are not added as clauses.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::linear_propagator::PROPAGATOR;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = model.booleans();
//! model.post(Linear::at_most([(5, a.into()), (4, b.into()), (3, c.into())], 8));
//! let mut cnf = Cnf::default();
//! let mut encoded = model.encode(&Encodings::auto().deferring().with(&PROPAGATOR), &mut cnf);
//! assert_eq!((cnf.len(), encoded.take_deferred().len()), (0, 1));
//! ```

use super::inequality::{self, Inequality, top};
use super::{Encoding, ModelCount, Strength};
use crate::constraint::Linear;
use crate::sink::Sink;
use crate::theory::linear::LazyLinear;

/// Encodes linear constraints with a propagator.
pub static PROPAGATOR: Encoding<Linear> = Encoding {
    name: "propagator",
    paper: "Ohrimenko, Stuckey, Codish: Propagation via lazy clause generation, Constraints 14, 2009",
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: false,
    applies: inequality::applies,
    encode: |linear, sink| inequality::each(linear, sink, defer),
};

fn defer(inequality: &Inequality, sink: &mut Sink<'_>) {
    let Inequality { ladders, most } = inequality;
    let (mut ladders, mut most) = (ladders.clone(), *most);
    if sink.is_conditional() {
        let condition = if let [unless] = *sink.conditions() {
            !unless
        } else {
            let condition = sink.always().fresh();
            sink.clause(&[condition]);
            condition
        };
        // If the condition is false, the inequality holds for every sum.
        let excess = ladders.iter().map(top).sum::<u128>() - most;
        ladders.push(vec![(excess, condition)]);
        most += excess;
    }
    sink.always().defer(LazyLinear::new(ladders, most));
}
