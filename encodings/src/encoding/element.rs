//! Element by cases: if the index is i, the value equals element i.
//!
//! Example: an array (a, b) of literals gives `i=0, a -> v`, `i=0, v -> a`, `i=1, b -> v`, `i=1, v -> b`, where i is
//! 0 or 1.
//!
//! Size: that of one linear equation for each possible value of the index, and one clause for each end of the index's
//! domain that is outside the array. Strength: checks total assignments only. On request, the encoding preserves the
//! number of solutions.
//!
//! Paper: Van Hentenryck, Carillon: *Generality versus specificity*, AAAI 1988, for the constraint. The encoding
//! follows from the definition of the constraint.
//!
//! Unlike in the paper, elements may be literals, and values need no supports.
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

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Element;
use crate::lit::FALSE;
use crate::sink::Sink;

/// Element by cases.
pub static ELEMENT: Encoding<Element> = Encoding {
    name: "cases",
    paper: "Van Hentenryck, Carillon: Generality versus specificity, AAAI 1988",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    encode,
};

fn encode(element: &Element, sink: &mut Sink<'_>) {
    let x = sink.integer_for(&element.index);
    let (first, after) = (sink.at_least(x, 0), sink.at_least(x, element.array.len() as i128));
    sink.clause(&[first]);
    sink.clause(&[!after]);
    for (index, value) in element.array.iter().enumerate() {
        let here = sink.equals(x, index as i128);
        if here != FALSE {
            sink.when(here).post(&value.equals(&element.value));
        }
    }
}
