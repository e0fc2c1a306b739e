//! Commander at-most-one, rustsat's: groups of four, each with a commander, who holds when one of the group does; one
//! commander at most.
//!
//! For `a, b, c, d, e`: at most one of a, b, c, d, pairwise; `a -> p`, `b -> p`, `c -> p`, `d -> p`, `e -> q`, `-p -q`.
//!
//! Size for n >= 5 literals in g = ceil(n/4) groups: g variables; n clauses, those of pairwise in each group, and
//! g(g-1)/2. Strength: domain. Commanders are free when nobody holds, so the number of solutions is lost.
//!
//! Differs from the paper in that the commanders are not commanded in turn, that a commander may hold without his group,
//! and in that up to four literals are encoded pairwise.

use super::{Count, Size, Strength, Technique, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Commander, Pairwise};

/// Literals in a group.
const GROUP: usize = 4;

/// Commander at-most-one.
pub static COMMANDER: Technique<AtMostOne> = Technique {
    name: "commander",
    paper: "Klieber, Kwon: Efficient CNF encoding for selecting 1 from n objects, CFV 2007",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: Some(|constraint, _| {
        let n = constraint.lits.len();
        if n <= GROUP {
            return Size { variables: 0, clauses: pairs(n) };
        }
        let groups = n.div_ceil(GROUP);
        Size { variables: groups as u64, clauses: n as u64 + in_groups(n) + pairs(groups) }
    }),
    redundant: None,
    encode: |constraint, sink| match constraint.lits.len() {
        0..=GROUP => from_rustsat::at_most_one::<Pairwise>(&constraint.lits, sink),
        _ => from_rustsat::at_most_one::<Commander<GROUP, Pairwise>>(&constraint.lits, sink),
    },
};

/// The number of pairs.
pub(super) fn pairs(n: usize) -> u64 {
    (n * n.saturating_sub(1) / 2) as u64
}

/// The number of pairs within groups of four.
pub(super) fn in_groups(n: usize) -> u64 {
    (n / GROUP) as u64 * pairs(GROUP) + pairs(n % GROUP)
}
