//! Binary adders for linear and cardinality constraints: adders compute the sum in binary, and clauses compare it
//! with the bound.
//!
//! The encoding keeps a bucket of literals for each power of two. A literal of the sum, or a bit of an integer in the
//! log view, goes into the bucket for `2^i` if bit i of its weight is 1. A full adder removes three literals from a
//! bucket, puts their sum bit back and puts their carry into the next bucket. If two literals remain in a bucket, a
//! half adder replaces them with their sum bit and puts their carry into the next bucket. In the end, each bucket
//! contains one literal: a bit of the sum.
//!
//! Example: `a + b + c <= 1` takes one full adder with the sum s and the carry t, and the clause `-t`.
//!
//! Size for n literals of weight 1, where w = floor(log2 n) + 1 and z is the number of zeros in the binary form of n:
//! n - w full adders of 2 variables and 14 clauses each, and z half adders of 2 variables and 7 clauses each. Size for
//! terms with m bits in total: O(m) variables and clauses. For large numbers, the adders are smaller than all other
//! encodings. The comparison of a sum of w bits with a bound takes w clauses for `=`. For `<=`, it takes one clause for
//! each bit of the bound that is 0; for `>=`, one clause for each bit that is 1. Strength: checks total assignments
//! only. The encoding preserves the number of solutions.
//!
//! A clause of an adder is redundant if a bound fixes the adder's outputs or excludes a combination of the outputs. For
//! `<=`, the clauses that only `>=` needs are also redundant, and vice versa.
//!
//! Paper: Warners: *A linear-time transformation of linear inequalities into conjunctive normal form*, IPL 68, 1998, as
//! formulated in Een, Sorensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006. Unlike in these
//! papers, a bit with a negative weight is replaced by the negated bit with a positive weight, so all numbers are
//! nonnegative.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::adder::CARDINALITY;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&CARDINALITY), &mut cnf);
//! // Variable 4 is s, and 5 is t.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "1 2 3 -4 0", "-1 -2 3 -4 0", "-1 2 -3 -4 0", "1 -2 -3 -4 0", "-1 2 3 4 0", "1 -2 3 4 0",
//!     "1 2 -3 4 0", "-1 -2 -3 4 0", "-1 -2 5 0", "1 2 -5 0", "-1 -3 5 0", "1 3 -5 0", "-2 -3 5 0",
//!     "2 3 -5 0", "-5 0",
//! ]);
//! ```

use super::inequality::write_trivial;
use super::{Encoding, ModelCount, Strength, always};
use crate::circuit;
use crate::constraint::{Cardinality, Comparison, Linear};
use crate::expr::Term;
use crate::int::{Log, Value};
use crate::sink::Sink;

/// Encodes linear constraints with binary adders.
pub static ADDER: Encoding<Linear> = Encoding {
    name: "adder",
    paper: "Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    derived: false,
    applies: always,
    encode: write,
};

/// Encodes cardinality constraints with binary adders.
pub static CARDINALITY: Encoding<Cardinality> = Encoding {
    name: "adder",
    paper: ADDER.paper,
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    derived: false,
    applies: always,
    encode: count,
};

/// Encodes a linear constraint in normal form.
pub(super) fn write(linear: &Linear, sink: &mut Sink<'_>) {
    if write_trivial(linear, sink) {
        return;
    }
    let number = |&(coefficient, term): &(Value, Term)| match term {
        Term::Int(x) => (coefficient, sink.log(x)),
        Term::Lit(lit) => (coefficient, Log { min: 0, bits: vec![lit] }),
    };
    let terms: Vec<(Value, Log)> = linear.terms.iter().map(number).collect();
    circuit::compare_sum(&terms, linear.comparison, linear.bound, sink);
}

fn count(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    let sum = circuit::sum(&lits, &vec![1; lits.len()], &mut sink.always());
    for (comparison, bound) in comparisons(lits.len(), min, max) {
        circuit::compare(&sum, comparison, bound as u128, sink);
    }
}

/// Returns the comparisons that restrict the sum of `n` literals to `min..=max`.
fn comparisons(n: usize, min: usize, max: usize) -> Vec<(Comparison, usize)> {
    if min == max {
        return vec![(Comparison::Equal, min)];
    }
    let bounds = [(Comparison::AtLeast, min, min > 0), (Comparison::AtMost, max, max < n)];
    bounds.into_iter().filter(|bound| bound.2).map(|(comparison, bound, _)| (comparison, bound)).collect()
}
