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

use super::inequality::{self, Inequality, Ladder};
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
    applies: |linear, domains| inequality::applies(linear, domains) && fits(linear, domains, MAX_EDGES),
    encode: |linear, sink| inequality::each(linear, sink, write),
};

/// The encoding applies if the diagram has at most this many edges.
const MAX_EDGES: u128 = 1 << 22;
/// If the upper bound on the number of edges exceeds the limit, the diagram is built to find out whether it has at most
/// this many edges.
const BUILT_UP_TO: u128 = 20_000;

/// Returns whether the diagram of each inequality has at most `limit` edges. Diagrams with more than
/// [`BUILT_UP_TO`] edges may be rejected because of an upper bound.
pub(crate) fn fits(linear: &Linear, domains: Domains<'_>, limit: u128) -> bool {
    let limit_to_build = limit.min(BUILT_UP_TO) as usize;
    edges(linear, domains) <= limit
        || inequality::applies(linear, domains)
            && inequality::weights(linear, domains)
                .iter()
                .all(|(weights, most)| Diagram::new(weights, *most, limit_to_build).is_some())
}

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

/// The end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Child {
    /// The remaining constraint never holds.
    False,
    /// The remaining constraint always holds.
    True,
    /// The remaining constraint holds if a ladder, given by its level, does not reach one of its steps.
    Below(usize, usize),
    /// The node with this index.
    Node(usize),
}

/// The child for the inequalities `sum of the remaining ladders <= k` for all k from `first` to `last`.
#[derive(Debug, Clone, Copy)]
struct Interval {
    first: i128,
    last: i128,
    child: Child,
}

/// A node with a variable, which stands for `sum of the ladders from the level on <= last`.
#[derive(Debug)]
struct Node {
    level: usize,
    last: i128,
    /// The edges, each with the step from which on it is taken. Step 0 is always reached.
    edges: Vec<(usize, Child)>,
}

/// The structure of a diagram, without literals.
#[derive(Debug)]
struct Diagram<'a> {
    /// The weights of the steps of each ladder.
    ladders: &'a [Vec<u128>],
    /// For each level, the maximum sum of the ladders from this level on.
    rest: Vec<i128>,
    /// The intervals of each level, indexed by their smallest k.
    intervals: Vec<BTreeMap<i128, Interval>>,
    /// The nodes. Children precede their parents.
    nodes: Vec<Node>,
    /// The number of edges that may still be added, including those that are merged with others.
    left: usize,
}

fn write(inequality: &Inequality, sink: &mut Sink<'_>) {
    let ladders = &inequality.ladders;
    let weights = |ladder: &Ladder| ladder.iter().map(|&(weight, _)| weight).collect();
    let weights: Vec<Vec<u128>> = ladders.iter().map(weights).collect();
    let (diagram, root) =
        Diagram::new(&weights, inequality.most, usize::MAX).expect("the number of edges is not limited");
    let mut lits: Vec<Lit> = Vec::with_capacity(diagram.nodes.len());
    for node in &diagram.nodes {
        let lit = define(node, ladders, &lits, &mut sink.always());
        lits.push(lit);
    }
    sink.clause(&[child_lit(root, ladders, &lits)]);
}

/// Returns the literal of a child, given the literals of the nodes so far.
fn child_lit(child: Child, ladders: &[Ladder], nodes: &[Lit]) -> Lit {
    match child {
        Child::False => FALSE,
        Child::True => TRUE,
        Child::Below(level, step) => !step_lit(&ladders[level], step),
        Child::Node(index) => nodes[index],
    }
}

/// Returns the literal of a step of a ladder.
fn step_lit(ladder: &Ladder, step: usize) -> Lit {
    step.checked_sub(1).map_or(TRUE, |index| ladder[index].1)
}

