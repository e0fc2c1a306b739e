//! Negation of constraints: encodes the complement of a constraint.
//!
//! * A constraint that bounds a number (a sum, cardinality or lexicographic order) becomes the opposite bound. If the
//!   constraint bounds the number from both sides, at least one of the two opposite bounds holds: `-(1 of a, b, c,
//!   d)` becomes `s0 or s2`, `s0 -> at most 0`, `s2 -> at least 2`.
//! * A conjunction becomes a [disjunction](super::disjunction) of negations, and a disjunction becomes a conjunction
//!   of negations. Negated table: every row differs in some entry. Negated all-different: two integers are equal.
//!   Negated permutation: some value occurs too rarely. Negated maximum: some integer is larger, or no integer is
//!   equal. Negated path: some vertex has a wrong degree, or the path is not connected.
//! * A function of its inputs (product, division, element, count) is computed as usual, and its value must differ
//!   from the stated result.
//! * A connected set becomes a [disconnected set](super::parts): one with two parts and no edge between them.
//!
//! Example: the negation of the clause `a or b` is `-a`, `-b`.
//!
//! Size and number of solutions: those of the complement. Strength: search, as the solver may have to try values of
//! auxiliary variables.
//!
//! Redundant clauses: those that are redundant in the encoding of the complement.
//!
//! Paper: Beldiceanu, Carlsson, Flener, Pearson: *On the reification of global constraints*, Constraints 18, 2013.
//!
//! Unlike in the paper, the value of a function needs no additional variable if the encoding of the function supports
//! `!=`, and the negation of a conjunction is encoded as a disjunction.
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

/// Negation by the complement of the constraint.
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
