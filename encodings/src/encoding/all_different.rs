//! All-different: each value goes to one integer at most.
//!
//! For x and y from 1 to 2 and z from 1 to 3: `-(x=1) -(y=1)`, `-(x=1) -(z=1)`, `-(y=1) -(z=1)`, the same for 2, and
//! nothing for 3, which only z can have.
//!
//! * `direct`: an [`AtMostOne`] for each value over the integers that can have it. Its size is that of at most d of those,
//!   for d values. Strength: checks total assignments only; a value that is taken is taken away from the others, which is as strong as
//!   disequalities between pairs.
//! * `pigeon-hole`: with what resolution needs exponential time to find. With n integers and as many values together, each
//!   value is taken: one clause for each. With more values, `at least one is not among the n-1 lowest`, and the same for
//!   the n-1 highest. Size: d or 2 clauses more. Strength: checks total assignments only; it finds more, but not each set of values that is too
//!   small for its integers.
//! * `linear`: `x - y != 0` for each pair, for domains of any size. Size: that of n (n-1) / 2 linear disequalities.
//!
//! The number of solutions is kept where the at-most-ones keep it, which is on request.
//!
//! Paper: Gent, Nightingale: *A new encoding of `AllDifferent` into SAT*, `ModRef` 2004; the clauses for pigeon holes as in
//! Tamura, Tanjo, Banbara: *System description of a SAT-based CSP solver `Sugar`*, CPAI 2008. Differs from it in that values
//! are counted over holes.
//!
//! ```
//! use gordian_encodings::constraint::AllDifferent;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 2)));
//! let z = model.integer(Domain::interval(1, 3));
//! model.post(AllDifferent::new([x, y, z]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with("all-different=direct")?, &mut cnf);
//! // 1 and 2 are `x = 1` and `y = 1`; 3, 4 and 5 are of z, with its views first.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 4 0", "-5 4 0", "-5 -3 0", "5 -4 3 0", "-1 -2 0", "-1 -3 0", "-2 -3 0", "1 2 0", "1 -5 0",
//!     "2 -5 0",
//! ]);
//! # Ok::<(), gordian_encodings::ChoiceError>(())
//! ```

use std::collections::BTreeMap;

use super::{Encoding, ModelCount, Redundant, Size, Strength, always};
use crate::choice::Encodings;
use crate::constraint::{AllDifferent, AtMostOne, Constraint, Linear};
use crate::int::{Domains, IntVar, Value};
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

const PAPER: &str = "Gent, Nightingale: A new encoding of `AllDifferent` into SAT, ModRef 2004";

/// An at-most-one for each value.
pub static DIRECT: Encoding<AllDifferent> = Encoding {
    name: "direct",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies,
    size: |constraint, domains, encodings| size_by_value(constraint, domains, encodings).0,
    redundant: &[],
    encode: |constraint, sink| {
        for (_, lits) in by_value(&constraint.ints, sink) {
            sink.post(&AtMostOne::new(lits));
        }
    },
};

/// The same with clauses about pigeon holes.
pub static PIGEON_HOLE: Encoding<AllDifferent> = Encoding {
    name: "pigeon-hole",
    paper: "Tamura, Tanjo, Banbara: System description of a SAT-based CSP solver Sugar, CPAI 2008",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies,
    size: size_with_pigeon_holes,
    redundant: &[Redundant::Implied("those about pigeon holes, which resolution is slow to find")],
    encode: with_pigeon_holes,
};

/// A linear disequality for each pair.
pub static LINEAR: Encoding<AllDifferent> = Encoding {
    name: "linear",
    paper: "folklore: a clique of disequalities",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    size: |constraint, domains, encodings| {
        pairs(&constraint.ints).map(|pair| different(pair).size(domains, encodings)).sum()
    },
    redundant: &[
        Redundant::Implied("of the linear constraints, between sums that are one value apart"),
        Redundant::Unread("of the linear constraints, where one side can't be reached"),
        Redundant::Alternative("of the two sides of a disequality, what the other side allows"),
    ],
    encode: |constraint, sink| {
        for pair in pairs(&constraint.ints) {
            sink.post(&different(pair));
        }
    },
};

