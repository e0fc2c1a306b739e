//! The generalized totalizer (Joshi, Martins, Manquinho 2015) and the dynamic polynomial watchdog (Paxian, Reimer, Becker
//! 2018), both rustsat's.

use rustsat::encodings::pb::{BoundUpperIncremental, DynamicPolyWatchdog, GeneralizedTotalizer};

use super::technique::{Encoder, Technique, row};
use crate::encoding::{Strength, from_rustsat};
use crate::lit::Lit;
use crate::sink::Sink;

pub(super) static GENERALIZED_TOTALIZER: Technique = Technique {
    row: row(
        "generalized-totalizer",
        "Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean constraints, CP 2015",
        Strength::Domain,
    ),
    applies: |_| true,
    encoder: |weights| Box::new(weights.into_iter().collect::<GeneralizedTotalizer>()),
};

pub(super) static DYNAMIC_WATCHDOG: Technique = Technique {
    row: row(
        "dynamic-watchdog",
        "Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving weighted MaxSAT, SAT 2018",
        Strength::Checking,
    ),
    applies: |_| true,
    encoder: |weights| Box::new(weights.into_iter().collect::<DynamicPolyWatchdog>()),
};

impl Encoder for GeneralizedTotalizer {
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
        encode(self, most, sink)
    }
}

impl Encoder for DynamicPolyWatchdog {
    fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
        encode(self, most, sink)
    }
}

fn encode(encoder: &mut impl BoundUpperIncremental, most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
    from_rustsat::run(sink, |clauses, numbers| encoder.encode_ub_change(most..=most, clauses, numbers));
    encoder.enforce_ub(most).expect("this bound was just encoded")
}
