//! A conjunction constraint by constraint.
//!
//! For `a or b` and at most one of `a, b`: `a b`, `-a -b`.
//!
//! Size, and whether the number of solutions is kept: those of the constraints. Strength: search, or more where the
//! constraints have more; together they find less than follows from all of them.
//!
//! Redundant clauses: those of the constraints, and what several of them say.
//!
//! Paper: none; a formula is a conjunction.
//!
//! ```
//! use gordian_encodings::constraint::{AtMostOne, Clause, Conjunction};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b] = [0; 2].map(|_| model.boolean());
//! model.post(Conjunction::both(Clause::new([a, b]), AtMostOne::new([a, b])));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 2 0", "-1 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Conjunction;

/// Each constraint by itself.
pub static EACH: Encoding<Conjunction> = Encoding {
    name: "each",
    paper: "none: a formula is a conjunction",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    encode: |conjunction, sink| {
        for constraint in &conjunction.constraints {
            sink.post(&**constraint);
        }
    },
};
