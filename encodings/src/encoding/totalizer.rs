//! Totalizer, rustsat's: a balanced tree of unary adders, of which only the outputs that the bounds need are made.
//!
//! A node over n literals has outputs `at least t of them`; its children halve them. For an upper bound, `left >= i` and
//! `right >= j` give `node >= i + j`; for a lower bound, `node >= t` gives `left >= i + 1` or `right >= t - i`.
//!
//! Size for n literals and a bound k: O(n log n) to O(n k) variables, O(n k) clauses. Exactly, a node of which the outputs
//! from t to u are asked for has a variable for each, and for each a clause for each way to make it of a left and a right
//! sum; it asks its children for the sums in these ways. That is a sum over the tree, which [`TOTALIZER`]'s `size` takes.
//! Strength: domain consistent.
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
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with("cardinality=totalizer")?, &mut cnf);
//! // 4 and 5 count b and c, 6 is for two of all.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-2 4 0", "-1 4 0", "-1 -2 5 0", "-4 -3 6 0", "-5 6 0", "-6 0",
//! ]);
//! # Ok::<(), gordian_encodings::ChoiceError>(())
//! ```

use std::collections::BTreeSet;

use super::{Encoding, ModelCount, Size, Strength, always, from_rustsat};
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
    size: |constraint, _, _| constraint.sized(size),
    redundant: &[],
    encode,
};

fn size(n: usize, min: usize, max: usize) -> Size {
    // The outputs that the bounds ask the root for, the first and the last; of none, the last is before the first.
    let upper = if max < n { (max + 1, max + 1) } else { (1, 0) };
    let lower = if min > 0 { (min, min) } else { (1, 0) };
    let mut size = Size::exactly(0, u64::from(max < n) + u64::from(min > 0));
    add_node(n, upper, lower, &mut size);
    size
}

/// Adds the size of a node over `n` literals, and of those below it.
fn add_node(n: usize, upper: (usize, usize), lower: (usize, usize), size: &mut Size) {
    let none = |(first, last): (usize, usize)| first > last;
    if n <= 1 || none(upper) && none(lower) {
        return;
    }
    let outputs = (1..=n).filter(|t| (upper.0..=upper.1).contains(t) || (lower.0..=lower.1).contains(t));
    size.variables += outputs.count() as u64;
    let (left, right) = (n / 2, n - n / 2);
    size.clauses += (upper.0..=upper.1).map(|t| ways(t, left, right)).sum::<u64>();
    size.clauses += (lower.0..=lower.1).map(|t| ways(t - 1, left, right)).sum::<u64>();
    for (child, other) in [(left, right), (right, left)] {
        let above = (upper.0.saturating_sub(other).max(1), upper.1.min(child));
        let below = (lower.0.saturating_sub(other).max(1), lower.1.min(child));
        add_node(
            child,
            if none(upper) { upper } else { above },
            if none(lower) { lower } else { below },
            size,
        );
    }
}

/// The ways to make a sum of a left and a right one, up to so many.
fn ways(sum: usize, left: usize, right: usize) -> u64 {
    (sum.min(left) + sum.min(right) - sum + 1) as u64
}

/// The size of a node over `n` literals of which these outputs are asked for upper bounds, with those below it.
pub(crate) fn size_of_outputs(n: usize, asked: &BTreeSet<usize>) -> Size {
    if n <= 1 || asked.is_empty() {
        return Size::NONE;
    }
    let (left, right) = (n / 2, n - n / 2);
    let clauses = asked.iter().map(|&t| ways(t, left, right)).sum();
    let below = [(left, right), (right, left)].map(|(child, other)| {
        let is_asked = |t: &usize| asked.range(t..=&(t + other)).next().is_some();
        size_of_outputs(child, &(1..=child).filter(is_asked).collect())
    });
    Size::exactly(asked.len() as u64, clauses) + below.into_iter().sum()
}

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
