//! Support encoding of products and divisions: a layered graph (`layered_graph.rs`) of partial results.
//!
//! The states of a product are the partial products from which the result can still be reached. If the result cannot
//! be 0, no partial product is 0. If the result is a constant, every partial product divides it. For example, a
//! product of three integers from 1 to 9 has few states if the result is 504 = 7 * 8 * 9. The states of a division
//! are pairs of a quotient and a remainder.
//!
//! Example: see `layered_graph.rs`, which encodes `x * y = 6`. Size, asymptotically: `O(n * p * d)` for a product, if
//! each of the n integers has d values and the result has p divisors; `O(d)` for a division, if the dividend has d
//! values. Strength: domain consistent. The encoding preserves the number of solutions.
//!
//! If an edge shares a literal with a state, some clauses of the edge are implied and therefore redundant.
//!
//! Papers: see `layered_graph.rs`; for the term *support*, Gent: *Arc consistency in SAT*, ECAI 2002.
//!
//! Unlike in the papers, the layered graph has only states from which the result can be reached.
//!
//! ```
//! use gordian_encodings::constraint::Product;
//! use gordian_encodings::encoding::support::PRODUCT;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 3)));
//! let product = model.integer(Domain::interval(6, 6));
//! model.post(Product::new([x, y], product));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PRODUCT), &mut cnf);
//! assert_eq!(cnf.len(), 20);
//! ```

use std::collections::BTreeMap;

use super::{Encoding, ModelCount, Strength, layered_graph};
use crate::constraint::{Division, Product};
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::sink::Sink;

const PAPER: &str =
    "Abio, Gange, Mayer-Eichberger, Stuckey: On CNF encodings of decision diagrams, CPAIOR 2016";
/// The support encoding of products and divisions applies if the layered graph has at most this many edges.
const MOST_EDGES: usize = 1 << 20;

/// Support encoding of products.
pub static PRODUCT: Encoding<Product> = Encoding {
    name: "support",
    paper: PAPER,
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |product, domains| fits(product, domains, MOST_EDGES),
    encode,
};

/// Support encoding of divisions.
pub static DIVISION: Encoding<Division> = Encoding {
    name: "support",
    paper: PAPER,
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |division, domains| division_fits(division, domains, MOST_EDGES),
    encode: |division, sink| {
        let layers = division.exprs().map(|expr| layered_graph::layer(expr, sink));
        layered_graph::encode(
            &layers,
            (0, 0),
            |number, state, value| divided(division, number, state, value),
            sink,
        );
    },
};

/// Returns whether the layered graph of a division has at most `limit` edges.
pub(crate) fn division_fits(division: &Division, domains: Domains<'_>, limit: usize) -> bool {
    let exprs = division.exprs().map(|expr| domains.of_expr(expr));
    exprs.iter().all(|domain| domain.size() <= limit as u128) && {
        let layers = exprs.map(|domain| domain.values().collect::<Vec<_>>());
        layered_graph::fits(
            &layers,
            (0, 0),
            |number, state, value| divided(division, number, state, value),
            limit,
        )
    }
}

fn divided(
    division: &Division,
    number: usize,
    state: &(Value, Value),
    value: Value,
) -> Option<(Value, Value)> {
    match number {
        0 => division.divide(value),
        1 => (state.0 == value).then_some((0, state.1)),
        _ => (state.1 == value).then_some((0, 0)),
    }
}

/// Returns the distinct factors of a product, each with its exponent.
fn powers(product: &Product, domains: Domains<'_>) -> Vec<(Expr, u32)> {
    let mut powers: BTreeMap<Expr, u32> = BTreeMap::new();
    for factor in &product.factors {
        *powers.entry(domains.normal(factor)).or_default() += 1;
    }
    powers.into_iter().collect()
}

/// Returns the transition function. Its arguments are a layer number, a state and a value, and its result is the next
/// state.
fn step(
    product: &Product,
    powers: Vec<(Expr, u32)>,
    domains: Domains<'_>,
) -> impl Fn(usize, &Value, Value) -> Option<Value> + use<> {
    let whole = domains.of_expr(&product.product).into_owned();
    // For each index, a lower and an upper bound on `|p|`, where p is the product of the factors from this index on.
    let mut reach = vec![(1_u128, 1_u128); powers.len() + 1];
    for (index, &(ref factor, exponent)) in powers.iter().enumerate().rev() {
        let domain = domains.of_expr(factor);
        let (min, max) = (domain.min(), domain.max());
        let most = min.unsigned_abs().max(max.unsigned_abs());
        let least = if min <= 0 && max >= 0 { 0 } else { min.unsigned_abs().min(max.unsigned_abs()) };
        let (after_least, after_most) = reach[index + 1];
        let raised = |value: u128, rest: u128| value.saturating_pow(exponent).saturating_mul(rest);
        reach[index] = (raised(least, after_least), raised(most, after_most));
    }
    let most = whole.min().unsigned_abs().max(whole.max().unsigned_abs());
    let nearest = [whole.at_or_below(0), whole.above(0)].into_iter().flatten().map(i128::unsigned_abs);
    let least = nearest.min().unwrap_or(0);
    let equal = product.equal;
    move |number, &state, value| {
        let Some(&(_, exponent)) = powers.get(number) else {
            return ((state == value) == equal).then_some(0);
        };
        let state = state.checked_mul(value.checked_pow(exponent)?)?;
        let (low, high) = reach[number + 1];
        let magnitude = state.unsigned_abs();
        let reaches = magnitude.saturating_mul(low) <= most && magnitude.saturating_mul(high) >= least;
        let divides = whole.size() > 1 || whole.contains(0) || state != 0 && whole.min() % state == 0;
        (reaches && divides || !equal).then_some(state)
    }
}

/// Returns whether the layered graph of a product has at most `limit` edges, and no partial product overflows.
pub(crate) fn fits(product: &Product, domains: Domains<'_>, limit: usize) -> bool {
    let powers = powers(product, domains);
    let whole = domains.normal(&product.product);
    let exprs = || powers.iter().map(|(factor, _)| factor).chain([&whole]);
    // If the result were also a factor, the same integer would occur in two layers of the graph.
    let simple = powers.iter().all(|(factor, _)| *factor != whole);
    simple
        && exprs().all(|expr| domains.of_expr(expr).size() <= limit as u128)
        && exact(&powers, domains)
        && {
            let layers: Vec<Vec<Value>> =
                exprs().map(|expr| domains.of_expr(expr).values().collect()).collect();
            layered_graph::fits(&layers, 1, step(product, powers.clone(), domains), limit)
        }
}

/// Returns whether all partial products can be computed without overflow.
fn exact(powers: &[(Expr, u32)], domains: Domains<'_>) -> bool {
    let magnitude = |factor: &Expr| {
        let domain = domains.of_expr(factor);
        domain.min().unsigned_abs().max(domain.max().unsigned_abs()).max(1)
    };
    let product = powers.iter().try_fold(1_u128, |product, (factor, exponent)| {
        product.checked_mul(magnitude(factor).checked_pow(*exponent)?)
    });
    product.is_some_and(|product| product <= Value::MAX as u128)
}

fn encode(product: &Product, sink: &mut Sink<'_>) {
    let powers = powers(product, sink.domains());
    let exprs = powers.iter().map(|(factor, _)| factor).chain([&product.product]);
    let layers: Vec<layered_graph::Layer> = exprs.map(|expr| layered_graph::layer(expr, sink)).collect();
    let step = step(product, powers, sink.domains());
    layered_graph::encode(&layers, 1, step, sink);
}
