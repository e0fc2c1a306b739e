//! Commander at-most-one (rustsat's encoder): the literals are divided into groups of four. Each group has a
//! commander variable, which is true if a literal of the group is true. At most one commander is true.
//!
//! Example: `a, b, c, d, e` gives the pairwise clauses for a, b, c, d, and `a -> p`, `b -> p`, `c -> p`, `d -> p`, `e
//! -> q`, `-p -q`.
//!
//! Size for n >= 5 literals in g = ceil(n/4) groups: g variables; n + g(g-1)/2 clauses, and the `pairwise` clauses of
//! each group. Strength: domain consistent. The encoding does not preserve the number of solutions, because the
//! commanders are free if no literal is true.
//!
//! Paper: Klieber, Kwon: *Efficient CNF encoding for selecting 1 from n objects*, CFV 2007. Unlike in the paper,
//! there is only one level of commanders, and a commander may be true without a true literal in its group.
//! Constraints with at most four literals are encoded pairwise, without commanders.
//!
//! Derivation in proofs: a commander is defined as the disjunction of the literals in its group.
//!
//! ```
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::encoding::commander::COMMANDER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let lits = [0; 5].map(|_| model.boolean());
//! model.post(AtMostOne::new(lits));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&COMMANDER), &mut cnf);
//! // Variables 6 and 7 are the commanders p and q.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 6 0", "-2 6 0", "-3 6 0", "-4 6 0", "-1 -2 0", "-1 -3 0", "-1 -4 0", "-2 -3 0", "-2 -4 0",
//!     "-3 -4 0", "-5 7 0", "-6 -7 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::AtMostOne;
use rustsat::encodings::am1::{Commander, Pairwise};

/// The number of literals in the group of a commander.
pub(super) const GROUP: usize = 4;

/// Commander at-most-one.
pub static COMMANDER: Encoding<AtMostOne> = Encoding {
    name: "commander",
    paper: "Klieber, Kwon: Efficient CNF encoding for selecting 1 from n objects, CFV 2007",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode: |constraint, sink| {
        from_rustsat::at_most_one_from::<Commander<GROUP, Pairwise>>(GROUP + 1, groups, constraint, sink);
    },
};

/// Defines each commander: it is true if a literal of its group is true.
fn groups(n: usize, define: &mut from_rustsat::DefineSubset<'_>) {
    (0..n.div_ceil(GROUP)).for_each(|group| define(&|index| index / GROUP == group));
}
