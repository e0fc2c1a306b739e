//! Bounds on a sum that are tightened step by step, from either side, without encoding it again.
//!
//! A [`BoundedSum`] is a weighted sum whose bounds are not constraints but *assumptions*: literals that make a solver keep
//! to a bound for one call. Clauses are written when a bound first asks for them and hold for ever. A bound for good is its
//! assumptions as unit clauses.
//!
//! An upper bound and a lower bound have an encoder each, which counts the literals or their negations; only what is asked
//! for is made. Which encoder, can be chosen as `objective=..`; left alone, it is a totalizer where all weights are the
//! same, a generalized totalizer for small sums of weights, and the dynamic polynomial watchdog otherwise.

mod adder;
mod encoding;
mod incremental_totalizer;
mod order;
mod totalizer;
mod weighted;

use std::collections::BTreeMap;

use crate::choice::{Encodings, Fallback};
use crate::constraint::Term;
use crate::encode::ConstraintRow;
use crate::int::Value;
use crate::linear_sum::{LinearSum, Overflow};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;
pub use adder::ADDER;
use encoding::Encoder;
pub use encoding::ObjectiveEncoding;
pub use incremental_totalizer::IncrementalTotalizer;
pub use order::ORDER;
pub use totalizer::TOTALIZER;
pub use weighted::{DYNAMIC_WATCHDOG, GENERALIZED_TOTALIZER};

/// All encodings, in the order in which they are listed.
static ENCODINGS: [&ObjectiveEncoding; 5] =
    [&TOTALIZER, &GENERALIZED_TOTALIZER, &DYNAMIC_WATCHDOG, &ORDER, &ADDER];

/// The row of the registry that chooses how objectives are counted.
pub(crate) const ROW: ConstraintRow = ConstraintRow {
    name: "objective",
    summary: "a sum whose bounds are assumptions",
    encodings: || ENCODINGS.iter().map(|encoding| encoding.row).collect(),
};

/// Up to this sum of weights `auto` takes the generalized totalizer.
const GENERALIZED_UP_TO: usize = 250;
/// The greatest sum of weights: rustsat's are machine words.
const MOST_WEIGHT: u128 = 1 << 60;

/// A weighted sum with bounds that are assumed. See the [module](self).
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
/// // A solver is asked under `at_most_7` and `at_least_3`.
/// assert!(!at_most_7.is_empty() && !at_least_3.is_empty());
/// assert!(sum.at_most(10, &mut sink).is_empty());
/// # Ok::<(), gordian_encodings::Overflow>(())
/// ```
#[derive(Debug)]
pub struct BoundedSum {
    least: Value,
    /// The sum is `least` and this for each weight of what follows.
    unit: u128,
    total: usize,
    weights: BTreeMap<Lit, usize>,
    upper: Option<Box<dyn Encoder>>,
    lower: Option<Box<dyn Encoder>>,
}

impl BoundedSum {
    /// The sum of the terms. Makes the views of integers that it counts by, and nothing else yet.
    ///
    /// # Errors
    /// If the greatest sum is 2^60 or more steps of the weights' common divisor above the least one, or a sum does not
    /// fit an `i128`.
    pub fn new(
        terms: impl IntoIterator<Item = (Value, Term)>,
        sink: &mut Sink<'_>,
    ) -> Result<Self, Overflow> {
        let sum = LinearSum::over_literals(terms, sink)?;
        let ((least, weights), unit) = (sum.weights()?, sum.divisor());
        let counted = weights.iter().try_fold(0_u128, |sum, &(weight, _)| sum.checked_add(weight / unit));
        let total = counted.filter(|&total| total < MOST_WEIGHT).ok_or(Overflow)? as usize;
        // The greatest sum must be a value too.
        let span = Value::try_from(unit).ok().and_then(|unit| unit.checked_mul(total as Value));
        span.and_then(|span| least.checked_add(span)).ok_or(Overflow)?;
        let weights: BTreeMap<Lit, usize> =
            weights.into_iter().map(|(weight, lit)| (lit, (weight / unit) as usize)).collect();
        Ok(Self { least, unit, total, weights, upper: None, lower: None })
    }

    /// The least sum there could be, by the terms alone.
    #[must_use]
    pub fn least(&self) -> Value {
        self.least
    }

