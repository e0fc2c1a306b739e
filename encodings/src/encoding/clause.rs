//! A clause as itself. Size: no variable, 1 clause. Strength: domain.

use super::{Count, Size, Strength, Technique, always};
use crate::constraint::Clause;

/// The clause as itself.
pub static CLAUSE: Technique<Clause> = Technique {
    name: "clause",
    paper: "none: a clause is what a formula is made of",
    strength: Strength::Domain,
    count: Count::Kept,
    applies: always,
    size: |clause, _, _| Size::exactly(0, u64::from(!clause.lits.contains(&crate::TRUE))),
    redundant: &[],
    encode: |constraint, sink| sink.clause(&constraint.lits),
};
