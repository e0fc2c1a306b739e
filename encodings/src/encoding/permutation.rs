//! Permutations: each value is taken as often as it is given.
//!
//! For x and y that are 1 and 2 in some order: `(x=1) (y=1)`, `-(x=1) -(y=1)`, the same for 2, and no other value for x
//! or y.
//!
//! * `direct`: values that are not given are taken away one by one; for each that is, a [`Cardinality`] of the integers
//!   that can have it, which is an exactly-one for a value given once. Size: that of d of those, for d values, and a
//!   clause for each integer and value that it can't have. Strength: checks total assignments only.
//! * `count`: [`Count`] of each value, for domains of any size; that there are no others follows by counting.
//!   Size: that of those.
//!
//! The number of solutions is kept on request, as by the constraints posted.
//!
//! Redundant clauses: that a value is taken, where the others are.
//!
//! Paper: Gent, Nightingale: *A new encoding of `AllDifferent` into SAT*, `ModRef` 2004, for distinct values. Differs from
//! it in that values may be given more than once.
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
//! // 1 is `x = 1`, 2 is `y = 1`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 2 0", "-1 -2 0", "-1 -2 0", "1 2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, all_different, always};
use crate::constraint::{Cardinality, Count, Permutation, can_enumerate};
use crate::int::Value;
use crate::sink::Sink;

const PAPER: &str = "Gent, Nightingale: A new encoding of `AllDifferent` into SAT, ModRef 2004";

/// A cardinality for each value.
pub static DIRECT: Encoding<Permutation> = Encoding {
    name: "direct",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: |permutation, domains| can_enumerate(&permutation.ints, domains),
    encode: direct,
};

/// Count of each value.
pub static COUNT: Encoding<Permutation> = Encoding {
    name: "count",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    encode: |permutation, sink| {
        if permutation.ints.len() != permutation.values.len() {
            return sink.clause(&[]);
        }
        for (value, times) in permutation.times() {
            sink.post(&taken(permutation, value, times));
        }
    },
};

fn taken(permutation: &Permutation, value: Value, times: usize) -> Count {
    Count::exactly(permutation.ints.as_slice(), value, times)
}

fn direct(permutation: &Permutation, sink: &mut Sink<'_>) {
    if permutation.ints.len() != permutation.values.len() {
        return sink.clause(&[]);
    }
    let mut by_value = all_different::by_value(&permutation.ints, sink);
    for (value, times) in permutation.times() {
        let lits = by_value.remove(&value).unwrap_or_default();
        sink.post(&Cardinality::exactly(lits, times));
    }
    for lit in by_value.into_values().flatten() {
        sink.clause(&[!lit]);
    }
}
