//! Support encoding of functions of two integers: a layered graph (`layered_graph.rs`) with one layer for each
//! argument and one for the result.
//!
//! The states after the first argument are its values, and the states after the second argument are the values of the
//! function. Values of the second argument share an edge if they lead from the same state to the same value of the
//! function.
//!
//! Example: for the quotient q of x from 0 to 3 and the constant divisor 2, the support of q = 0 is `x=0 or x=1`, and
//! the support of q = 1 is `x=2 or x=3`.
//!
//! Asymptotic size: `O(d * e)` for arguments with d and e values. Strength: domain consistent. The encoding preserves
//! the number of solutions.
//!
//! If an edge shares a literal with a state, some clauses of the edge are implied and therefore redundant.
//!
//! Paper: see `layered_graph.rs`; for the term *support*, Gent: *Arc consistency in SAT*, ECAI 2002. Unlike in Gent's
//! paper, edges share supports.
//!
//! ```
//! use gordian_encodings::constraint::TruncatedDivision;
//! use gordian_encodings::encoding::function::TRUNCATED_DIVISION;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let (x, two, q) = (model.integer(0..=3), model.integer(2..=2), model.integer(0..=1));
//! model.post(TruncatedDivision::quotient(x, two, q));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&TRUNCATED_DIVISION), &mut cnf);
//! assert_eq!(cnf.len(), 20);
//! ```

use super::{Encoding, ModelCount, Strength, layered_graph};
use crate::constraint::{Power, TruncatedDivision};
use crate::expr::Expr;
use crate::int::{Domain, Domains, Value};
use crate::sink::Sink;

const PAPER: &str =
    "Abio, Gange, Mayer-Eichberger, Stuckey: On CNF encodings of decision diagrams, CPAIOR 2016";
/// The support encoding of a function applies if the layered graph has at most this many edges.
const MOST_EDGES: usize = 1 << 20;

/// Support encoding of truncated divisions.
pub static TRUNCATED_DIVISION: Encoding<TruncatedDivision> = Encoding {
    name: "support",
    paper: PAPER,
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |division, domains| fits(division, domains, MOST_EDGES),
    encode,
};

/// Support encoding of powers.
pub static POWER: Encoding<Power> = Encoding {
    name: "support",
    paper: PAPER,
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |power, domains| fits(power, domains, MOST_EDGES),
    encode,
};

/// A partial function of two integer expressions. A third expression, the result, is compared with the value of the
/// function.
pub(crate) trait Function {
    /// Returns the two arguments and the result.
    fn exprs(&self) -> [&Expr; 3];

    /// Returns `true` if the result must be equal to the value of the function, or `false` if it must be different.
    fn equal(&self) -> bool;

    /// Returns the value of the function, or `None` if it is undefined.
    fn value(&self, left: Value, right: Value) -> Option<Value>;
}

impl Function for TruncatedDivision {
    fn exprs(&self) -> [&Expr; 3] {
        [&self.divisor, &self.dividend, &self.result]
    }

    fn equal(&self) -> bool {
        self.equal
    }

    fn value(&self, divisor: Value, dividend: Value) -> Option<Value> {
        self.value(dividend, divisor)
    }
}

impl Function for Power {
    fn exprs(&self) -> [&Expr; 3] {
        [&self.exponent, &self.base, &self.power]
    }

    fn equal(&self) -> bool {
        self.equal
    }

    fn value(&self, exponent: Value, base: Value) -> Option<Value> {
        Self::value(base, exponent)
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Start,
    /// A state after the first argument: the value of the argument.
    Left(Value),
    /// A state after the second argument: the value of the function, or `None` if it is undefined or not in the
    /// domain of the result.
    Value(Option<Value>),
    End,
}

/// Returns the state that follows `state` if the variable of the current layer has the given value, or `None` if the
/// value is impossible. `results` is the domain of the function's result.
fn step(function: &impl Function, results: &Domain, state: &State, value: Value) -> Option<State> {
    match state {
        State::Start => Some(State::Left(value)),
        &State::Left(left) => {
            let value = function.value(left, value).filter(|&value| results.contains(value));
            (value.is_some() || !function.equal()).then_some(State::Value(value))
        }
        State::Value(found) => ((*found == Some(value)) == function.equal()).then_some(State::End),
        State::End => None,
    }
}

/// Returns whether the layered graph of the function has at most `limit` edges.
pub(crate) fn fits(function: &impl Function, domains: Domains<'_>, limit: usize) -> bool {
    let domains = function.exprs().map(|expr| domains.of_expr(expr));
    domains.iter().all(|domain| domain.size() <= limit as u128) && {
        let layers = domains.each_ref().map(|domain| domain.values().collect::<Vec<_>>());
        let step = |_, state: &State, value| step(function, &domains[2], state, value);
        layered_graph::fits(&layers, State::Start, step, limit)
    }
}

fn encode(function: &impl Function, sink: &mut Sink<'_>) {
    let exprs = function.exprs();
    let results = sink.domains().of_expr(exprs[2]).into_owned();
    let layers = exprs.map(|expr| layered_graph::layer(expr, sink));
    layered_graph::encode(
        &layers,
        State::Start,
        |_, state, value| step(function, &results, state, value),
        sink,
    );
}
