//! A clause is its own encoding. Size: no variables, 1 clause. Strength: domain consistent.
//!
//! Paper: none, because a formula consists of clauses.
//!
//! ```
//! use gordian_encodings::constraint::Clause;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Clause::new([a, !b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 -2 3 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Clause;

/// Encodes a clause as itself.
pub static CLAUSE: Encoding<Clause> = Encoding {
    name: "clause",
    paper: "none: a formula consists of clauses",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: true,
    applies: always,
    encode: |constraint, sink| sink.clause(&constraint.lits),
};
