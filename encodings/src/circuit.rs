//! Gates for binary numbers: adders, and comparisons with constants.

use crate::constraint::Comparison;
use crate::int::{Log, Value, has, width};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

impl Sink<'_> {
    /// Writes clauses that enforce `bits <= most`, where `bits` is a binary number.
    pub(crate) fn bits_at_most(&mut self, bits: &[Lit], most: u128) {
        for k in (0..bits.len()).filter(|&k| !has(most, k)) {
            let above = (k + 1..bits.len()).filter(|&j| has(most, j)).map(|j| !bits[j]);
            self.clause_of(above.chain([!bits[k]]));
        }
    }

    /// Writes clauses that enforce `bits >= least`, where `bits` is a binary number. There must be enough bits to
    /// represent `least`.
    pub(crate) fn bits_at_least(&mut self, bits: &[Lit], least: u128) {
        for k in (0..bits.len()).filter(|&k| has(least, k)) {
            let above = (k + 1..bits.len()).filter(|&j| !has(least, j)).map(|j| bits[j]);
            self.clause_of(above.chain([bits[k]]));
        }
    }
}

/// Encodes the comparison of a weighted sum of binary numbers with `bound`.
pub(crate) fn compare_sum(
    terms: &[(Value, Log)],
    comparison: Comparison,
    mut bound: Value,
    sink: &mut Sink<'_>,
) {
    let (mut lits, mut weights) = (Vec::new(), Vec::new());
    for &(coefficient, Log { min, ref bits }) in terms {
        bound -= coefficient * min;
        for (k, &bit) in bits.iter().enumerate() {
            let weight = coefficient.unsigned_abs() << k;
            weights.push(weight);
            lits.push(if coefficient > 0 { bit } else { !bit });
            if coefficient < 0 {
                bound = bound.checked_add(weight as Value).expect("sums of an i128 have bits to spare");
            }
        }
    }
    let sum = sum(&lits, &weights, &mut sink.always());
    compare(&sum, comparison, bound as u128, sink);
}

/// Encodes the comparison of the binary number `sum` with `bound`.
pub(crate) fn compare(sum: &[Lit], comparison: Comparison, bound: u128, sink: &mut Sink<'_>) {
    let same = |(k, &bit): (usize, &Lit)| if has(bound, k) { bit } else { !bit };
    match comparison {
        Comparison::AtMost => sink.bits_at_most(sum, bound),
        Comparison::AtLeast => sink.bits_at_least(sum, bound),
        Comparison::Equal => sum.iter().enumerate().for_each(|bit| sink.clause(&[same(bit)])),
        Comparison::NotEqual => sink.clause_of(sum.iter().enumerate().map(|bit| !same(bit))),
    }
}

/// Encodes the weighted sum of literals, and returns the bits of the sum, starting with the least significant bit.
pub(crate) fn sum(lits: &[Lit], weights: &[u128], sink: &mut Sink<'_>) -> Vec<Lit> {
    // For each bit, the literals whose weight has this bit set.
    let mut buckets: Vec<Vec<Lit>> = Vec::new();
    for (&lit, &weight) in lits.iter().zip(weights) {
        let width = width(weight);
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
        // Inputs are taken from the front, and sums are appended at the back, so the adders form a tree instead of a
        // chain.
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
