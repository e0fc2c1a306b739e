//! The constraints of relations.

use std::sync::Arc;

use gordian_encodings::constraint::{
    Acyclic, Automaton, Cardinality, Clause, Connected, Constraint, DisjointPaths,
};
use gordian_encodings::{FALSE, Graph, Lit, TRUE};

use super::model::Builder;
use crate::rules::relation::{Edge, Neighbours, Paths, Relation, Runs};
use crate::rules::sheet::{Formula, Sum, Value};

/// A constraint of a relation, with the place to which it belongs, if it belongs to one.
pub(super) type Part = (Option<At>, Box<dyn Constraint>);

/// The part of a rule at a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum At {
    /// What the rule says about the place.
    Place(Value),
    /// The rule requires that the component of a root reaches the place.
    Reach(Value),
}

/// Posts a relation for the current rule. Constraints of one place become a part of the rule with this place.
pub(super) fn post(builder: &mut Builder, relation: &Relation<Formula, Sum>, places: &[Value]) {
    for (place, constraint) in parts(builder, relation, places) {
        match place {
            None => builder.post_boxed(constraint),
            Some(place) => builder.post_at(&place, constraint),
        }
    }
    if let Relation::Components(components) = relation
        && !builder.is_for_solving
    {
        super::components::imply(builder, components, places);
    }
}

/// Returns the constraints of a relation.
pub(super) fn constraints(
    builder: &mut Builder,
    relation: &Relation<Formula, Sum>,
    places: &[Value],
) -> Vec<Box<dyn Constraint>> {
    parts(builder, relation, places).into_iter().map(|(_, constraint)| constraint).collect()
}

fn parts(builder: &mut Builder, relation: &Relation<Formula, Sum>, places: &[Value]) -> Vec<Part> {
    let whole = |constraint: Box<dyn Constraint>| vec![(None, constraint)];
    match relation {
        Relation::Different(different) => whole(Box::new(builder.different(&different.numbers))),
        Relation::Connected(connected) => {
            let vertices = builder.lits(&connected.vertices);
            whole(Box::new(Connected::new(graph(builder, &connected.neighbours), vertices)))
        }
        Relation::Linked(linked) => {
            let vertices = builder.lits(&linked.vertices);
            let edges = linked.edges.iter().map(|&(a, b, chosen)| {
                let chosen = builder.exact(chosen);
                let lits = [chosen, vertices[a], vertices[b]];
                (a, b, builder.all_of(&lits))
            });
            let edges: Vec<Edge<Lit>> = edges.collect();
            whole(Box::new(linked_by(&vertices, &edges)))
        }
        Relation::OneLoop(one_loop) => {
            let edges = edges(builder, &one_loop.edges);
            self::one_loop(one_loop.vertices, &edges, places)
        }
        Relation::Acyclic(acyclic) => {
            let edges = edges(builder, &acyclic.edges);
            whole(Box::new(Acyclic::new(acyclic.vertices, edges)))
        }
        Relation::Components(components) if builder.is_for_sweep => {
            super::sweep::components(builder, components)
        }
        Relation::Components(components) => super::components::parts(builder, components, places),
        Relation::Sized(sized) => super::sized::parts(builder, &sized.neighbours, &sized.numbers),
        Relation::Paths(paths) => self::paths(builder, paths).into_iter().map(|part| (None, part)).collect(),
        Relation::Runs(runs) => whole(Box::new(self::runs(builder, runs))),
    }
}

/// Returns the graph of a relation. Relations with the same neighbours share it.
pub(super) fn graph(builder: &mut Builder, neighbours: &Neighbours) -> Arc<Graph> {
    if let Some((_, known)) = builder.graph.as_ref().filter(|(of, _)| Arc::ptr_eq(of, neighbours)) {
        return Arc::clone(known);
    }
    let edges = neighbours.iter().enumerate().flat_map(|(a, near)| near.iter().map(move |&b| (a, b)));
    let graph = Arc::new(Graph::new(neighbours.len(), edges.filter(|(a, b)| a < b)));
    builder.graph = Some((Arc::clone(neighbours), Arc::clone(&graph)));
    graph
}

fn edges(builder: &mut Builder, edges: &[Edge<Formula>]) -> Vec<Edge<Lit>> {
    edges.iter().map(|&(a, b, chosen)| (a, b, builder.exact(chosen))).collect()
}

/// Vertices that are connected by edges: connectivity in the graph in which each edge is a vertex between its ends.
fn linked_by(vertices: &[Lit], edges: &[Edge<Lit>]) -> Connected {
    let between = (vertices.len()..).zip(edges).flat_map(|(edge, &(a, b, _))| [(edge, a), (edge, b)]);
    let graph = Graph::new(vertices.len() + edges.len(), between);
    let lits: Vec<Lit> = vertices.iter().copied().chain(edges.iter().map(|edge| edge.2)).collect();
    Connected::new(Arc::new(graph), lits)
}

