//! Nested at-most-one: the first three literals and a new variable form a group of four. The negated variable is the
//! first of the remaining literals, which are encoded in the same way.
//!
//! Example: at most one of `a, b, c, d, e` is at most one of `a, b, c, p` and at most one of `-p, d, e`.
//!
//! Size for n >= 4 literals: floor((n-3)/2) variables, 3n-6 clauses. To preserve the number of solutions, each variable
//! takes one more clause. Strength: domain consistent.
//!
//! Paper: Knuth: *The Art of Computer Programming*, volume 4, fascicle 6: *Satisfiability*, 2015, exercise 12 of section
//! 7.2.2.2, which names Heule as the author. The name is from Philipp, Steinke: *`PBLib`: a library for encoding
//! pseudo-Boolean constraints into CNF*, SAT 2015.
//!
//! Derivation in proofs: each variable is defined as the disjunction of the literals after its group.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::nested::NESTED;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let lits = [0; 5].map(|_| model.boolean());
//! model.post(AtMostOne::new(lits));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&NESTED), &mut cnf);
//! // Variable 6 is p.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 -2 0", "-1 -3 0", "-2 -3 0", "-1 -6 0", "-2 -6 0", "-3 -6 0", "6 -4 0", "6 -5 0", "-4 -5 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, pairwise};
use crate::constraint::AtMostOne;
use crate::lit::Lit;
use crate::sink::Sink;

/// The number of literals in a group, including its variables.
const GROUP: usize = 4;

/// Nested at-most-one.
pub static NESTED: Encoding<AtMostOne> = Encoding {
    name: "nested",
    paper: "Knuth: The Art of Computer Programming 4, fascicle 6, 2015, section 7.2.2.2, exercise 12 (Heule)",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: true,
    applies: always,
    encode,
};

fn encode(constraint: &AtMostOne, sink: &mut Sink<'_>) {
    let Some(lits) = constraint.write_trivial(sink) else { return };
    let mut rest = &lits[..];
    // The variable that is true if one of the literals in `rest` is true.
    let mut entered: Option<Lit> = None;
    loop {
        let mut group: Vec<Lit> = entered.iter().map(|&lit| !lit).collect();
        let is_last = group.len() + rest.len() <= GROUP;
        let own = if is_last { rest.len() } else { GROUP - 1 - group.len() };
        group.extend(&rest[..own]);
        rest = &rest[own..];
        let next = (!is_last).then(|| sink.fresh());
        if let Some(next) = next {
            sink.stands_for(next, rest, 1);
        }
        group.extend(next);
        pairwise::write(&group, sink);
        if sink.keeps_count() && entered.is_some() {
            sink.clause(&group);
        }
        if is_last {
            return;
        }
        entered = next;
    }
}
