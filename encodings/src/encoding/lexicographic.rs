//! Encodes lexicographic order with one literal for each prefix length. The literal is true if the prefixes of this
//! length agree.
//!
//! `e[i]` is true if the lists agree on the first i positions, so `e[0]` is true. The constraint is `e[i] -> a[i] <=
//! b[i]` and `e[i], a[i] = b[i] -> e[i+1]`. Hence each position has the clauses `-e[i] -a[i] b[i]`, `-e[i] -a[i]
//! e[i+1]` and `-e[i] b[i] e[i+1]`. In the strict form of the constraint, the lists must differ: `e[n]` is false.
//!
//! Example: (a1, a2) <= (b1, b2) is encoded as `-a1 b1`, `-a1 e1`, `b1 e1`, `-e1 -a2 b2`.
//!
//! Size for n >= 1 positions: n-1 variables and 3n-2 clauses. The strict form has 3n-1 clauses, because its last
//! position has the two clauses `-e[n-1] -a` and `-e[n-1] b` instead of one. For n >= 2, `Encodings::keep_count` adds
//! 3n-4 clauses. Strength: domain consistent. `Encodings::keep_count` adds the clauses `e[i+1] -> e[i]`, `e[i+1] ->
//! a[i] or -b[i]` and `e[i+1] -> -a[i] or b[i]`, which preserve the number of solutions.
//!
//! Paper: Knuth: *The Art of Computer Programming 7.2.2.2: Satisfiability*, 2015, formula (169); for symmetry
//! breaking, Crawford, Ginsberg, Luks, Roy: *Symmetry-breaking predicates for search problems*, KR 1996. Unlike in
//! these works, the constraint also has a strict form.
//!
//! ```
//! use gordian_encodings::constraint::Lexicographic;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a1, a2, b1, b2] = [0; 4].map(|_| model.boolean());
//! model.post(Lexicographic::at_most([a1, a2], [b1, b2]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // Variables 1 to 4 are a1, a2, b1, b2; 5 is e1.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 3 0", "-1 5 0", "3 5 0", "-5 -2 4 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Lexicographic;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes lexicographic order with a literal for each prefix.
pub static PREFIXES: Encoding<Lexicographic> = Encoding {
    name: "prefixes",
    paper: "Knuth: The Art of Computer Programming 7.2.2.2, 2015",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode,
};

fn encode(constraint: &Lexicographic, sink: &mut Sink<'_>) {
    let last = constraint.left.len();
    let mut open = TRUE;
    if last == 0 && constraint.strict {
        sink.clause(&[]);
    }
    for (index, (&a, &b)) in constraint.left.iter().zip(&constraint.right).enumerate() {
        let still_open = match (index + 1 == last, constraint.strict) {
            (false, _) => sink.fresh(),
            (true, true) => FALSE,
            (true, false) => TRUE,
        };
        place(open, a, b, still_open, sink);
        open = still_open;
    }
}

fn place(open: Lit, a: Lit, b: Lit, still_open: Lit, sink: &mut Sink<'_>) {
    if still_open != FALSE {
        sink.clause(&[!open, !a, b]);
    }
    sink.clause(&[!open, !a, still_open]);
    sink.clause(&[!open, b, still_open]);
    if sink.keeps_count() && still_open != TRUE {
        sink.clause(&[!still_open, open]);
        sink.clause(&[!still_open, a, !b]);
        sink.clause(&[!still_open, !a, b]);
    }
}
