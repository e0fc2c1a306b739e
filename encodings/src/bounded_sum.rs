//! Sums whose upper and lower bounds can be tightened without encoding the sum again.
//!
//! A [`BoundedSum`] is a weighted sum whose bounds are enforced by *assumptions*: literals that hold during one solver
//! call. The clauses for a bound are written at its first use and remain valid afterwards. To make a bound permanent,
//! add its assumptions as unit clauses.
//!
//! Upper and lower bounds have separate encoders. The encoder for upper bounds adds the weights of the true literals,
//! and the encoder for lower bounds adds the weights of the false literals. Each encoder is created at its first use.
//! The option `objective=..` selects the encoding. The default is a totalizer if all weights are equal, a generalized
//! totalizer if the sum of the weights is small, an adder if it is 2^60 or more, and the dynamic polynomial watchdog
//! otherwise. The default for sums with many literals is a propagator if the search supports it. A sum that contains an
//! integer with a [lazy order view](crate::view::lazy) becomes an integer with such a view.

mod adder;
mod encoding;
mod incremental_totalizer;
mod lazy;
mod order;
mod propagator;
mod totalizer;
mod weighted;

use std::collections::BTreeMap;

use crate::choice::{Encodings, Fallback};
use crate::constraint::Term;
use crate::encode::ConstraintRow;
use crate::int::{Domains, Value};
use crate::linear_sum::{LinearSum, Overflow, range};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;
pub use adder::ADDER;
pub use encoding::ObjectiveEncoding;
use encoding::{Bounded, Encoder};
pub use incremental_totalizer::IncrementalTotalizer;
pub use lazy::LAZY;
pub use order::ORDER;
pub use propagator::PROPAGATOR;
pub use totalizer::TOTALIZER;
pub use weighted::{DYNAMIC_WATCHDOG, GENERALIZED_TOTALIZER};

/// All objective encodings, in display order.
static ENCODINGS: [&ObjectiveEncoding; 7] =
    [&TOTALIZER, &GENERALIZED_TOTALIZER, &DYNAMIC_WATCHDOG, &ORDER, &ADDER, &PROPAGATOR, &LAZY];

/// The registry entry for objectives and their encodings.
pub(crate) const ROW: ConstraintRow = ConstraintRow {
    name: "objective",
    summary: "a sum whose bounds are assumptions",
    encodings: || ENCODINGS.iter().map(|encoding| encoding.row).collect(),
};

/// `auto` uses the generalized totalizer if the sum of the weights is at most this number.
const GENERALIZED_UP_TO: u128 = 250;
/// `auto` uses the propagator if this estimate of the number of clauses is exceeded: the number of literals, times the
/// bound for equal weights, or times itself for other weights.
const CLAUSES_UP_TO: u128 = 500_000;
/// The maximum sum of weights for encodings that compute with 64-bit numbers.
const MOST_WEIGHT: u128 = 1 << 60;

/// A weighted sum whose bounds are enforced by assumptions. See the [module](self) for the encodings.
///
/// ```
/// use gordian_encodings::{BoundedSum, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let lits: Vec<_> = (0..5).map(|_| model.boolean()).collect();
/// let mut cnf = Cnf::default();
/// let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
/// let mut sink = encoded.sink(&mut cnf);
///
/// let mut sum = BoundedSum::new(lits.iter().map(|&lit| (2, lit.into())), &mut sink)?;
/// assert_eq!((sum.least(), sum.greatest()), (0, 10));
/// let at_most_7 = sum.at_most(7, &mut sink);
/// let at_least_3 = sum.at_least(3, &mut sink);
/// // A solver call then takes `at_most_7` and `at_least_3` as assumptions.
/// assert!(!at_most_7.is_empty() && !at_least_3.is_empty());
/// assert!(sum.at_most(10, &mut sink).is_empty());
/// # Ok::<(), gordian_encodings::Overflow>(())
/// ```
#[derive(Debug)]
pub struct BoundedSum {
    least: Value,
    /// `sum = least + unit * (total weight of the true literals)`.
    unit: u128,
    total: u128,
    terms: Vec<(Value, Term)>,
    /// True if the sum is an integer with a lazy order view. Then its literals do not exist, and `weights` is empty.
    is_lazy: bool,
    weights: BTreeMap<Lit, u128>,
    upper: Option<Box<dyn Encoder>>,
    lower: Option<Box<dyn Encoder>>,
}

