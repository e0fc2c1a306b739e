//! Binomial cardinality: a clause for every minimal set of literals that violates a bound.
//!
//! Example: at most one of `a, b, c` gives the clauses `-a -b`, `-a -c`, `-b -c`; at least two of them gives `a b`, `a
//! c`, `b c`.
//!
//! Size for `min..=max` of n literals: no variables, C(n, max+1) + C(n, n-min+1) clauses. Strength: domain
//! consistent.
//!
//! Paper: folklore; the name is from Sinz: *Towards an optimal CNF encoding of Boolean cardinality constraints*, CP
//! 2005. The encoding is the same as in the paper.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::binomial::BINOMIAL;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&BINOMIAL), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 0", "-1 -3 0", "-2 -3 0"]);
//! ```

use super::{Encoding, ModelCount, Strength};
use crate::constraint::Cardinality;
use crate::lit::Lit;
use crate::sink::Sink;

/// The binomial encoding applies if it has at most this many clauses.
const MAX_CLAUSES: u64 = 100_000;

/// Binomial cardinality.
pub static BINOMIAL: Encoding<Cardinality> = Encoding {
    name: "binomial",
    paper: "folklore; the name is from Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: true,
    applies: |constraint, _| constraint.simplified().map_or(0, |open| clauses(&open)) <= MAX_CLAUSES,
    encode,
};

/// Returns the number of clauses of the encoding, or `u64::MAX` if the number overflows a `u64`.
fn clauses(Cardinality { lits, min, max }: &Cardinality) -> u64 {
    let sets = |k: usize| choose(lits.len() as u64, k as u64);
    let over = if *max < lits.len() { sets(max + 1) } else { 0 };
    let under = if *min > 0 { sets(lits.len() - min + 1) } else { 0 };
    over.saturating_add(under)
}

/// Returns the number of subsets of size `k` of a set of size `n`, or `u64::MAX` if the number overflows a `u64`.
fn choose(n: u64, k: u64) -> u64 {
    let k = k.min(n - k);
    (0..k).try_fold(1_u64, |sets, i| sets.checked_mul(n - i).map(|sets| sets / (i + 1))).unwrap_or(u64::MAX)
}

fn encode(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    if max < lits.len() {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        each_subset(&negated, max + 1, sink);
    }
    if min > 0 {
        each_subset(&lits, lits.len() - min + 1, sink);
    }
}

/// Writes a clause for each subset of `lits` with `size` elements.
fn each_subset(lits: &[Lit], size: usize, sink: &mut Sink<'_>) {
    let mut chosen: Vec<usize> = (0..size).collect();
    loop {
        sink.clause_of(chosen.iter().map(|&index| lits[index]));
        let Some(moved) = (0..size).rev().find(|&i| chosen[i] < lits.len() - size + i) else { return };
        chosen[moved] += 1;
        for i in moved + 1..size {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
}
