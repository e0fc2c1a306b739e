//! Parent trees: every vertex of the set but one has a parent in the set, one level above.
//!
//! `p[u][v]` says that u is the parent of v, for each edge and both ways; `r[v]` that v is the root; a level from 0 to D
//! belongs to each vertex.
//!
//! * `x[v] -> r[v] or p[u1][v] or ..` for the neighbours u; at most one root;
//! * `p[u][v] -> x[u]`;
//! * `p[u][v] -> level(u) < level(v)`, so that parents can't go in a circle.
//!
//! A vertex whose literal is certain is the root. Where there is none, the root is free, and can be the centre: of m
//! vertices that are connected, no one is more than m/2 steps from a centre. So D is m-1, or m/2, or what the model
//! promises ([`Connected::diameter`]), whatever is least.
//!
//! For two vertices a and b with an edge: `a -> ra or pba`, `b -> rb or pab`, `-ra -rb`, `pab -> a`, `pba -> b`, and
//! levels that differ by the parent's being less.
//!
//! Size for n vertices that can be in the set: n variables and the size of their at-most-one for the root, unless one is
//! certain; a clause for each vertex but the certain root; for each edge and both ways, but not into a certain root, a
//! variable, a clause, or none if the parent is certain, and those of the comparison: `tree` has the levels in order view,
//! with D+1 clauses for each comparison, one for that with a certain root; `tree-log` has them in log view, with the adders
//! of `level(u) - level(v) <= -1`. Strength: search; whether parents can be
//! found, even for a given set, is not decided by unit propagation. The number of solutions is lost: there are many trees.
//!
//! Redundant clauses: levels that all others are below; parents and levels of sets so small that any tree will do; in
//! `tree-log`, that the level of a parent that can only be a child differs.
//!
//! Paper: Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA 2014, which compares levels in unary and in
//! binary; trees for puzzles are folklore. Differs from it in the root that is free to be the centre.
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
//! // 3 and 6 are the roots, 5 and 8 the parents, 4 and 7 the levels: `level <= 0`.
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
/// Levels in order view.
pub static TREE: Encoding<Connected> = Encoding {
    name: "tree",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    applies: always,
    encode: |constraint, sink| encode(constraint, above_in_order, sink),
};

/// Levels in log view.
pub static TREE_LOG: Encoding<Connected> = Encoding {
    name: "tree-log",
    paper: PAPER,
    strength: Strength::Search,
    count: ModelCount::Lost,
    applies: always,
    encode: |constraint, sink| encode(constraint, above_in_log, sink),
};

/// The vertices that can be in the set, one of them that certainly is, and the deepest level; `None` where there is
/// nothing to say.
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

/// `condition -> upper < lower`
fn above_in_order(condition: Lit, upper: IntVar, lower: IntVar, sink: &mut Sink<'_>) {
    let deepest = sink.domains().of(upper).max();
    for level in 0..=deepest {
        let (at_least, below) = (sink.at_least(upper, level), sink.at_least(lower, level + 1));
        sink.clause(&[!condition, !at_least, below]);
    }
}

fn above_in_log(condition: Lit, upper: IntVar, lower: IntVar, sink: &mut Sink<'_>) {
    let above = is_above(upper, lower).normal(sink.domains());
    adder::write(&above, &mut sink.when(condition));
}
