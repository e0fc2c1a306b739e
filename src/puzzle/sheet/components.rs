//! Components with one root each, by owner labels.
//!
//! There is a literal for each root and each vertex that the component of the root can reach: within fewer steps than the
//! size says, along vertices that are not next to another root. A vertex has at most one owner, neighbours have the same
//! owner, and the vertices of an owner are connected and as many as its size says. A vertex without an owner is not in a
//! component.
//!
//! A model for solving has fewer literals than one for explanations, whose rules must stay apart. If only one component
//! can reach a vertex, the literal of the vertex stands for its owner. All components of unknown size share one owner: each
//! of them has a root because they are connected with a vertex next to their roots, and none has two because neighbours
//! have the same label, and each root another one.

use std::sync::Arc;

use gordian_encodings::constraint::{Cardinality, Clause, Connected, Constraint};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{FALSE, Graph, Lit, TRUE, tick};

use super::model::Builder;
use super::relations::{Part, graph};
use crate::rules::relation::{Components, Neighbours};
use crate::rules::sheet::{Formula, Value};

/// A root with a size, or several roots without one.
struct Owner {
    roots: Vec<usize>,
    size: Option<usize>,
    /// The literal of each vertex, or `FALSE` if no component can reach it.
    own: Vec<Lit>,
}

impl Owner {
    fn members(&self) -> impl Iterator<Item = (usize, Lit)> {
        self.own.iter().copied().enumerate().filter(|&(_, own)| own != FALSE)
    }
}

/// The roots at a vertex or next to it.
#[derive(Clone, Copy, PartialEq)]
enum Near {
    None,
    One(usize),
    Several,
}

/// Returns for each root the vertices that its component can reach.
pub(super) fn reach(neighbours: &Neighbours, roots: &[(usize, Option<i64>)]) -> Vec<Vec<usize>> {
    let mut near = vec![Near::None; neighbours.len()];
    for &(root, _) in roots {
        for &vertex in neighbours[root].iter().chain([&root]) {
            near[vertex] = if near[vertex] == Near::None { Near::One(root) } else { Near::Several };
        }
    }
    let mut reached_by = vec![usize::MAX; neighbours.len()];
    let of_root = |&(root, size): &(usize, Option<i64>)| {
        let mut reached = vec![root];
        reached_by[root] = root;
        let mut first = 0;
        let mut steps = 1;
        while first < reached.len() && size.is_none_or(|size| steps < size) {
            for at in std::mem::replace(&mut first, reached.len())..reached.len() {
                for &next in &neighbours[reached[at]] {
                    let is_open = matches!(near[next], Near::None) || near[next] == Near::One(root);
                    if is_open && std::mem::replace(&mut reached_by[next], root) != root {
                        reached.push(next);
                    }
                }
            }
            steps += 1;
        }
        tick(reached.len() as u64);
        reached
    };
    roots.iter().map(of_root).collect()
}

/// Returns the owners. Their literals are new, unless only one component can reach a vertex of a model for solving.
fn owners(builder: &mut Builder, components: &Components<Formula>, nodes: &[Lit]) -> Vec<Owner> {
    let mut reached: Vec<(Vec<usize>, Option<usize>, Vec<usize>)> = Vec::new();
    let mut unknown = (Vec::new(), None, Vec::new());
    let reach = reach(&components.neighbours, &components.roots);
    for (&(root, size), near) in components.roots.iter().zip(reach) {
        match size {
            None if builder.is_for_solving => {
                unknown.0.push(root);
                unknown.2.extend(near);
            }
            _ => reached.push((vec![root], size.map(|size| usize::try_from(size).unwrap_or(0)), near)),
        }
    }
    unknown.2.sort_unstable();
    unknown.2.dedup();
    reached.extend(Some(unknown).filter(|(roots, ..)| !roots.is_empty()));
    let mut counts = vec![0usize; nodes.len()];
    reached.iter().flat_map(|(.., near)| near).for_each(|&vertex| counts[vertex] += 1);
    let owner = |(roots, size, near): (Vec<usize>, Option<usize>, Vec<usize>)| {
        tick(nodes.len() as u64);
        let mut own = vec![FALSE; nodes.len()];
        for vertex in near {
            own[vertex] = if roots.contains(&vertex) {
                TRUE
            } else if counts[vertex] == 1 && builder.is_for_solving {
                nodes[vertex]
            } else {
                builder.plain.model.boolean()
            };
        }
        Owner { roots, size, own }
    };
    reached.into_iter().map(owner).collect()
}

