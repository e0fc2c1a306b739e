//! Linear constraints as pseudo-Boolean ones, by rustsat's encoders: the generalized totalizer and the dynamic polynomial
//! watchdog.
//!
//! Integers become sums of the literals of their order view, each with the weight of the gap it stands for.
//!
//! * `generalized-totalizer`: a balanced tree that adds weights up; each node has a literal for each sum of its inputs, and
//!   `a >= v, b >= w -> c >= v + w`. For `2 a + 3 b <= 4`: `a -> p2`, `b -> p3`, `a, b -> p5`, `-p5`. Size: as many
//!   variables as there are different sums in the nodes, which can be exponential in number (and is not declared: only
//!   adding up tells). Strength of `<=` over distinct
//!   literals: domain; integers lose some of it, since a tree takes the steps of one apart.
//! * `dynamic-watchdog`: a totalizer for each power of two, the carries of which go into the next; the bound is made a
//!   multiple of the highest power by a number that is added. Size: O(n log^2 n log w) clauses for n weights up to w.
//!   Strength: checking, but not under a condition, which leaves that number open; so not for `!=`.
//!
//! Either counts in one direction only, so the number of solutions is lost.
//!
//! Paper: Joshi, Martins, Manquinho: *Generalized totalizer encoding for pseudo-Boolean constraints*, CP 2015; Paxian,
//! Reimer, Becker: *Dynamic polynomial watchdog encoding for solving weighted `MaxSAT`*, SAT 2018. Differs from them in that
//! rustsat makes only the outputs that the bound asks for.

use std::collections::BTreeMap;

use super::inequality::{self, Inequality};
use super::{Count, Strength, Technique, decision_diagram, from_rustsat};
use crate::constraint::{Comparison, Linear};
use crate::int::Domains;
use crate::lit::Lit;
use crate::sink::Sink;
use rustsat::encodings::pb::{BoundUpper, DynamicPolyWatchdog, GeneralizedTotalizer};

const REDUNDANT: &str = "outputs that rustsat makes and no bound looks at";

/// Generalized totalizer.
pub static GENERALIZED_TOTALIZER: Technique<Linear> = Technique {
    name: "generalized-totalizer",
    paper: "Joshi, Martins, Manquinho: Generalized totalizer encoding for pseudo-Boolean constraints, CP 2015",
    strength: Strength::Checking,
    count: Count::Lost,
    // The sums of a node are no more than the nodes of a level of a decision diagram.
    applies: |linear, domains| {
        applies(linear, domains) && decision_diagram::edges(linear, domains) <= MOST_SUMS
    },
    size: None,
    redundant: Some(REDUNDANT),
    encode: |linear, sink| inequality::each(linear, sink, write::<GeneralizedTotalizer>),
};

/// Dynamic polynomial watchdog.
pub static DYNAMIC_WATCHDOG: Technique<Linear> = Technique {
    name: "dynamic-watchdog",
    paper: "Paxian, Reimer, Becker: Dynamic polynomial watchdog encoding for solving weighted MaxSAT, SAT 2018",
    strength: Strength::Checking,
    count: Count::Lost,
    applies: |linear, domains| linear.comparison != Comparison::NotEqual && applies(linear, domains),
    size: None,
    redundant: Some(REDUNDANT),
    encode: |linear, sink| inequality::each(linear, sink, write::<DynamicPolyWatchdog>),
};

/// The estimate of sums over which the generalized totalizer is not to be had.
const MOST_SUMS: u128 = 1 << 16;

/// The greatest sum of weights: rustsat's are machine words.
const MOST_WEIGHT: u128 = 1 << 60;

fn applies(linear: &Linear, domains: Domains<'_>) -> bool {
    inequality::applies(linear, domains) && {
        let spread = |&(coefficient, term): &(i128, crate::constraint::Term)| {
            let (low, high) = term.range(domains);
            coefficient.unsigned_abs().saturating_mul(high.abs_diff(low))
        };
        linear.terms.iter().map(spread).fold(0, u128::saturating_add) <= MOST_WEIGHT
    }
}

/// The inequality over distinct variables: weights above 0, and what remains of the bound.
fn weights(inequality: &Inequality) -> (BTreeMap<Lit, u128>, Option<u128>) {
    let mut weights: BTreeMap<Lit, u128> = BTreeMap::new();
    for ladder in &inequality.ladders {
        let mut below = 0;
        for &(weight, lit) in ladder {
            *weights.entry(lit).or_default() += weight - below;
            below = weight;
        }
    }
    // Of a literal and its negation, one holds: the lesser weight is certain.
    let mut certain = 0;
    let positive: Vec<Lit> = weights.keys().copied().filter(|lit| lit.is_pos()).collect();
    for lit in positive {
        if let Some(&negative) = weights.get(&!lit) {
            let lesser = weights[&lit].min(negative);
            certain += lesser;
            for lit in [lit, !lit] {
                weights.entry(lit).and_modify(|weight| *weight -= lesser);
            }
        }
    }
    weights.retain(|_, weight| *weight > 0);
    (weights, inequality.most.checked_sub(certain))
}

fn write<E>(inequality: &Inequality, sink: &mut Sink<'_>)
where
    E: BoundUpper + FromIterator<(Lit, usize)>,
{
    let (weights, most) = weights(inequality);
    let Some(most) = most else { return sink.clause(&[]) };
    if weights.values().sum::<u128>() <= most {
        return;
    }
    let most = most as usize;
    let mut encoder: E = weights.into_iter().map(|(lit, weight)| (lit, weight as usize)).collect();
    from_rustsat::run(&mut sink.always(), |clauses, numbers| {
        encoder.encode_ub(most..=most, clauses, numbers)
    });
    for unit in encoder.enforce_ub(most).expect("this bound was just encoded") {
        sink.clause(&[unit]);
    }
}
