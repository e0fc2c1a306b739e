//! Reification by conditions: every clause that states the constraint gets the negated condition.
//!
//! For `c -> a + b >= 1`: `-c a b`. What only defines auxiliary literals is written without the condition where the
//! encoding can do so.
//!
//! Size: that of the constraints. Strength: search, as negations have where they are alternatives; otherwise checking, once
//! the condition is known too: a constraint that can't hold makes it false only if its encoding leaves one clause for that. The number of solutions is kept on request: what a constraint does not define
//! when its condition is off is false then.
//!
//! Redundant clauses: those of the constraints, and what both cases say.
//!
//! Paper: folklore; *half reification* in Feydy, Somogyi, Stuckey: *Half reification and flattening*, CP 2011.
//!
//! Differs from the paper in that two half reifications, of a constraint and of its negation, make the full one.
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

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Constraint, Reified};
use crate::lit::{FALSE, Lit};

/// Reification by conditions.
pub static REIFIED: Encoding<Reified> = Encoding {
    name: "half-reification",
    paper: "Feydy, Somogyi, Stuckey: Half reification and flattening, CP 2011",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    applies: always,
    encode: |reified, sink| {
        for (condition, constraint) in cases(reified) {
            sink.when(condition).post(&**constraint);
        }
    },
};

/// What holds when, but for what never need hold.
fn cases(reified: &Reified) -> impl Iterator<Item = (Lit, &Arc<dyn Constraint>)> {
    let condition = reified.condition;
    let cases = [(condition, &reified.then), (!condition, &reified.otherwise)];
    cases
        .into_iter()
        .filter(|&(condition, _)| condition != FALSE)
        .filter_map(|(lit, of)| Some((lit, of.as_ref()?)))
}
