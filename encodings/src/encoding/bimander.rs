//! Bimander at-most-one, rustsat's: groups of four, pairwise within; the group of the literal that holds writes its number
//! in binary.
//!
//! For `a, b, c, d, e`: at most one of a, b, c, d, pairwise; `a -> -p`, `b -> -p`, `c -> -p`, `d -> -p`, `e -> p`.
//!
//! Size for n >= 5 literals in g = ceil(n/4) groups: w = ceil(log2 g) variables; n w clauses and those of pairwise in each
//! group. Strength: domain. The bits are free when nothing holds, so the number of solutions is lost.
//!
//! Differs from the paper in that up to four literals are encoded pairwise.

use super::commander::{in_groups, pairs};
use super::{Count, Size, Strength, Technique, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Bimander, Pairwise};

/// Literals in a group.
const GROUP: usize = 4;

/// Bimander at-most-one.
pub static BIMANDER: Technique<AtMostOne> = Technique {
    name: "bimander",
    paper: "Nguyen, Mai: A new method to encode the at-most-one constraint into SAT, SoICT 2015",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: Some(|constraint, _| {
        let n = constraint.lits.len();
        if n <= GROUP {
            return Size { variables: 0, clauses: pairs(n) };
        }
        let bits = u64::from(usize::BITS - (n.div_ceil(GROUP) - 1).leading_zeros());
        Size { variables: bits, clauses: n as u64 * bits + in_groups(n) }
    }),
    redundant: Some("bits of a group that tell it from none of the others, when groups are no power of two"),
    encode: |constraint, sink| match constraint.lits.len() {
        0..=GROUP => from_rustsat::at_most_one::<Pairwise>(&constraint.lits, sink),
        _ => from_rustsat::at_most_one::<Bimander<GROUP, Pairwise>>(&constraint.lits, sink),
    },
};
