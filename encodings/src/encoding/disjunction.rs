//! Disjunction by selectors: a literal for each constraint that implies it, and one of the literals holds.
//!
//! Constraints that are clauses (a literal, a bound, a value) need no selector: the others hold unless a literal of those
//! does. Nor does a constraint that is the only other one.
//!
//! For `a`, or at most one of `b, c`, or both `d` and `e`: `a s1 s2`, `a -s1 -b -c`, `a -s2 d`, `a -s2 e`.
//!
//! Size for n constraints that are no clauses: those of the constraints; for n >= 2, n variables and a clause; none, if one
//! always holds. Where the number of solutions is kept, a selector holds exactly if its constraint does: the sizes of the
//! negations too, unless the constraints exclude each other; and a clause for each variable and literal it depends on.
//! Strength: search.
//!
//! Redundant clauses: those of the constraints, and of one constraint what another one allows.
//!
//! Paper: Plaisted, Greenbaum: *A structure-preserving clause form translation*, Journal of Symbolic Computation 2, 1986.
//!
//! Differs from the paper in that what stands under a selector is a constraint, encoded by any encoding (half reified).
//!
//! ```
//! use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause, Disjunction};
//! use gordian_encodings::{Cnf, Constraint, Encodings, Model};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let [a, b, c, d, e] = [0; 5].map(|_| model.boolean());
//! let (one, both) = (AtMostOne::new([b, c]), Cardinality::at_least([d, e], 2));
//! let all: [Arc<dyn Constraint>; 3] = [Arc::new(Clause::new([a])), Arc::new(one), Arc::new(both)];
//! model.post(Disjunction::new(all));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // 6 and 7 are the selectors.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "1 -6 -2 -3 0", "1 -7 4 0", "1 -7 5 0", "1 6 7 0",
//! ]);
//! ```

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Atom, Constraint, Disjunction};
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Disjunction by selectors.
pub static SELECTORS: Encoding<Disjunction> = Encoding {
    name: "selectors",
    paper: "Plaisted, Greenbaum: A structure-preserving clause form translation, J. Symbolic Computation 2, 1986",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    applies: always,
    encode,
};

/// The literals of those constraints that are clauses, and the other constraints.
fn parts(disjunction: &Disjunction, domains: Domains<'_>) -> (Vec<Atom>, Vec<Arc<dyn Constraint>>) {
    let (mut atoms, mut others) = (Vec::new(), Vec::new());
    for constraint in &disjunction.constraints {
        match constraint.clause(domains) {
            Some(clause) => atoms.extend(clause),
            None => others.push(Arc::clone(constraint)),
        }
    }
    atoms.retain(|&atom| atom != Atom::Lit(FALSE));
    (atoms, others)
}

fn encode(disjunction: &Disjunction, sink: &mut Sink<'_>) {
    let (atoms, others) = parts(disjunction, sink.domains());
    if atoms.contains(&Atom::Lit(TRUE)) {
        return;
    }
    let lits: Vec<Lit> = atoms.into_iter().map(|atom| sink.atom(atom)).collect();
    let mut sink = sink.unless(&lits);
    if let [only] = &others[..] {
        return sink.post(&**only);
    }
    let both_ways = sink.keeps_count() && !disjunction.exclusive;
    let mut selectors = Vec::new();
    for constraint in others {
        let selector = sink.fresh();
        sink.when(selector).post(&*constraint);
        if both_ways {
            let negation = constraint.negation(sink.domains());
            sink.when(!selector).post(&*negation);
        }
        selectors.push(selector);
    }
    sink.clause(&selectors);
}
