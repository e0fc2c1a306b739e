//! Encodes a disjunction with selectors: each constraint has a selector literal that implies it, and at least one
//! selector is true.
//!
//! A constraint that is a clause (such as a literal or a bound) needs no selector: its literals are added to the
//! clauses of all other constraints. If all constraints but one are clauses, the remaining constraint needs no selector
//! either.
//!
//! Example: the disjunction of `a`, at-most-one of `b, c`, and the conjunction of `d` and `e` has the clauses `a s1
//! s2`, `a -s1 -b -c`, `a -s2 d`, `a -s2 e`.
//!
//! Size for n constraints that are not clauses: the sum of their sizes. For n >= 2, there are also n variables and one
//! clause. If one of the constraints always holds, there are no clauses. With `Encodings::keep_count`, each selector is
//! equivalent to its constraint, so the number of solutions is preserved. Unless the constraints exclude each other,
//! the equivalences add the sizes of the negated constraints. To preserve the number, an auxiliary variable that is
//! created under a condition must be false if the condition is false. For each such variable, this takes one clause for
//! each literal of the condition. Strength: search, because the solver may have to try values of the selectors.
//!
//! A clause that is redundant in the encoding of one of the constraints remains redundant in the disjunction. Another
//! constraint may make further clauses redundant.
//!
//! Paper: Plaisted, Greenbaum: *A structure-preserving clause form translation*, Journal of Symbolic Computation 2,
//! 1986.
//!
//! Unlike in the paper, a selector implies a whole constraint, for which any encoding can be used.
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
//! // Variables 6 and 7 are the selectors s1 and s2.
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

/// Encodes disjunctions with selectors.
pub static SELECTORS: Encoding<Disjunction> = Encoding {
    name: "selectors",
    paper: "Plaisted, Greenbaum: A structure-preserving clause form translation, J. Symbolic Computation 2, 1986",
    strength: Strength::Search,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode,
};

/// Splits a disjunction: returns the atomic constraints of all its clauses, and its constraints that are not clauses.
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
