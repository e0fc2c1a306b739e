//! What the encodings that count an objective have in common.

use std::fmt;

use crate::choice::Choice;
use crate::encode::{EncodingRow, ModelCount, Strength};
use crate::lit::Lit;
use crate::sink::Sink;

/// An encoding of an objective: a weighted sum that is bounded by assumptions.
#[derive(Debug)]
pub struct ObjectiveEncoding {
    pub(super) row: EncodingRow,
    /// Whether it can count literals of these weights.
    pub(super) applies: fn(&[usize]) -> bool,
    /// Makes the encoder for weighted literals. Writes nothing yet.
    pub(super) encoder: Make,
}

impl From<&'static ObjectiveEncoding> for Choice {
    fn from(encoding: &'static ObjectiveEncoding) -> Self {
        Self { constraint: super::ROW.name, encoding: Some(encoding.row.name) }
    }
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
