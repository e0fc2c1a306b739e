//! Bitwise at-most-one, rustsat's: the literal that holds writes its index in binary.
//!
//! Size for n >= 2 literals: b = ceil(log2 n) variables, n b clauses. Strength: domain. The bits are free when no
//! literal holds, so the number of solutions is lost.

use super::{Count, Size, Strength, Technique, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::Bitwise;

/// Bitwise at-most-one.
pub static BITWISE: Technique<AtMostOne> = Technique {
    name: "bitwise",
    paper: "Prestwich: Finding large cliques using SAT local search, Trends in Constraint Programming, 2007",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: Some(|constraint, _| match constraint.lits.len() as u64 {
        0 | 1 => Size::default(),
        n => {
            let bits = u64::from(u64::BITS - (n - 1).leading_zeros());
            Size { variables: bits, clauses: n * bits }
        }
    }),
    redundant: Some("bits of an index that tell it from none of the others, when n is no power of two"),
    encode: |constraint, sink| from_rustsat::at_most_one::<Bitwise>(&constraint.lits, sink),
};
