//! Encodings of minimum and maximum constraints with order literals or with linear comparisons.
//!
//! * `order`: the maximum z is at most v if and only if all integers are at most v. The clauses for each value v of a
//!   domain are `z<=v -> x<=v` for each x, and `x1<=v, x2<=v, .. -> z<=v`. For the minimum, the clauses are similar,
//!   with `>= v` instead of `<= v`. Size for n integers and z, all with the same d values: no variables, (n+1)(d-1)
//!   clauses. Strength: bounds consistent. The encoding preserves the number of solutions.
//! * `linear`, for domains of any size: `x - z <= 0` for each x, and `s[x] -> x - z >= 0` for each x, with a new
//!   literal `s[x]`. At least one of the literals `s[x]` is true. Size: n variables for n >= 2, one clause, and 2n
//!   linear constraints. Strength: checks total assignments only. The encoding does not preserve the number of
//!   solutions: if several integers equal the maximum, several combinations of the literals `s[x]` are possible.
//!
//! Example with `order`: for the maximum z of a and b, where all three integers have the domain 0..1, the clauses are
//! `z<=0 -> a<=0`, `z<=0 -> b<=0` and `a<=0, b<=0 -> z<=0`.
//!
//! In `order`, if a value lies in a gap of a domain, some clauses for this value are redundant, because they follow
//! from the clauses for the next value. In `linear`, a clause that is redundant in the encoding of a linear constraint
//! is also redundant in this encoding.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009, for the order
//! literals that `order` uses.
//!
//! The paper does not cover minimum and maximum constraints.
//!
//! ```
//! use gordian_encodings::constraint::Maximum;
//! use gordian_encodings::encoding::min_max::MAXIMUM_BY_ORDER;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, z] = [0; 3].map(|_| model.integer(Domain::interval(0, 1)));
//! model.post(Maximum::new([a, b], z));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&MAXIMUM_BY_ORDER), &mut cnf);
//! // Variables 1, 2 and 3 are `a <= 0`, `b <= 0` and `z <= 0`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "-3 2 0", "-1 -2 3 0"]);
//! ```

use std::collections::BTreeSet;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Maximum, MinMax, Minimum};
use crate::int::{Domain, Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Encodes a minimum with order views.
pub static MINIMUM_BY_ORDER: Encoding<Minimum> = Encoding {
    name: "order",
    paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    strength: Strength::BoundsConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies,
    encode,
};

/// Encodes a maximum with order views.
pub static MAXIMUM_BY_ORDER: Encoding<Maximum> = Encoding {
    name: "order",
    paper: MINIMUM_BY_ORDER.paper,
    strength: Strength::BoundsConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies,
    encode,
};

/// Encodes a minimum with linear comparisons.
pub static MINIMUM_BY_COMPARISONS: Encoding<Minimum> = Encoding {
    name: "linear",
    paper: "none: the definition of the minimum",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: false,
    applies: always,
    encode: by_comparisons,
};

/// Encodes a maximum with linear comparisons.
pub static MAXIMUM_BY_COMPARISONS: Encoding<Maximum> = Encoding {
    name: "linear",
    paper: "none: the definition of the maximum",
    strength: Strength::TotalAssignments,
    count: ModelCount::Lost,
    derived: false,
    applies: always,
    encode: by_comparisons,
};

/// The encoding `order` of minima and maxima applies if each domain has at most this many values.
const MAX_VALUES: u128 = 1 << 16;

/// Returns whether no expression has a domain of more than `most` values.
pub(crate) fn fits(min_max: &impl MinMax, domains: Domains<'_>, most: u128) -> bool {
    let (of, value) = min_max.exprs();
    of.iter().chain([value]).all(|expr| domains.of_expr(expr).size() <= most)
}

fn applies(min_max: &impl MinMax, domains: Domains<'_>) -> bool {
    fits(min_max, domains, MAX_VALUES)
}

fn encode<E: MinMax>(min_max: &E, sink: &mut Sink<'_>) {
    let (of, value) = min_max.exprs();
    if of.is_empty() {
        return sink.clause(&[]);
    }
    let (of, whole) = (sink.integers_for(of), sink.integer_for(value));
    let domains = of.iter().chain([&whole]).map(|&x| sink.domains().of(x));
    let values: BTreeSet<Value> = domains.flat_map(Domain::values).collect();
    for value in values {
        // The literal `x <= value` for a maximum, or `x >= value` for a minimum.
        let side = |sink: &mut Sink<'_>, x| {
            if E::GREATEST { sink.at_most(x, value) } else { sink.at_least(x, value) }
        };
        let whole = side(sink, whole);
        let each: Vec<Lit> = of.iter().map(|&x| side(sink, x)).collect();
        for &lit in &each {
            sink.clause(&[!whole, lit]);
        }
        sink.clause_of(each.iter().map(|&lit| !lit).chain([whole]));
    }
}

fn by_comparisons(min_max: &impl MinMax, sink: &mut Sink<'_>) {
    for expr in min_max.exprs().0 {
        sink.post(&min_max.within(expr));
    }
    reached_by_one(min_max, sink);
}

/// Writes the constraint that at least one of the integers is at least the maximum (or at most the minimum).
pub(super) fn reached_by_one(min_max: &impl MinMax, sink: &mut Sink<'_>) {
    let of = min_max.exprs().0;
    let mut some = Vec::new();
    for expr in of {
        let this = if of.len() == 1 { crate::TRUE } else { sink.fresh() };
        sink.when(this).post(&min_max.reached(expr));
        some.push(this);
    }
    sink.clause(&some);
}
