//! Bimander at-most-one (rustsat's encoder): the literals are divided into groups of four, and each group is encoded
//! pairwise. Auxiliary bits hold, in binary, the number of the group that contains the true literal.
//!
//! Example: `a, b, c, d, e` gives the pairwise clauses for a, b, c, d, and `a -> -p`, `b -> -p`, `c -> -p`, `d ->
//! -p`, `e -> p`.
//!
//! Size for n >= 5 literals in g = ceil(n/4) groups: w = ceil(log2 g) variables; `n * w` clauses, and the `pairwise`
//! clauses of each group. Strength: domain consistent. The encoding does not preserve the number of solutions, because
//! the bits can have any values if no literal is true.
//!
//! If the number of groups is not a power of two, some numbers of w bits are not used. The clauses for a bit of a group
//! number are redundant if flipping this bit gives an unused number.
//!
//! Paper: Nguyen, Mai: *A new method to encode the at-most-one constraint into SAT*, `SoICT` 2015. Unlike in the
//! paper, constraints with at most four literals are encoded pairwise, without bits.
//!
//! Derivation in proofs: each bit of the group number is defined as the disjunction of the literals in all groups
//! whose number has this bit.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::bimander::BIMANDER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let lits = [0; 5].map(|_| model.boolean());
//! model.post(AtMostOne::new(lits));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&BIMANDER), &mut cnf);
//! // Variable 6 is the bit p.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 -6 0", "-2 -6 0", "-3 -6 0", "-4 -6 0", "-1 -2 0", "-1 -3 0", "-1 -4 0", "-2 -3 0", "-2 -4 0",
//!     "-3 -4 0", "-5 6 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Bimander, Pairwise};

/// The number of literals in a group.
const GROUP: usize = 4;

/// Bimander at-most-one.
pub static BIMANDER: Encoding<AtMostOne> = Encoding {
    name: "bimander",
    paper: "Nguyen, Mai: A new method to encode the at-most-one constraint into SAT, SoICT 2015",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| {
        from_rustsat::at_most_one_from::<Bimander<GROUP, Pairwise>>(GROUP + 1, bits, constraint, sink);
    },
};

/// Defines each bit of the group number: the bit is true if some group with a true literal has this bit in its
/// number.
fn bits(n: usize, define: &mut from_rustsat::DefineSubset<'_>) {
    let last = n.div_ceil(GROUP) - 1;
    (0..usize::BITS - last.leading_zeros()).for_each(|bit| define(&|index| (index / GROUP) >> bit & 1 == 1));
}