impl BoundedSum {
    /// Creates a bounded sum from its terms. Writes only the clauses that define literals of integer variables.
    ///
    /// # Errors
    /// Returns an error if a value of the sum, or the difference between two of its values, does not fit in an `i128`.
    pub fn new(
        terms: impl IntoIterator<Item = (Value, Term)>,
        sink: &mut Sink<'_>,
    ) -> Result<Self, Overflow> {
        let terms = lazy::as_integer(terms.into_iter().collect(), sink);
        let chosen = sink.encodings().chosen(ROW.name);
        if chosen.is_none_or(|chosen| chosen == LAZY.row.name) && lazy::is_lazy(&terms, sink.domains()) {
            let (least, greatest) = range(&terms, 0, sink.domains())?;
            let total = greatest.checked_sub(least).ok_or(Overflow)?.unsigned_abs();
            let weights = BTreeMap::new();
            return Ok(Self {
                least,
                unit: 1,
                total,
                terms,
                is_lazy: true,
                weights,
                upper: None,
                lower: None,
            });
        }
        let sum = LinearSum::over_literals(terms.iter().copied(), sink)?;
        let ((least, weights), unit) = (sum.weights()?, sum.divisor());
        let counted = weights.iter().try_fold(0_u128, |sum, &(weight, _)| sum.checked_add(weight / unit));
        let total = counted.ok_or(Overflow)?;
        // The maximum of the sum must not exceed the largest `Value`.
        let span = total.checked_mul(unit).and_then(|span| Value::try_from(span).ok());
        span.and_then(|span| least.checked_add(span)).ok_or(Overflow)?;
        let weights = weights.into_iter().map(|(weight, lit)| (lit, weight / unit)).collect();
        Ok(Self { least, unit, total, terms, is_lazy: false, weights, upper: None, lower: None })
    }

    /// Returns the smallest sum that the domains allow.
    #[must_use]
    pub fn least(&self) -> Value {
        self.least
    }

    /// Returns the largest sum that the domains allow.
    #[must_use]
    pub fn greatest(&self) -> Value {
        self.least + (self.total * self.unit) as Value
    }

    /// Returns the weighted literals of the sum. The sum is `least + unit * w`, where w is the total weight of the
    /// true literals; see [`BoundedSum::least`] and [`BoundedSum::unit`]. If the sum is an integer with a lazy order view,
    /// there are no such literals, and the result is empty.
    #[must_use]
    pub fn weights(&self) -> impl ExactSizeIterator<Item = (u128, Lit)> {
        self.weights.iter().map(|(&lit, &weight)| (weight, lit))
    }

    /// Returns the terms of the sum.
    pub(crate) fn terms(&self) -> &[(Value, Term)] {
        &self.terms
    }

    /// Returns the greatest common divisor of the weights of the literals. Any two values of the sum differ by a
    /// multiple of this divisor.
    #[must_use]
    pub fn unit(&self) -> u128 {
        self.unit
    }

    /// Returns assumptions under which the sum is at most `bound`. If every value of the sum is at most `bound`, the
    /// result is empty. If no value of the sum is at most `bound`, the result is [`FALSE`].
    pub fn at_most(&mut self, bound: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        match self.most(bound) {
            Ok(most) => {
                let sum = || Bounded {
                    weights: self.weights.iter().map(|(&lit, &weight)| (lit, weight)).collect(),
                    terms: self.terms.clone(),
                    least: self.least,
                    unit: self.unit as Value,
                    is_lazy: self.is_lazy,
                };
                let upper = self.upper.get_or_insert_with(|| encoder(sum(), most, sink));
                bound_by(&mut **upper, most, sink)
            }
            Err(assumptions) => assumptions,
        }
    }

