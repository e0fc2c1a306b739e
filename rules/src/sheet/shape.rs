//! The graphs of places and edges on a board.

use rustc_hash::FxHashMap;

use super::place::Size;
use super::value::Value;
use crate::relation::Neighbours;

/// Returns the position of each value in a list. If a value occurs twice, its last position counts.
pub(super) fn positions(values: &[Value]) -> FxHashMap<&Value, usize> {
    values.iter().enumerate().map(|(at, value)| (value, at)).collect()
}

/// Returns the neighbours of each place among the places.
pub(super) fn neighbours(size: Size, places: &[Value]) -> Neighbours {
    let at = positions(places);
    let near = |place: &Value| match place {
        Value::Place(place) => {
            let near = size.neighbours(*place).into_iter();
            near.filter_map(|place| at.get(&Value::Place(place)).copied()).collect()
        }
        _ => Vec::new(),
    };
    places.iter().map(near).collect()
}

/// Returns the vertices that edges join, and the numbers of the two ends of each edge; `None` for a value that is no
/// edge.
pub(super) fn edges(size: Size, edges: &[Value]) -> (Vec<Value>, Vec<Option<[usize; 2]>>) {
    let (mut vertices, mut at) = (Vec::new(), FxHashMap::default());
    let mut number = |end: Value| {
        *at.entry(end.clone()).or_insert_with(|| {
            vertices.push(end);
            vertices.len() - 1
        })
    };
    let ends = edges.iter().map(|edge| match edge {
        Value::Place(edge) => size.ends(*edge).map(|ends| ends.map(|end| number(Value::Place(end)))),
        Value::Set(pair) => match pair.items() {
            [a, b] => Some([number(a.clone()), number(b.clone())]),
            _ => None,
        },
        _ => None,
    });
    let ends = ends.collect();
    (vertices, ends)
}

/// Numbers the different labels, in the order of their first occurrence.
pub(super) fn labels(labels: &[Value]) -> Vec<usize> {
    let mut numbers = FxHashMap::default();
    labels
        .iter()
        .map(|label| {
            let next = numbers.len();
            *numbers.entry(label).or_insert(next)
        })
        .collect()
}
