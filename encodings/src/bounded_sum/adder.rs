//! The adder encoding of objectives: adders compute the sum as a binary number. For each bound, the encoding creates
//! a literal that implies `sum <= bound`.
//!
//! Size for literals of weight 1: the adders have the size given at [`adder`](crate::encoding::adder). They are written
//! when the first bound is requested. Each bound, including the first, adds one variable, and one clause for each bit
//! of the sum that is 0 in the bound's binary form. For other weights, the size of the adders is asymptotically the
//! same as in `adder`. For large weights, adders are the smallest encoding of objectives, but also the weakest.
//! Strength: checks total assignments only.
//!
//! Paper: Een, Sorensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006.

use std::collections::HashMap;

use super::encoding::{Encoder, ObjectiveEncoding, row};
use crate::circuit;
use crate::encode::Strength;
use crate::lit::Lit;
use crate::sink::Sink;

/// The objective as a binary number, computed by adders.
pub static ADDER: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "adder",
        "Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
        Strength::TotalAssignments,
    ),
    applies: |_, _, _| true,
    encoder: |sum| Box::new(Adder { weights: sum.weights, bits: None, bounds: HashMap::new() }),
};

#[derive(Debug)]
struct Adder {
    weights: Vec<(Lit, u128)>,
    /// The bits of the sum, starting with the least significant bit.
    bits: Option<Vec<Lit>>,
    /// The literals that imply the requested bounds.
    bounds: HashMap<u128, Lit>,
}

impl Encoder for Adder {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        let bits = self.bits.get_or_insert_with(|| {
            let (lits, weights): (Vec<Lit>, Vec<u128>) = self.weights.iter().copied().unzip();
            circuit::sum(&lits, &weights, sink)
        });
        let bound = *self.bounds.entry(most).or_insert_with(|| {
            let bound = sink.fresh();
            sink.when(bound).bits_at_most(bits, most);
            bound
        });
        vec![bound]
    }
}
