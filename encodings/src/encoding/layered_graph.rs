//! Encodes a constraint with a layered graph: each solution of the constraint is a path from the first layer to the
//! last. A path has one edge for each variable.
//!
//! A state summarises the values of the previous variables, for example as a partial sum or a partial product. All
//! values that lead from one state to the same next state share one edge, with a literal t. The literal s of a state
//! (or t of an edge) is true if and only if the path that corresponds to the assignment contains the state (or the
//! edge):
//!
//! * `t -> s` and `t -> s'` for an edge from s to s', and `t -> x=v or x=w or ..` for the values v, w, .. of the
//!   edge;
//! * `s -> t1 or t2 or ..` for the edges out of s, and the same for the edges into s;
//! * `x=v -> t1 or t2 or ..` for the edges with the value v.
//!
//! The encoding omits states without a path to the last layer, and merges states with the same outgoing paths. To
//! avoid equivalent literals, states, edges and values share literals. A state with one incoming edge shares the
//! literal of that edge. If a state has only one outgoing edge, the edge shares the literal of the state. An edge
//! with a single value shares the literal of the value, unless the value belongs to several edges.
//!
//! Example: for `x * y = 6` with x and y from 1 to 3, the states after x are 2 and 3, with the literals `x=2` and
//! `x=3`. The clauses are `-(x=1)`, `x=2 -> y=3`, `y=3 -> x=2`, `x=3 -> y=2`, `y=2 -> x=3` and `-(y=1)`.
//!
//! Size: asymptotically, a variable for each edge and each state, three clauses for each edge, two for each state and
//! one for each value, minus the variables and clauses of shared literals. Strength: domain consistent. The encoding
//! preserves the number of solutions.
//!
//! Paper: Abio, Gange, Mayer-Eichberger, Stuckey: *On CNF encodings of decision diagrams*, CPAIOR 2016 (the strongest
//! encoding of the paper); for layered graphs, see Pesant: *A regular language membership constraint*, CP 2004, and for
//! their encoding as clauses, Quimper, Walsh: *Global grammar constraints*, CP 2006. Unlike in these papers, states and
//! edges share literals.

use std::collections::BTreeMap;

use crate::expr::Expr;
use crate::int::Value;
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

/// The layer of a variable: its values, each with the literal `x = value`. Exactly one of the literals `x = value` is
/// true.
pub(super) type Layer = Vec<(Value, Lit)>;

/// Returns the layer for an expression.
pub(super) fn layer(of: impl Into<Expr>, sink: &mut Sink<'_>) -> Layer {
    let x = sink.integer_for(&of.into());
    let values: Vec<Value> = sink.domains().of(x).values().collect();
    values.into_iter().zip(sink.direct(x)).collect()
}

/// The edges of one layer. An edge consists of the state before it, the index of its value, and the state after it.
type Edges = Vec<(usize, usize, usize)>;

/// Returns the edges between the reachable states, layer by layer, or `None` if there are more than `limit` edges.
///
/// The function `step` returns the state that follows a state and a value, or `None` if the value is impossible in
/// the state.
fn forward<S: Ord + Clone>(
    layers: &[Vec<Value>],
    start: S,
    step: impl Fn(usize, &S, Value) -> Option<S>,
    limit: usize,
) -> Option<Vec<Edges>> {
    let mut states = vec![start];
    let mut total = 0;
    let mut graph = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let mut next: BTreeMap<S, usize> = BTreeMap::new();
        let mut edges = Edges::new();
        for (from, state) in states.iter().enumerate() {
            for (index, &value) in layer.iter().enumerate() {
                total += 1;
                if total > limit {
                    return None;
                }
                if let Some(state) = step(number, state, value) {
                    let count = next.len();
                    edges.push((from, index, *next.entry(state).or_insert(count)));
                }
            }
        }
        states = in_order(next);
        graph.push(edges);
    }
    Some(graph)
}

fn in_order<S>(states: BTreeMap<S, usize>) -> Vec<S> {
    let mut states: Vec<(S, usize)> = states.into_iter().collect();
    states.sort_unstable_by_key(|&(_, index)| index);
    states.into_iter().map(|(state, _)| state).collect()
}

/// Returns whether the graph that [`encode`] builds has at most `limit` edges.
pub(super) fn fits<S: Ord + Clone>(
    layers: &[Vec<Value>],
    start: S,
    step: impl Fn(usize, &S, Value) -> Option<S>,
    limit: usize,
) -> bool {
    forward(layers, start, step, limit).is_some()
}

