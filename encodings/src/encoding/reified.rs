//! Reification by conditions: adds the negated condition to every clause of the constraint.
//!
//! For `c -> a + b >= 1`: `-c a b`. Clauses that only define auxiliary literals are unconditional if the encoding
//! supports that.
//!
//! Size: that of the constraints. Strength: search, since encodings of negations may have strength search if they
//! encode alternatives. For other constraints it checks total assignments only, condition included: unit propagation
//! derives a false condition only if the encoding of the violated constraint has a clause with all other literals
//! false. The number of solutions is kept on request: auxiliary variables that are undefined under a false condition
//! are set to false then.
//!
//! Redundant clauses: those of the constraints, and clauses that both cases contain.
//!
//! Paper: folklore; *half reification* in Feydy, Somogyi, Stuckey: *Half reification and flattening*, CP 2011.
//!
//! Differs from the paper in that full reification consists of two half reifications, of a constraint and of its
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

/// Returns the constraints with their conditions, without those whose condition is constantly false.
fn cases(reified: &Reified) -> impl Iterator<Item = (Lit, &Arc<dyn Constraint>)> {
    let condition = reified.condition;
    let cases = [(condition, &reified.then), (!condition, &reified.otherwise)];
    cases
        .into_iter()
        .filter(|&(condition, _)| condition != FALSE)
        .filter_map(|(lit, of)| Some((lit, of.as_ref()?)))
}
