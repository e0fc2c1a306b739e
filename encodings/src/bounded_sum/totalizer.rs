//! A totalizer, where all weights are the same (Bailleux, Boufkhad 2003; incremental as in Martins, Joshi, Manquinho,
//! Lynce: *Incremental cardinality constraints for `MaxSAT`*, CP 2014): a [`IncrementalTotalizer`].
//!
//! Size, exactly: the bounds ask the root for an output each, which asks its children for what it is made of, as in
//! [`totalizer`](crate::encoding::totalizer); each output has a variable and a clause for each way to make it, once for all
//! bounds. Strength: domain consistent.

use super::IncrementalTotalizer;
use super::encoding::{Encoder, Encoding, row};
use crate::encoding::{Strength, totalizer};
use crate::lit::Lit;
use crate::sink::Sink;

pub(super) static TOTALIZER: Encoding = Encoding {
    row: row(
        "totalizer",
        "Martins, Joshi, Manquinho, Lynce: Incremental cardinality constraints for MaxSAT, CP 2014",
        Strength::DomainConsistent,
    ),
    size: |weights, asked| {
        totalizer::size_of_outputs(weights.len(), &asked.iter().map(|most| most + 1).collect())
    },
    applies: |weights| weights.iter().all(|&weight| weight == 1),
    encoder: |weights| Box::new(IncrementalTotalizer::new(weights.into_iter().map(|(lit, _)| lit).collect())),
};

impl Encoder for IncrementalTotalizer {
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
        vec![IncrementalTotalizer::at_most(self, most, sink)]
    }
}
