//! Two-product at-most-one, rustsat's: literals lie on a grid of p x q; one row and one column at most are selected.
//!
//! Size for n >= 2 literals with p = floor(sqrt n) rows and q = ceil(n / p) columns, the selectors
//! pairwise: p+q variables, 2n + p(p-1)/2 + q(q-1)/2 clauses, which is below 3n + 2. Strength: domain. Selectors are
//! free when no literal holds, so the number of solutions is lost.
//!
//! Differs from the paper in that the selectors are not encoded by the same technique again.

use super::{Count, Size, Strength, Technique, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Pairwise, TwoProduct};

/// Two-product at-most-one.
pub static PRODUCT: Technique<AtMostOne> = Technique {
    name: "product",
    paper: "Chen: A new SAT encoding of the at-most-one constraint, ModRef 2010",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: Some(|constraint| match constraint.lits.len() as u64 {
        0 | 1 => Size::default(),
        n => {
            let p = n.isqrt();
            let q = n.div_ceil(p);
            Size { variables: p + q, clauses: 2 * n + p * (p - 1) / 2 + q * (q - 1) / 2 }
        }
    }),
    encode: |constraint, sink| from_rustsat::at_most_one::<TwoProduct<Pairwise>>(&constraint.lits, sink),
};
