//! All-different: no two expressions have the same value.
//!
//! Each expression is encoded as an integer variable. The expressions `x + i` and `-x` are views of x: they share its
//! literals.
//!
//! Example with `direct`: for x and y from 1 to 2 and z from 1 to 3, the clauses for the value 1 are `-(x=1) -(y=1)`,
//! `-(x=1) -(z=1)` and `-(y=1) -(z=1)`, and the clauses for the value 2 are analogous. The value 3 needs no clause,
//! because only z can take it.
//!
//! * `direct`: for each value, an [`AtMostOne`] over the integers that can take the value. Size for n integers that all
//!   have the same d possible values: d at-most-one constraints of n literals. Strength: checks total assignments only.
//!   If an integer is fixed to a value, unit propagation removes this value from the domains of all other integers, as
//!   with pairwise disequalities.
//! * `pigeon-hole`: `direct` and additional clauses that follow from `direct`, but only by exponentially long
//!   resolution proofs. If n integers have n possible values, then for each value, a clause requires that some integer
//!   has the value. If there are more values, one clause requires that some integer is above the n-1 lowest values, and
//!   another clause requires that some integer is below the n-1 highest values. Size: the size of `direct`, plus d
//!   clauses if d = n or 2 clauses if d > n. Strength: checks total assignments only. Unit propagation detects more
//!   conflicts than with `direct`, but not every conflict in which k integers together have fewer than k possible
//!   values.
//! * `linear`: `x - y != 0` for each pair, for domains of any size. Size: n (n-1) / 2 linear disequalities. Strength:
//!   checks total assignments only.
//!
//! With `Encodings::keep_count`, the encodings preserve the number of solutions if the encodings of the at-most-one
//! constraints and disequalities do.
//!
//! In `pigeon-hole`, the additional clauses are redundant, because they follow from the clauses of `direct`. In
//! `linear`, a clause that is redundant in the encoding of a disequality is also redundant in this encoding. A clause
//! of `x < y` is redundant if the domains exclude `x < y`, or if every assignment that violates the clause satisfies
//! `x > y`. The same holds for a clause of `x > y` if the two inequalities are exchanged.
//!
//! Derivation of `direct` in proofs: the formula contains the at-most-one constraints.
//!
//! Paper: Gent, Nightingale: *A new encoding of `AllDifferent` into SAT*, `ModRef` 2004; for the pigeon-hole clauses,
//! Tamura, Tanjo, Banbara: *System description of a SAT-based CSP solver `Sugar`*, CPAI 2008. Unlike in the papers,
//! the pigeon-hole clauses consider only values that occur in some domain.
//!
//! ```
//! use gordian_encodings::constraint::AllDifferent;
//! use gordian_encodings::encoding::all_different::DIRECT;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 2)));
//! let z = model.integer(Domain::interval(1, 3));
//! model.post(AllDifferent::new([x, y, z]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&DIRECT), &mut cnf);
//! // 1 and 2 are `x = 1` and `y = 1`; 3, 4 and 5 belong to z. The clauses that connect the literals of z come first.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 4 0", "-5 4 0", "-5 -3 0", "5 -4 3 0", "-1 -2 0", "-1 -3 0", "-2 -3 0", "1 2 0", "1 -5 0",
//!     "2 -5 0",
//! ]);
//! ```

use std::collections::BTreeMap;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{AllDifferent, AtMostOne};
use crate::int::{IntVar, Value};
use crate::lit::Lit;
use crate::sink::Sink;

const PAPER: &str = "Gent, Nightingale: A new encoding of `AllDifferent` into SAT, ModRef 2004";

/// Encodes all-different with an at-most-one constraint for each value.
pub static DIRECT: Encoding<AllDifferent> = Encoding {
    name: "direct",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: true,
    applies: AllDifferent::is_enumerable,
    encode: |constraint, sink| {
        let ints = sink.integers_for(&constraint.exprs);
        for (_, lits) in by_value(&ints, sink) {
            sink.post(&AtMostOne::new(lits));
        }
    },
};

/// Encodes all-different with an at-most-one constraint for each value, and with pigeon-hole clauses.
pub static PIGEON_HOLE: Encoding<AllDifferent> = Encoding {
    name: "pigeon-hole",
    paper: "Tamura, Tanjo, Banbara: System description of a SAT-based CSP solver Sugar, CPAI 2008",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: AllDifferent::is_enumerable,
    encode: with_pigeon_holes,
};

/// Encodes all-different with a linear disequality for each pair of expressions.
pub static LINEAR: Encoding<AllDifferent> = Encoding {
    name: "linear",
    paper: "folklore: a clique of disequalities",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |constraint, sink| {
        for pair in constraint.disequalities() {
            sink.post(&pair);
        }
    },
};

/// Returns, for each value, the literals `x = value` of all integers `x` that can have the value.
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

fn with_pigeon_holes(constraint: &AllDifferent, sink: &mut Sink<'_>) {
    let ints = sink.integers_for(&constraint.exprs);
    let by_value = by_value(&ints, sink);
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
