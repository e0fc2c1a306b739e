//! Totalizer, rustsat's: a balanced tree of unary adders, of which only the outputs that the bounds need are made.
//!
//! Size for n literals and a bound k: O(n log n) to O(n k) variables, O(n k) clauses, where rustsat leaves out what no
//! bound asks for. Strength: domain.

use super::{Count, Strength, Technique, always, from_rustsat};
use crate::constraint::Cardinality;
use crate::sink::Sink;
use rustsat::encodings::card::{BoundLower, BoundUpper, Totalizer};

/// Totalizer.
pub static TOTALIZER: Technique<Cardinality> = Technique {
    name: "totalizer",
    paper: "Bailleux, Boufkhad: Efficient CNF encoding of Boolean cardinality constraints, CP 2003",
    strength: Strength::Domain,
    count: Count::Lost,
    applies: always,
    size: None,
    redundant: None,
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
