//! The common interface of the encodings of an objective.

use std::fmt;

use crate::choice::Choice;
use crate::encode::{EncodingRow, ModelCount, Strength};
use crate::lit::Lit;
use crate::sink::Sink;

/// An encoding of an objective, that is, of a weighted sum whose bounds are enforced by assumptions.
#[derive(Debug)]
pub struct ObjectiveEncoding {
    pub(super) row: EncodingRow,
    /// Returns whether the encoding applies to the given weights.
    pub(super) applies: fn(&[usize]) -> bool,
    /// Creates the encoder for weighted literals, without writing clauses.
    pub(super) encoder: Make,
}

impl From<&'static ObjectiveEncoding> for Choice {
    fn from(encoding: &'static ObjectiveEncoding) -> Self {
        Self { constraint: super::ROW.name, encoding: Some(encoding.row.name) }
    }
}

/// A function that creates the encoder for weighted literals.
pub(super) type Make = fn(Vec<(Lit, usize)>) -> Box<dyn Encoder>;

/// An encoder of upper bounds on a weighted sum. The bounds may be requested in any order.
pub(super) trait Encoder: fmt::Debug {
    /// Returns assumptions under which the total weight of the true literals does not exceed `most`. The bound `most`
    /// must be less than the sum of all weights, and the sink must have no condition.
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit>;
}

pub(super) const fn row(name: &'static str, paper: &'static str, strength: Strength) -> EncodingRow {
    EncodingRow { name, paper, strength, count: ModelCount::Lost, derived: false }
}
