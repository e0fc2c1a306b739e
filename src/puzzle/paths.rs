//! Simple paths in a graph as constraints: what Numberlink and the labyrinth have in common.
//!
//! A literal for each edge says that a path takes it, one for each vertex that a path passes it. Degrees make paths and
//! rings of the edges taken; [`no_rings`] leaves the paths.

use std::sync::Arc;

use gordian_encodings::constraint::{Cardinality, Clause, Connected};
use gordian_encodings::{Graph, Lit, Model, TRUE};

/// Two vertices, the lower number first, and whether a path steps from one to the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) taken: Lit,
}

/// Two of the steps at a vertex are taken if it is used, and none if not.
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

/// Every used vertex is joined with one of `ends` by steps that are taken. Where each used vertex but the ends of paths
/// has two steps, this leaves no ring.
///
/// The graph of the constraint has a root, which is beside all ends, the vertices, and one more vertex on each step.
pub(super) fn no_rings(used: &[Lit], steps: &[Step], ends: &[usize]) -> Connected {
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
