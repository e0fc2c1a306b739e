//! Encodes linear constraints with decision diagrams. Each node stands for a constraint that remains after the first
//! variables are assigned.
//!
//! A node for ladder i represents the inequalities `sum of the ladders from i on <= k` for all k in an interval. These
//! inequalities have the same solutions. A ladder represents a number in unary, as in `inequality.rs`. Each node for
//! ladder i has an edge for each step of the ladder: `node, step -> child`. If the ladder reaches the step, the child
//! represents the rest of the constraint. Consecutive steps with the same child share one edge. The first edge is for
//! the value 0 of the ladder. This value has no step, so the clause is `node -> child`.
//!
//! Example: for `2 a + b + c <= 2`, the root r has the clause `r, a -> n`, where the node n represents `b + c <= 0`. If
//! a is false, `2 a + b + c <= 2` always holds. The node n has the clauses `n -> -b` and `n -> m`. The node m has the
//! clause `m -> -c`, so m is the literal `-c` itself.
//!
//! Asymptotic size: a variable for each node, and a clause for each edge to a node whose constraint does not always
//! hold. For n literals, there are at most `n * min(bound + 1, 2^n)` nodes, and far fewer if coefficients repeat. A
//! node needs no variable if it has a single edge, or if one step decides the constraint. Strength: domain consistent
//! for `<=` and `>=`; `=` and `!=` check total assignments only. `Encodings::keep_count` adds the clauses `child,
//! -(next step) -> node`, which preserve the number of solutions.
//!
//! Derivation in proofs: a node is defined by the inequality for the largest k of its interval. The order of the steps
//! of a ladder follows from the formula.
//!
//! A ladder that reaches a step also reaches all lower steps. The clause `node, step -> child` is therefore redundant
//! if the edges for lower steps of the node's parents already imply it. In a disequality, a clause of one inequality
//! may be redundant because every assignment that violates the clause satisfies the other inequality.
//!
//! Paper: Een, Sorensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006; for the intervals, Abio,
//! Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: *A new look at BDDs for pseudo-Boolean constraints*,
//! JAIR 45, 2012; for integers, Abio, Stuckey: *Encoding linear constraints into SAT*, CP 2014. Unlike in these
//! papers, each edge takes only one clause, because the constraint is monotone.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::decision_diagram::DECISION_DIAGRAM;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Linear::at_most([(2, a.into()), (1, b.into()), (1, c.into())], 2));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&DECISION_DIAGRAM), &mut cnf);
//! // Variable 4 is n, and 5 is the root r.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-4 -3 0", "-4 -2 0", "-5 -1 4 0", "5 0"]);
//! ```

use std::collections::BTreeMap;

use super::inequality::{self, Inequality, Ladder, top};
use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Linear, Term};
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes linear constraints with decision diagrams.
pub static DECISION_DIAGRAM: Encoding<Linear> = Encoding {
    name: "bdd",
    paper: "Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs for pseudo-Boolean \
            constraints, JAIR 45, 2012",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: true,
    applies: |linear, domains| inequality::applies(linear, domains) && edges(linear, domains) <= MAX_EDGES,
    encode: |linear, sink| inequality::each(linear, sink, write),
};

/// The encoding applies if the diagram has at most this many edges.
const MAX_EDGES: u128 = 1 << 22;

/// Returns an upper bound on the number of edges, computed without building the diagram. Nodes for the last ladder are
/// literals of the ladder, so they have no edges.
pub(crate) fn edges(linear: &Linear, domains: Domains<'_>) -> u128 {
    let levels = levels(linear, domains);
    levels
        .split_last()
        .map_or(0, |(_, levels)| levels.iter().fold(0, |sum, &level| sum.saturating_add(level)))
}

/// Returns an upper bound on the number of pairs `(node, v)`, where v is a value of the node's ladder.
pub(crate) fn pairs(linear: &Linear, domains: Domains<'_>) -> u128 {
    levels(linear, domains).into_iter().fold(0, u128::saturating_add)
}

/// Returns an upper bound on the number of pairs `(node, v)` for each level of the diagram, where v is a value of the
/// node's ladder.
fn levels(linear: &Linear, domains: Domains<'_>) -> Vec<u128> {
    let term =
        |&(coefficient, term): &(i128, Term)| (term.spread(coefficient, domains), term.values(domains));
    let mut terms: Vec<_> = linear.terms.iter().map(term).collect();
    terms.sort_unstable_by(|a, b| b.cmp(a));
    let mut rest: u128 = terms.iter().fold(0, |sum, &(spread, _)| sum.saturating_add(spread));
    let mut nodes = 1_u128;
    let mut levels = Vec::with_capacity(terms.len());
    for (spread, values) in terms {
        // The number of nodes on a level is at most the number of paths to the level, and at most `rest + 1`, the
        // number of bounds from 0 to the maximum of the remaining sum.
        nodes = nodes.min(rest.saturating_add(1));
        nodes = nodes.saturating_mul(values);
        levels.push(nodes);
        rest -= spread;
    }
    levels
}

