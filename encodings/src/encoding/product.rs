//! Product at-most-one (rustsat's encoder): the literals are arranged in a p x q grid, and at most one row and at
//! most one column are selected.
//!
//! Example: for five literals, the rows (a b c) and (d e) have two selectors, and the columns have three. Each
//! literal implies the selectors of its row and its column. At most one row selector and at most one column selector
//! hold.
//!
//! Size for n >= 4 literals with p = floor(sqrt n) rows and q = ceil(n / p) columns: p+q variables; 2n + p(p-1)/2 +
//! q(q-1)/2 clauses (fewer than 3n + 2). Strength: domain consistent. The encoding does not preserve the number of
//! solutions, because the selectors are free if no literal is true.
//!
//! The implication from a literal to its row selector is redundant if no other literal is in the same column.
//!
//! Paper: Chen: *A new SAT encoding of the at-most-one constraint*, `ModRef` 2010. Unlike in the paper, the selectors
//! are encoded pairwise instead of recursively. Constraints with up to three literals, which would form a single row,
//! are encoded pairwise without selectors.
//!
//! Derivation in proofs: each selector is defined as the disjunction of the literals in its row or column.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::product::PRODUCT;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let lits = [0; 5].map(|_| model.boolean());
//! model.post(AtMostOne::new(lits));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PRODUCT), &mut cnf);
//! // Variables 6 and 7 are the rows, 8, 9 and 10 the columns.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 6 0", "-1 8 0", "-2 6 0", "-2 9 0", "-3 6 0", "-3 10 0", "-4 7 0", "-4 8 0", "-5 7 0",
//!     "-5 9 0", "-6 -7 0", "-8 -9 0", "-8 -10 0", "-9 -10 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Pairwise, TwoProduct};

/// Two-product at-most-one.
pub static PRODUCT: Encoding<AtMostOne> = Encoding {
    name: "product",
    paper: "Chen: A new SAT encoding of the at-most-one constraint, ModRef 2010",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| {
        from_rustsat::at_most_one_from::<TwoProduct<Pairwise>>(4, lines, constraint, sink);
    },
};

/// Defines the selector of each row and column: it is true if a literal in the row or column is true.
fn lines(n: usize, define: &mut from_rustsat::DefineSubset<'_>) {
    let rows = n.isqrt();
    let columns = n.div_ceil(rows);
    (0..rows).for_each(|row| define(&|index| index / columns == row));
    (0..columns).for_each(|column| define(&|index| index % columns == column));
}
