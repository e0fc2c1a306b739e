//! The order encoding of objectives: each partial sum of the literals is an integer in order encoding.
//!
//! Each partial sum z has a literal `z >= s` for each of its possible values s. The next partial sum z' is z + weight
//! if the next literal `lit` is true, and z otherwise. The clauses are `z>=s -> z'>=s` and `z>=s, lit -> z'>=s+weight`.
//! To enforce `sum <= b`, the negation of `z >= s` is assumed for the last partial sum z and its smallest possible
//! value s above b.
//!
//! Size for n literals of weight 1, for all bounds together: n (n+1) / 2 variables, n (3n-1) / 2 clauses. Size for any
//! weights: O(n v) variables and clauses, where v is the number of possible values of the whole sum. Strength: domain
//! consistent. Unlike with the other objective encodings, unit propagation derives weaker bounds from stronger bounds.
//!
//! Paper: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009. Unlike in
//! the paper, impossible values have no literals, and the clauses only enforce lower bounds on the partial sums.

use super::encoding::{Encoder, ObjectiveEncoding, row};
use crate::encode::Strength;
use crate::lit::Lit;
use crate::sink::Sink;

/// The objective as partial sums in order encoding, with one literal for each possible value.
pub static ORDER: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "order",
        "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
        Strength::DomainConsistent,
    ),
    applies: |sum, _, _| {
        let mut values = 0;
        let mut sums = vec![0];
        sum.weights.iter().all(|&(_, weight)| {
            sums = shifted(&sums, weight);
            values += sums.len();
            values <= MOST_VALUES
        })
    },
    encoder: |sum| Box::new(Order { weights: sum.weights, sum: None }),
};

/// The maximum total number of possible values of all partial sums.
const MOST_VALUES: usize = 1 << 20;

#[derive(Debug)]
struct Order {
    weights: Vec<(Lit, u128)>,
    /// The nonzero values of the whole sum in ascending order, each with the literal `sum >= value`.
    sum: Option<Vec<(u128, Lit)>>,
}

/// Returns the possible sums after adding a literal with the given weight, in ascending order.
fn shifted(sums: &[u128], weight: u128) -> Vec<u128> {
    let mut all: Vec<u128> = sums.iter().copied().chain(sums.iter().map(|sum| sum + weight)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Encoder for Order {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        let sum = self.sum.get_or_insert_with(|| add_up(&self.weights, sink));
        let above = sum.iter().find(|&&(value, _)| value > most);
        above.map(|&(_, reached)| !reached).into_iter().collect()
    }
}

fn add_up(weights: &[(Lit, u128)], sink: &mut Sink<'_>) -> Vec<(u128, Lit)> {
    let mut before: Vec<(u128, Lit)> = Vec::new();
    for &(lit, weight) in weights {
        let values: Vec<u128> = std::iter::once(0).chain(before.iter().map(|&(value, _)| value)).collect();
        let sum: Vec<(u128, Lit)> =
            shifted(&values, weight).into_iter().skip(1).map(|value| (value, sink.fresh())).collect();
        for pair in sum.windows(2) {
            sink.clause(&[!pair[1].1, pair[0].1]);
        }
        let reached = |value: u128| {
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
