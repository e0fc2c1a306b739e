//! Equality of two integers, value by value or bit by bit.
//!
//! * Direct: `x = v <-> y = v` for each value v of one of them. They differ: `-(x = v) or -(y = v)` for each value of both.
//! * Log: `x[k] <-> y[k]` for each bit. They differ: for each bit a literal `d[k]` that says that x and y differ in it,
//!   `d[k] -> x[k] or y[k]` and `d[k] -> -x[k] or -y[k]`, and `d[0] or d[1] or ...`; where a bit is known, its literal or
//!   negation is `d[k]`.
//!
//! For x and y in 0..3 with the bits x1 x0 and y1 y0: `-x0 y0`, `x0 -y0`, `-x1 y1`, `x1 -y1`.
//!
//! Size for two integers of the same d values: direct 2d clauses, or d if they differ; log, with w bits, 2w clauses, or w
//! variables and 2w + 1 clauses if they differ. If one is a constant, direct d clauses or 1, log w clauses or 1. The number of
//! solutions is kept on request, by `x[k] = y[k] -> -d[k]`, 2w clauses, in log. Strength: direct domain, log checking.
//!
//! Paper: Gent: *Arc consistency in SAT*, ECAI 2002, for direct; log is the equality of bit vectors, as in Kroening, Strichman:
//! *Decision Procedures*, 2008, chapter 6.
//!
//! ```
//! use gordian_encodings::constraint::Equality;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.unordered(Domain::interval(0, 3)));
//! model.post(Equality::equal(x, y));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with("equality=log")?, &mut cnf);
//! // 1 and 3 are the low bits of x and y, 2 and 4 the negations of the high ones.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 3 0", "1 -3 0", "2 -4 0", "-2 4 0"]);
//! # Ok::<(), gordian_encodings::ChoiceError>(())
//! ```

use std::collections::BTreeSet;

use super::{Encoding, ModelCount, Redundant, Size, Strength};
use crate::choice::Encodings;
use crate::constraint::Equality;
use crate::int::{Domain, Domains, ENUMERATED_UP_TO, IntVar, Log, Value, log};
use crate::lit::{FALSE, Lit, constant, from_bool};
use crate::sink::Sink;

/// Equality value by value.
pub static DIRECT: Encoding<Equality> = Encoding {
    name: "direct",
    paper: "Gent: Arc consistency in SAT, ECAI 2002",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    applies: |&Equality { left, right, .. }, domains| {
        [left, right].iter().all(|&x| domains.of(x).size() <= ENUMERATED_UP_TO)
    },
    size: |equality, domains, _| {
        let [left, right] = [equality.left, equality.right].map(|x| domains.of(x));
        let of_value = |&value: &Value| {
            let open = |domain: &Domain| domain.contains(value) && domain.size() > 1;
            match (equality.equal, open(left), open(right)) {
                (true, true, true) => 2,
                (false, true, true) | (true, true, false) | (true, false, true) => 1,
                // One is a constant.
                (false, true, false) => u64::from(right.contains(value)),
                (false, false, true) => u64::from(left.contains(value)),
                (equal, false, false) => u64::from(if equal { left != right } else { left == right }),
            }
        };
        Size::exactly(0, values(left, right).iter().map(of_value).sum())
    },
    redundant: &[Redundant::Implied(
        "of the last two values, one; of a value that only one has, those of another",
    )],
    encode: direct,
};

/// Equality bit by bit.
pub static LOG: Encoding<Equality> = Encoding {
    name: "log",
    paper: "Kroening, Strichman: Decision Procedures, 2008, chapter 6",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: |&Equality { left, right, .. }, domains| {
        let [left, right] = [left, right].map(|x| domains.of(x));
        left.min() == right.min() || left.size() == 1 || right.size() == 1
    },
    size: log_size,
    redundant: &[
        Redundant::Implied("of the bits and what ties them to other views, where both say it"),
        Redundant::Unread("what ties the bits to other views, of values that are not compared"),
        Redundant::Alternative("what ties the bits to other views, where the other integer's does"),
    ],
    encode: by_bits,
};

/// The values that one of them has.
fn values(left: &Domain, right: &Domain) -> BTreeSet<Value> {
    left.values().chain(right.values()).collect()
}

fn direct(&Equality { left, right, equal }: &Equality, sink: &mut Sink<'_>) {
    let values = values(sink.domains().of(left), sink.domains().of(right));
    for value in values {
        let [left, right] = [left, right].map(|x| sink.equals(x, value));
        if equal {
            sink.clause(&[!left, right]);
            sink.clause(&[left, !right]);
        } else {
            sink.clause(&[!left, !right]);
        }
    }
}

/// The number of bits to compare, or the value of a constant; both from the least value of the other integer on. `None`
/// where a constant is not among the other's values.
fn words(x: &Domain, y: &Domain) -> Option<[Word; 2]> {
    match (x.size(), y.size()) {
        (_, 1) => x.contains(y.min()).then(|| [Word::of(x), Word::Constant(y.min().abs_diff(x.min()))]),
        (1, _) => words(y, x).map(|[y, x]| [x, y]),
        _ => Some([x, y].map(Word::of)),
    }
}

/// See [`words`].
#[derive(Clone, Copy)]
enum Word {
    Bits(usize),
    Constant(u128),
}

impl Word {
    fn of(domain: &Domain) -> Self {
        Self::Bits(Log::width(domain))
    }

    fn bits(self, x: IntVar, sink: &mut Sink<'_>) -> Vec<Lit> {
        match self {
            Self::Bits(_) => sink.log(x).bits,
            Self::Constant(value) => (0..log::width(value)).map(|k| from_bool(log::has(value, k))).collect(),
        }
    }
}

fn log_size(equality: &Equality, domains: Domains<'_>, encodings: &Encodings) -> Size {
    let [left, right] = [equality.left, equality.right].map(|x| domains.of(x));
    match (words(left, right), equality.equal) {
        (None, equal) => Size::exactly(0, u64::from(equal)),
        (Some([Word::Bits(v), Word::Bits(w)]), equal) => {
            let (both, rest) = (v.min(w) as u64, v.abs_diff(w) as u64);
            let back = if encodings.keeps_count() { 2 * both } else { 0 };
            if equal { Size::exactly(0, 2 * both + rest) } else { Size::exactly(both, 2 * both + 1 + back) }
        }
        (Some([Word::Bits(w), _] | [_, Word::Bits(w)]), true) => Size::exactly(0, w as u64),
        (Some(_), equal) => Size::exactly(0, u64::from(!equal)),
    }
}

fn by_bits(&Equality { left, right, equal }: &Equality, sink: &mut Sink<'_>) {
    let Some([of_left, of_right]) = words(sink.domains().of(left), sink.domains().of(right)) else {
        if equal {
            sink.clause(&[]);
        }
        return;
    };
    let (left, right) = (of_left.bits(left, sink), of_right.bits(right, sink));
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

/// A literal that holds only if two bits differ.
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
