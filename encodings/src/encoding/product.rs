//! Two-product at-most-one, rustsat's: literals lie on a grid of p x q; one row and one column at most are selected.
//!
//! Size for n >= 4 literals with p = floor(sqrt n) rows and q = ceil(n / p) columns, the selectors
//! pairwise: p+q variables, 2n + p(p-1)/2 + q(q-1)/2 clauses, which is below 3n + 2. Strength: domain. Selectors are
//! free when no literal holds, so the number of solutions is lost.
//!
//! Differs from the paper in that the selectors are not encoded by the same technique again, and in that up to three
//! literals, which would stand in one row, are encoded pairwise.

use super::pairwise::pairs;
use super::{Count, Redundant, Size, Strength, Technique, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Pairwise, TwoProduct};

/// Two-product at-most-one.
pub static PRODUCT: Technique<AtMostOne> = Technique {
    name: "product",
    paper: "Chen: A new SAT encoding of the at-most-one constraint, ModRef 2010",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: |constraint, _, _| {
        from_rustsat::size_from(4, constraint, |n| {
            let rows = n.isqrt();
            let columns = n.div_ceil(rows);
            Size::exactly(rows + columns, 2 * n + pairs(rows) + pairs(columns))
        })
    },
    redundant: &[Redundant::Covered("the row of a literal that is alone in its column")],
    encode: |constraint, sink| {
        from_rustsat::at_most_one_from::<TwoProduct<Pairwise>>(4, constraint, sink);
    },
};