/// Creates and defines the literal of a node.
fn define(node: &Node, ladders: &[Ladder], nodes: &[Lit], sink: &mut Sink<'_>) -> Lit {
    let lit = sink.fresh();
    if sink.is_logged() {
        sink.stands_for_sum(!lit, &inequality::terms(&ladders[node.level..]), node.last + 1);
    }
    let ladder = &ladders[node.level];
    for &(step, child) in &node.edges {
        sink.clause(&[!lit, !step_lit(ladder, step), child_lit(child, ladders, nodes)]);
    }
    if sink.keeps_count() {
        for (index, &(_, child)) in node.edges.iter().enumerate() {
            let next = node.edges.get(index + 1).map_or(FALSE, |&(step, _)| step_lit(ladder, step));
            sink.clause(&[!child_lit(child, ladders, nodes), next, lit]);
        }
    }
    lit
}

impl<'a> Diagram<'a> {
    /// Builds the diagram of an inequality, and returns it with its root. The result is `None` if the diagram has more
    /// than `limit` edges, without counting those from the last level.
    fn new(ladders: &'a [Vec<u128>], most: u128, limit: usize) -> Option<(Self, Child)> {
        let mut rest = vec![0; ladders.len() + 1];
        for (index, ladder) in ladders.iter().enumerate().rev() {
            rest[index] = rest[index + 1] + ladder.last().map_or(0, |&top| top as i128);
        }
        let intervals = vec![BTreeMap::new(); ladders.len()];
        let mut diagram = Diagram { ladders, rest, intervals, nodes: Vec::new(), left: limit };
        let root = diagram.interval(0, most as i128)?.child;
        Some((diagram, root))
    }

    /// Returns the interval that contains k.
    fn interval(&mut self, level: usize, k: i128) -> Option<Interval> {
        if k < 0 {
            return Some(Interval { first: i128::MIN, last: -1, child: Child::False });
        }
        if k >= self.rest[level] {
            return Some(Interval { first: self.rest[level], last: i128::MAX, child: Child::True });
        }
        let below = self.intervals[level].range(..=k).next_back().map(|(_, &interval)| interval);
        if let Some(interval) = below.filter(|interval| k <= interval.last) {
            return Some(interval);
        }
        let (ladders, rest) = (self.ladders, self.rest[level + 1]);
        let ladder = &ladders[level];
        let weight = |step: usize| step.checked_sub(1).map_or(0, |index| ladder[index] as i128);
        let up_to = |most: i128| 1 + ladder.partition_point(|&weight| weight as i128 <= most);
        // If the ladder does not reach step `open`, the remaining constraint always holds. If the ladder reaches step
        // `closed`, the remaining constraint never holds.
        let (open, closed) = (if k < rest { 0 } else { up_to(k - rest) }, up_to(k));
        let is_last = level + 1 == ladders.len();
        let more = closed - open + usize::from(open > 0) + usize::from(closed <= ladder.len());
        self.left = self.left.checked_sub(if is_last { 0 } else { more })?;
        let (mut first, mut last) = (i128::MIN, i128::MAX);
        let mut edges: Vec<(usize, Child)> = Vec::new();
        if open > 0 {
            first = rest + weight(open - 1);
            edges.push((0, Child::True));
        }
        for step in open..closed {
            let child = self.interval(level + 1, k - weight(step))?;
            first = first.max(child.first.saturating_add(weight(step)));
            last = last.min(child.last.saturating_add(weight(step)));
            if edges.last().is_none_or(|&(_, edge)| edge != child.child) {
                edges.push((step, child.child));
            }
        }
        if closed <= ladder.len() {
            last = last.min(weight(closed) - 1);
            edges.push((closed, Child::False));
        }
        let child = match edges[..] {
            [(_, child)] => child,
            // If the ladder does not reach the step, the remaining constraint always holds. If the ladder reaches the
            // step, the remaining constraint never holds.
            [(_, Child::True), (step, Child::False)] => Child::Below(level, step),
            _ => {
                self.nodes.push(Node { level, last, edges });
                Child::Node(self.nodes.len() - 1)
            }
        };
        let interval = Interval { first, last, child };
        self.intervals[level].insert(first, interval);
        Some(interval)
    }
}
