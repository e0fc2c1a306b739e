//! The objective as an integer whose order literals are created during the search.
//!
//! If a sum contains an integer with a [lazy order view](crate::view::lazy), the sum becomes an integer with such a view.
//! To enforce `sum <= b`, the literal `sum <= b` of this integer is assumed.
//!
//! Size: one variable for each bound that is used. Strength: lazy; the propagator is bounds consistent.
//!
//! Paper: Feydy, Stuckey: *Lazy clause generation reengineered*, CP 2009.

use super::encoding::{Bounded, Encoder, ObjectiveEncoding, row};
use crate::encode::Strength;
use crate::expr::Term;
use crate::int::{Domains, IntVar, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// The objective as an integer with a lazy order view.
pub static LAZY: ObjectiveEncoding = ObjectiveEncoding {
    row: row("lazy", "Feydy, Stuckey: Lazy clause generation reengineered, CP 2009", Strength::Lazy),
    applies: |sum, _, _| sum.is_lazy,
    encoder: |sum| Box::new(Lazy(sum)),
};

/// Returns whether a sum is an integer with a lazy order view, or its negation.
pub(super) fn is_lazy(terms: &[(Value, Term)], domains: Domains<'_>) -> bool {
    single(terms).is_some_and(|(_, x)| domains.is_lazy(x))
}

/// Returns the integer and its sign if the sum is an integer or its negation.
fn single(terms: &[(Value, Term)]) -> Option<(Value, IntVar)> {
    match *terms {
        [(sign @ (1 | -1), Term::Int(x))] => Some((sign, x)),
        _ => None,
    }
}

#[derive(Debug)]
struct Lazy(Bounded);

impl Encoder for Lazy {
    fn at_most(&mut self, most: u128, sink: &mut Sink<'_>) -> Vec<Lit> {
        let Bounded { terms, least, unit, .. } = &self.0;
        let most = least + unit * most as Value;
        let (sign, x) = single(terms).expect("the encoding applies to single integers only");
        vec![if sign > 0 { sink.at_most(x, most) } else { sink.at_least(x, -most) }]
    }
}

/// If the sum contains an integer with a lazy order view, returns an integer that equals the sum. Otherwise, returns the
/// sum unchanged.
pub(super) fn as_integer(terms: Vec<(Value, Term)>, sink: &mut Sink<'_>) -> Vec<(Value, Term)> {
    let domains = sink.domains();
    let is_lazy = |&(_, term): &(Value, Term)| matches!(term, Term::Int(x) if domains.is_lazy(x));
    if single(&terms).is_some() || !terms.iter().any(is_lazy) {
        return terms;
    }
    match sink.integer_of_sum(&terms) {
        Some(sum) => vec![(1, sum.into())],
        None => terms,
    }
}