/// Writes clauses which state that the values of the variables form a path from the state `start` to a state after the
/// last layer.
///
/// The function `step` returns the state that follows a state and a value, or `None` if the value is impossible in
/// the state. Every state after the last layer is accepting.
pub(super) fn encode<S: Ord + Clone>(
    layers: &[Layer],
    start: S,
    step: impl Fn(usize, &S, Value) -> Option<S>,
    sink: &mut Sink<'_>,
) {
    let values: Vec<Vec<Value>> =
        layers.iter().map(|layer| layer.iter().map(|&(value, _)| value).collect()).collect();
    let graph = forward(&values, start, step, usize::MAX).expect("there is no limit");
    let Some(graph) = merged(graph) else { return sink.clause(&[]) };
    // The literals of the states before the current layer.
    let mut states = vec![TRUE];
    for (number, (layer, edges)) in layers.iter().zip(graph).enumerate() {
        states = write_layer(layer, &edges, &states, number + 1 == layers.len(), sink);
    }
}

/// An edge: all values that lead from one state to the same next state.
struct Edge {
    from: usize,
    to: usize,
    values: Vec<usize>,
}

/// Removes the states without a path to the last layer, and merges states with the same outgoing paths. Returns
/// `None` if no path remains.
fn merged(graph: Vec<Edges>) -> Option<Vec<Vec<Edge>>> {
    // Maps each state after the current layer to the number of its merged state. All states after the last layer are
    // merged into one.
    let mut classes: Option<BTreeMap<usize, usize>> = None;
    let mut merged = Vec::new();
    for edges in graph.into_iter().rev() {
        let mut ways: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (from, value, to) in edges {
            let to = classes.as_ref().map_or(Some(0), |classes| classes.get(&to).copied());
            if let Some(to) = to {
                ways.entry(from).or_default().push((to, value));
            }
        }
        let mut seen: BTreeMap<Vec<(usize, usize)>, usize> = BTreeMap::new();
        let mut layer = Vec::new();
        let mut before = BTreeMap::new();
        for (from, mut ways) in ways {
            ways.sort_unstable();
            let count = seen.len();
            let class = *seen.entry(ways.clone()).or_insert(count);
            before.insert(from, class);
            if class == count {
                for group in ways.chunk_by(|a, b| a.0 == b.0) {
                    let values = group.iter().map(|&(_, value)| value).collect();
                    layer.push(Edge { from: class, to: group[0].0, values });
                }
            }
        }
        if before.is_empty() {
            return None;
        }
        classes = Some(before);
        merged.push(layer);
    }
    merged.reverse();
    Some(merged)
}

/// Groups the edges. The function `of` returns the groups of an edge, and entry i of the result lists the indices of
/// the edges in group i.
fn by(edges: &[Edge], count: usize, of: impl Fn(&Edge) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut by = vec![Vec::new(); count];
    for (number, edge) in edges.iter().enumerate() {
        for thing in of(edge) {
            by[thing].push(number);
        }
    }
    by
}

/// Writes the clauses of one layer, and returns the literals of the states after the layer.
fn write_layer(layer: &Layer, edges: &[Edge], states: &[Lit], last: bool, sink: &mut Sink<'_>) -> Vec<Lit> {
    let after = edges.iter().map(|edge| edge.to + 1).max().unwrap_or(0);
    let out_of = by(edges, states.len(), |edge| vec![edge.from]);
    let into = by(edges, after, |edge| vec![edge.to]);
    let with = by(edges, layer.len(), |edge| edge.values.clone());
    let mut lits = Vec::new();
    for edge in edges {
        lits.push(match edge.values[..] {
            _ if out_of[edge.from].len() == 1 => states[edge.from],
            [value] if with[value].len() == 1 || states[edge.from] == TRUE => layer[value].1,
            _ => sink.fresh(),
        });
    }
    let next: Vec<Lit> = into
        .iter()
        .map(|into| match into[..] {
            _ if last => TRUE,
            [only] => lits[only],
            _ => sink.fresh(),
        })
        .collect();
    for (edge, &lit) in edges.iter().zip(&lits) {
        sink.clause(&[!lit, states[edge.from]]);
        sink.clause(&[!lit, next[edge.to]]);
        sink.clause_of(edge.values.iter().map(|&value| layer[value].1).chain([!lit]));
    }
    let equal = layer.iter().map(|&(_, equal)| equal);
    let owners =
        states.iter().copied().zip(&out_of).chain(next.iter().copied().zip(&into)).chain(equal.zip(&with));
    for (owner, edges) in owners {
        sink.clause_of(edges.iter().map(|&edge| lits[edge]).chain([!owner]));
    }
    next
}
