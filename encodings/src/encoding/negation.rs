//! Negation inward: the meaning of the constraint says what holds where it doesn't, and that is posted.
//!
//! * What only bounds a number has the bounds beyond: of a sum, a cardinality, a lexicographic order. A range has two
//!   sides, one of which is met: for `-(1 of a, b, c, d)`, `s0 or s2`, `s0 -> at most 0`, `s2 -> at least 2`.
//! * A conjunction, and what consists of several conditions, becomes a [disjunction](super::disjunction) of their
//!   negations, and a disjunction a conjunction: no row of a table is met, so each differs in some entry; of different
//!   integers, some value is taken twice; of a permutation, some value is not taken as often as given; of the greatest
//!   integer, another is greater or none is as great; a path has a wrong number of edges somewhere or is not connected.
//! * What is a function of its inputs (a product, a division, an element, a number of count) is computed all the same,
//!   and its value is not the one it should be.
//! * A set is [not connected](super::parts) where it has two parts without an edge between them.
//!
//! For `-(a <-> b and c)` as a table see [`table`](super::table); a clause `a, b` becomes `-a`, `-b`.
//!
//! Size, and whether the number of solutions is kept: those of the constraint posted. Strength: search.
//!
//! Redundant clauses: those of the constraint posted.
//!
//! Paper: Beldiceanu, Carlsson, Flener, Pearson: *On the reification of global constraints*, Constraints 18, 2013.
//!
//! Differs from the paper in that what functions compute is not a variable of its own where the encoding of the function can
//! compare it by itself, and in that disjunctions are written, not only conjunctions.
//!
//! ```
//! use gordian_encodings::constraint::{Entry, Negation, Table};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let columns = [0; 2].map(|_| model.boolean().into());
//! let rows = [vec![Entry::Is(1), Entry::Is(0)], vec![Entry::Not(1), Entry::Is(1)]];
//! model.post(Negation::new(Table::new(columns, rows)));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // No row is met: a clause for each.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 2 0", "1 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Negation;

/// Negation inward.
pub static INWARD: Encoding<Negation> = Encoding {
    name: "inward",
    paper: "Beldiceanu, Carlsson, Flener, Pearson: On the reification of global constraints, Constraints 18, 2013",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    applies: always,
    encode: |negation, sink| {
        let negated = negation.of.negation(sink.domains());
        sink.post(&*negated);
    },
};
