//! Layered graphs: a constraint as the ways from the first layer to the last, one edge for each variable.
//!
//! A state is what the values so far leave to know: a partial sum, a partial product. Edges that lead from one state to
//! another share a literal t, one for all values that take this way. A state s and an edge t hold exactly where the way of
//! the assignment goes:
//!
//! * `t -> s` and `t -> s'` for an edge from s to s', `t -> x=v or x=w ..` for its values;
//! * `s -> t1 or t2 ..` for the edges out of s, and for those into it;
//! * `x=v -> t1 or t2 ..` for the edges that v can take.
//!
//! States that no way leads to, or none leads on from, are left out; states with the same ways on are one. A literal is
//! made only where no other says the same: a state with one edge into it is that edge, an edge that is the only one out of
//! its state is that state, and one that has a value to itself is that value.
//!
//! For `x * y = 6` with x and y from 1 to 3: the states after x are 2 and 3, with the literals `x=2`, `x=3` and
//! `-(x=1)`; then `x=2 -> y=3`, `y=3 -> x=2`, `x=3 -> y=2`, `y=2 -> x=3` and `-(y=1)`.
//!
//! Size, asymptotically: a variable for each edge and each state, three clauses for each edge, two for each state and
//! one for each value, less those of shared literals. Strength: domain consistent. The number of solutions is kept.
//!
//! Paper: Abio, Gange, Mayer-Eichberger, Stuckey: *On CNF encodings of decision diagrams*, CPAIOR 2016 (their strongest
//! encoding); the layers are those of Pesant: *A regular language membership constraint*, CP 2004, in clauses by
//! Quimper, Walsh: *Global grammar constraints*, CP 2006. Differs from them in the shared literals.

use std::collections::BTreeMap;

use crate::int::{IntVar, Value};
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

/// The values of a variable, with the literals that say it has them; exactly one holds.
pub(super) type Layer = Vec<(Value, Lit)>;

/// The layer of an integer.
pub(super) fn layer(x: IntVar, sink: &mut Sink<'_>) -> Layer {
    let values: Vec<Value> = sink.domains().of(x).values().collect();
    values.into_iter().zip(sink.direct(x)).collect()
}

/// Edges of one layer: from which state, by which value (its index), to which state.
type Edges = Vec<(usize, usize, usize)>;

/// The states that can be reached, layer by layer, and the ways between them; `None` if there are more than `limit`.
///
/// `step` gives the state after a value, if there is one.
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

/// Whether the graph has at most `limit` edges. See [`encode`].
pub(super) fn fits<S: Ord + Clone>(
    layers: &[Vec<Value>],
    start: S,
    step: impl Fn(usize, &S, Value) -> Option<S>,
    limit: usize,
) -> bool {
    forward(layers, start, step, limit).is_some()
}

/// Writes that the values of the layers lead from the start to the end: `step` gives the state after a value, `None` if
/// there is none. All states after the last layer are equally good.
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
    // For each state of the layer, its literal.
    let mut states = vec![TRUE];
    for (number, (layer, edges)) in layers.iter().zip(graph).enumerate() {
        states = write_layer(layer, &edges, &states, number + 1 == layers.len(), sink);
    }
}

/// An edge for all values that lead from one state to another.
struct Edge {
    from: usize,
    to: usize,
    values: Vec<usize>,
}

/// Takes the states out that lead nowhere and makes one of those with the same ways on; `None` if there is no way.
fn merged(graph: Vec<Edges>) -> Option<Vec<Vec<Edge>>> {
    // The new number of each state after the layer at hand; at the end, all are one.
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

/// The numbers of the edges that belong to each of `count` things.
fn by(edges: &[Edge], count: usize, of: impl Fn(&Edge) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut by = vec![Vec::new(); count];
    for (number, edge) in edges.iter().enumerate() {
        for thing in of(edge) {
            by[thing].push(number);
        }
    }
    by
}

/// Writes the clauses of one layer; the literals of the states after it.
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
