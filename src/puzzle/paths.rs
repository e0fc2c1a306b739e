//! Simple paths in a graph as constraints, shared by Numberlink and Labyrinth.
//!
//! Each edge has a literal that is true if a path uses the edge, and each vertex has a literal that is true if a path
//! visits the vertex. If the degree constraints hold, the used edges form paths and cycles. The constraint of
//! [`subtour_elimination`] excludes the cycles.

use std::sync::Arc;

use gordian_encodings::constraint::{Cardinality, Clause, Connected};
use gordian_encodings::{Graph, Lit, Model, TRUE};

use super::plain::Plain;

/// A possible step of a path between the vertices `a` and `b`, where `a < b`. The literal `taken` is true if a path
/// takes the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) taken: Lit,
}

/// Posts the constraint that paths take exactly two steps at a used vertex, and no steps at an unused vertex.
pub(super) fn pass_through(model: &mut Model, name: String, used: Lit, steps: &[Lit]) {
    for (index, &step) in steps.iter().enumerate() {
        let mut others = steps.to_vec();
        others[index] = !used;
        model.post(Clause::new(others));
        model.post(Clause::new([!step, used]));
    }
    if steps.is_empty() {
        model.post(Clause::new([!used]));
    }
    model.post_as(name, Cardinality::at_most(steps, 2));
}

/// Adds a rule to a plain formulation: paths take two steps at a vertex, or none. Returns the literal that is true if
/// a path uses the vertex.
pub(super) fn two_or_none(
    plain: &mut Plain,
    family: &'static str,
    name: String,
    cells: Vec<usize>,
    steps: &[Lit],
) -> Lit {
    let used = plain.model.boolean();
    for &step in steps {
        plain.define(Clause::new([!step, used]));
    }
    plain.define(Clause::new([steps, &[!used]].concat()));
    let rule = plain.rule(family, name, cells);
    plain.post(rule, Cardinality::at_most(steps, 2));
    for index in 0..steps.len() {
        let mut clause = steps.to_vec();
        clause[index] = !clause[index];
        plain.post(rule, Clause::new(clause));
    }
    used
}

/// Returns the constraint that the steps of the paths connect every used vertex with one of `ends`. Together with the
/// degree constraints, this constraint excludes cycles.
///
/// The graph of the constraint consists of the vertices, one additional vertex on each step, and a root that is
/// adjacent to all ends.
pub(super) fn subtour_elimination(used: &[Lit], steps: &[Step], ends: &[usize]) -> Connected {
    let vertex = |vertex: usize| 1 + vertex;
    let first_step = 1 + used.len();
    let edges = (first_step..)
        .zip(steps)
        .flat_map(|(step, &Step { a, b, .. })| [(vertex(a), step), (vertex(b), step)])
        .chain(ends.iter().map(|&end| (0, vertex(end))));
    let graph = Graph::new(first_step + steps.len(), edges);
    let taken = steps.iter().map(|step| step.taken);
    let vertices: Vec<Lit> = [TRUE].into_iter().chain(used.iter().copied()).chain(taken).collect();
    Connected::new(Arc::new(graph), vertices)
}
