//! The sum as an integer in the order view, added up literal by literal.
//!
//! After each literal there is a partial sum z with a literal `z >= s` for every value s that it can have; from z to the next
//! one, z', lead `z>=s -> z'>=s` and `z>=s, lit -> z'>=s+weight`. A bound assumes the negation of a literal of the last.
//!
//! Size for n literals of weight 1, at the first bound: n (n+1) / 2 variables, n (3n-1) / 2 clauses. In general,
//! asymptotically, O(n v) of both for v values of the whole sum. Strength: domain consistent. Bounds imply one another,
//! which the other encodings' don't before they are propagated.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009. Differs from it in
//! that values a sum can't have are left out, and in that the direction from the sum to the literals is.

use super::encoding::{Encoder, ObjectiveEncoding, row};
use crate::encode::Strength;
use crate::lit::Lit;
use crate::sink::Sink;

/// A literal for each sum that the weights reach.
pub static ORDER: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "order",
        "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
        Strength::DomainConsistent,
    ),
    applies: |weights| {
        let mut values = 0;
        let mut sums = vec![0];
        weights.iter().all(|&weight| {
            sums = shifted(&sums, weight);
            values += sums.len();
            values <= MOST_VALUES
        })
    },
    encoder: |weights| Box::new(Order { weights, sum: None }),
};

/// The most values that all partial sums may have together.
const MOST_VALUES: usize = 1 << 20;

#[derive(Debug)]
struct Order {
    weights: Vec<(Lit, usize)>,
    /// The values of the whole sum but 0 in ascending order, each with the literal that it is reached.
    sum: Option<Vec<(usize, Lit)>>,
}

/// These values with and without one more weight, ascending.
fn shifted(sums: &[usize], weight: usize) -> Vec<usize> {
    let mut all: Vec<usize> = sums.iter().copied().chain(sums.iter().map(|sum| sum + weight)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Encoder for Order {
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
        let sum = self.sum.get_or_insert_with(|| add_up(&self.weights, sink));
        let above = sum.iter().find(|&&(value, _)| value > most);
        above.map(|&(_, reached)| !reached).into_iter().collect()
    }
}

fn add_up(weights: &[(Lit, usize)], sink: &mut Sink<'_>) -> Vec<(usize, Lit)> {
    let mut before: Vec<(usize, Lit)> = Vec::new();
    for &(lit, weight) in weights {
        let values: Vec<usize> = std::iter::once(0).chain(before.iter().map(|&(value, _)| value)).collect();
        let sum: Vec<(usize, Lit)> =
            shifted(&values, weight).into_iter().skip(1).map(|value| (value, sink.fresh())).collect();
        for pair in sum.windows(2) {
            sink.clause(&[!pair[1].1, pair[0].1]);
        }
        let reached = |value: usize| {
            let index = sum.binary_search_by_key(&value, |&(value, _)| value);
            sum[index.expect("every value has a literal")].1
        };
        sink.clause(&[!lit, reached(weight)]);
        for &(value, at_least) in &before {
            sink.clause(&[!at_least, reached(value)]);
            sink.clause(&[!at_least, !lit, reached(value + weight)]);
        }
        before = sum;
    }
    before
}
