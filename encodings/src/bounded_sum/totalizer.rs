//! A totalizer, where all weights are the same (Bailleux, Boufkhad 2003; incremental as in Martins, Joshi, Manquinho,
//! Lynce: *Incremental cardinality constraints for `MaxSAT`*, CP 2014): a [`LiteralCount`].

use super::LiteralCount;
use super::technique::{Encoder, Technique, row};
use crate::encoding::Strength;
use crate::lit::Lit;
use crate::sink::Sink;

pub(super) static TOTALIZER: Technique = Technique {
    row: row(
        "totalizer",
        "Martins, Joshi, Manquinho, Lynce: Incremental cardinality constraints for MaxSAT, CP 2014",
        Strength::Domain,
    ),
    applies: |weights| weights.iter().all(|&(_, weight)| weight == 1),
    encoder: |weights| Box::new(LiteralCount::new(weights.into_iter().map(|(lit, _)| lit).collect())),
};

impl Encoder for LiteralCount {
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
        vec![LiteralCount::at_most(self, most, sink)]
    }
}
