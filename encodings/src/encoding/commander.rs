//! Commander at-most-one: the literals are divided into groups of three. Each group has a commander variable, which is
//! true if a literal of the group is true. At most one commander is true, which is encoded in the same way.
//!
//! Example: `a, b, c, d, e, f` gives the pairwise clauses for a, b, c and for d, e, f, the clauses `a -> p`, `b -> p`,
//! `c -> p`, `d -> q`, `e -> q`, `f -> q`, and `-p -q`.
//!
//! Size for n >= 6 literals, where g = ceil(n/3) is the number of groups: V(n) = floor((n+1)/3) + V(g) variables, which
//! is about n/2, and C(n) = 6 floor(n/3) + 3 \[n mod 3 = 2\] + C(g) clauses, which is about 3n. For n <= 5, V(n) = 0 and
//! C(n) = n(n-1)/2. To preserve the number of solutions, each commander takes one more clause, so there are about 3.5n
//! clauses, as in the paper. Strength: domain consistent.
//!
//! Paper: Klieber, Kwon: *Efficient CNF encoding for selecting 1 from n objects*, CFV 2007. Unlike in the paper, the
//! clause `p -> a or b or c` is written only to preserve the number of solutions, a group of one literal has no
//! commander, and up to five literals are encoded pairwise.
//!
//! Derivation in proofs: a commander is defined as the disjunction of all literals below it.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::commander::COMMANDER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let lits = [0; 6].map(|_| model.boolean());
//! model.post(AtMostOne::new(lits));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&COMMANDER), &mut cnf);
//! // Variables 7 and 8 are the commanders p and q.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 -2 0", "-1 -3 0", "-2 -3 0", "-1 7 0", "-2 7 0", "-3 7 0",
//!     "-4 -5 0", "-4 -6 0", "-5 -6 0", "-4 8 0", "-5 8 0", "-6 8 0", "-7 -8 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, pairwise};
use crate::constraint::AtMostOne;
use crate::lit::Lit;
use crate::sink::Sink;

/// The number of literals in the group of a commander.
const GROUP: usize = 3;
/// At most this many literals are encoded pairwise. With commanders, they would not have fewer clauses.
const PAIRWISE_UP_TO: usize = 5;

/// Commander at-most-one.
pub static COMMANDER: Encoding<AtMostOne> = Encoding {
    name: "commander",
    paper: "Klieber, Kwon: Efficient CNF encoding for selecting 1 from n objects, CFV 2007",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: true,
    applies: always,
    encode,
};

fn encode(constraint: &AtMostOne, sink: &mut Sink<'_>) {
    let Some(mut lits) = constraint.write_trivial(sink) else { return };
    // The literals of the constraint below each literal of the current level.
    let mut below: Vec<Vec<Lit>> = lits.iter().map(|&lit| vec![lit]).collect();
    while lits.len() > PAIRWISE_UP_TO {
        let mut commanders = Vec::with_capacity(lits.len().div_ceil(GROUP));
        for (group, below) in lits.chunks(GROUP).zip(below.chunks(GROUP)) {
            commanders.push(commander(group, &below.concat(), sink));
        }
        below = below.chunks(GROUP).map(<[_]>::concat).collect();
        lits = commanders;
    }
    pairwise::write(&lits, sink);
}

/// Encodes at most one of a group, and returns its commander. The literals `below` are those of the constraint from
/// which the group is formed.
fn commander(group: &[Lit], below: &[Lit], sink: &mut Sink<'_>) -> Lit {
    if let &[lit] = group {
        return lit;
    }
    let commander = sink.fresh();
    sink.stands_for(commander, below, 1);
    pairwise::write(group, sink);
    for &lit in group {
        sink.clause(&[!lit, commander]);
    }
    if sink.keeps_count() {
        sink.clause_of(group.iter().copied().chain([!commander]));
    }
    commander
}
