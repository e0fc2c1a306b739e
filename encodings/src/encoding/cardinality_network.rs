//! Cardinality networks and sorting networks: comparators move the true literals to the front.
//!
//! A comparator maps a and b to `hi = a or b` and `lo = a and b`. An upper bound needs the clauses `a -> hi`, `b ->
//! hi` and `a, b -> lo`. A lower bound needs `hi -> a or b`, `lo -> a` and `lo -> b`. Odd-even merge combines two
//! sorted lists: it merges the elements at odd positions, merges the elements at even positions, and applies
//! comparators to neighbours in the result.
//!
//! * `sorting-network` sorts all n literals. If at most k literals may be true, output k+1 must be false; if at least k
//!   literals must be true, output k must be true.
//! * `cardinality-network` sorts blocks of literals and merges them. The encoding omits outputs that no bound needs,
//!   together with their comparators.
//!
//! Example: for at most 1 of `a, b, c`, the comparators of a sorting network map (a, b) to (p, q), (p, c) to (r, s)
//! and (q, s) to (t, u). The outputs are r, t and u, and the clause `-t` enforces the bound. The list of literals is
//! padded with false constants until its length is a power of two. A constant needs no comparator.
//!
//! Size of a sorting network if n is a power of two: c = n log2 n (log2 n - 1) / 4 + n - 1 comparators with 2
//! variables each, and one clause for each bound. A comparator has 3 clauses, or 6 clauses if there are two bounds or
//! the number of solutions must be preserved. Size for other n: O(n log^2 n) comparators. Size of a cardinality
//! network: O(n log^2 m) comparators with m = max + 1. The encoding counts the negated literals if this makes the
//! network smaller. Strength: domain consistent. With `Encodings::keep_count`, the encoding preserves the number of
//! solutions, because each comparator has the clauses for both upper and lower bounds.
//!
//! A clause for an output of a comparator is redundant if a bound fixes the output, or if no bound depends on the
//! output.
//!
//! Paper: Asin, Nieuwenhuis, Oliveras, Rodriguez-Carbonell: *Cardinality networks: a theoretical and empirical study*,
//! Constraints 16, 2011; Batcher: *Sorting networks and their applications*, AFIPS 1968, encoded as clauses in Een,
//! Sorensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006. Unlike in these papers, comparators with
//! a constant input are omitted.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::cardinality_network::SORTING_NETWORK;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&SORTING_NETWORK), &mut cnf);
//! // Variables 4 to 9 are p, q, r, s, t, u.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 4 0", "-2 4 0", "-1 -2 5 0", "-4 6 0", "-3 6 0", "-4 -3 7 0", "-7 8 0", "-5 8 0", "-7 -5 9 0",
//!     "-8 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Cardinality;
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Cardinality networks.
pub static CARDINALITY_NETWORK: Encoding<Cardinality> = Encoding {
    name: "cardinality-network",
    paper: "Asin, Nieuwenhuis, Oliveras, Rodriguez-Carbonell: Cardinality networks, Constraints 16, 2011",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |constraint, sink| write(constraint, true, sink),
};

/// Sorting networks.
pub static SORTING_NETWORK: Encoding<Cardinality> = Encoding {
    name: "sorting-network",
    paper: "Batcher: Sorting networks and their applications, AFIPS 1968; Een, Sorensson: Translating pseudo-Boolean \
            constraints into SAT, JSAT 2, 2006",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |constraint, sink| write(constraint, false, sink),
};

fn write(constraint: &Cardinality, truncated: bool, sink: &mut Sink<'_>) {
    let Some(Cardinality { mut lits, mut min, mut max }) = constraint.write_trivial(sink) else { return };
    let n = lits.len();
    let (negated, places) = places(n, min, max);
    if negated {
        for lit in &mut lits {
            *lit = !*lit;
        }
        (min, max) = (n - max, n - min);
    }
    let keeps_count = sink.keeps_count();
    let mut definitions = sink.always();
    let mut network = Network {
        sink: &mut definitions,
        upwards: max < n || keeps_count,
        downwards: min > 0 || keeps_count,
    };
    let sorted = if truncated { network.select(&lits, places) } else { network.sort(&lits) };
    if max < n {
        sink.clause(&[!sorted[max]]);
    }
    if min > 0 {
        sink.clause(&[sorted[min - 1]]);
    }
}

