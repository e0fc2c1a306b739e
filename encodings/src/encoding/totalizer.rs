//! Totalizer, rustsat's: a balanced tree of unary adders, of which only the outputs that the bounds need are made.
//!
//! A node over n literals has outputs `at least t of them`; its children halve them. For an upper bound, `left >= i` and
//! `right >= j` give `node >= i + j`; for a lower bound, `node >= t` gives `left >= i + 1` or `right >= t - i`.
//!
//! Size for n literals and a bound k, asymptotically: O(n log n) to O(n k) variables, O(n k) clauses. A node of which
//! the outputs from t to u are needed has a variable for each, and for each a clause for each way to make it of a
//! left and a right sum, which its children provide. Strength: domain consistent.
//!
//! For at most one of `a, b, c`: the node over b and c has `b -> p1`, `c -> p1`, `b, c -> p2`, the root `p2 -> q2` and
//! `a, p1 -> q2`, and q2 is forbidden.
//!
//! Paper: Bailleux, Boufkhad: *Efficient CNF encoding of Boolean cardinality constraints*, CP 2003. Differs from it in
//! that only the outputs that a bound asks for are made, as in Martins, Joshi, Manquinho, Lynce: *Incremental
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
//! // 4 and 5 count b and c, 6 is for two of all.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-2 4 0", "-1 4 0", "-1 -2 5 0", "-4 -3 6 0", "-5 6 0", "-6 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::Cardinality;
use crate::sink::Sink;
use rustsat::encodings::card::{BoundLower, BoundUpper, Totalizer};

/// Totalizer.
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