/// One loop: at each vertex none or two edges, at least one edge, and the edges are connected, where edges with a common
/// end are neighbours.
///
/// The other rules leave few loops besides the right one, so the connectivity is enforced by cuts: on 80 public
/// Slitherlink boards, the largest 60x60, the propagator took up to 50 times as long.
fn one_loop(vertices: usize, edges: &[Edge<Lit>], places: &[Value]) -> Vec<Part> {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); vertices];
    for (index, &(a, b, _)) in edges.iter().enumerate() {
        at[a].push(index);
        at[b].push(index);
    }
    let lits: Vec<Lit> = edges.iter().map(|edge| edge.2).collect();
    let mut parts: Vec<Part> = vec![(None, Box::new(Clause::new(lits.clone())))];
    for (place, edges) in places.iter().zip(&at) {
        let here: Vec<Lit> = edges.iter().map(|&edge| lits[edge]).collect();
        parts.extend(none_or_two(&here).into_iter().map(|part| (Some(At::Place(place.clone())), part)));
    }
    let pairs =
        at.iter().flat_map(|edges| edges.iter().flat_map(move |&i| edges.iter().map(move |&j| (i, j))));
    let graph = Graph::new(edges.len(), pairs.filter(|(i, j)| i < j));
    parts.push((None, Box::new(Connected::new(Arc::new(graph), lits).nearly_implied())));
    parts
}

fn paths(builder: &mut Builder, paths: &Paths<Formula>) -> Vec<Box<dyn Constraint>> {
    let edges = edges(builder, &paths.edges);
    let mut ends: Vec<Vec<usize>> = Vec::new();
    for &(end, label) in &paths.ends {
        if ends.len() <= label {
            ends.resize(label + 1, Vec::new());
        }
        ends[label].push(end);
    }
    let mut at: Vec<Vec<Lit>> = vec![Vec::new(); paths.vertices];
    for &(a, b, lit) in &edges {
        at[a].push(lit);
        at[b].push(lit);
    }
    let mut on: Vec<Lit> = at.iter().map(|lits| builder.any_of(lits)).collect();
    for &end in ends.iter().flatten() {
        on[end] = TRUE;
    }
    let pairs: Option<Vec<[usize; 2]>> =
        ends.iter().map(|ends| <[usize; 2]>::try_from(&ends[..]).ok()).collect();
    match pairs {
        Some(pairs) => vec![Box::new(DisjointPaths::new(pairs, on, edges))],
        // An odd number of ends can't be joined.
        None if ends.iter().any(|ends| ends.len() % 2 == 1) => vec![Box::new(Clause::new([FALSE]))],
        None => paths_between_some_ends(builder, &ends, &at, on, &edges),
    }
}

/// None or two of the literals are true.
fn none_or_two(lits: &[Lit]) -> Vec<Box<dyn Constraint>> {
    let mut parts: Vec<Box<dyn Constraint>> = Vec::new();
    if lits.len() > 2 {
        parts.push(Box::new(Cardinality::at_most(lits, 2)));
    }
    for (number, &lit) in lits.iter().enumerate() {
        let others = lits.iter().enumerate().filter(|&(other, _)| other != number).map(|(_, &lit)| lit);
        parts.push(Box::new(Clause::new(others.chain([!lit]).collect::<Vec<_>>())));
    }
    parts
}

/// Paths if a label occurs more than twice: an end has one edge, any other vertex none or two, the vertices along a path
/// have the same label in binary, and each of them is connected to an end.
fn paths_between_some_ends(
    builder: &mut Builder,
    ends: &[Vec<usize>],
    at: &[Vec<Lit>],
    on: Vec<Lit>,
    edges: &[Edge<Lit>],
) -> Vec<Box<dyn Constraint>> {
    let mut labels = vec![None; at.len()];
    for (label, ends) in ends.iter().enumerate() {
        for &end in ends {
            labels[end] = Some(label);
        }
    }
    let mut parts: Vec<Box<dyn Constraint>> = Vec::new();
    for (label, here) in labels.iter().zip(at) {
        if label.is_some() {
            parts.push(Box::new(Cardinality::exactly(here.clone(), 1)));
            continue;
        }
        parts.extend(none_or_two(here));
    }
    for bit in 0..usize::BITS - (ends.len() - 1).leading_zeros() {
        let bits: Vec<Lit> = labels
            .iter()
            .map(|label| match label {
                Some(label) if label >> bit & 1 == 1 => TRUE,
                Some(_) => FALSE,
                None => builder.plain.model.boolean(),
            })
            .collect();
        for &(a, b, chosen) in edges {
            parts.push(Box::new(Clause::new([!chosen, !bits[a], bits[b]])));
            parts.push(Box::new(Clause::new([!chosen, bits[a], !bits[b]])));
        }
    }
    // All ends are neighbours of a further vertex, so that the paths together are connected.
    let hub = on.len() + edges.len();
    let steps = (on.len()..).zip(edges).flat_map(|(edge, &(a, b, _))| [(a, edge), (b, edge)]);
    let graph = Graph::new(hub + 1, steps.chain(ends.iter().flatten().map(|&end| (end, hub))));
    let lits: Vec<Lit> = on.into_iter().chain(edges.iter().map(|edge| edge.2)).chain([TRUE]).collect();
    parts.push(Box::new(Connected::new(Arc::new(graph), lits)));
    parts
}

/// Runs of given lengths: an automaton whose states are the positions within the list of runs.
fn runs(builder: &mut Builder, runs: &Runs<Formula>) -> Automaton {
    let lits = builder.lits(&runs.entries);
    let mut transitions = vec![(0, 0, 0)];
    let mut state = 0;
    for (number, &length) in runs.lengths.iter().enumerate() {
        if number > 0 {
            // After a run, at least one entry is false.
            transitions.push((state, 0, state + 1));
            state += 1;
            transitions.push((state, 0, state));
        }
        for _ in 0..usize::try_from(length).unwrap_or(0).min(lits.len() + 1) {
            transitions.push((state, 1, state + 1));
            state += 1;
        }
    }
    transitions.push((state, 0, state));
    transitions.sort_unstable();
    transitions.dedup();
    Automaton::new(lits, 0, transitions, vec![state])
}