/// Returns whether a network over the negated literals needs fewer outputs than a network over the literals. Also
/// returns the smaller of the two numbers of outputs.
fn places(n: usize, min: usize, max: usize) -> (bool, usize) {
    let outputs = |min: usize, max: usize| if max < n { max + 1 } else { min };
    let (plain, negated) = (outputs(min, max), outputs(n - max, n - min));
    (negated < plain, plain.min(negated))
}

struct Network<'a, 's> {
    sink: &'a mut Sink<'s>,
    upwards: bool,
    downwards: bool,
}

impl Network<'_, '_> {
    /// Returns the sorted literals, padded with false constants until their number is a power of two.
    fn sort(&mut self, lits: &[Lit]) -> Vec<Lit> {
        if lits.len() <= 1 {
            return lits.to_vec();
        }
        let half = lits.len().next_power_of_two() / 2;
        let (mut front, mut back) = (self.sort(&lits[..half]), self.sort(&lits[half..]));
        front.resize(half, FALSE);
        back.resize(half, FALSE);
        self.merge(&front, &back)
    }

    /// Returns the first outputs of a sorting network for the literals. Their number is `wanted`, rounded up to a power
    /// of two.
    fn select(&mut self, lits: &[Lit], wanted: usize) -> Vec<Lit> {
        let block = wanted.next_power_of_two();
        let mut blocks = lits.chunks(block);
        let mut first = self.sort(blocks.next().unwrap_or_default());
        first.resize(block, FALSE);
        for chunk in blocks {
            let mut next = self.sort(chunk);
            next.resize(block, FALSE);
            first = self.merge_front(&first, &next);
            first.truncate(block);
        }
        first
    }

    /// Merges two sorted lists of the same length.
    fn merge(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        if let (&[a], &[b]) = (a, b) {
            return self.compare(a, b).into();
        }
        let odd = self.merge(&every_other(a, 0), &every_other(b, 0));
        let even = self.merge(&every_other(a, 1), &every_other(b, 1));
        let mut merged = vec![odd[0]];
        for (&odd, &even) in odd[1..].iter().zip(&even) {
            merged.extend(self.compare(odd, even));
        }
        merged.push(even[even.len() - 1]);
        merged
    }

    /// Merges two sorted lists of length n, and returns the first n + 1 elements.
    fn merge_front(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        if let (&[a], &[b]) = (a, b) {
            return self.compare(a, b).into();
        }
        let odd = self.merge_front(&every_other(a, 0), &every_other(b, 0));
        let even = self.merge_front(&every_other(a, 1), &every_other(b, 1));
        let mut merged = vec![odd[0]];
        for (&odd, &even) in odd[1..].iter().zip(&even) {
            merged.extend(self.compare(odd, even));
        }
        merged
    }

    /// Encodes a comparator and returns `[a or b, a and b]`.
    fn compare(&mut self, a: Lit, b: Lit) -> [Lit; 2] {
        if a == FALSE || b == FALSE {
            return [if a == FALSE { b } else { a }, FALSE];
        }
        let (hi, lo) = (self.sink.fresh(), self.sink.fresh());
        if self.upwards {
            self.sink.clause(&[!a, hi]);
            self.sink.clause(&[!b, hi]);
            self.sink.clause(&[!a, !b, lo]);
        }
        if self.downwards {
            self.sink.clause(&[!hi, a, b]);
            self.sink.clause(&[!lo, a]);
            self.sink.clause(&[!lo, b]);
        }
        [hi, lo]
    }
}

fn every_other(lits: &[Lit], from: usize) -> Vec<Lit> {
    lits.iter().skip(from).step_by(2).copied().collect()
}
