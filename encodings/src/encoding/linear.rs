//! Arithmetic by linear constraints, which are encoded as any other.
//!
//! * Division: `dividend - divisor * quotient - remainder = 0` and `0 <= remainder < |divisor|`.
//! * Absolute value: with s for `x >= 0`, `s -> y = x` and `-s -> y = -x`.
//!
//! Size, and whether the number of solutions is kept: those of the linear constraints. Strength: checking.

use super::{Count, Strength, Technique, always};
use crate::constraint::{Absolute, Division, Linear};
use crate::sink::Sink;

/// Division as a linear constraint.
pub static DIVISION: Technique<Division> = Technique {
    name: "linear",
    paper: "none: the definition of Euclidean division",
    strength: Strength::Checking,
    count: Count::OnRequest,
    applies: always,
    size: None,
    redundant: Some("those of the linear constraint"),
    encode: divide,
};

/// The absolute value as two linear constraints, one of which is in force.
pub static ABSOLUTE: Technique<Absolute> = Technique {
    name: "linear",
    paper: "none: the definition of the absolute value",
    strength: Strength::Checking,
    count: Count::OnRequest,
    applies: always,
    size: None,
    redundant: Some("those of the linear constraints"),
    encode: |absolute, sink| {
        let positive = sink.at_least(absolute.of, 0);
        let difference = |sign| Linear::equal([(1, absolute.value.into()), (sign, absolute.of.into())], 0);
        sink.when(positive).post(&difference(-1));
        sink.when(!positive).post(&difference(1));
    },
};

fn divide(division: &Division, sink: &mut Sink<'_>) {
    let Division { dividend, divisor, quotient, remainder } = *division;
    if divisor == 0 {
        return sink.clause(&[]);
    }
    let least = sink.at_least(remainder, 0);
    let most = match i128::try_from(divisor.unsigned_abs() - 1) {
        Ok(most) => sink.at_most(remainder, most),
        Err(_) => crate::TRUE,
    };
    sink.clause(&[least]);
    sink.clause(&[most]);
    let terms = [(1, dividend.into()), (-divisor, quotient.into()), (-1, remainder.into())];
    sink.post(&Linear::equal(terms, 0));
}
