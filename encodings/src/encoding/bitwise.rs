//! Bitwise at-most-one (rustsat's encoder): auxiliary bits hold the index of the true literal in binary.
//!
//! Size for n >= 2 literals: b = ceil(log2 n) variables, `n * b` clauses. Strength: domain consistent. The encoding
//! does not preserve the number of solutions, because the bits are free if no literal is true.
//!
//! Example: for `a, b, c` with the bits p and q, the clauses are `a -> -p`, `a -> -q`, `b -> p`, `b -> -q`, `c -> -p`,
//! `c -> q`.
//!
//! If n is not a power of two, some numbers of b bits are not used as an index. The clause for a bit of an index is
//! redundant if flipping this bit gives an unused number.
//!
//! Paper: Prestwich: *Finding large cliques using SAT local search*, Trends in Constraint Programming, 2007, after
//! Frisch, Peugniez, Doggett, Nightingale: *Solving non-Boolean satisfiability problems with stochastic local
//! search*, JAR 35, 2005. The encoding is the same as in these papers.
//!
//! Derivation in proofs: each bit of the index is defined as the disjunction of the literals in whose index this bit
//! is 1.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::bitwise::BITWISE;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(AtMostOne::new([a, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&BITWISE), &mut cnf);
//! // Variables 4 and 5 are the bits p and q.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 -4 0", "-1 -5 0", "-2 4 0", "-2 -5 0", "-3 -4 0", "-3 5 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::Bitwise;

/// Bitwise at-most-one.
pub static BITWISE: Encoding<AtMostOne> = Encoding {
    name: "bitwise",
    paper: "Prestwich: Finding large cliques using SAT local search, Trends in Constraint Programming, 2007",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| from_rustsat::at_most_one_from::<Bitwise>(2, bits, constraint, sink),
};

/// Defines each bit of the index as the disjunction of the literals in whose index this bit is 1.
fn bits(n: usize, define: &mut from_rustsat::DefineSubset<'_>) {
    (0..usize::BITS - (n - 1).leading_zeros()).for_each(|bit| define(&|index| index >> bit & 1 == 1));
}
