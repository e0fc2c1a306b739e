//! Encodes objectives with equal weights by an [`IncrementalTotalizer`]. Papers: Bailleux, Boufkhad 2003, for the
//! totalizer; Martins, Joshi, Manquinho, Lynce: *Incremental cardinality constraints for `MaxSAT`*, CP 2014, for the
//! incremental form.
//!
//! Size for n literals and all bounds up to k: `O(n log n)` variables and `O(n k)` clauses, as in
//! [`totalizer`](crate::encoding::totalizer). Strength: domain consistent.

use super::IncrementalTotalizer;
use super::encoding::{Encoder, ObjectiveEncoding, row};
use crate::encode::Strength;
use crate::lit::Lit;
use crate::sink::Sink;

/// The objective as an incremental totalizer, for equal weights.
pub static TOTALIZER: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "totalizer",
        "Martins, Joshi, Manquinho, Lynce: Incremental cardinality constraints for MaxSAT, CP 2014",
        Strength::DomainConsistent,
    ),
    applies: |sum, _, _| sum.weights.iter().all(|&(_, weight)| weight == 1),
    encoder: |sum| Box::new(IncrementalTotalizer::new(sum.weights.into_iter().map(|(lit, _)| lit).collect())),
};

impl Encoder for IncrementalTotalizer {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        vec![IncrementalTotalizer::at_most(self, most as usize, sink)]
    }
}
