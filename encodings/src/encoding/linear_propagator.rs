//! Encodes linear and cardinality constraints with a propagator that runs in the solver.
//!
//! The encoding writes only the clauses of the order views, and unit clauses for impossible values. At each fixpoint
//! of unit propagation, the solver asks [`theory::linear`](crate::theory::linear) for implied bounds and for the
//! clauses that explain them. If the solver does not support propagators, the search enforces the constraint by
//! adding clauses (cuts) after each solver call.
//!
//! The encoding is intended for sums whose clauses would take much memory. The propagator computes with 64-bit numbers,
//! so the encoding does not apply to sums that exceed 63 bits.
//!
//! Size: no variables and no clauses; if the constraint has several conditions, one variable and one clause. Strength:
//! lazy; the propagator is domain consistent for `<=` and `>=`, and checks total assignments only for `=` and `!=`.
//!
//! Derivation in proofs: each clause of the propagator follows from the inequality, and from the order of the integers'
//! literals.
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

use super::inequality::{self, Inequality, Ladder, top};
use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, Linear};
use crate::expr::Term;
use crate::int::{Domains, Value};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;
use crate::theory::linear::{LazyLinear, Steps};

/// Encodes linear constraints with a propagator.
pub static PROPAGATOR: Encoding<Linear> = Encoding {
    name: "propagator",
    paper: "Ohrimenko, Stuckey, Codish: Propagation via lazy clause generation, Constraints 14, 2009",
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: true,
    applies,
    encode: |linear, sink| inequality::each(linear, sink, defer),
};

/// Encodes cardinality constraints with a propagator.
pub static CARDINALITY: Encoding<Cardinality> = Encoding {
    name: "propagator",
    paper: PROPAGATOR.paper,
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| {
        let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
        let mut bound = |negated: bool, most: usize| {
            let ladder = |&lit: &Lit| vec![(1, if negated { !lit } else { lit })];
            defer(&Inequality { ladders: lits.iter().map(ladder).collect(), most: most as u128 }, sink);
        };
        if max < lits.len() {
            bound(false, max);
        }
        if min > 0 {
            bound(true, lits.len() - min);
        }
    },
};

/// Sums must fit in 63 bits: the propagator computes with 64-bit numbers, and a condition adds a literal to each
/// inequality. The weight of this literal is at most the maximum sum.
fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    let span = |&(coefficient, term): &(Value, Term)| {
        let (low, high) = term.range(domains);
        high.checked_sub(low)?.checked_mul(coefficient.checked_abs()?)
    };
    let sum = linear.terms.iter().try_fold(0, |sum: Value, term| sum.checked_add(span(term)?));
    inequality::applies(linear, domains) && sum.is_some_and(|sum| sum <= Value::from(u64::MAX / 2))
}

fn defer(inequality: &Inequality, sink: &mut Sink<'_>) {
    let small = |number: u128| u64::try_from(number).expect("the encoding applies to sums of 63 bits only");
    let steps = |ladder: &Ladder| ladder.iter().map(|&(weight, lit)| (small(weight), lit)).collect();
    let mut ladders: Vec<Steps> = inequality.ladders.iter().map(steps).collect();
    let mut most = small(inequality.most);
    if let Some(condition) = sink.condition() {
        if condition == FALSE {
            return;
        }
        // If the condition is false, the inequality holds for every sum.
        let excess = small(inequality.ladders.iter().map(top).sum::<u128>()) - most;
        ladders.push(vec![(excess, condition)]);
        most += excess;
    }
    sink.always().defer(LazyLinear::new(ladders, most));
}
