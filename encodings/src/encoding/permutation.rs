//! Encodings of permutations: the integers take each value exactly as often as the value occurs in a given list.
//!
//! Example: if x and y are a permutation of 1, 2, the clauses are `x=1 or y=1` and `-(x=1) or -(y=1)`, the same for
//! 2, and unit clauses that exclude other values of x and y.
//!
//! * `direct`: one [`Cardinality`] constraint for each value, over the integers that can take it. Values that are not
//!   in the list are excluded by unit clauses. Size for d values: d cardinality constraints, and the unit clauses.
//!   Strength: checks total assignments only.
//! * `count`: one [`Count`] constraint for each value of the list, for domains of any size. The counts add up to the
//!   number of integers, so no integer can have a value outside the list. Size: the sizes of the count constraints.
//!
//! With `Encodings::keep_count`, the encodings preserve the number of solutions if the encodings of the cardinality
//! or count constraints do.
//!
//! The clause that requires some integer to have a given value is redundant if the clauses for the other values imply
//! it.
//!
//! Paper: Gent, Nightingale: *A new encoding of `AllDifferent` into SAT*, `ModRef` 2004, for distinct values. Unlike
//! in the paper, the list may contain a value more than once.
//!
//! ```
//! use gordian_encodings::constraint::Permutation;
//! use gordian_encodings::encoding::permutation::DIRECT;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 2)));
//! model.post(Permutation::new([x, y], [1, 2]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&DIRECT), &mut cnf);
//! // Variable 1 is `x = 1`, variable 2 is `y = 1`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 2 0", "-1 -2 0", "-1 -2 0", "1 2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, all_different, always};
use crate::constraint::{Cardinality, Count, Permutation, can_enumerate};
use crate::int::Value;
use crate::sink::Sink;

const PAPER: &str = "Gent, Nightingale: A new encoding of `AllDifferent` into SAT, ModRef 2004";

/// Encodes a permutation with a cardinality constraint for each value.
pub static DIRECT: Encoding<Permutation> = Encoding {
    name: "direct",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |permutation, domains| can_enumerate(&permutation.exprs, domains),
    encode: direct,
};

/// Encodes a permutation with a count constraint for each value.
pub static COUNT: Encoding<Permutation> = Encoding {
    name: "count",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |permutation, sink| {
        if permutation.exprs.len() != permutation.values.len() {
            return sink.clause(&[]);
        }
        for (value, times) in permutation.times() {
            sink.post(&taken(permutation, value, times));
        }
    },
};

fn taken(permutation: &Permutation, value: Value, times: usize) -> Count {
    Count::exactly(&permutation.exprs, value, times)
}

fn direct(permutation: &Permutation, sink: &mut Sink<'_>) {
    if permutation.exprs.len() != permutation.values.len() {
        return sink.clause(&[]);
    }
    let ints = sink.integers_for(&permutation.exprs);
    let mut by_value = all_different::by_value(&ints, sink);
    for (value, times) in permutation.times() {
        let lits = by_value.remove(&value).unwrap_or_default();
        sink.post(&Cardinality::exactly(lits, times));
    }
    for lit in by_value.into_values().flatten() {
        sink.clause(&[!lit]);
    }
}
