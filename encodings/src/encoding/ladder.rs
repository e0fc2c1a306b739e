//! Ladder at-most-one (rustsat's encoder): a chain of variables changes from true to false at most once, at the
//! position of the true literal.
//!
//! Size for n >= 2 literals: n-1 variables, 3n-4 clauses. Strength: domain consistent. The encoding does not preserve
//! the number of solutions, because the chain may change at any position if no literal is true.
//!
//! Example: `a, b, c` with the chain `p, q` gives `q -> p`, `a -> -p`, `b -> p`, `b -> -q`, `c -> q`.
//!
//! Paper: Gent, Nightingale: *A new encoding of `AllDifferent` into SAT*, `ModRef` 2004. The paper also has the
//! converse clauses, which imply that the literal at the position of the change is true. Such clauses are unnecessary
//! for at-most-one.
//!
//! Derivation in proofs: each variable of the chain is defined as the disjunction of the literals after its position.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::ladder::LADDER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(AtMostOne::new([a, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&LADDER), &mut cnf);
//! // Variables 4 and 5 are the chain p, q.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-5 4 0", "-1 -4 0", "-2 4 0", "-2 -5 0", "-3 5 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::Ladder;

/// Ladder at-most-one.
pub static LADDER: Encoding<AtMostOne> = Encoding {
    name: "ladder",
    paper: "Gent, Nightingale: A new encoding of AllDifferent into SAT, ModRef 2004",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| from_rustsat::at_most_one_from::<Ladder>(2, after, constraint, sink),
};

/// Defines each variable of the chain: it is true if a literal after its position is true.
fn after(n: usize, define: &mut from_rustsat::DefineSubset<'_>) {
    (0..n - 1).for_each(|position| define(&|index| index > position));
}
