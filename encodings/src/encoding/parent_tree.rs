//! Encodes connectivity with a parent tree: every vertex of the set except the root has a parent in the set. The
//! level of the parent is smaller than the level of the vertex.
//!
//! Each edge {u, v} has the literals `p[u][v]` (u is the parent of v) and `p[v][u]`. Each vertex v has a literal
//! `r[v]` (v is the root) and a level from 0 to D. The clauses are:
//!
//! * `x[v] -> r[v] or p[u1][v] or ..` for the neighbours u1, .. of v; at most one vertex is the root;
//! * `p[u][v] -> x[u]`;
//! * `p[u][v] -> level(u) < level(v)`, which rules out cycles of parents.
//!
//! If the literal of some vertex is constantly true, that vertex is the root. If no literal is constantly true, the
//! root is free: it can be any vertex of the set, such as the centre of the set. In a connected graph with m vertices,
//! every vertex is at most m/2 steps from the centre. If m vertices can be in the set, D is therefore m-1 with a given
//! root, and m/2 with a free root. If the asserted diameter ([`Connected::diameter`]) is smaller than this bound, D is
//! the diameter.
//!
//! Example: for two adjacent vertices a and b, the clauses are `a -> ra or pba`, `b -> rb or pab`, `-ra or -rb`, `pab
//! -> a`, `pba -> b`, and the clauses of `pab -> level(a) < level(b)` and `pba -> level(b) < level(a)`.
//!
//! Size for n vertices that can be in the set: one clause for each vertex except a given root. Without a given root,
//! there are also n variables for the root and an at-most-one constraint over them. Each edge has two directions, or
//! only one if it is incident to a given root. Each direction has one variable, one comparison of levels, and one
//! clause `p[u][v] -> x[u]` (none if `x[u]` is constant). In `tree`, levels use the order view and a comparison has D+1
//! clauses (one clause if u is a given root). In `tree-log`, levels use the log view and a comparison is encoded with
//! the adder for `level(u) - level(v) <= -1`. Strength: search; even if all vertices of the set are given, unit
//! propagation does not decide whether the set has a parent tree. The encoding does not preserve the number of
//! solutions, because a connected set can have several parent trees.
//!
//! The level of a given root is always 0, so the comparisons with this level are redundant. In a small set in which
//! every choice of parents is a tree, the clauses on parents and levels are redundant. In `tree-log`, clauses on the
//! level of a vertex that can only be a leaf are redundant.
//!
//! Paper: Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA 2014, which compares levels in unary and
//! in binary. In puzzle solving, parent trees are folklore. Unlike in the paper, the root may be free, so the centre of
//! the set can be the root.
//!
//! ```
//! use gordian_encodings::constraint::Connected;
//! use gordian_encodings::encoding::parent_tree::TREE;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let [a, b] = [0; 2].map(|_| model.boolean());
//! let edge = Arc::new(Graph::new(2, [(0, 1)]));
//! model.post(Connected::new(edge, [a, b]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&TREE), &mut cnf);
//! // Variables 3 and 4 are ra and rb, 5 and 8 are pba and pab, and 6 and 7 are the bounds `level <= 0` of a and b.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 -4 0", "-5 2 0", "-5 -6 0", "-5 7 0", "-1 3 5 0", "-8 1 0", "-8 -7 0", "-8 6 0", "-2 4 8 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, adder, always};
use crate::constraint::{AtMostOne, Connected, Linear};
use crate::int::{Domain, IntVar};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

const PAPER: &str = "Gebser, Janhunen, Rintanen: SAT modulo graphs: acyclicity, JELIA 2014";
/// Encodes connectivity with a parent tree whose levels are in the order view.
pub static TREE: Encoding<Connected> = Encoding {
    name: "tree",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: always,
    encode: |constraint, sink| encode(constraint, above_in_order, sink),
};

/// Encodes connectivity with a parent tree whose levels are in the log view.
pub static TREE_LOG: Encoding<Connected> = Encoding {
    name: "tree-log",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    derived: false,
    applies: always,
    encode: |constraint, sink| encode(constraint, above_in_log, sink),
};

/// Returns the vertices that can be in the set, the given root (if any) and the maximum level. Returns `None` if at
/// most one vertex can be in the set.
fn members(constraint: &Connected) -> Option<(Vec<usize>, Option<usize>, i128)> {
    let members = constraint.members();
    let certain = constraint.root();
    let depth = if certain.is_some() { members.len().checked_sub(1)? } else { members.len() / 2 };
    let depth = constraint.diameter.map_or(depth, |steps| steps.min(depth)) as i128;
    (members.len() > 1).then_some((members, certain, depth))
}

fn is_above(upper: IntVar, lower: IntVar) -> Linear {
    Linear::at_most([(1, upper.into()), (-1, lower.into())], -1)
}

fn encode(constraint: &Connected, above: fn(Lit, IntVar, IntVar, &mut Sink<'_>), sink: &mut Sink<'_>) {
    let Connected { graph, vertices, .. } = constraint;
    let Some((members, certain, depth)) = members(constraint) else { return };
    let mut roots = vec![FALSE; vertices.len()];
    if let Some(root) = certain {
        roots[root] = TRUE;
    } else {
        for &vertex in &members {
            roots[vertex] = sink.fresh();
        }
        sink.post(&AtMostOne::new(members.iter().map(|&vertex| roots[vertex]).collect::<Vec<_>>()));
    }
    let mut levels: Vec<Option<IntVar>> = vec![None; vertices.len()];
    for &vertex in &members {
        let deepest = if roots[vertex] == TRUE { 0 } else { depth };
        levels[vertex] = Some(sink.integer(Domain::interval(0, deepest)));
    }
    for &child in &members {
        if roots[child] == TRUE {
            continue;
        }
        let mut ways = vec![!vertices[child], roots[child]];
        for &parent in graph.neighbours(child) {
            if let (Some(upper), Some(lower)) = (levels[parent], levels[child]) {
                let chosen = sink.fresh();
                sink.clause(&[!chosen, vertices[parent]]);
                above(chosen, upper, lower, sink);
                ways.push(chosen);
            }
        }
        sink.clause(&ways);
    }
}

/// Encodes `condition -> upper < lower` with the literals of the order views.
pub(super) fn above_in_order(condition: Lit, upper: IntVar, lower: IntVar, sink: &mut Sink<'_>) {
    let deepest = sink.domains().of(upper).max();
    for level in 0..=deepest {
        let (at_least, below) = (sink.at_least(upper, level), sink.at_least(lower, level + 1));
        sink.clause(&[!condition, !at_least, below]);
    }
}

/// Encodes `condition -> upper < lower` with an adder over the log views.
pub(super) fn above_in_log(condition: Lit, upper: IntVar, lower: IntVar, sink: &mut Sink<'_>) {
    let above = is_above(upper, lower).normal(sink.domains());
    adder::write(&above, &mut sink.when(condition));
}
