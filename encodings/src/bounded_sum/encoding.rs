//! What the encodings that count an objective have in common.

use std::fmt;

use crate::constraint::EncodingRow;
use crate::encoding::{ModelCount, Strength};
use crate::lit::Lit;
use crate::sink::Sink;

/// A way to bound a weighted sum by assumptions.
pub(super) struct Encoding {
    pub(super) row: EncodingRow,
    /// Whether it can count literals of these weights.
    pub(super) applies: fn(&[usize]) -> bool,
    /// The encoder for them. Writes nothing yet.
    pub(super) encoder: Make,
}

/// Makes the encoder for weighted literals.
pub(super) type Make = fn(Vec<(Lit, usize)>) -> Box<dyn Encoder>;

/// Keeps a weighted sum to bounds that may come in any order.
pub(super) trait Encoder: fmt::Debug {
    /// Assumptions under which at most `most` of the weights hold, which is less than all. What they need is written to a
    /// sink without conditions.
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit>;
}

pub(super) const fn row(name: &'static str, paper: &'static str, strength: Strength) -> EncodingRow {
    EncodingRow { name, paper, strength, count: ModelCount::Lost }
}
