//! Occurrences of a value, as a count of the literals `x = value`.
//!
//! For w, x, y and at most one 3 among them: `-(w=3) -(x=3)`, `-(w=3) -(y=3)`, `-(x=3) -(y=3)`.
//!
//! * `cardinality`: a [`Cardinality`] of these literals; not where an integer says how many.
//! * `linear`: a [`Linear`] constraint between them and that integer.
//!
//! Size, and whether the number of solutions is kept: those of the constraint posted. Strength: that of the cardinality
//! over values, which is domain, and checking for `linear`.
//!
//! Paper: Beldiceanu, Contejean: *Introducing global constraints in CHIP*, Mathematical and Computer Modelling 20, 1994,
//! for the constraint (`among`).

use super::{Count, Strength, Technique, always};
use crate::constraint::{Cardinality, Linear, Occurrences, Times};
use crate::int::Value;
use crate::lit::Lit;
use crate::sink::Sink;

const PAPER: &str = "Beldiceanu, Contejean: Introducing global constraints in CHIP, 1994 (among)";

/// A cardinality of literals.
pub static CARDINALITY: Technique<Occurrences> = Technique {
    name: "cardinality",
    paper: PAPER,
    strength: Strength::Domain,
    count: Count::OnRequest,
    applies: |occurrences, _| matches!(occurrences.times, Times::Between(..)),
    size: None,
    redundant: Some("those of the cardinality"),
    encode: |occurrences, sink| {
        let Times::Between(min, max) = occurrences.times else {
            unreachable!("the technique does not apply to a number that is an integer");
        };
        let lits = lits(occurrences, sink);
        sink.post(&Cardinality::between(lits, min, max));
    },
};

/// A linear constraint.
pub static LINEAR: Technique<Occurrences> = Technique {
    name: "linear",
    paper: PAPER,
    strength: Strength::Checking,
    count: Count::OnRequest,
    applies: always,
    size: None,
    redundant: None,
    encode: |occurrences, sink| {
        let terms: Vec<_> = lits(occurrences, sink).into_iter().map(|lit| (1, lit.into())).collect();
        match occurrences.times {
            Times::Between(min, max) => {
                // More than there are integers is as good as any.
                let clamped = |times: usize| times.min(terms.len() + 1) as Value;
                sink.post(&Linear::at_least(terms.clone(), clamped(min)));
                sink.post(&Linear::at_most(terms.clone(), clamped(max)));
            }
            Times::Int(times) => {
                sink.post(&Linear::equal(terms.into_iter().chain([(-1, times.into())]), 0));
            }
        }
    },
};

fn lits(occurrences: &Occurrences, sink: &mut Sink<'_>) -> Vec<Lit> {
    occurrences.ints.iter().map(|&x| sink.equals(x, occurrences.value)).collect()
}
