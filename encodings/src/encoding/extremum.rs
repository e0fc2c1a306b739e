//! Minimum and maximum: by the literals of the order views, or by linear comparisons.
//!
//! * `order`: the maximum z is at most v exactly if all integers are at most v. For each value v of a domain: `z<=v
//!   -> x<=v` for each x, and `x1<=v, x2<=v, .. -> z<=v`. The clauses for the minimum are the same with `>= v`. Size
//!   for n integers and z, all with the same d values: no variables, (n+1)(d-1) clauses. Strength: bounds consistent.
//!   The encoding preserves the number of solutions.
//! * `linear`, for domains of any size: `x - z <= 0` for each x, and `s -> x - z >= 0` for each x with a fresh
//!   literal s. At least one of these literals is true. Size: n variables for n >= 2, one clause, and 2n linear
//!   constraints. Strength: checks total assignments only. The encoding does not preserve the number of solutions,
//!   because two integers may equal the maximum.
//!
//! Example with `order`: for a maximum z of a and b, all from 0 to 1, `z<=0 -> a<=0`, `z<=0 -> b<=0`, `a<=0, b<=0 ->
//! z<=0`.
//!
//! Redundant clauses: in `order`, the clauses for a bound within a hole of a domain, which follow from the clauses
//! for the next bound; in `linear`, clauses that are redundant in the linear constraints.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009: `order`
//! writes the definition in its order view.
//!
//! The paper does not treat this constraint.
//!
//! ```
//! use gordian_encodings::constraint::Extremum;
//! use gordian_encodings::encoding::extremum::ORDER;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, z] = [0; 3].map(|_| model.integer(Domain::interval(0, 1)));
//! model.post(Extremum::maximum([a, b], z));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&ORDER), &mut cnf);
//! // Variables 1, 2 and 3 are `a <= 0`, `b <= 0` and `z <= 0`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "-3 2 0", "-1 -2 3 0"]);
//! ```

use std::collections::BTreeSet;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Extremum, Linear};
use crate::int::{Domains, IntVar, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Minimum and maximum by order views.
pub static ORDER: Encoding<Extremum> = Encoding {
    name: "order",
    paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    strength: Strength::BoundsConsistent,
    count: ModelCount::Kept,
    applies,
    encode,
};

/// Minimum and maximum by linear comparisons.
pub static LINEAR: Encoding<Extremum> = Encoding {
    name: "linear",
    paper: "none: the definition of the extremum",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    applies: always,
    encode: by_comparisons,
};

/// The largest domain for which `order` applies.
const MAX_VALUES: u128 = 1 << 16;

/// Returns whether all domains are small enough to enumerate.
fn applies(extremum: &Extremum, domains: Domains<'_>) -> bool {
    extremum.of.iter().chain([&extremum.value]).all(|&x| domains.of(x).size() <= MAX_VALUES)
}

/// Returns the values of all domains.
fn values(extremum: &Extremum, domains: Domains<'_>) -> BTreeSet<Value> {
    extremum.of.iter().chain([&extremum.value]).flat_map(|&x| domains.of(x).values()).collect()
}

fn encode(extremum: &Extremum, sink: &mut Sink<'_>) {
    if extremum.of.is_empty() {
        return sink.clause(&[]);
    }
    for value in values(extremum, sink.domains()) {
        // The literal `x <= value` for a maximum, or `x >= value` for a minimum.
        let side = |sink: &mut Sink<'_>, x| {
            if extremum.greatest { sink.at_most(x, value) } else { sink.at_least(x, value) }
        };
        let whole = side(sink, extremum.value);
        let each: Vec<Lit> = extremum.of.iter().map(|&x| side(sink, x)).collect();
        for &lit in &each {
            sink.clause(&[!whole, lit]);
        }
        sink.clause_of(each.iter().map(|&lit| !lit).chain([whole]));
    }
}

/// Returns two comparisons: `x` does not exceed the extremum, and `x` reaches it.
fn comparisons(extremum: &Extremum, x: IntVar) -> [Linear; 2] {
    let sign = if extremum.greatest { 1 } else { -1 };
    let terms = [(sign, x.into()), (-sign, extremum.value.into())];
    [Linear::at_most(terms, 0), Linear::at_least(terms, 0)]
}

fn by_comparisons(extremum: &Extremum, sink: &mut Sink<'_>) {
    let mut some = Vec::new();
    for &x in &extremum.of {
        let [bound, reached] = comparisons(extremum, x);
        sink.post(&bound);
        let this = if extremum.of.len() == 1 { crate::TRUE } else { sink.fresh() };
        sink.when(this).post(&reached);
        some.push(this);
    }
    sink.clause(&some);
}
