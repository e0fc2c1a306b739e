//! Encodes a reified constraint by adding the negated condition to every clause of the constraint.
//!
//! Example: `c -> a + b >= 1` gives `-c a b`. Clauses that define auxiliary literals do not get the negated condition
//! if the encoding marks them as definitions.
//!
//! Size: the sum of the sizes of the constraints. Strength: search if the encoding of the constraint or of its negation
//! has the strength *search*. Otherwise, the encoding checks total assignments only: unit propagation derives the
//! negated condition only if all other literals of some clause are false. With `Encodings::keep_count`, the encoding
//! sets auxiliary variables to false if the condition is false, which preserves the number of solutions.
//!
//! A clause that is redundant in the encoding of the constraint remains redundant when the negated condition is added.
//! The encodings of the constraint and of its negation may have clauses in common.
//!
//! Paper: folklore; *half reification* in Feydy, Somogyi, Stuckey: *Half reification and flattening*, CP 2011.
//!
//! Unlike in the paper, full reification consists of two half reifications: one of the constraint and one of its
//! negation.
//!
//! ```
//! use gordian_encodings::constraint::{Clause, Reified};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [c, a, b] = [0; 3].map(|_| model.boolean());
//! model.post(Reified::implies(c, Clause::new([a, b])));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 2 3 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Reified;
use crate::lit::FALSE;

/// Encodes reified constraints by adding the negated condition to their clauses.
pub static REIFIED: Encoding<Reified> = Encoding {
    name: "half-reification",
    paper: "Feydy, Somogyi, Stuckey: Half reification and flattening, CP 2011",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    derived: true,
    applies: always,
    encode: |reified, sink| {
        for (condition, constraint) in reified.cases().filter(|&(condition, _)| condition != FALSE) {
            sink.when(condition).post(&**constraint);
        }
    },
};
