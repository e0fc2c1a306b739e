//! Encodes the negation of a constraint by its complement: a constraint that holds if and only if the given constraint
//! does not hold.
//!
//! * The negation of an inequality between numbers or in lexicographic order is the opposite inequality. If a
//!   constraint bounds a number from both sides, its negation requires one of the two opposite bounds: `-(exactly 1 of
//!   a, b, c, d)` becomes `s0 or s2`, `s0 -> at most 0`, `s2 -> at least 2`.
//! * The negation of a conjunction is a [disjunction](super::disjunction) of negations, and the negation of a
//!   disjunction is a conjunction of negations. The negation of a table requires that every row has a violated entry.
//!   The negation of all-different requires that two integers are equal. The negation of a permutation requires that
//!   some value occurs less often among the integers than in the list of values. The negation of a maximum z requires
//!   that some integer is larger than z, or that no integer equals z. The negation of a path requires that some vertex
//!   has a wrong degree, that an end is not on the path, or that the path is not connected.
//! * If the constraint compares a result with a function value (product, division, element, count), the negation
//!   computes the same function value and requires that the result differs from it.
//! * The negation of connectivity requires a [disconnected set](super::parts): a set with two parts and no edge
//!   between them.
//!
//! Example: the negation of the clause `a or b` is `-a`, `-b`.
//!
//! Size: the same as for the encoding of the complement. The number of solutions is preserved if the encoding of the
//! complement preserves it. Strength: search, as the solver may have to try values of auxiliary variables.
//!
//! A clause that is redundant in the encoding of the complement is also redundant in the encoding of the negation.
//!
//! Paper: Beldiceanu, Carlsson, Flener, Pearson: *On the reification of global constraints*, Constraints 18, 2013.
//!
//! Unlike in the paper, a function value needs no additional variable if the encoding of the function supports `!=`.
//! The negation of a conjunction is encoded as a disjunction.
//!
//! ```
//! use gordian_encodings::constraint::{Entry, Negation, Table};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let columns = [0; 2].map(|_| model.boolean());
//! let rows = [vec![Entry::Is(1), Entry::Is(0)], vec![Entry::Not(1), Entry::Is(1)]];
//! model.post(Negation::new(Table::new(columns, rows)));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // One clause for each row says that the row does not match.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 2 0", "1 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Negation;

/// Encodes the negation of a constraint as its complement.
pub static INWARD: Encoding<Negation> = Encoding {
    name: "inward",
    paper: "Beldiceanu, Carlsson, Flener, Pearson: On the reification of global constraints, Constraints 18, 2013",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |negation, sink| {
        let negated = negation.of.negation(sink.domains());
        sink.post(&*negated);
    },
};
