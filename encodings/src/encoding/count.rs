//! Encodings of count constraints, which restrict how many of the literals `x = value` are true.
//!
//! Example: if at most one of w, x and y has the value 3, the clauses are `-(w=3) -(x=3)`, `-(w=3) -(y=3)`, `-(x=3)
//! -(y=3)`.
//!
//! * `cardinality`: a [`Cardinality`] constraint over the literals `x = value`. This encoding does not apply if the
//!   count is an integer variable.
//! * `linear`: a [`Linear`] constraint over the literals `x = value`; a count that is an integer variable is
//!   subtracted from their sum.
//!
//! Size: the size of the cardinality or linear constraint. The encoding preserves the number of solutions if the
//! encoding of the cardinality or linear constraint does. Strength: `cardinality` is domain consistent if the
//! encoding of the cardinality constraint is; `linear` checks total assignments only.
//!
//! Paper: Beldiceanu, Contejean: *Introducing global constraints in CHIP*, Mathematical and Computer Modelling 20,
//! 1994, which introduces the constraint as `among`.
//!
//! The paper describes a propagation algorithm. Unlike in the paper, propagation is left to the encoding of the
//! cardinality or linear constraint.
//!
//! ```
//! use gordian_encodings::constraint::Count;
//! use gordian_encodings::encoding::count::CARDINALITY;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let ints = [0; 3].map(|_| model.integer(Domain::interval(3, 4)));
//! model.post(Count::between(ints, 3, 0, 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&CARDINALITY), &mut cnf);
//! // Variables 1, 2 and 3 are the literals `x = 3` of the three integers.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 0", "-1 -3 0", "-2 -3 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, Count, Linear, Times};
use crate::expr::Expr;
use crate::lit::Lit;
use crate::sink::Sink;

const PAPER: &str = "Beldiceanu, Contejean: Introducing global constraints in CHIP, 1994 (among)";

/// Encodes a count with a cardinality constraint over the literals `x = value`.
pub static CARDINALITY: Encoding<Count> = Encoding {
    name: "cardinality",
    paper: PAPER,
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |count, _| matches!(count.times, Times::Between(..)),
    encode: |count, sink| {
        let lits = lits(count, sink);
        sink.post(&cardinality(count, lits));
    },
};

/// Encodes a count with a linear constraint over the literals `x = value`.
pub static LINEAR: Encoding<Count> = Encoding {
    name: "linear",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |count, sink| {
        let lits = lits(count, sink);
        for linear in linear(count, &lits) {
            sink.post(&linear);
        }
    },
};

fn cardinality(count: &Count, lits: Vec<Lit>) -> Cardinality {
    let Times::Between(min, max) = count.times else {
        unreachable!("the encoding does not apply if the count is an expression");
    };
    Cardinality::between(lits, min, max)
}

fn linear(count: &Count, lits: &[Lit]) -> Vec<Linear> {
    let sum: Expr = lits.iter().sum();
    match &count.times {
        Times::Between(min, max) => {
            // A count that exceeds the number n of expressions can be replaced by n + 1, which fits in a `Value`.
            let [min, max] = [min, max].map(|&times| times.min(lits.len() + 1));
            vec![sum.at_least(min), sum.at_most(max)]
        }
        Times::Equal(times) => vec![sum.equals(times)],
        Times::Other(times) => vec![sum.not_equals(times)],
    }
}

fn lits(count: &Count, sink: &mut Sink<'_>) -> Vec<Lit> {
    let ints = sink.integers_for(&count.exprs);
    ints.into_iter().map(|x| sink.equals(x, count.value)).collect()
}
