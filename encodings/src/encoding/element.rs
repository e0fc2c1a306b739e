//! Element by cases: for each index, if it is that, the value is that element.
//!
//! For an array (a, b) of literals: `i=0, a -> v`, `i=0, v -> a`, `i=1, b -> v`, `i=1, v -> b`, and i is 0 or 1.
//!
//! Size: a linear equation for each element. Strength: checking. The number of solutions is kept on request.
//!
//! Paper: Van Hentenryck, Carillon: *Generality versus specificity*, AAAI 1988, for the constraint; cases are its
//! definition.

use super::{Count, Strength, Technique, always};
use crate::constraint::{Element, Linear};
use crate::sink::Sink;

/// Element by cases.
pub static ELEMENT: Technique<Element> = Technique {
    name: "cases",
    paper: "Van Hentenryck, Carillon: Generality versus specificity, AAAI 1988",
    strength: Strength::Checking,
    count: Count::OnRequest,
    applies: always,
    size: None,
    redundant: Some("those of the linear constraints"),
    encode,
};

fn encode(element: &Element, sink: &mut Sink<'_>) {
    let (first, after) =
        (sink.at_least(element.index, 0), sink.at_least(element.index, element.array.len() as i128));
    sink.clause(&[first]);
    sink.clause(&[!after]);
    for (index, &term) in element.array.iter().enumerate() {
        let here = sink.equals(element.index, index as i128);
        sink.when(here).post(&Linear::equal([(1, term), (-1, element.value)], 0));
    }
}
