//! Encodings of the element constraint by cases: if the index is i, the value equals element i.
//!
//! * `cases` posts, for each index, a linear equation between the value and the element.
//! * `log` requires, for each index, that each bit of the value equals the same bit of the element. Bits can be
//!   compared only if the domains of the two integers have the same minimum. If the minimums differ, the integer with
//!   the larger minimum is replaced by a copy whose domain has the smaller minimum, and a linear equation defines the
//!   copy.
//!
//! Example: for an array (a, b) of literals and an index i from 0 to 1, the clauses are `i=0, a -> v`, `i=0, v -> a`,
//! `i=1, b -> v`, `i=1, v -> b`.
//!
//! Size: the size of one linear equation for each possible index, and one clause for each end of the index's domain
//! that is outside the array. For values of w bits, `log` replaces each equation with 2w clauses, or with w clauses if
//! the element is a constant. Strength: both encodings check total assignments only. With `Encodings::keep_count`, both
//! encodings preserve the number of solutions.
//!
//! In `log`, the clauses that connect a copy with its integer are redundant if the index excludes all elements that
//! are compared with the copy.
//!
//! Paper: Van Hentenryck, Carillon: *Generality versus specificity*, AAAI 1988, for the constraint; `log` is the array
//! access of bit vectors, as in Kroening, Strichman: *Decision Procedures*, 2008, chapter 6. Unlike in these works,
//! elements may be literals, values without a support are not removed, and the domains may have different minimums.
//!
//! ```
//! use gordian_encodings::constraint::Element;
//! use gordian_encodings::encoding::element::ELEMENT;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, v] = [0; 3].map(|_| model.boolean());
//! let index = model.integer(Domain::interval(0, 1));
//! model.post(Element::new(index, [a, b], v));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&ELEMENT), &mut cnf);
//! // Variable 4 is `i = 0`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-4 1 -3 0", "-4 -1 3 0", "4 2 -3 0", "4 -2 3 0"]);
//! ```

use std::collections::HashMap;

use super::{Encoding, ModelCount, Strength, always, equality};
use crate::constraint::{Element, Equality, Linear};
use crate::int::{Domain, IntVar, Value};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Encodes element constraints with a linear equation for each index.
pub static ELEMENT: Encoding<Element> = Encoding {
    name: "cases",
    paper: "Van Hentenryck, Carillon: Generality versus specificity, AAAI 1988",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode,
};

/// Encodes element constraints bit by bit for each index.
pub static LOG: Encoding<Element> = Encoding {
    name: "log",
    paper: "Kroening, Strichman: Decision Procedures, 2008, chapter 6",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: by_bits,
};

/// Writes clauses which state that the index is within the array. Returns the possible indices i, each with the literal
/// `index = i`.
fn cases(element: &Element, sink: &mut Sink<'_>) -> Vec<(usize, Lit)> {
    let x = sink.integer_for(&element.index);
    let (first, after) = (sink.at_least(x, 0), sink.at_least(x, element.array.len() as Value));
    sink.clause(&[first]);
    sink.clause(&[!after]);
    let cases = (0..element.array.len()).map(|index| (index, sink.equals(x, index as Value)));
    cases.filter(|&(_, here)| here != FALSE).collect()
}

fn encode(element: &Element, sink: &mut Sink<'_>) {
    for (index, here) in cases(element, sink) {
        sink.when(here).post(&element.array[index].equals(&element.value));
    }
}

fn by_bits(element: &Element, sink: &mut Sink<'_>) {
    let value = sink.integer_for(&element.value);
    let mut copies = HashMap::new();
    for (index, here) in cases(element, sink) {
        let item = sink.integer_for(&element.array[index]);
        let [own, all] = [item, value].map(|x| sink.domains().of(x));
        let is_constant = own.size() == 1 || all.size() == 1;
        let first = own.min().min(all.min());
        let [item, value] = [item, value].map(|x| {
            let is_aligned = is_constant || sink.domains().of(x).min() == first;
            if is_aligned { x } else { *copies.entry((x, first)).or_insert_with(|| copy(x, first, sink)) }
        });
        (equality::LOG.encode)(&Equality::equal(item, value), &mut sink.when(here));
    }
}

/// Returns an integer variable that equals x and whose domain has the minimum `first`.
fn copy(x: IntVar, first: Value, sink: &mut Sink<'_>) -> IntVar {
    let copy = sink.integer(Domain::interval(first, sink.domains().of(x).max()));
    sink.always().post(&Linear::equal([(1, copy.into()), (-1, x.into())], 0));
    copy
}
