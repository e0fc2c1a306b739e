//! Encodes each constraint of a conjunction separately.
//!
//! Example: the conjunction of the clause `a or b` and the at-most-one constraint on a and b becomes the clauses `a b`
//! and `-a -b`.
//!
//! Size: the sum of the sizes of the constraints. Strength: checks total assignments only. The weaker the encodings of
//! the constraints, the weaker the encoding of the conjunction. Unit propagation does not always derive the literals
//! that several constraints imply only together. The encoding preserves the number of solutions if the encodings of the
//! constraints do.
//!
//! A clause that is redundant in the encoding of one of the constraints remains redundant in the conjunction. Several
//! constraints together may make further clauses redundant.
//!
//! Paper: none, because a formula is already a conjunction.
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

/// Encodes the constraints of a conjunction separately.
pub static EACH: Encoding<Conjunction> = Encoding {
    name: "each",
    paper: "none: a formula is a conjunction",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |conjunction, sink| {
        for constraint in &conjunction.constraints {
            sink.post(&**constraint);
        }
    },
};