    /// Returns assumptions under which the sum is at least `bound`. If every value of the sum is at least `bound`,
    /// the result is empty. If no value of the sum is at least `bound`, the result is [`FALSE`].
    pub fn at_least(&mut self, bound: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        match self.missing(bound) {
            Ok(missing) => {
                let greatest = self.greatest();
                let sum = || Bounded {
                    weights: self.weights.iter().map(|(&lit, &weight)| (!lit, weight)).collect(),
                    terms: self.terms.iter().map(|&(weight, term)| (weight.saturating_neg(), term)).collect(),
                    least: greatest.saturating_neg(),
                    unit: self.unit as Value,
                    is_lazy: self.is_lazy,
                };
                let lower = self.lower.get_or_insert_with(|| encoder(sum(), missing, sink));
                bound_by(&mut **lower, missing, sink)
            }
            Err(assumptions) => assumptions,
        }
    }

    /// Converts `sum <= bound` to an upper bound on the total weight of the true literals. If the bound always or never
    /// holds, returns `Err` with the assumptions: none if it always holds, and [`FALSE`] if it never holds.
    fn most(&self, bound: Value) -> Result<u128, Vec<Lit>> {
        if bound < self.least {
            return Err(vec![FALSE]);
        }
        let most = bound.abs_diff(self.least) / self.unit;
        if most < self.total { Ok(most) } else { Err(Vec::new()) }
    }

    /// Converts `sum >= bound` to an upper bound on the total weight of the false literals. If the bound always or
    /// never holds, returns `Err` with the assumptions: none if it always holds, and [`FALSE`] if it never holds.
    fn missing(&self, bound: Value) -> Result<u128, Vec<Lit>> {
        if bound <= self.least {
            return Err(Vec::new());
        }
        let there = bound.abs_diff(self.least).div_ceil(self.unit);
        self.total.checked_sub(there).ok_or_else(|| vec![FALSE])
    }
}

/// The encoding that is used for a sum, and the chosen encoding that it replaces, if any.
struct Choice {
    used: &'static ObjectiveEncoding,
    /// The chosen encoding, if it does not apply to the weights.
    instead_of: Option<&'static ObjectiveEncoding>,
}

/// Returns the chosen encoding if it applies to the sum. Otherwise, or if no encoding was chosen, returns the encoding
/// that `auto` selects for a sum whose first bound is `most`.
fn encoding(sum: &Bounded, most: u128, domains: Domains<'_>, encodings: &Encodings) -> Choice {
    let applies = |encoding: &ObjectiveEncoding| (encoding.applies)(sum, domains, encodings);
    let literals = sum.weights.len() as u128;
    let factor = if applies(&TOTALIZER) { most } else { literals };
    let is_large = literals.saturating_mul(factor) > CLAUSES_UP_TO;
    let suitable = || match () {
        () if sum.is_lazy => &LAZY,
        () if is_large && applies(&PROPAGATOR) => &PROPAGATOR,
        () if applies(&TOTALIZER) => &TOTALIZER,
        () if sum.total() <= GENERALIZED_UP_TO => &GENERALIZED_TOTALIZER,
        () if applies(&DYNAMIC_WATCHDOG) => &DYNAMIC_WATCHDOG,
        () => &ADDER,
    };
    let chosen = encodings.chosen(ROW.name);
    let chosen = chosen.and_then(|name| ENCODINGS.into_iter().find(|encoding| encoding.row.name == name));
    match chosen {
        Some(chosen) if applies(chosen) => Choice { used: chosen, instead_of: None },
        instead_of => Choice { used: suitable(), instead_of },
    }
}

/// Creates the encoder for weighted literals, and reports a fallback if the chosen encoding does not apply.
fn encoder(sum: Bounded, most: u128, sink: &mut Sink<'_>) -> Box<dyn Encoder> {
    let Choice { used, instead_of } = encoding(&sum, most, sink.domains(), sink.encodings());
    if let Some(chosen) = instead_of {
        let [chosen, used] = [chosen, used].map(|encoding| encoding.row.name);
        sink.fall_back(Fallback::Replaced { constraint: ROW.name, chosen, used });
    }
    (used.encoder)(sum)
}

/// Returns assumptions that limit the total weight of the true literals to `most`.
fn bound_by(encoder: &mut dyn Encoder, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
    sink.written_as(ROW.name, |sink| encoder.at_most(most, &mut sink.always()))
}