pub(super) fn parts(builder: &mut Builder, components: &Components<Formula>, places: &[Value]) -> Vec<Part> {
    let nodes = builder.lits(&components.vertices);
    let graph = graph(&components.neighbours);
    let roots = &components.roots;
    let owners = owners(builder, components, &nodes);
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |vertex: usize, constraint: Arc<dyn Constraint>| {
        parts.push((Some(places[vertex].clone()), constraint));
    };
    for &(root, _) in roots {
        add(root, Arc::new(Clause::new([nodes[root]])));
    }
    let mut of_vertex: Vec<Vec<Lit>> = vec![Vec::new(); nodes.len()];
    for owner in &owners {
        for (vertex, own) in owner.members() {
            of_vertex[vertex].push(own);
        }
    }
    for (vertex, (of, &node)) in of_vertex.into_iter().zip(&nodes).enumerate() {
        if of == [node] {
            continue;
        }
        add(vertex, Arc::new(Clause::new([&of[..], &[!node]].concat())));
        for &own in &of {
            add(vertex, Arc::new(Clause::new([!own, node])));
        }
        if of.len() > 1 {
            add(vertex, Arc::new(Cardinality::at_most(of, 1)));
        }
    }
    for owner in &owners {
        for (vertex, own) in owner.members() {
            for &next in graph.neighbours(vertex) {
                if owner.own[next] != nodes[next] && nodes[next] != FALSE {
                    add(vertex, Arc::new(Clause::new([!own, !nodes[next], owner.own[next]])));
                }
            }
        }
        let root = owner.roots[0];
        match owner.size {
            Some(size) => {
                let lits: Vec<Lit> = owner.members().map(|(_, own)| own).collect();
                add(root, Arc::new(Cardinality::exactly(lits, size)));
                let (inside, lits) = inside(&graph, owner);
                let connected = Connected::new(inside, lits).of_size(size, size);
                add(root, Arc::new(connected.within(size.saturating_sub(1))));
            }
            None if !builder.is_for_solving => {
                let (inside, lits) = inside(&graph, owner);
                add(root, Arc::new(Connected::new(inside, lits)));
            }
            None => shared(builder, &graph, owner, &mut |constraint| add(root, constraint)),
        }
    }
    let total: Option<usize> = roots
        .iter()
        .map(|&(_, size)| size.and_then(|size| usize::try_from(size).ok()))
        .try_fold(0, |sum: usize, size| Some(sum.saturating_add(size?)));
    if let Some(total) = total.filter(|_| builder.is_for_solving) {
        // The lower bound is implied, but unit propagation does not derive it while the owners of some vertices are open. An
        // upper bound would not make solving faster (see docs/connectivity.md).
        parts.push((None, Arc::new(Cardinality::at_least(nodes, total))));
    }
    parts
}

/// Returns the graph of the vertices that an owner can reach, with their literals.
fn inside(graph: &Graph, owner: &Owner) -> (Arc<Graph>, Vec<Lit>) {
    let (vertices, lits): (Vec<usize>, Vec<Lit>) = owner.members().unzip();
    let mut index = vec![usize::MAX; graph.len()];
    for (at, &vertex) in vertices.iter().enumerate() {
        index[vertex] = at;
    }
    let edges = vertices.iter().enumerate().flat_map(|(from, &vertex)| {
        let near = graph.neighbours(vertex).iter().map(|&next| index[next]);
        near.filter(move |&to| from < to && to != usize::MAX).map(move |to| (from, to)).collect::<Vec<_>>()
    });
    (Arc::new(Graph::new(vertices.len(), edges)), lits)
}

/// Posts the constraints of all components of unknown size.
fn shared(builder: &mut Builder, graph: &Graph, owner: &Owner, add: &mut dyn FnMut(Arc<dyn Constraint>)) {
    let (own, hub) = (&owner.own, graph.len());
    let edges = (0..hub).flat_map(|a| graph.neighbours(a).iter().map(move |&b| (a, b)));
    let spokes = owner.roots.iter().map(|&root| (root, hub));
    let with_hub = Graph::new(hub + 1, edges.filter(|&(a, b)| a < b).chain(spokes));
    let vertices: Vec<Lit> = own.iter().copied().chain([TRUE]).collect();
    add(Arc::new(Connected::new(Arc::new(with_hub), vertices)));
    let mut bit = 0;
    while owner.roots.len() > 1 << bit {
        let mut label = vec![FALSE; hub];
        for (vertex, own) in owner.members() {
            label[vertex] = match owner.roots.iter().position(|&root| root == vertex) {
                Some(number) => from_bool(number >> bit & 1 == 1),
                None => builder.plain.model.boolean(),
            };
            add(Arc::new(Clause::new([own, !label[vertex]])));
        }
        for (a, _) in owner.members() {
            for &b in graph.neighbours(a).iter().filter(|&&b| own[b] != FALSE) {
                add(Arc::new(Clause::new([!own[a], !own[b], !label[a], label[b]])));
            }
        }
        bit += 1;
    }
}
