//! Pairwise at-most-one: a clause forbids each pair.
//!
//! For `a, b, c`: `-a -b`, `-a -c`, `-b -c`.
//!
//! Size for n literals: no variable, n(n-1)/2 clauses. Strength: domain.

use super::{Count, Size, Strength, Technique, always};
use crate::constraint::AtMostOne;
use crate::sink::Sink;

/// Pairwise at-most-one.
pub static PAIRWISE: Technique<AtMostOne> = Technique {
    name: "pairwise",
    paper: "folklore; called so in Prestwich: CNF encodings, Handbook of Satisfiability, 2009",
    strength: Strength::Domain,
    count: Count::Kept,
    applies: always,
    size: Some(|constraint, _| {
        let n = constraint.lits.len() as u64;
        Size { variables: 0, clauses: n * n.saturating_sub(1) / 2 }
    }),
    redundant: None,
    encode,
};

fn encode(constraint: &AtMostOne, sink: &mut Sink<'_>) {
    for (index, &second) in constraint.lits.iter().enumerate() {
        for &first in &constraint.lits[..index] {
            sink.clause(&[!first, !second]);
        }
    }
}
