//! Encodes the components constraint by the distances of the vertices from the roots.
//!
//! The literal `d[r,k,v]` is true if a path of at most k edges within the set leads from the root r to the vertex v:
//! `d[r,0,r]` is `x[r]`, and `d[r,k,v] <-> x[v] and (d[r,k-1,v] or d[r,k-1,u] for a neighbour u of v)`. If n vertices
//! can be in the set, `d[r,n-1,v]` is true if and only if v is in the component of r. The components constraint is the
//! conjunction of the following constraints, so its negation is encoded as the negation of this conjunction:
//!
//! * `x[r]` for each root r;
//! * `x[v] -> d[r,n-1,v] for some root r` for each vertex v;
//! * `-d[r,n-1,s]` for any two roots r and s;
//! * exactly `size[r]` of the literals `d[r,n-1,v]` hold, for each root r with a size.
//!
//! Example: for the path a - b with the root a, `d[a,1,b]` is `a and b`, and the clauses are `a` and `b -> d[a,1,b]`.
//!
//! Asymptotic size for m edges and q roots: O(q n²) variables, O(q n (n + m)) clauses, and the clauses of the
//! cardinality constraints. Strength: checks total assignments only; if the constraint is negated, the solver may have
//! to try values of auxiliary variables. With `Encodings::keep_count`, the encoding preserves the number of solutions.
//!
//! The definition of `d[r,k,v]` contains redundant clauses if the literal occurs with only one sign, or if no path
//! can reach v.
//!
//! Paper: no known paper covers components with roots. The literals `d[r,k,v]` unroll paths step by step, as in
//! bounded reachability: Biere, Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*, TACAS 1999.
//!
//! Unlike in the paper, the transition relation is an undirected graph in which each vertex has a literal.
//!
//! ```
//! use gordian_encodings::constraint::Components;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let lits: Vec<_> = (0..2).map(|_| model.boolean()).collect();
//! model.post(Components::new(Arc::new(Graph::new(2, [(0, 1)])), lits, [(0, None)]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // Variables 1 and 2 are a and b, 3 is d[a,1,b].
//! assert_eq!(cnf.to_string(), "-3 2 0\n-3 1 0\n-2 -1 3 0\n1 0\n3 -2 0\n");
//! ```

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Cardinality, Clause, Components, Conjunction, Constraint};
use crate::graph::Graph;
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// Encodes components with distances from the roots.
pub static DISTANCES: Encoding<Components> = Encoding {
    name: "distances",
    paper: "none: distances from the roots, unrolled",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode,
};

fn encode(components: &Components, sink: &mut Sink<'_>) {
    let Components { vertices, roots, .. } = components;
    let mut conditions: Vec<Arc<dyn Constraint>> = Vec::new();
    let mut component_of = vec![Vec::new(); vertices.len()];
    for &(root, size) in roots {
        let members = vertices.iter().filter(|&&lit| lit != FALSE).count();
        let reached = reached(&components.graph, vertices, root, members.saturating_sub(1), sink);
        conditions.push(Arc::new(Clause::new([vertices[root]])));
        for &(other, _) in roots.iter().filter(|&&(other, _)| other != root) {
            conditions.push(Arc::new(Clause::new([!reached[other]])));
        }
        for (lits, &lit) in component_of.iter_mut().zip(&reached) {
            lits.push(lit);
        }
        if let Some(size) = size {
            conditions.push(Arc::new(Cardinality::exactly(reached, size)));
        }
    }
    for (&on, mut lits) in vertices.iter().zip(component_of) {
        lits.push(!on);
        conditions.push(Arc::new(Clause::new(lits)));
    }
    let conditions = Conjunction::new(conditions);
    if components.holds {
        sink.post(&conditions);
    } else {
        let negation = conditions.negation(sink.domains());
        sink.post(&*negation);
    }
}

/// Returns, for each vertex, the literal that is true if a path of at most `steps` edges within the set leads to it from
/// the root.
pub(super) fn reached(
    graph: &Graph,
    vertices: &[Lit],
    root: usize,
    steps: usize,
    sink: &mut Sink<'_>,
) -> Vec<Lit> {
    let mut reached = vec![FALSE; vertices.len()];
    reached[root] = vertices[root];
    for _ in 0..steps {
        let mut next = reached.clone();
        for vertex in 0..vertices.len() {
            let near = graph.neighbours(vertex).iter().map(|&near| reached[near]);
            let sources: Vec<Lit> = near.chain([reached[vertex]]).filter(|&lit| lit != FALSE).collect();
            if vertex != root && !sources.is_empty() {
                let source = sink.or(&sources);
                next[vertex] = sink.and(&[vertices[vertex], source]);
            }
        }
        reached = next;
    }
    reached
}
