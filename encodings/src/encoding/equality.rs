//! Encodings of the equality of two integers, value by value or bit by bit.
//!
//! * `direct`: `x = v <-> y = v` for each value v of either domain. For `x != y`: `-(x = v) or -(y = v)` for each
//!   value v that is in both domains.
//! * `log`: `x[k] <-> y[k]` for each bit k. For `x != y`: for each bit k, a literal `d[k]` implies that x and y
//!   differ in bit k (`d[k] -> x[k] or y[k]` and `d[k] -> -x[k] or -y[k]`). At least one of the literals holds: `d[0]
//!   or d[1] or ..`. If a bit is constant, `d[k]` is the bit of the other integer or its negation.
//!
//! Example with `log`: x and y in 0..3 with the bits x1 x0 and y1 y0 give `-x0 y0`, `x0 -y0`, `-x1 y1`, `x1 -y1`.
//!
//! Size for two integers with the same d >= 2 values: `direct` has 2d clauses for `=` and d for `!=`. For integers of
//! w bits, `log` has 2w clauses for `=`, and w variables and 2w + 1 clauses for `!=`. Size if one integer is a
//! constant: `direct` has d clauses for `=` and 1 for `!=`; `log` has w clauses for `=` and 1 for `!=`. `direct`
//! preserves the number of solutions. For `log`, `Encodings::keep_count` adds 2w clauses `x[k] = y[k] -> -d[k]`,
//! which also preserve the number of solutions. Strength: `direct` is domain consistent; `log` checks total
//! assignments only.
//!
//! In `direct`, the clauses for any one value of an equation are redundant, because they follow from the clauses of the
//! other values. `log` also has clauses that connect the log view of an integer with its order or direct view. These
//! clauses are redundant if both integers have an order or direct view. They are also redundant if one integer is a
//! constant outside the domain of the other, because the bits are then not compared.
//!
//! Paper: Gent: *Arc consistency in SAT*, ECAI 2002, for `direct`. `log` is the equality of bit vectors, as in
//! Kroening, Strichman: *Decision Procedures*, 2008, chapter 6.
//!
//! ```
//! use gordian_encodings::constraint::Equality;
//! use gordian_encodings::encoding::equality::LOG;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.unordered(Domain::interval(0, 3)));
//! model.post(Equality::equal(x, y));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&LOG), &mut cnf);
//! // Variables 1 and 3 are the low bits of x and y; 2 and 4 are the negations of the high bits.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 3 0", "1 -3 0", "2 -4 0", "-2 4 0"]);
//! ```

use std::collections::BTreeSet;

use super::{Encoding, ModelCount, Strength};
use crate::constraint::Equality;
use crate::int::{Domain, IntVar, Value, has, width};
use crate::lit::{FALSE, Lit, constant, from_bool};
use crate::sink::Sink;
use crate::view::ENUMERATED_UP_TO;

/// Encodes the equality of two integers value by value.
pub static DIRECT: Encoding<Equality> = Encoding {
    name: "direct",
    paper: "Gent: Arc consistency in SAT, ECAI 2002",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |Equality { left, right, .. }, domains| {
        [left, right].iter().all(|expr| domains.of_expr(expr).size() <= ENUMERATED_UP_TO)
    },
    encode: direct,
};

/// Encodes the equality of two integers bit by bit.
pub static LOG: Encoding<Equality> = Encoding {
    name: "log",
    paper: "Kroening, Strichman: Decision Procedures, 2008, chapter 6",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |Equality { left, right, .. }, domains| {
        let [left, right] = [left, right].map(|expr| domains.of_expr(expr));
        left.min() == right.min() || left.size() == 1 || right.size() == 1
    },
    encode: by_bits,
};

/// Returns the values that are in at least one of the domains.
fn values(left: &Domain, right: &Domain) -> BTreeSet<Value> {
    left.values().chain(right.values()).collect()
}

fn direct(Equality { left, right, equal }: &Equality, sink: &mut Sink<'_>) {
    let [left, right] = [left, right].map(|expr| sink.integer_for(expr));
    let values = values(sink.domains().of(left), sink.domains().of(right));
    for value in values {
        let [left, right] = [left, right].map(|x| sink.equals(x, value));
        if *equal {
            sink.clause(&[!left, right]);
            sink.clause(&[left, !right]);
        } else {
            sink.clause(&[!left, !right]);
        }
    }
}

/// Returns the bits of `x`. If `x` is constant, returns the bits of the distance between `x` and the minimum of
/// `other`.
fn bits(x: IntVar, other: IntVar, sink: &mut Sink<'_>) -> Vec<Lit> {
    let [own, other] = [x, other].map(|x| sink.domains().of(x));
    if own.size() > 1 {
        return sink.log(x).bits;
    }
    let offset = own.min().abs_diff(other.min());
    (0..width(offset)).map(|k| from_bool(has(offset, k))).collect()
}

fn by_bits(&Equality { ref left, ref right, equal }: &Equality, sink: &mut Sink<'_>) {
    let [left, right] = [left, right].map(|expr| sink.integer_for(expr));
    let [x, y] = [left, right].map(|x| sink.domains().of(x));
    let apart = |x: &Domain, y: &Domain| x.size() == 1 && !y.contains(x.min());
    if apart(x, y) || apart(y, x) {
        if equal {
            sink.clause(&[]);
        }
        return;
    }
    let (left, right) = (bits(left, right, sink), bits(right, left, sink));
    let bit = |bits: &[Lit], k: usize| bits.get(k).copied().unwrap_or(FALSE);
    let bits = (0..left.len().max(right.len())).map(|k| (bit(&left, k), bit(&right, k)));
    if equal {
        for (a, b) in bits {
            sink.clause(&[!a, b]);
            sink.clause(&[a, !b]);
        }
    } else {
        let differ: Vec<Lit> = bits.map(|(a, b)| differ(a, b, sink)).collect();
        sink.clause(&differ);
    }
}

/// Returns a literal. If the literal is true, the two bits differ.
fn differ(a: Lit, b: Lit, sink: &mut Sink<'_>) -> Lit {
    match (constant(a), constant(b)) {
        (Some(a), _) => {
            if a {
                !b
            } else {
                b
            }
        }
        (_, Some(b)) => {
            if b {
                !a
            } else {
                a
            }
        }
        _ => {
            let differ = sink.fresh();
            sink.clause(&[!differ, a, b]);
            sink.clause(&[!differ, !a, !b]);
            if sink.keeps_count() {
                sink.clause(&[differ, !a, b]);
                sink.clause(&[differ, a, !b]);
            }
            differ
        }
    }
}