/// A node of the diagram. The literal of the node states that the sum of the remaining ladders is at most k, for all k
/// from `first` to `last`.
#[derive(Debug, Clone, Copy)]
struct Node {
    first: i128,
    last: i128,
    lit: Lit,
}

struct Diagram<'a> {
    ladders: &'a [Ladder],
    /// For each level, the maximum sum of the ladders from this level on.
    rest: Vec<i128>,
    /// The nodes of each level, indexed by their smallest k.
    nodes: Vec<BTreeMap<i128, Node>>,
}

fn write(inequality: &Inequality, sink: &mut Sink<'_>) {
    let ladders = &inequality.ladders;
    let mut rest = vec![0; ladders.len() + 1];
    for (index, ladder) in ladders.iter().enumerate().rev() {
        rest[index] = rest[index + 1] + top(ladder) as i128;
    }
    let mut diagram = Diagram { ladders, rest, nodes: vec![BTreeMap::new(); ladders.len()] };
    let root = diagram.node(0, inequality.most as i128, &mut sink.always());
    sink.clause(&[root.lit]);
}

impl Diagram<'_> {
    fn node(&mut self, level: usize, k: i128, sink: &mut Sink<'_>) -> Node {
        if k < 0 {
            return Node { first: i128::MIN, last: -1, lit: FALSE };
        }
        if k >= self.rest[level] {
            return Node { first: self.rest[level], last: i128::MAX, lit: TRUE };
        }
        let below = self.nodes[level].range(..=k).next_back().map(|(_, &node)| node);
        if let Some(node) = below.filter(|node| k <= node.last) {
            return node;
        }
        let (ladders, rest) = (self.ladders, self.rest[level + 1]);
        let ladder = &ladders[level];
        let step =
            |index: usize| index.checked_sub(1).map_or((0, TRUE), |i| (ladder[i].0 as i128, ladder[i].1));
        let up_to = |most: i128| 1 + ladder.partition_point(|&(weight, _)| weight as i128 <= most);
        // If the ladder does not reach step `open`, the remaining constraint always holds. If the ladder reaches step
        // `closed`, the remaining constraint never holds.
        let (open, closed) = (if k < rest { 0 } else { up_to(k - rest) }, up_to(k));
        let (mut first, mut last) = (i128::MIN, i128::MAX);
        // The edges of the node, each with the literal of its step and the literal of its child.
        let mut edges: Vec<(Lit, Lit)> = Vec::new();
        if open > 0 {
            first = rest + step(open - 1).0;
            edges.push((TRUE, TRUE));
        }
        for index in open..closed {
            let (weight, step) = step(index);
            let child = self.node(level + 1, k - weight, sink);
            first = first.max(child.first.saturating_add(weight));
            last = last.min(child.last.saturating_add(weight));
            if edges.last().is_none_or(|&(_, lit)| lit != child.lit) {
                edges.push((step, child.lit));
            }
        }
        if closed <= ladder.len() {
            let (weight, step) = step(closed);
            last = last.min(weight - 1);
            edges.push((step, FALSE));
        }
        let lit = match edges[..] {
            [(_, child)] => child,
            // If the ladder does not reach the step, the remaining constraint always holds. If the ladder reaches the
            // step, the remaining constraint never holds.
            [(_, TRUE), (step, FALSE)] => !step,
            _ => self.define(level, last, &edges, sink),
        };
        let node = Node { first, last, lit };
        self.nodes[level].insert(first, node);
        node
    }

    /// Creates the literal of a node on a level. The literal represents `remaining sum <= last`.
    fn define(&self, level: usize, last: i128, edges: &[(Lit, Lit)], sink: &mut Sink<'_>) -> Lit {
        let node = sink.fresh();
        if sink.is_logged() {
            let mut terms: Vec<(i128, Lit)> = Vec::new();
            for ladder in &self.ladders[level..] {
                let mut before = 0;
                for &(weight, step) in ladder {
                    terms.push((weight as i128 - before, step));
                    before = weight as i128;
                }
            }
            sink.stands_for_sum(!node, &terms, last + 1);
        }
        for &(step, child) in edges {
            sink.clause(&[!node, !step, child]);
        }
        if sink.keeps_count() {
            for (index, &(_, child)) in edges.iter().enumerate() {
                let next = edges.get(index + 1).map_or(FALSE, |&(step, _)| step);
                sink.clause(&[!child, next, node]);
            }
        }
        node
    }
}
