//! Minimum and maximum: bound by bound, or by comparisons.
//!
//! * `order`: the maximum z is at most v exactly where all the integers are: `z<=v -> x<=v` for each x, and
//!   `x1<=v, x2<=v .. -> z<=v`, for each value v of a domain. The minimum is the same with `>= v`. Size for n integers and d
//!   values: no variable, up to (n+1)(d-1) clauses. Strength: bounds. The number of solutions is kept.
//! * `linear`: `x - z <= 0` for each x, and of one, chosen by a fresh literal s, `s -> x - z >= 0`: for domains of any
//!   size. n variables and 2n linear constraints. Strength: checking. The number of solutions is lost where two integers
//!   are the greatest.
//!
//! For z the maximum of a and b from 0 to 1: `z<=0 -> a<=0`, `z<=0 -> b<=0`, `a<=0, b<=0 -> z<=0`.
//!
//! Paper: the order view of Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009,
//! applied to the definition.

use std::collections::BTreeSet;

use super::{Count, Strength, Technique, always};
use crate::constraint::{Extremum, Linear};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Bound by bound.
pub static ORDER: Technique<Extremum> = Technique {
    name: "order",
    paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    strength: Strength::Bounds,
    count: Count::Kept,
    applies,
    size: None,
    redundant: Some("bounds in the holes of a domain, which follow from the next"),
    encode,
};

/// By comparisons.
pub static LINEAR: Technique<Extremum> = Technique {
    name: "linear",
    paper: "none: the definition of the extremum",
    strength: Strength::Checking,
    count: Count::Lost,
    applies: always,
    size: None,
    redundant: Some("those of the linear constraints"),
    encode: by_comparisons,
};

/// The greatest domain whose values are looked at one by one.
const MOST_VALUES: u128 = 1 << 16;

/// Whether all values can be looked at one by one.
pub(crate) fn applies(extremum: &Extremum, domains: Domains<'_>) -> bool {
    extremum.of.iter().chain([&extremum.value]).all(|&x| domains.of(x).size() <= MOST_VALUES)
}

fn encode(extremum: &Extremum, sink: &mut Sink<'_>) {
    if extremum.of.is_empty() {
        return sink.clause(&[]);
    }
    let mut values: BTreeSet<Value> = BTreeSet::new();
    for &x in extremum.of.iter().chain([&extremum.value]) {
        values.extend(sink.domains().of(x).values());
    }
    for value in values {
        // Whether an integer is on the side of the value where all are if the extremum is.
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

fn by_comparisons(extremum: &Extremum, sink: &mut Sink<'_>) {
    let sign = if extremum.greatest { 1 } else { -1 };
    let mut some = Vec::new();
    for &x in &extremum.of {
        let terms = [(sign, x.into()), (-sign, extremum.value.into())];
        sink.post(&Linear::at_most(terms, 0));
        let this = if extremum.of.len() == 1 { crate::TRUE } else { sink.fresh() };
        sink.when(this).post(&Linear::at_least(terms, 0));
        some.push(this);
    }
    sink.clause(&some);
}
