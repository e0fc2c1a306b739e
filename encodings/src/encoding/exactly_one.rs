//! Encodes exactly-one as a clause over all literals and an at-most-one constraint in any encoding.
//!
//! Example with `pairwise`: exactly one of `a, b, c` gives `a b c`, `-a -b`, `-a -c`, `-b -c`.
//!
//! Size: the size of the at-most-one constraint, and one clause. Strength: domain consistent. Every encoding preserves
//! the number of solutions. Auxiliary variables of at-most-one are free only if no literal is true, and exactly-one
//! excludes this case. No clause is redundant, not even a clause that is redundant in the at-most-one encoding alone.
//!
//! Papers: see the at-most-one encodings.
//!
//! The differences from the papers are the same as for the at-most-one encodings.
//!
//! ```
//! use gordian_encodings::constraint::ExactlyOne;
//! use gordian_encodings::encoding::exactly_one::PAIRWISE;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(ExactlyOne::new([a, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PAIRWISE), &mut cnf);
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["1 2 3 0", "-1 -2 0", "-1 -3 0", "-2 -3 0"]);
//! ```

use super::{Encoding, ModelCount, always, bimander, bitwise, commander, ladder, nested, pairwise, product};
use crate::constraint::{AtMostOne, ExactlyOne};
use crate::sink::Sink;

/// Defines the exactly-one encoding that uses the given at-most-one encoding.
macro_rules! with_clause {
    ($(#[$doc:meta])* $name:ident, $at_most_one:path) => {
        $(#[$doc])*
        pub static $name: Encoding<ExactlyOne> = Encoding {
            name: $at_most_one.name,
            paper: $at_most_one.paper,
            strength: $at_most_one.strength,
            count: ModelCount::Kept,
            derived: true,
            applies: always,
            encode: |constraint, sink| write(constraint, &$at_most_one, sink),
        };
    };
}

with_clause!(
    /// Pairwise exactly-one.
    PAIRWISE,
    pairwise::PAIRWISE
);
with_clause!(
    /// Ladder exactly-one.
    LADDER,
    ladder::LADDER
);
with_clause!(
    /// Bitwise exactly-one.
    BITWISE,
    bitwise::BITWISE
);
with_clause!(
    /// Commander exactly-one.
    COMMANDER,
    commander::COMMANDER
);
with_clause!(
    /// Nested exactly-one.
    NESTED,
    nested::NESTED
);
with_clause!(
    /// Bimander exactly-one.
    BIMANDER,
    bimander::BIMANDER
);
with_clause!(
    /// Two-product exactly-one.
    PRODUCT,
    product::PRODUCT
);

fn write(constraint: &ExactlyOne, at_most_one: &Encoding<AtMostOne>, sink: &mut Sink<'_>) {
    sink.clause(&constraint.lits);
    (at_most_one.encode)(&AtMostOne::new(constraint.lits.as_slice()), sink);
}
