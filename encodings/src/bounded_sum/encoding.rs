//! The common interface of the encodings of an objective.

use std::fmt;

use super::MOST_WEIGHT;
use crate::choice::{Choice, Encodings};
use crate::constraint::Term;
use crate::encode::{EncodingRow, ModelCount, Strength};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// An encoding of an objective, that is, of a weighted sum whose bounds are enforced by assumptions.
#[derive(Debug)]
pub struct ObjectiveEncoding {
    pub(super) row: EncodingRow,
    /// Returns whether the encoding applies to the sum.
    pub(super) applies: fn(&Bounded, Domains<'_>, &Encodings) -> bool,
    /// Creates the encoder for a sum, without writing clauses.
    pub(super) encoder: Make,
}

impl From<&'static ObjectiveEncoding> for Choice {
    fn from(encoding: &'static ObjectiveEncoding) -> Self {
        Self { constraint: super::ROW.name, encoding: Some(encoding.row.name) }
    }
}

/// A sum to bound from above.
#[derive(Debug)]
pub(super) struct Bounded {
    /// The weights of the literals. Empty if `is_lazy` is true.
    pub(super) weights: Vec<(Lit, u128)>,
    /// The same sum over the variables of the model. Its value is `least + unit * (total weight of the true literals)`.
    pub(super) terms: Vec<(Value, Term)>,
    pub(super) least: Value,
    pub(super) unit: Value,
    /// True if the sum is an integer with a lazy order view.
    pub(super) is_lazy: bool,
}

impl Bounded {
    /// Returns the sum of the weights.
    pub(super) fn total(&self) -> u128 {
        self.weights.iter().map(|&(_, weight)| weight).sum()
    }

    /// Returns whether the sum of the weights fits in an encoding that computes with 64-bit numbers.
    pub(super) fn is_small(&self) -> bool {
        self.total() < MOST_WEIGHT
    }
}

/// A function that creates the encoder for a sum.
pub(super) type Make = fn(Bounded) -> Box<dyn Encoder>;

/// An encoder of upper bounds on a weighted sum. The bounds may be requested in any order.
pub(super) trait Encoder: fmt::Debug {
    /// Returns assumptions under which the total weight of the true literals does not exceed `most`. The bound `most`
    /// must be less than the sum of all weights, and the sink must have no condition.
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit>;
}

pub(super) const fn row(name: &'static str, paper: &'static str, strength: Strength) -> EncodingRow {
    EncodingRow { name, paper, strength, count: ModelCount::Lost, derived: false }
}
