//! Reification by conditions: every clause that states the constraint gets the negated condition.
//!
//! For `c -> a + b >= 1`: `-c a b`. What only defines auxiliary literals is written without the condition where the
//! technique can do so.
//!
//! Size: that of the constraints. Strength: checking; a constraint that can't hold makes the condition false only if its
//! technique leaves one clause for that. The number of solutions is kept on request: what a constraint does not define
//! when its condition is off is false then.
//!
//! Paper: folklore; *half reification* in Feydy, Somogyi, Stuckey: *Half reification and flattening*, CP 2011.
//!
//! Differs from the paper in that two half reifications, of a constraint and of its negation, make the full one.
//!
//! ```
//! use gordian_encodings::constraint::{Clause, Conditional};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [c, a, b] = [0; 3].map(|_| model.boolean());
//! model.post(Conditional::implies(c, Clause::new([a, b])));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with("conditional=half-reification")?, &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 2 3 0"]);
//! # Ok::<(), gordian_encodings::ChoiceError>(())
//! ```

use super::{Count, Redundant, Strength, Technique, always};
use crate::constraint::Conditional;

/// Reification by conditions.
pub static CONDITIONAL: Technique<Conditional> = Technique {
    name: "half-reification",
    paper: "Feydy, Somogyi, Stuckey: Half reification and flattening, CP 2011",
    strength: Strength::Checking,
    count: Count::OnRequest,
    applies: always,
    size: |conditional, domains, encodings| {
        let constraints = [&conditional.then, &conditional.otherwise].into_iter().flatten();
        constraints.map(|constraint| constraint.size(domains, encodings)).sum()
    },
    redundant: &[Redundant::Implied("those of the constraints, and what both cases say")],
    encode: |conditional, sink| {
        if let Some(constraint) = &conditional.then {
            sink.when(conditional.condition).post(&**constraint);
        }
        if let Some(constraint) = &conditional.otherwise {
            sink.when(!conditional.condition).post(&**constraint);
        }
    },
};
