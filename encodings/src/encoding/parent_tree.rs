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
//! `tree` has the levels in order view: n D variables and D clauses for each directed edge. `tree-log` has them in log
//! view: n log D variables, and a comparison of about 21 log D clauses for each. Strength: search; whether parents can be
//! found, even for a given set, is not decided by unit propagation. The number of solutions is lost: there are many trees.
//!
//! Paper: Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA 2014, which compares levels in unary and in
//! binary; trees for puzzles are folklore. Differs from it in the root that is free to be the centre.

use super::{Count, Strength, Technique, adder, always};
use crate::constraint::{AtMostOne, Connected, Linear};
use crate::int::{Domain, IntVar};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

const PAPER: &str = "Gebser, Janhunen, Rintanen: SAT modulo graphs: acyclicity, JELIA 2014";
const REDUNDANT: &str = "parents and levels of sets so small that any tree will do";

/// Levels in order view.
pub static TREE: Technique<Connected> = Technique {
    name: "tree",
    paper: PAPER,
    strength: Strength::Search,
    count: Count::Lost,
    applies: always,
    size: None,
    redundant: Some(REDUNDANT),
    encode: |constraint, sink| encode(constraint, above_in_order, sink),
};

/// Levels in log view.
pub static TREE_LOG: Technique<Connected> = Technique {
    name: "tree-log",
    paper: PAPER,
    strength: Strength::Search,
    count: Count::Lost,
    applies: always,
    size: None,
    redundant: Some(REDUNDANT),
    encode: |constraint, sink| encode(constraint, above_in_log, sink),
};

fn encode(constraint: &Connected, above: fn(Lit, IntVar, IntVar, &mut Sink<'_>), sink: &mut Sink<'_>) {
    let Connected { graph, vertices, diameter, .. } = constraint;
    let members: Vec<usize> = (0..vertices.len()).filter(|&vertex| vertices[vertex] != FALSE).collect();
    if members.len() < 2 {
        return;
    }
    let certain = members.iter().copied().find(|&vertex| vertices[vertex] == TRUE);
    let depth = if certain.is_some() { members.len() - 1 } else { members.len() / 2 };
    let depth = diameter.map_or(depth, |steps| steps.min(depth)) as i128;
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
    let difference = [(1, upper.into()), (-1, lower.into())];
    adder::write(&Linear::at_most(difference, -1), &mut sink.when(condition));
}
