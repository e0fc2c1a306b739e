//! Areas of equal numbers whose sizes are these numbers: for each number, the components of the vertices with this number
//! have this size.

use std::sync::Arc;

use gordian_encodings::constraint::{ComponentSize, Linear, Reified};
use gordian_encodings::{Expr, FALSE, Lit, TRUE, Term};

use super::model::Builder;
use super::relations::{At, Part, graph};
use crate::rules::relation::Neighbours;
use crate::rules::sheet::{Sum, Value};

pub(super) fn parts(builder: &mut Builder, neighbours: &Neighbours, numbers: &[Sum]) -> Vec<Part> {
    let graph = graph(builder, neighbours);
    let numbers: Vec<Expr> = numbers.iter().map(|sum| builder.sum(sum)).collect();
    let most = i128::try_from(numbers.len()).unwrap_or(i128::MAX);
    let mut parts: Vec<Part> = Vec::new();
    let ranges: Vec<(i128, i128)> = numbers.iter().map(|number| builder.range(number)).collect();
    for (number, &(low, high)) in numbers.iter().zip(&ranges) {
        let terms = || number.terms().iter().copied();
        if low < 1 {
            parts.push((None, Box::new(Linear::at_least(terms(), 1 - number.constant()))));
        }
        if high > most {
            parts.push((None, Box::new(Linear::at_most(terms(), most - number.constant()))));
        }
    }
    let low = ranges.iter().map(|range| range.0).min().unwrap_or(1).max(1);
    let high = ranges.iter().map(|range| range.1).max().unwrap_or(0).min(most);
    for value in low..=high {
        let mut is_possible = |number: &Expr| equals(builder, number, value);
        let vertices: Vec<Lit> = numbers.iter().map(&mut is_possible).collect();
        if let (Ok(number), Ok(size)) = (i64::try_from(value), usize::try_from(value))
            && vertices.iter().any(|&lit| lit != FALSE)
        {
            let sized = ComponentSize::new(Arc::clone(&graph), vertices, size);
            parts.push((Some(At::Place(Value::Number(number))), Box::new(sized)));
        }
    }
    parts
}

/// Returns a literal that is true exactly if a number has a value.
fn equals(builder: &mut Builder, number: &Expr, value: i128) -> Lit {
    match (number.terms(), number.constant()) {
        ([], constant) => {
            if constant == value {
                TRUE
            } else {
                FALSE
            }
        }
        (&[(1, Term::Int(x))], 0) => builder.plain.model.equals(x, value),
        (terms, constant) => {
            let equal = builder.plain.model.boolean();
            let sum = Linear::equal(terms.iter().copied(), value - constant);
            builder.plain.define(Reified::equivalent(equal, sum));
            equal
        }
    }
}
