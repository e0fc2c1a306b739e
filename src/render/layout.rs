//! Computes positions for the nodes of a graph.
//!
//! The nodes of a grid graph keep their positions in the grid. For other graphs, the layout is computed by stress
//! majorization, so distances approximate the lengths of shortest paths: Gansner, Koren, North: *Graph drawing by
//! stress majorization*, Graph Drawing (GD), 2004. The nodes start on a circle and move one at a time, for a fixed
//! number of rounds. Therefore the drawing of a graph is deterministic. If a graph is too large for stress
//! majorization, its nodes stay on the circle. The nodes of small dense graphs also stay on a circle, which is large
//! enough that each edge touches only its two end nodes.

use std::f64::consts::TAU;

use gordian_encodings::Graph;

/// Graphs with more nodes than this are not laid out by stress majorization. Each round of the majorization considers
/// all pairs of nodes.
const MOST_NODES: usize = 500;
const ROUNDS: usize = 300;
/// A graph is dense if it has more edges per node than this.
const DENSE: usize = 2;
/// Dense graphs with at most this many nodes are drawn on a circle. The radius of the circle grows with the square of
/// the number of nodes.
const MOST_ON_CIRCLE: usize = 32;
/// If a dense graph is drawn on a circle, every node keeps at least this distance from all edges that do not end in it.
const BESIDE: f64 = 0.3;

/// A connected component and the positions of its nodes.
type Component = (Vec<usize>, Vec<(f64, f64)>);

/// Returns the position of each node as `(x, y)`, where y increases downwards. The distance between adjacent nodes is
/// about 1.
pub(super) fn places(nodes: usize, edges: &[[usize; 2]]) -> Vec<(f64, f64)> {
    if let Some(columns) = grid_columns(nodes, edges) {
        return (0..nodes).map(|node| ((node % columns) as f64, (node / columns) as f64)).collect();
    }
    if nodes > MOST_NODES {
        return circle(nodes);
    }
    let graph = Graph::new(nodes, edges.iter().map(|&[a, b]| (a, b)));
    let mut parts: Vec<Component> = Vec::new();
    let mut known = vec![false; nodes];
    for start in 0..nodes {
        if known[start] {
            continue;
        }
        let steps = graph.distances([start], |_| true);
        let part: Vec<usize> = (0..nodes).filter(|&node| steps[node].is_some()).collect();
        for &node in &part {
            known[node] = true;
        }
        let places = place_part(&graph, &part);
        parts.push((part, places));
    }
    // Components are sorted by size, starting with the largest. The sort is stable, so components of equal size are
    // ordered by their first node.
    parts.sort_by_key(|(part, _)| std::cmp::Reverse(part.len()));
    shelve(nodes, &parts)
}

/// Computes positions for the nodes of a connected component.
fn place_part(graph: &Graph, part: &[usize]) -> Vec<(f64, f64)> {
    let wanted: Vec<Vec<f64>> = part
        .iter()
        .map(|&node| {
            let steps = graph.distances([node], |_| true);
            part.iter().map(|&other| steps[other].map_or(1.0, |steps| steps as f64)).collect()
        })
        .collect();
    let ends: usize = part.iter().map(|&node| graph.neighbours(node).len()).sum();
    if ends > 2 * DENSE * part.len() && part.len() <= MOST_ON_CIRCLE {
        let past_one = 1.0 - (TAU / part.len() as f64).cos();
        return ring(part.len(), (part.len() as f64 / TAU).max(BESIDE / past_one));
    }
    let mut places = circle(part.len());
    for _ in 0..ROUNDS {
        for node in 0..part.len() {
            let (x, y) = places[node];
            let (mut right, mut down, mut weights) = (0.0, 0.0, 0.0);
            for other in (0..part.len()).filter(|&other| other != node) {
                let wanted = wanted[node][other];
                let (dx, dy) = (x - places[other].0, y - places[other].1);
                let found = dx.hypot(dy).max(1e-9);
                let weight = wanted.powi(-2);
                right += weight * (places[other].0 + wanted * dx / found);
                down += weight * (places[other].1 + wanted * dy / found);
                weights += weight;
            }
            if weights > 0.0 {
                places[node] = (right / weights, down / weights);
            }
        }
    }
    spread(places)
}

/// Arranges components in rows that are no wider than the first component.
fn shelve(nodes: usize, parts: &[Component]) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0); nodes];
    let (mut width, mut left, mut top, mut bottom) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for (part, of_part) in parts {
        let least = |of: fn(&(f64, f64)) -> f64| of_part.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| of_part.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (x, y) = (least(|place| place.0), least(|place| place.1));
        let (wide, high) = (most(|place| place.0) - x, most(|place| place.1) - y);
        if left > 0.0 && left + wide > width {
            (left, top) = (0.0, bottom + 1.0);
        }
        for (&node, place) in part.iter().zip(of_part) {
            places[node] = (place.0 - x + left, place.1 - y + top);
        }
        width = width.max(left + wide);
        bottom = bottom.max(top + high);
        left += wide + 1.0;
    }
    places
}

/// If the graph is a subgraph of a grid whose nodes are numbered row by row, returns the number of columns. The grid
/// must have at least two rows.
pub(super) fn grid_columns(nodes: usize, edges: &[[usize; 2]]) -> Option<usize> {
    let columns = edges.iter().map(|[a, b]| a.abs_diff(*b)).max().filter(|&columns| columns > 1)?;
    let neighbours = |[a, b]: &[usize; 2]| match a.abs_diff(*b) {
        1 => a.max(b) % columns != 0,
        step => step == columns,
    };
    (nodes > columns && nodes.is_multiple_of(columns) && edges.iter().all(neighbours)).then_some(columns)
}

/// Places all nodes on a circle. The distance between consecutive nodes is about 1.
fn circle(nodes: usize) -> Vec<(f64, f64)> {
    ring(nodes, nodes as f64 / TAU)
}

/// Places nodes on a circle of the given radius, clockwise from the top.
fn ring(nodes: usize, radius: f64) -> Vec<(f64, f64)> {
    let place = |node: usize| {
        let (sine, cosine) = (TAU * node as f64 / nodes as f64).sin_cos();
        (radius * sine, -radius * cosine)
    };
    (0..nodes).map(place).collect()
}

/// Enlarges the drawing if two nodes are too close to each other.
fn spread(mut places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    const NEAREST: f64 = 0.9;
    const MOST: f64 = 1.8;
    let mut nearest = f64::MAX;
    for (index, a) in places.iter().enumerate() {
        for b in &places[..index] {
            nearest = nearest.min((a.0 - b.0).hypot(a.1 - b.1));
        }
    }
    if nearest < NEAREST {
        let factor = (NEAREST / nearest.max(1e-9)).min(MOST);
        for place in &mut places {
            *place = (place.0 * factor, place.1 * factor);
        }
    }
    places
}

#[cfg(test)]
mod tests;
