//! Pairwise at-most-one: one clause for every pair of literals.
//!
//! Example: `a, b, c` gives `-a -b`, `-a -c`, `-b -c`.
//!
//! Size for n literals: no variable, n(n-1)/2 clauses. Strength: domain consistent.
//!
//! Paper: folklore; the name is from Prestwich: *CNF encodings*, Handbook of Satisfiability, 2009. The encoding is
//! the same as in the paper.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::pairwise::PAIRWISE;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(AtMostOne::new([a, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PAIRWISE), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 0", "-1 -3 0", "-2 -3 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::AtMostOne;
use crate::lit::Lit;
use crate::sink::Sink;

/// Pairwise at-most-one.
pub static PAIRWISE: Encoding<AtMostOne> = Encoding {
    name: "pairwise",
    paper: "folklore; the name is from Prestwich: CNF encodings, Handbook of Satisfiability, 2009",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: true,
    applies: always,
    encode,
};

fn encode(constraint: &AtMostOne, sink: &mut Sink<'_>) {
    if let Some(lits) = constraint.write_trivial(sink) {
        write(&lits, sink);
    }
}

/// Writes a clause for each pair of literals.
pub(super) fn write(lits: &[Lit], sink: &mut Sink<'_>) {
    for (index, &second) in lits.iter().enumerate() {
        for &first in &lits[..index] {
            sink.clause(&[!first, !second]);
        }
    }
}
