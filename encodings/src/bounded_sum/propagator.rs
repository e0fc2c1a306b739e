//! The objective as a propagator of a linear inequality.
//!
//! The propagator enforces `sum + slack <= greatest`, where `greatest` is the largest sum that the domains allow, and
//! `slack` is a binary number of new literals. To enforce `sum <= b`, the bits of `greatest - b` are assumed to be the
//! bits of `slack`. All bounds share the propagator, and a learnt clause contains only the bits from which it follows.
//!
//! Size: one variable for each bit of `greatest`, no clauses. Strength: lazy; the propagator is domain consistent.
//!
//! Papers: Ohrimenko, Stuckey, Codish: *Propagation via lazy clause generation*, Constraints 14, 2009; Paxian, Reimer,
//! Becker: *Dynamic polynomial watchdog encoding for solving weighted `MaxSAT`*, SAT 2018 (the binary slack).

use super::encoding::{Bounded, Encoder, ObjectiveEncoding, row};
use crate::constraint::{Linear, Term};
use crate::encode::Strength;
use crate::encoding::linear_propagator;
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;
use crate::sums::ORDER_UP_TO;

/// The objective as a propagator.
pub static PROPAGATOR: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "propagator",
        "Ohrimenko, Stuckey, Codish: Propagation via lazy clause generation, Constraints 14, 2009",
        Strength::Lazy,
    ),
    applies: |sum, _, encodings| encodings.propagates() && !encodings.derives() && sum.is_small(),
    encoder: |sum| Box::new(Propagator { sum, slack: None }),
};

#[derive(Debug)]
struct Propagator {
    sum: Bounded,
    /// The bits of the slack, starting with the least significant bit.
    slack: Option<Vec<Lit>>,
}

impl Encoder for Propagator {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        let total = self.sum.total();
        let slack = self.slack.get_or_insert_with(|| defer(&self.sum, total, sink));
        let needed = total - most;
        slack.iter().enumerate().map(|(k, &bit)| if needed >> k & 1 == 1 { bit } else { !bit }).collect()
    }
}

/// Defers the inequality `sum + slack <= greatest`. Returns the bits of the slack.
fn defer(sum: &Bounded, total: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
    let slack: Vec<Lit> = (0..u128::BITS - total.leading_zeros()).map(|_| sink.fresh()).collect();
    let bits = slack.iter().enumerate().map(|(k, &bit)| (1 << k, Term::Lit(bit)));
    let by_weights = || {
        let weights = sum.weights.iter().map(|&(lit, weight)| (weight as Value, lit.into()));
        Linear::at_most(weights.chain(bits.clone()), total as Value)
    };
    // The literals of an integer in order encoding are a ladder. Explanations then contain one of them instead of all.
    let linear = by_terms(sum, total, bits.clone(), sink.domains()).unwrap_or_else(by_weights);
    (linear_propagator::PROPAGATOR.encode)(&linear.normal(sink.domains()), sink);
    slack
}

/// Returns the inequality over the terms of the sum, or `None` if a term has no order encoding or a number overflows.
fn by_terms(
    sum: &Bounded,
    total: u128,
    bits: impl Iterator<Item = (Value, Term)>,
    domains: Domains<'_>,
) -> Option<Linear> {
    let scaled =
        bits.map(|(weight, bit)| Some((sum.unit.checked_mul(weight)?, bit))).collect::<Option<Vec<_>>>()?;
    let most = sum.unit.checked_mul(total as Value)?.checked_add(sum.least)?;
    let linear = Linear::at_most(sum.terms.iter().copied().chain(scaled), most);
    let is_ordered = linear.terms.iter().all(|&(_, term)| term.values(domains) <= ORDER_UP_TO);
    (is_ordered && (linear_propagator::PROPAGATOR.applies)(&linear, domains)).then_some(linear)
}
