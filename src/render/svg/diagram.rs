//! Draws diagrams as SVG.

use super::ADVANCE;
use super::canvas::Canvas;
use crate::render::layout;
use crate::render::scene::{Diagram, DiagramEdge, DiagramNode, Highlight, Role};

/// The distance between neighbouring nodes in a picture.
const STEP: f64 = 80.0;
const RADIUS: f64 = 18.0;
const LABEL: f64 = 16.0;
/// The font size of the label of a connection.
const COST: f64 = LABEL * 0.9;
/// The maximum number of labels whose positions are optimised. If there are more labels, each label is placed in the
/// middle of its connection.
const MOST_COMPARED: usize = 1000;
/// The possible positions of a label along its connection, from 0 to 1, starting with the preferred position.
const ALONG: [f64; 13] = [0.5, 0.44, 0.56, 0.38, 0.62, 0.33, 0.67, 0.28, 0.72, 0.23, 0.77, 0.18, 0.82];

/// Draws a diagram as SVG, and returns its size.
pub(super) fn draw(canvas: &mut Canvas, diagram: &Diagram) -> (f64, f64) {
    let edges = || diagram.connections.iter().map(|connection| connection.between).collect::<Vec<_>>();
    let places = diagram.places.clone().unwrap_or_else(|| layout::places(diagram.nodes.len(), &edges()));
    let least = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    if places.is_empty() {
        return (0.0, 0.0);
    }
    let (left, top) = (least(|place| place.0), least(|place| place.1));
    let (right, bottom) = (most(|place| place.0), most(|place| place.1));
    // The margin for the outermost circles and their borders.
    let edge = RADIUS + 2.0;
    let place = |node: usize| {
        let (x, y) = places[node];
        ((x - left) * STEP + edge, (y - top) * STEP + edge)
    };
    // The connections of the solution are drawn on top of all others.
    for taken in [false, true] {
        for connection in diagram.connections.iter().filter(|connection| connection.taken == taken) {
            connect(canvas, connection, place);
        }
    }
    let nodes: Vec<_> = (0..diagram.nodes.len()).map(place).collect();
    for (label, at) in labels(diagram, &nodes) {
        canvas.centred(at, COST, "cost", label);
    }
    for (index, node) in diagram.nodes.iter().enumerate() {
        put(canvas, node, place(index));
    }
    ((right - left) * STEP + 2.0 * edge, (bottom - top) * STEP + 2.0 * edge)
}

/// Places the labels of connections one after the other. Each label is placed where it overlaps least with the nodes
/// and the earlier labels. The labels of the solution's connections are placed first.
fn labels<'a>(diagram: &'a Diagram, nodes: &[(f64, f64)]) -> Vec<(&'a str, (f64, f64))> {
    let mut placed: Vec<(&str, (f64, f64))> = Vec::new();
    let count = diagram.connections.iter().filter(|connection| connection.label.is_some()).count();
    let along = if count > MOST_COMPARED { &ALONG[..1] } else { &ALONG[..] };
    let half = |label: &str| (ADVANCE * COST * label.chars().count() as f64 / 2.0, COST / 2.0);
    // Returns the overlap of two intervals with the centres `a` and `b`. The argument `halves` is half the sum of the
    // interval lengths.
    let overlap = |a: f64, b: f64, halves: f64| (halves - (a - b).abs()).max(0.0);
    for taken in [true, false] {
        for connection in diagram.connections.iter().filter(|connection| connection.taken == taken) {
            let Some(label) = &connection.label else { continue };
            let ((x1, y1), (x2, y2)) = (nodes[connection.between[0]], nodes[connection.between[1]]);
            let (wide, high) = half(label);
            let covered = |(x, y): (f64, f64)| {
                let by_labels = placed.iter().map(|(other, at)| {
                    let (their_wide, their_high) = half(other);
                    overlap(x, at.0, wide + their_wide) * overlap(y, at.1, high + their_high)
                });
                let by_nodes = nodes
                    .iter()
                    .map(|node| overlap(x, node.0, wide + RADIUS) * overlap(y, node.1, high + RADIUS));
                by_labels.chain(by_nodes).sum::<f64>()
            };
            let mut places = along.iter().map(|along| (x1 + along * (x2 - x1), y1 + along * (y2 - y1)));
            let best = match along {
                [_] => places.next(),
                // The first position with the smallest overlap is chosen.
                _ => places.map(|at| (covered(at), at)).min_by(|a, b| a.0.total_cmp(&b.0)).map(|best| best.1),
            };
            placed.extend(best.map(|at| (label.as_str(), at)));
        }
    }
    placed
}

fn connect(canvas: &mut Canvas, connection: &DiagramEdge, place: impl Fn(usize) -> (f64, f64)) {
    let class = match (connection.taken, connection.highlight) {
        (false, _) => "connection",
        (true, Highlight::Differs) => "connection taken differs",
        (true, _) => "connection taken",
    };
    let [a, b] = connection.between;
    canvas.line(place(a), place(b), class);
}

fn put(canvas: &mut Canvas, node: &DiagramNode, at: (f64, f64)) {
    let class = match (node.role, node.highlight) {
        (Role::Given, _) => "node given",
        (_, Highlight::Differs) => "node differs",
        (Role::Mark, _) => "node mark",
        _ => "node",
    };
    canvas.circle(at, RADIUS, class, None);
    if let Some(heat) = node.heat {
        canvas.circle(at, RADIUS - 1.0, "heat", Some(&super::board::heat_colour(heat)));
    }
    if !node.label.is_empty() {
        let fits = 1.7 * RADIUS / (ADVANCE * node.label.chars().count() as f64);
        let class = if node.role == Role::Given { "inverse" } else { "plain" };
        canvas.centred(at, LABEL.min(fits), class, &node.label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_a_dense_graph_stand_apart() {
        let count = 9;
        let edges = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let connections: Vec<_> =
            edges.map(|edge| DiagramEdge::new(edge).labelled("10").taken(edge[1] == edge[0] + 1)).collect();
        let nodes = (0..count).map(|node| DiagramNode::new(node.to_string(), Role::Plain)).collect();
        let pairs: Vec<_> = connections.iter().map(|connection| connection.between).collect();
        let places: Vec<_> =
            layout::places(count, &pairs).into_iter().map(|(x, y)| (x * STEP, y * STEP)).collect();
        let diagram = Diagram::new(nodes, connections);
        let labels = labels(&diagram, &places);
        assert_eq!(labels.len(), pairs.len());
        let (wide, high) = (2.0 * ADVANCE * COST, COST);
        for (index, (_, a)) in labels.iter().enumerate() {
            for (_, b) in &labels[..index] {
                let apart = (a.0 - b.0).abs() >= wide || (a.1 - b.1).abs() >= high;
                assert!(apart, "{a:?} and {b:?}");
            }
        }
    }
}
