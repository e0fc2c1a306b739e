//! Encodes the constraint that each component of a set has a given size.
//!
//! * `distances`: the literal `d[r,k,v]` is true if a path of at most k edges within the set leads from the vertex r to
//!   the vertex v, as in the [encoding of components with roots](super::components). If r is in the set, exactly `size`
//!   of the literals `d[r,size,v]` hold. A larger component has more vertices than that within `size` steps. Size for n
//!   vertices and m edges: O(size n²) variables and O(size n (n + m)) clauses, and the clauses of the cardinality
//!   constraints. Strength: checks total assignments only.
//! * `propagator`: writes no clauses. At each fixpoint of unit propagation, the solver calls
//!   [`theory::component_size`](crate::theory::component_size). Strength: lazy.
//!
//! For the sizes 0, 1 and 2, both write clauses only: no vertex is in the set; no two neighbours are; each vertex of the
//! set has exactly one neighbour in the set.
//!
//! With `Encodings::keep_count`, the encodings preserve the number of solutions.
//!
//! Paper: no known paper covers `distances`, which unrolls paths step by step as in bounded reachability: Biere, Cimatti,
//! Clarke, Zhu: *Symbolic model checking without BDDs*, TACAS 1999. The propagator extends the connectivity propagator of
//! Bayless, Bayless, Hoos, Hu: *SAT modulo monotonic theories*, AAAI 2015, to sets with several components.
//!
//! ```
//! use gordian_encodings::constraint::ComponentSize;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let lits: Vec<_> = (0..3).map(|_| model.boolean()).collect();
//! model.post(ComponentSize::new(Arc::new(Graph::new(3, [(0, 1), (1, 2)])), lits, 2));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(cnf.to_string(), "-1 2 0\n-2 1 3 0\n-2 -1 -3 0\n-3 2 0\n");
//! ```

use std::sync::Arc;

use super::components::reached;
use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Cardinality, ComponentSize, Conjunction, Constraint, Reified};
use crate::lit::Lit;
use crate::sink::Sink;
use crate::theory::component_size::LazyComponentSize;

/// Encodes the sizes of components by the distances of vertices.
pub static DISTANCES: Encoding<ComponentSize> = Encoding {
    name: "distances",
    paper: "none: distances from each vertex, unrolled",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: super::always,
    encode: |constraint, sink| {
        if !small(constraint, sink) {
            distances(constraint, sink);
        }
    },
};

/// Leaves the sizes of components to a propagator.
pub static PROPAGATOR: Encoding<ComponentSize> = Encoding {
    name: "propagator",
    paper: "Bayless, Bayless, Hoos, Hu: SAT modulo monotonic theories, AAAI 2015",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: false,
    applies: |constraint, _| constraint.holds,
    encode: |constraint, sink| {
        if small(constraint, sink) {
            return;
        }
        let ComponentSize { graph, vertices, size, .. } = constraint;
        if !sink.is_conditional() {
            return sink.defer(LazyComponentSize::new(graph, vertices, *size));
        }
        // Without the condition, the set is empty.
        let conditions: Vec<Lit> = sink.conditions().iter().map(|&unless| !unless).collect();
        let condition = sink.and(&conditions);
        let vertices: Vec<Lit> = vertices.iter().map(|&vertex| sink.and(&[vertex, condition])).collect();
        sink.always().defer(LazyComponentSize::new(graph, &vertices, *size));
    },
};

/// Writes the clauses for components of at most two vertices. Returns `false` if the components are larger.
fn small(constraint: &ComponentSize, sink: &mut Sink<'_>) -> bool {
    let ComponentSize { graph, vertices, size, holds } = constraint;
    if *size > 2 || !holds {
        return false;
    }
    for (vertex, &lit) in vertices.iter().enumerate() {
        let near: Vec<Lit> = graph.neighbours(vertex).iter().map(|&near| vertices[near]).collect();
        match size {
            0 => sink.clause(&[!lit]),
            1 => {
                for &near in graph.neighbours(vertex).iter().filter(|&&near| near > vertex) {
                    sink.clause(&[!lit, !vertices[near]]);
                }
            }
            _ => {
                sink.clause_of(std::iter::once(!lit).chain(near.iter().copied()));
                for (index, &a) in near.iter().enumerate() {
                    for &b in &near[index + 1..] {
                        sink.clause(&[!lit, !a, !b]);
                    }
                }
            }
        }
    }
    true
}

fn distances(constraint: &ComponentSize, sink: &mut Sink<'_>) {
    let ComponentSize { graph, vertices, size, holds } = constraint;
    let sizes = (0..vertices.len()).map(|root| {
        let reached = reached(graph, vertices, root, *size, sink);
        Arc::new(Reified::implies(vertices[root], Cardinality::exactly(reached, *size)))
            as Arc<dyn Constraint>
    });
    let sizes = Conjunction::new(sizes.collect::<Vec<_>>());
    if *holds {
        sink.post(&sizes);
    } else {
        let negation = sizes.negation(sink.domains());
        sink.post(&*negation);
    }
}
