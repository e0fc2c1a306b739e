//! Encodings of weighted objectives: the generalized totalizer (Joshi, Martins, Manquinho 2015) and the dynamic
//! polynomial watchdog (Paxian, Reimer, Becker 2018), both by rustsat.
//!
//! Both apply if the sum of the weights, divided by their common divisor, is less than 2^60.
//!
//! * `generalized-totalizer`: the leaves of the tree are the literals whose weight does not exceed the bound.
//!   Literals with larger weights are assumed false. If a bound needs more leaves, a new root joins the previous tree
//!   with a tree of the new leaves. The root has outputs for the sums that exceed the bound by at most the largest
//!   weight in the tree. Asymptotic size: a node has one variable for each of its sums, and one clause for each pair
//!   of sums of its children. All bounds share these variables and clauses. The size depends on the order in which
//!   the bounds are requested. Strength: domain consistent.
//! * `dynamic-watchdog`: the encoding adds an auxiliary binary number to the sum. With a suitable value of this number,
//!   each bound on the sum corresponds to a single output of the root. To enforce a bound, the negation of this output
//!   and the required bits of the number are assumed. The asymptotic size is the same as for
//!   [`pseudo_boolean`](crate::encoding::pseudo_boolean), and does not depend on the number of bounds. Strength: checks
//!   total assignments only.

use rustsat::encodings::pb::{BoundUpperIncremental, DynamicPolyWatchdog, GeneralizedTotalizer};

use super::encoding::{Bounded, Encoder, ObjectiveEncoding, row};
use crate::encoding::{Strength, from_rustsat};
use crate::lit::Lit;
use crate::sink::Sink;

/// The objective as a generalized totalizer.
pub static GENERALIZED_TOTALIZER: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "generalized-totalizer",
        "Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean constraints, CP 2015",
        Strength::DomainConsistent,
    ),
    applies: |sum, _, _| sum.is_small(),
    encoder: |sum| Box::new(small(sum).collect::<GeneralizedTotalizer>()),
};

/// The objective as a dynamic polynomial watchdog.
pub static DYNAMIC_WATCHDOG: ObjectiveEncoding = ObjectiveEncoding {
    row: row(
        "dynamic-watchdog",
        "Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving weighted MaxSAT, SAT 2018",
        Strength::TotalAssignments,
    ),
    applies: |sum, _, _| sum.is_small(),
    encoder: |sum| Box::new(small(sum).collect::<DynamicPolyWatchdog>()),
};

/// Returns the weights as rustsat stores them. The encodings apply if the sum of the weights is small.
fn small(sum: Bounded) -> impl Iterator<Item = (Lit, usize)> {
    sum.weights.into_iter().map(|(lit, weight)| (lit, weight as usize))
}

impl Encoder for GeneralizedTotalizer {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        encode(self, most, sink)
    }
}

impl Encoder for DynamicPolyWatchdog {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        encode(self, most, sink)
    }
}

fn encode(encoder: &mut impl BoundUpperIncremental, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
    let most = most as usize;
    from_rustsat::run(sink, |clauses, numbers| encoder.encode_ub_change(most..=most, clauses, numbers));
    encoder.enforce_ub(most).expect("this bound was just encoded")
}
