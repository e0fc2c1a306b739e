//! Product at-most-one: the literals are arranged in a p x q grid, and at most one row and at
//! most one column are selected.
//!
//! Example: for five literals, the rows (a b c) and (d e) have two selectors, and the columns have three. Each
//! literal implies the selectors of its row and its column. At most one row selector and at most one column selector
//! hold, which is encoded in the same way.
//!
//! Size for n >= 4 literals with p = floor(sqrt n) rows and q = ceil(n / p) columns: p + q variables and 2n clauses, and
//! those of the p row selectors and the q column selectors. Up to 7 selectors are encoded pairwise. In total, there are
//! about 2 sqrt n variables and `2n + 4 sqrt n` clauses. Strength: domain consistent. The encoding does not preserve the
//! number of solutions, because the selectors are free if no literal is true.
//!
//! The implication from a literal to its row selector is redundant if no other literal is in the same column.
//!
//! Paper: Chen: *A new SAT encoding of the at-most-one constraint*, `ModRef` 2010. Unlike in the paper, few
//! selectors are encoded pairwise. Constraints with up to three literals, which would form a single row, are encoded
//! pairwise without selectors.
//!
//! Derivation in proofs: each selector is defined as the disjunction of the constraint's literals in its row or column.
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

use super::{Encoding, ModelCount, Strength, always, pairwise};
use crate::constraint::AtMostOne;
use crate::lit::Lit;
use crate::sink::Sink;

/// At most this many literals, which would form a single row, are encoded pairwise.
const ROW: usize = 3;
/// At most this many selectors are encoded pairwise. In a grid, they would not have fewer clauses.
const PAIRWISE_UP_TO: usize = 7;

/// Two-product at-most-one.
pub static PRODUCT: Encoding<AtMostOne> = Encoding {
    name: "product",
    paper: "Chen: A new SAT encoding of the at-most-one constraint, ModRef 2010",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| {
        if let Some(lits) = constraint.write_trivial(sink) {
            let below: Vec<Vec<Lit>> = lits.iter().map(|&lit| vec![lit]).collect();
            write(&lits, &below, ROW, sink);
        }
    },
};

/// Encodes at most one of the literals, or pairwise up to `pairwise_up_to` literals. Each literal is the disjunction of
/// the literals of the constraint in `below`.
fn write(lits: &[Lit], below: &[Vec<Lit>], pairwise_up_to: usize, sink: &mut Sink<'_>) {
    let n = lits.len();
    if n <= pairwise_up_to {
        return pairwise::write(lits, sink);
    }
    let rows = n.isqrt();
    let columns = n.div_ceil(rows);
    let lines = |number: usize, line_of: &dyn Fn(usize) -> usize, sink: &mut Sink<'_>| {
        let selectors: Vec<Lit> = (0..number).map(|_| sink.fresh()).collect();
        let mut joined = vec![Vec::new(); number];
        for (index, lits) in below.iter().enumerate() {
            joined[line_of(index)].extend(lits);
        }
        for (&selector, lits) in selectors.iter().zip(&joined) {
            sink.stands_for(selector, lits, 1);
        }
        (selectors, joined)
    };
    let selectors =
        [lines(rows, &|index| index / columns, sink), lines(columns, &|index| index % columns, sink)];
    for (index, &lit) in lits.iter().enumerate() {
        sink.clause(&[!lit, selectors[0].0[index / columns]]);
        sink.clause(&[!lit, selectors[1].0[index % columns]]);
    }
    for (selectors, below) in &selectors {
        write(selectors, below, PAIRWISE_UP_TO, sink);
    }
}