pub(crate) fn pairs(ints: &[IntVar]) -> impl Iterator<Item = (IntVar, IntVar)> {
    ints.iter().enumerate().flat_map(|(index, &x)| ints[..index].iter().map(move |&y| (x, y)))
}

pub(crate) fn different((x, y): (IntVar, IntVar)) -> Linear {
    Linear::not_equal([(1, x.into()), (-1, y.into())], 0)
}

/// The greatest domain whose values are looked at one by one.
const MOST_VALUES: u128 = 1 << 16;

/// Whether the values can be looked at one by one.
pub(crate) fn can_enumerate(ints: &[IntVar], domains: Domains<'_>) -> bool {
    ints.iter().all(|&x| domains.of(x).size() <= MOST_VALUES)
}

pub(crate) fn applies(constraint: &AllDifferent, domains: Domains<'_>) -> bool {
    can_enumerate(&constraint.ints, domains)
}

/// For each value, which integers have it.
pub(super) fn by_value(ints: &[IntVar], sink: &mut Sink<'_>) -> BTreeMap<Value, Vec<Lit>> {
    let mut by_value: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
    for &x in ints {
        let values: Vec<Value> = sink.domains().of(x).values().collect();
        for (value, lit) in values.into_iter().zip(sink.direct(x)) {
            by_value.entry(value).or_default().push(lit);
        }
    }
    by_value
}

/// As [`by_value`], with variables that stand for the literals, and constants where they are such.
pub(super) fn shape_by_value(ints: &[IntVar], domains: Domains<'_>) -> BTreeMap<Value, Vec<Lit>> {
    let mut by_value: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
    for (index, &x) in ints.iter().enumerate() {
        let lit = if domains.of(x).size() == 1 { TRUE } else { Lit::positive(index as u32) };
        for value in domains.of(x).values() {
            by_value.entry(value).or_default().push(lit);
        }
    }
    by_value
}

/// The size of the at-most-ones, and the values.
fn size_by_value(
    constraint: &AllDifferent,
    domains: Domains<'_>,
    encodings: &Encodings,
) -> (Size, Vec<Value>) {
    let by_value = shape_by_value(&constraint.ints, domains);
    let values = by_value.keys().copied().collect();
    (by_value.into_values().map(|lits| AtMostOne::new(lits).size(domains, encodings)).sum(), values)
}

fn size_with_pigeon_holes(constraint: &AllDifferent, domains: Domains<'_>, encodings: &Encodings) -> Size {
    let (size, values) = size_by_value(constraint, domains, encodings);
    let (n, d) = (constraint.ints.len(), values.len());
    let clauses = match d.checked_sub(n) {
        None => 1,
        // Not where a certain literal makes a clause needless.
        Some(0) => {
            shape_by_value(&constraint.ints, domains).values().filter(|lits| !lits.contains(&TRUE)).count()
        }
        Some(_) if n < 2 => 0,
        Some(_) => {
            let (lowest, highest) = (values[n - 2], values[d - n + 1]);
            let within = |low, high| {
                constraint.ints.iter().all(|&x| domains.of(x).min() <= high && domains.of(x).max() >= low)
            };
            usize::from(within(Value::MIN, lowest)) + usize::from(within(highest, Value::MAX))
        }
    };
    size + Size::exactly(0, clauses as u64)
}

fn with_pigeon_holes(constraint: &AllDifferent, sink: &mut Sink<'_>) {
    let ints = &constraint.ints;
    let by_value = by_value(&constraint.ints, sink);
    for lits in by_value.values() {
        sink.post(&AtMostOne::new(lits.clone()));
    }
    let values: Vec<Value> = by_value.keys().copied().collect();
    let n = ints.len();
    if values.len() < n {
        sink.clause(&[]);
    } else if values.len() == n {
        for lits in by_value.values() {
            sink.clause(lits);
        }
    } else if n >= 2 {
        let (lowest, highest) = (values[n - 2], values[values.len() - n + 1]);
        let above = |sink: &mut Sink<'_>, &x: &IntVar| !sink.at_most(x, lowest);
        let above: Vec<Lit> = ints.iter().map(|x| above(sink, x)).collect();
        let below: Vec<Lit> = ints.iter().map(|&x| sink.at_most(x, highest - 1)).collect();
        sink.clause(&above);
        sink.clause(&below);
    }
}
