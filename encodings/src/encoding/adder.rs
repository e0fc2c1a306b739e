//! Binary adders for linear and cardinality constraints: adders compute the sum in binary, and clauses compare it
//! with the bound.
//!
//! There is one bucket for each power of two. Every literal, and every bit of every log view, goes into the buckets
//! of the powers of two in the binary form of its weight. A full adder removes three literals from a bucket, puts
//! their sum back and puts their carry into the next bucket. A half adder does the same with the last two literals of
//! a bucket. One literal for each bit of the sum remains.
//!
//! Example: `a + b + c <= 1` takes one full adder with the sum s and the carry t, and the clause `-t`.
//!
//! Size for n literals of weight 1, where w = floor(log2 n) + 1 and z is the number of zeros in the binary form of n:
//! n - w full adders of 2 variables and 14 clauses each, and z half adders of 2 variables and 7 clauses each. For
//! terms with m bits in total: O(m) variables and clauses. No other encoding is as small for large numbers. A
//! comparison with a bound takes one clause for each of its w bits that is 0 (`<=`) or 1 (`>=`), or w clauses (`=`).
//! Strength: checks total assignments only. The number of solutions is kept.
//!
//! Redundant clauses: those of adders whose outputs are fixed by the comparison, are read only by a bound on the
//! other side, or cannot all have the values that the bound requires.
//!
//! Paper: Warners: *A linear-time transformation of linear inequalities into conjunctive normal form*, IPL 68, 1998,
//! in the form of Een, Sorensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006. Differs from them
//! in that a negative weight becomes a positive weight of the negated bit, so that no number needs a sign.
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

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, Comparison, Linear, Term};
use crate::int::Value;
use crate::int::log::has;
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Binary adders for linear constraints.
pub static ADDER: Encoding<Linear> = Encoding {
    name: "adder",
    paper: "Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    applies: always,
    encode: write,
};

/// Binary adders for cardinality constraints.
pub static CARDINALITY: Encoding<Cardinality> = Encoding {
    name: "adder",
    paper: ADDER.paper,
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    applies: always,
    encode: count,
};

/// Encodes a linear constraint in normal form.
pub(super) fn write(linear: &Linear, sink: &mut Sink<'_>) {
    if linear.write_trivial(sink) {
        return;
    }
    let (mut lits, mut weights, mut bound) = (Vec::new(), Vec::new(), linear.bound);
    for &(coefficient, term) in &linear.terms {
        let (least, bits) = match term {
            Term::Int(x) => {
                let log = sink.log(x);
                (log.min, log.bits)
            }
            Term::Lit(lit) => (0, vec![lit]),
        };
        bound -= coefficient * least;
        for (k, bit) in bits.into_iter().enumerate() {
            let weight = coefficient.unsigned_abs() << k;
            weights.push(weight);
            lits.push(if coefficient > 0 { bit } else { !bit });
            if coefficient < 0 {
                bound = bound.checked_add(weight as Value).expect("sums of an i128 have bits to spare");
            }
        }
    }
    let sum = sum(&lits, &weights, &mut sink.always());
    compare(&sum, linear.comparison, bound as u128, sink);
}

/// Compares the binary number `sum` with `bound`.
fn compare(sum: &[Lit], comparison: Comparison, bound: u128, sink: &mut Sink<'_>) {
    let same = |(k, &bit): (usize, &Lit)| if has(bound, k) { bit } else { !bit };
    match comparison {
        Comparison::AtMost => sink.bits_at_most(sum, bound),
        Comparison::AtLeast => sink.bits_at_least(sum, bound),
        Comparison::Equal => sum.iter().enumerate().for_each(|bit| sink.clause(&[same(bit)])),
        Comparison::NotEqual => sink.clause_of(sum.iter().enumerate().map(|bit| !same(bit))),
    }
}

fn count(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    let sum = sum(&lits, &vec![1; lits.len()], &mut sink.always());
    for (comparison, bound) in comparisons(lits.len(), min, max) {
        compare(&sum, comparison, bound as u128, sink);
    }
}

/// Returns the comparisons that restrict a count of `n` literals to `min..=max`.
fn comparisons(n: usize, min: usize, max: usize) -> Vec<(Comparison, usize)> {
    if min == max {
        return vec![(Comparison::Equal, min)];
    }
    let bounds = [(Comparison::AtLeast, min, min > 0), (Comparison::AtMost, max, max < n)];
    bounds.into_iter().filter(|bound| bound.2).map(|(comparison, bound, _)| (comparison, bound)).collect()
}

/// Encodes the weighted sum of `lits` and returns its bits, the lowest first.
pub(crate) fn sum(lits: &[Lit], weights: &[u128], sink: &mut Sink<'_>) -> Vec<Lit> {
    // The bucket of each power of two.
    let mut buckets: Vec<Vec<Lit>> = Vec::new();
    for (&lit, &weight) in lits.iter().zip(weights) {
        let width = (u128::BITS - weight.leading_zeros()) as usize;
        buckets.resize_with(buckets.len().max(width), Vec::new);
        for k in (0..width).filter(|&k| has(weight, k)) {
            buckets[k].push(lit);
        }
    }
    let mut bits = Vec::new();
    let mut carries: Vec<Lit> = Vec::new();
    while bits.len() < buckets.len() || !carries.is_empty() {
        let mut bucket = buckets.get_mut(bits.len()).map(std::mem::take).unwrap_or_default();
        bucket.append(&mut carries);
        // Take literals from the front and append sums at the back, so that the adders form a tree and not a chain.
        let mut next = 0;
        while let &[a, b, c, ..] = &bucket[next..] {
            let (sum, carry) = full_adder([a, b, c], sink);
            bucket.push(sum);
            carries.push(carry);
            next += 3;
        }
        bits.push(match bucket[next..] {
            [a, b] => {
                let (sum, carry) = half_adder([a, b], sink);
                carries.push(carry);
                sum
            }
            [a] => a,
            _ => FALSE,
        });
    }
    bits
}

fn full_adder([a, b, c]: [Lit; 3], sink: &mut Sink<'_>) -> (Lit, Lit) {
    let (sum, carry) = (sink.fresh(), sink.fresh());
    for (a, b, c, sum) in [
        (a, b, c, sum),
        (!a, !b, c, sum),
        (!a, b, !c, sum),
        (a, !b, !c, sum),
        (!a, b, c, !sum),
        (a, !b, c, !sum),
        (a, b, !c, !sum),
        (!a, !b, !c, !sum),
    ] {
        sink.clause(&[a, b, c, !sum]);
    }
    for (a, b) in [(a, b), (a, c), (b, c)] {
        sink.clause(&[!a, !b, carry]);
        sink.clause(&[a, b, !carry]);
    }
    (sum, carry)
}

fn half_adder([a, b]: [Lit; 2], sink: &mut Sink<'_>) -> (Lit, Lit) {
    let (sum, carry) = (sink.fresh(), sink.fresh());
    for (a, b, sum) in [(a, b, sum), (!a, !b, sum), (a, !b, !sum), (!a, b, !sum)] {
        sink.clause(&[a, b, !sum]);
    }
    sink.clause(&[!carry, a]);
    sink.clause(&[!carry, b]);
    sink.clause(&[!a, !b, carry]);
    (sum, carry)
}
