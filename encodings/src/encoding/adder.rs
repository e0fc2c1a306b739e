//! Binary adders for linear constraints: the sum is computed in binary and compared with the bound.
//!
//! Every bit of every log view and every literal stands in the buckets of the powers of two that its weight consists of;
//! a full adder takes three of a bucket away and puts their sum back and their carry into the next, a half adder does so
//! with the last two. What is left is one literal for each bit of the sum.
//!
//! For `a + b + c <= 1`: one full adder with the sum s and the carry t, and the clause `-t`.
//!
//! Size: 2 variables and 14 clauses for a full adder, 2 and 7 for a half adder; a bucket of m literals needs (m-1)/2 full
//! adders and one half adder if m is even. With n literals of b bits together, O(n b) of both: no other technique is
//! as small for large numbers. Comparison: at most a clause for each bit. Strength: checking. The number of solutions is
//! kept.
//!
//! Paper: Warners: *A linear-time transformation of linear inequalities into conjunctive normal form*, IPL 68, 1998, in
//! the form of Een, Soerensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006. Differs from them in
//! that negative weights become positive ones of negated bits, so that no number has a sign.

use super::{Count, Size, Strength, Technique, always};
use crate::constraint::{Comparison, Linear, Term};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Binary adders.
pub static ADDER: Technique<Linear> = Technique {
    name: "adder",
    paper: "Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
    strength: Strength::Checking,
    count: Count::Kept,
    applies: always,
    size: Some(size),
    redundant: Some("of adders whose outputs nothing but a bound on one side looks at"),
    encode: write,
};

/// The weights in order, and what must be added to the bound for each negative one.
fn weights(linear: &Linear, domains: Domains<'_>) -> (Vec<u128>, Value) {
    let mut weights = Vec::new();
    let mut bound = linear.bound;
    for &(coefficient, term) in &linear.terms {
        let (low, high) = term.range(domains);
        let width = u128::BITS - high.abs_diff(low).leading_zeros();
        bound -= coefficient * low;
        for k in 0..width {
            let weight = coefficient.unsigned_abs() << k;
            weights.push(weight);
            if coefficient < 0 {
                bound = bound.checked_add(weight as Value).expect("sums of an i128 have bits to spare");
            }
        }
    }
    (weights, bound)
}

fn size(linear: &Linear, domains: Domains<'_>) -> Size {
    let Ok(normal) = linear.normal(domains) else {
        return Size { variables: 0, clauses: u64::from(linear.normal(domains) == Err(false)) };
    };
    if normal.terms.len() == 1 {
        return Size { variables: 0, clauses: 1 };
    }
    let (weights, bound) = weights(&normal, domains);
    let mut size = Size::default();
    let (mut k, mut carries, mut width) = (0, 0, 0);
    while carries > 0 || weights.iter().any(|&weight| weight >> k != 0) {
        let bucket = carries + weights.iter().filter(|&&weight| weight >> k & 1 == 1).count() as u64;
        let (full, half) = (bucket.saturating_sub(1) / 2, u64::from(bucket > 0 && bucket.is_multiple_of(2)));
        size.variables += 2 * (full + half);
        size.clauses += 14 * full + 7 * half;
        carries = full + half;
        k += 1;
        width = k;
    }
    let empty = empty_buckets(&weights);
    let bound = bound as u128;
    let set = (0..width).filter(|&k| bound >> k & 1 == 1);
    size.clauses += match normal.comparison {
        Comparison::AtMost => {
            (0..width).filter(|&k| bound >> k & 1 == 0 && !empty.contains(&k)).count() as u64
        }
        Comparison::AtLeast => set.count() as u64,
        Comparison::Equal => width as u64,
        Comparison::NotEqual => 1,
    };
    size
}

/// Bits of the sum that are 0: there is no weight that low.
fn empty_buckets(weights: &[u128]) -> Vec<usize> {
    let lowest = weights.iter().map(|weight| weight.trailing_zeros()).min().unwrap_or(0);
    (0..lowest as usize).collect()
}

pub(super) fn write(linear: &Linear, sink: &mut Sink<'_>) {
    let Some(normal) = linear.write_trivial(sink) else { return };
    let (weights, bound) = weights(&normal, sink.domains());
    let mut lits = Vec::new();
    for &(coefficient, term) in &normal.terms {
        let bits = match term {
            Term::Int(x) => sink.log(x).bits,
            Term::Lit(lit) => vec![lit],
        };
        lits.extend(bits.into_iter().map(|bit| if coefficient > 0 { bit } else { !bit }));
    }
    let sum = sum(&lits, &weights, &mut sink.always());
    let bound = bound as u128;
    match normal.comparison {
        Comparison::AtMost => sink.bits_at_most(&sum, bound),
        Comparison::AtLeast => sink.bits_at_least(&sum, bound),
        Comparison::Equal => {
            for (k, &bit) in sum.iter().enumerate() {
                sink.clause(&[if bound >> k & 1 == 1 { bit } else { !bit }]);
            }
        }
        Comparison::NotEqual => {
            sink.clause_of(
                sum.iter().enumerate().map(|(k, &bit)| if bound >> k & 1 == 1 { !bit } else { bit }),
            );
        }
    }
}

/// The bits of the weighted sum.
pub(crate) fn sum(lits: &[Lit], weights: &[u128], sink: &mut Sink<'_>) -> Vec<Lit> {
    let mut bits = Vec::new();
    let mut carries: Vec<Lit> = Vec::new();
    let mut k = 0;
    while !carries.is_empty() || weights.iter().any(|&weight| k < 128 && weight >> k != 0) {
        let here = lits.iter().zip(weights).filter(|&(_, &weight)| k < 128 && weight >> k & 1 == 1);
        let mut bucket: std::collections::VecDeque<Lit> =
            here.map(|(&lit, _)| lit).chain(carries.drain(..)).collect();
        // From the front to the back, so that no sum waits longer than it must.
        while bucket.len() >= 3 {
            let taken: Vec<Lit> = bucket.drain(..3).collect();
            let (sum, carry) = full_adder([taken[0], taken[1], taken[2]], sink);
            bucket.push_back(sum);
            carries.push(carry);
        }
        if let (2, Some(&a), Some(&b)) = (bucket.len(), bucket.front(), bucket.back()) {
            bucket.clear();
            bucket.push_back(sink.xor(a, b));
            carries.push(sink.and(&[a, b]));
        }
        bits.push(bucket.front().copied().unwrap_or(crate::lit::FALSE));
        k += 1;
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

impl Sink<'_> {
    /// A literal that holds exactly when one of the two does and the other doesn't.
    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let mut sink = self.always();
        let xor = sink.fresh();
        sink.clause(&[a, b, !xor]);
        sink.clause(&[!a, !b, !xor]);
        sink.clause(&[a, !b, xor]);
        sink.clause(&[!a, b, xor]);
        xor
    }
}