    /// The greatest sum there could be, by the terms alone.
    #[must_use]
    pub fn greatest(&self) -> Value {
        self.least + (self.total as u128 * self.unit) as Value
    }

    /// The sum as it is counted: [`BoundedSum::least`], and for each of these literals that holds its weight times the
    /// [`BoundedSum::unit`].
    #[must_use]
    pub fn weights(&self) -> impl ExactSizeIterator<Item = (usize, Lit)> {
        self.weights.iter().map(|(&lit, &weight)| (weight, lit))
    }

    /// The common divisor of all steps from one sum to another.
    #[must_use]
    pub fn unit(&self) -> u128 {
        self.unit
    }

    /// Assumptions under which the sum is at most `bound`: none if it always is, [`FALSE`] if it never is.
    pub fn at_most(&mut self, bound: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        match self.most(bound) {
            Ok(most) => {
                let weights = self.weights.iter().map(|(&lit, &weight)| (lit, weight));
                let upper = self.upper.get_or_insert_with(|| encoder(weights.collect(), sink));
                bound_by(&mut **upper, most, sink)
            }
            Err(assumptions) => assumptions,
        }
    }

    /// Assumptions under which the sum is at least `bound`: none if it always is, [`FALSE`] if it never is.
    pub fn at_least(&mut self, bound: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        match self.missing(bound) {
            Ok(missing) => {
                let weights = self.weights.iter().map(|(&lit, &weight)| (!lit, weight));
                let lower = self.lower.get_or_insert_with(|| encoder(weights.collect(), sink));
                bound_by(&mut **lower, missing, sink)
            }
            Err(assumptions) => assumptions,
        }
    }

    /// How much of the weights there may be where the sum is at most `bound`, or what to assume where none of them must be
    /// counted.
    fn most(&self, bound: Value) -> Result<usize, Vec<Lit>> {
        if bound < self.least {
            return Err(vec![FALSE]);
        }
        let most = usize::try_from(bound.abs_diff(self.least) / self.unit).ok();
        most.filter(|&most| most < self.total).ok_or_else(Vec::new)
    }

    /// How much of the weights may be missing where the sum is at least `bound`, or what to assume.
    fn missing(&self, bound: Value) -> Result<usize, Vec<Lit>> {
        if bound <= self.least {
            return Err(Vec::new());
        }
        let there = bound.abs_diff(self.least).div_ceil(self.unit);
        let missing = (self.total as u128).checked_sub(there);
        missing.map(|missing| missing as usize).ok_or_else(|| vec![FALSE])
    }
}

/// How some weights are counted.
struct Choice {
    used: &'static ObjectiveEncoding,
    /// What was chosen, if that can't count them.
    instead_of: Option<&'static ObjectiveEncoding>,
}

/// The encoding chosen, or the one that suits these weights.
fn encoding(weights: &[usize], encodings: &Encodings) -> Choice {
    let suitable = || match () {
        () if (TOTALIZER.applies)(weights) => &TOTALIZER,
        () if weights.iter().sum::<usize>() <= GENERALIZED_UP_TO => &GENERALIZED_TOTALIZER,
        () => &DYNAMIC_WATCHDOG,
    };
    let chosen = encodings.chosen(ROW.name);
    let chosen = chosen.and_then(|name| ENCODINGS.into_iter().find(|encoding| encoding.row.name == name));
    match chosen {
        Some(chosen) if (chosen.applies)(weights) => Choice { used: chosen, instead_of: None },
        instead_of => Choice { used: suitable(), instead_of },
    }
}

/// The encoder for these weights.
fn encoder(weighted: Vec<(Lit, usize)>, sink: &mut Sink<'_>) -> Box<dyn Encoder> {
    let weights: Vec<usize> = weighted.iter().map(|&(_, weight)| weight).collect();
    let Choice { used, instead_of } = encoding(&weights, sink.encodings());
    if let Some(chosen) = instead_of {
        let [chosen, used] = [chosen, used].map(|encoding| encoding.row.name);
        sink.fall_back(Fallback::Replaced { constraint: ROW.name, chosen, used });
    }
    (used.encoder)(weighted)
}

/// Assumptions under which at most `most` of the weights hold.
fn bound_by(encoder: &mut dyn Encoder, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
    sink.written_as(ROW.name, |sink| encoder.at_most(most, &mut sink.always()))
}
