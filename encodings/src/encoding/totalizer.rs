//! Totalizer, by rustsat: a balanced tree of unary adders with only the outputs that the bounds need.
//!
//! A node over n literals has outputs `at least t of the n literals hold`; each of its two children has half of the
//! literals. An upper bound needs the clauses `left >= i, right >= j -> node >= i + j`; a lower bound needs `node >=
//! t -> left >= i + 1 or right >= t - i`.
//!
//! Size for n literals and a bound k, asymptotically: O(n log n) to O(n k) variables, O(n k) clauses. If a bound
//! needs the outputs t to u of a node, the node has one variable for each output, and each output has one clause for
//! each pair of left and right outputs that add up to it. Strength: domain consistent.
//!
//! Example: for at most one of `a, b, c`, the node over b and c has `b -> p1`, `c -> p1`, `b, c -> p2`; the root has
//! `p2 -> q2`, `a, p1 -> q2`, and the unit clause `-q2`.
//!
//! Paper: Bailleux, Boufkhad: *Efficient CNF encoding of Boolean cardinality constraints*, CP 2003. Unlike in that
//! paper, only the outputs that a bound needs are created, as in Martins, Joshi, Manquinho, Lynce: *Incremental
//! cardinality constraints for `MaxSAT`*, CP 2014.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::totalizer::TOTALIZER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&TOTALIZER), &mut cnf);
//! // Variables 4 and 5 count b and c; variable 6 says that two of all three literals hold.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-2 4 0", "-1 4 0", "-1 -2 5 0", "-4 -3 6 0", "-5 6 0", "-6 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::Cardinality;
use crate::sink::Sink;
use rustsat::encodings::card::{BoundLower, BoundUpper, Totalizer};

/// Totalizer for cardinality constraints.
pub static TOTALIZER: Encoding<Cardinality> = Encoding {
    name: "totalizer",
    paper: "Bailleux, Boufkhad: Efficient CNF encoding of Boolean cardinality constraints, CP 2003",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    applies: always,
    encode,
};

fn encode(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    let n = lits.len();
    let mut totalizer = Totalizer::from_iter(lits);
    let mut units = Vec::new();
    if max < n {
        from_rustsat::run(&mut sink.always(), |clauses, numbers| {
            totalizer.encode_ub(max..=max, clauses, numbers)
        });
        units.extend(totalizer.enforce_ub(max).expect("this bound was just encoded"));
    }
    if min > 0 {
        from_rustsat::run(&mut sink.always(), |clauses, numbers| {
            totalizer.encode_lb(min..=min, clauses, numbers)
        });
        units.extend(totalizer.enforce_lb(min).expect("this bound was just encoded"));
    }
    for unit in units {
        sink.clause(&[unit]);
    }
}
