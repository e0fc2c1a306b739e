//! Support encoding of element constraints: one literal for each pair of an index and a possible value of the element
//! at that index.
//!
//! The literal `s[i][v]` is true if the index is i and the element is v: `s[i][v] -> index=i`, `s[i][v] -> a[i]=v` and
//! `index=i, a[i]=v -> s[i][v]`. If element i is a constant, no new literal is needed: `s[i][v]` is the literal
//! `index=i`. Let z be the integer that equals the element at the index. The other clauses are:
//!
//! * `s[i][v] -> z=v`;
//! * `index=i -> s[i][v] or s[i][w] or ..` for each index, where v, w, .. are the values that both element i and z can
//!   have;
//! * `z=v -> s[i][v] or s[j][v] or ..` for each value of z, where i, j, .. are the indices whose elements can have the
//!   value v.
//!
//! Example: for the array (5, 7, 5), `z=5 -> index=0 or index=2` and `z=7 -> index=1`, and the converse implications.
//!
//! Size for n indices, d values of z and p pairs whose elements are variables: p variables and 4p + n + d clauses. A
//! pair with a constant element instead needs one clause and no variable. Strength: domain consistent. The encoding
//! preserves the number of solutions.
//!
//! Some clauses of a pair are redundant if no other pair has the same index, or no other pair has the same value.
//!
//! Paper: Gent: *Arc consistency in SAT*, ECAI 2002, for the support clauses. The pairs correspond to the rows of an
//! equivalent table constraint. Unlike in the paper, a pair with a constant element needs no additional literal.
//!
//! ```
//! use gordian_encodings::constraint::Element;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let (index, z) = (model.integer(0..=2), model.integer(5..=6));
//! model.post(Element::new(index, [5, 6, 5], z));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // Variables 1 and 2 are `index <= 0` and `index <= 1`, 3 is `z = 5`, 4 is `index = 1`.
//! assert_eq!(cnf.len(), 9);
//! ```

use std::collections::BTreeMap;

use super::layered_graph::layer;
use super::{Encoding, ModelCount, Strength};
use crate::constraint::Element;
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Support encoding of element constraints.
pub static SUPPORT: Encoding<Element> = Encoding {
    name: "support",
    paper: "Gent: Arc consistency in SAT, ECAI 2002",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |element, domains| pairs(element, domains) <= MOST_PAIRS,
    encode,
};

/// The support encoding applies to an element constraint with at most this many pairs of an index and a value.
const MOST_PAIRS: u128 = 1 << 20;

/// Returns an upper bound on the number of pairs, with one more for each value of the index and of the result.
pub(crate) fn pairs(element: &Element, domains: Domains<'_>) -> u128 {
    let ends = [&element.index, &element.value].map(|expr| domains.of_expr(expr).size());
    sizes(element, domains).chain(ends).fold(0, u128::saturating_add)
}

/// Returns an upper bound on the number of pairs with a variable element. The encoding creates a variable for each such
/// pair.
pub(crate) fn variable_pairs(element: &Element, domains: Domains<'_>) -> u128 {
    sizes(element, domains).filter(|&size| size > 1).fold(0, u128::saturating_add)
}

/// Returns an upper bound on the number of pairs of each element that the index can select: the number of values of the
/// element or of the result, whichever is smaller.
fn sizes<'a>(element: &'a Element, domains: Domains<'a>) -> impl Iterator<Item = u128> + 'a {
    let index = domains.of_expr(&element.index);
    let results = domains.of_expr(&element.value).size();
    let possible = move |&(number, _): &(usize, &Expr)| index.contains(number as Value);
    let elements = element.array.iter().enumerate().filter(possible);
    elements.map(move |(_, expr)| domains.of_expr(expr).size().min(results))
}

/// Returns the values that an element and the result can both have, each with the literal which states that the element
/// has this value.
fn common(item: &Expr, of_value: &BTreeMap<Value, Lit>, sink: &mut Sink<'_>) -> Vec<(Value, Lit)> {
    let x = sink.integer_for(item);
    let domain = sink.domains().of(x);
    let values: Vec<Value> = if domain.size() <= of_value.len() as u128 {
        domain.values().filter(|value| of_value.contains_key(value)).collect()
    } else {
        of_value.keys().copied().filter(|&value| domain.contains(value)).collect()
    };
    if values.len() as u128 == domain.size() {
        return layer(item, sink);
    }
    // The direct view would also have literals for values that the result can't have.
    values.into_iter().map(|value| (value, sink.equals(x, value))).collect()
}

fn encode(element: &Element, sink: &mut Sink<'_>) {
    let of_value: BTreeMap<Value, Lit> = layer(&element.value, sink).into_iter().collect();
    let mut supports: BTreeMap<Value, Vec<Lit>> = of_value.keys().map(|&value| (value, Vec::new())).collect();
    for (number, here) in layer(&element.index, sink) {
        let item = usize::try_from(number).ok().and_then(|number| element.array.get(number));
        let mut pairs = Vec::new();
        for (value, equal) in item.map(|item| common(item, &of_value, sink)).unwrap_or_default() {
            let result = of_value[&value];
            let pair = sink.and(&[here, equal]);
            if pair == FALSE {
                continue;
            }
            sink.clause(&[!pair, result]);
            pairs.push(pair);
            supports.get_mut(&value).expect("a value of the result").push(pair);
        }
        if pairs != [here] {
            sink.clause_of(pairs.into_iter().chain([!here]));
        }
    }
    for (value, pairs) in supports {
        sink.clause_of(pairs.into_iter().chain([!of_value[&value]]));
    }
}

#[cfg(test)]
mod tests {
    use crate::constraint::Element;
    use crate::{Cnf, Encodings, Expr, Model};

    /// Returns the encoding that `auto` chooses for an array of `size` elements. The first `variables` of them are
    /// variables. The index, the result and each variable element have `size` values.
    fn automatic(size: i64, variables: i64) -> &'static str {
        let mut model = Model::new();
        let last = size - 1;
        let [index, result] = model.integers(0..=last);
        let array: Vec<Expr> = (0..=last)
            .map(|value| if value < variables { model.integer(0..=last).into() } else { value.into() })
            .collect();
        model.post(Element::new(index, array, result));
        let encoded = model.encode(&Encodings::auto(), &mut Cnf::default());
        encoded.encodings().iter().find(|row| row.0 == "element").expect("an element").1
    }

    #[test]
    fn auto_avoids_variables_for_pairs() {
        // Each variable element has as many pairs as values.
        assert_eq!([6, 7].map(|size| automatic(size, size)), ["support", "cases"]);
        assert_eq!([2, 3].map(|variables| automatic(20, variables)), ["support", "cases"]);
        // The index, the result and the constants count together.
        assert_eq!([6_666, 6_667].map(|size| automatic(size, 0)), ["support", "log"]);
    }

    #[test]
    fn large_elements_have_literals_only_for_values_of_the_result() {
        let mut model = Model::new();
        let index = model.integer(0..=2);
        let array = model.integers::<3>(1..=1_000);
        model.post(Element::new(index, array, 5));
        let mut cnf = Cnf::default();
        let encoded = model.encode(&Encodings::auto().propagating().creating_literals(), &mut cnf);
        assert_eq!(encoded.encodings()[0].1, "support");
        // For each element x, the literals are `x <= 4`, `x <= 5`, `x = 5` and the pair; the index has 3 literals.
        assert!(cnf.variables() <= 15, "{}", cnf.variables());
    }
}
