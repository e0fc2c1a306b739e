//! Nodes and connections.

use super::ADVANCE;
use super::canvas::Canvas;
use crate::render::layout;
use crate::render::scene::{Connection, Diagram, Node, Role, Stress};

/// How far neighbours are apart.
const STEP: f64 = 80.0;
const RADIUS: f64 = 18.0;
const LABEL: f64 = 16.0;

/// Draws a diagram; how much room it takes.
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
    // Room for the outermost circles and their borders.
    let edge = RADIUS + 2.0;
    let place = |node: usize| {
        let (x, y) = places[node];
        ((x - left) * STEP + edge, (y - top) * STEP + edge)
    };
    // What is part of the answer lies above what is not.
    for taken in [false, true] {
        for connection in diagram.connections.iter().filter(|connection| connection.taken == taken) {
            connect(canvas, connection, place);
        }
    }
    for connection in &diagram.connections {
        if let Some(label) = &connection.label {
            let ((x1, y1), (x2, y2)) = (place(connection.between[0]), place(connection.between[1]));
            canvas.centred((x1.midpoint(x2), y1.midpoint(y2)), LABEL * 0.9, "cost", label);
        }
    }
    for (index, node) in diagram.nodes.iter().enumerate() {
        put(canvas, node, place(index));
    }
    ((right - left) * STEP + 2.0 * edge, (bottom - top) * STEP + 2.0 * edge)
}

fn connect(canvas: &mut Canvas, connection: &Connection, place: impl Fn(usize) -> (f64, f64)) {
    let class = match (connection.taken, connection.stress) {
        (false, _) => "connection",
        (true, Stress::Differs) => "connection taken differs",
        (true, _) => "connection taken",
    };
    let [a, b] = connection.between;
    canvas.line(place(a), place(b), class);
}

fn put(canvas: &mut Canvas, node: &Node, at: (f64, f64)) {
    let class = match (node.role, node.stress) {
        (Role::Given, _) => "node given",
        (_, Stress::Differs) => "node differs",
        (Role::Mark, _) => "node mark",
        _ => "node",
    };
    canvas.circle(at, RADIUS, class, None);
    if !node.label.is_empty() {
        let fits = 1.7 * RADIUS / (ADVANCE * node.label.chars().count() as f64);
        let class = if node.role == Role::Given { "inverse" } else { "plain" };
        canvas.centred(at, LABEL.min(fits), class, &node.label);
    }
}
