//! Ladder at-most-one, rustsat's: a chain of variables that may fall once; a literal stands where it falls.
//!
//! Size for n >= 2 literals: n-1 variables, 3n-4 clauses. Strength: domain. The chain may fall anywhere when no literal
//! holds, so the number of solutions is lost.

use super::{Count, Size, Strength, Technique, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::Ladder;

/// Ladder at-most-one.
pub static LADDER: Technique<AtMostOne> = Technique {
    name: "ladder",
    paper: "Gent, Nightingale: A new encoding of AllDifferent into SAT, ModRef 2004",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: |constraint, _, _| from_rustsat::size_from(2, constraint, |n| Size::exactly(n - 1, 3 * n - 4)),
    redundant: &[],
    encode: |constraint, sink| from_rustsat::at_most_one_from::<Ladder>(2, constraint, sink),
};
