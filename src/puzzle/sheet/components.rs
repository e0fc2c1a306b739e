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
use super::relations::{At, Part, graph};
use crate::rules::relation::Components;
use crate::rules::sheet::{Formula, Value};

/// What owns a vertex: the component of one root, or all components of unknown size together.
struct Owner {
    /// The roots of the components.
    roots: Vec<usize>,
    /// The number of vertices of the component, if it is known.
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

/// Returns for each root the vertices that its component can reach: within fewer steps than its size says, along vertices
/// that are not roots or, if `apart` is true, not next to other roots.
pub(super) fn reach(
    neighbours: &[Vec<usize>],
    roots: &[(usize, Option<i64>)],
    apart: bool,
) -> Vec<Vec<usize>> {
    let mut near = vec![Near::None; neighbours.len()];
    for &(root, _) in roots {
        for &vertex in neighbours[root].iter().filter(|_| apart).chain([&root]) {
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
    let any_size = |&(root, _): &(usize, Option<i64>)| (root, None);
    let roots = components.roots.clone();
    let roots = if builder.sizes.is_empty() { roots } else { roots.iter().map(any_size).collect() };
    let reach = reach(&components.neighbours, &roots, builder.is_for_solving);
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
    let graph = graph(builder, &components.neighbours);
    let roots = &components.roots;
    let owners = owners(builder, components, &nodes);
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |at: At, constraint: Box<dyn Constraint>| parts.push((Some(at), constraint));
    let of_root = |root: usize| At::Place(places[root].clone());
    let in_reach = |vertex: usize| At::Reach(places[vertex].clone());
    for &(root, _) in roots {
        add(of_root(root), Box::new(Clause::new([nodes[root]])));
    }
    let mut of_vertex: Vec<Vec<(Option<i64>, Lit)>> = vec![Vec::new(); nodes.len()];
    for owner in &owners {
        let size = owner.size.and_then(|size| i64::try_from(size).ok());
        for (vertex, own) in owner.members() {
            of_vertex[vertex].push((size, own));
        }
    }
    for (vertex, (owners, &node)) in of_vertex.into_iter().zip(&nodes).enumerate() {
        let of: Vec<Lit> = owners.iter().map(|&(_, own)| own).collect();
        if let Some(variable) = builder.ground().false_in(components.vertices[vertex]) {
            builder.islands.entry(variable).or_insert(owners);
        }
        if of == [node] {
            continue;
        }
        add(in_reach(vertex), Box::new(Clause::new([&of[..], &[!node]].concat())));
        let mut define = |builder: &mut Builder, constraint: Box<dyn Constraint>| {
            // The literals mean nothing without the rules of the roots.
            if builder.is_for_solving {
                add(in_reach(vertex), constraint);
            } else {
                builder.plain.post_boxed(None, constraint);
            }
        };
        for &own in &of {
            define(builder, Box::new(Clause::new([!own, node])));
        }
        if of.len() > 1 {
            define(builder, Box::new(Cardinality::at_most(of, 1)));
        }
    }
    for owner in &owners {
        let root = owner.roots[0];
        for (vertex, own) in owner.members() {
            for &next in graph.neighbours(vertex) {
                if owner.own[next] != nodes[next] && nodes[next] != FALSE {
                    add(of_root(root), Box::new(Clause::new([!own, !nodes[next], owner.own[next]])));
                }
            }
        }
        match owner.size {
            Some(size) => {
                let lits: Vec<Lit> = owner.members().map(|(_, own)| own).collect();
                let (inside, lits_inside) = inside(&graph, owner);
                if let Some(&rule) = builder.sizes.get(&places[root]) {
                    builder.plain.post(rule, Cardinality::exactly(lits, size));
                    add(of_root(root), Box::new(Connected::new(inside, lits_inside)));
                    continue;
                }
                add(of_root(root), Box::new(Cardinality::exactly(lits, size)));
                let connected = Connected::new(inside, lits_inside).of_size(size, size);
                add(of_root(root), Box::new(connected.within(size.saturating_sub(1))));
            }
            None if !builder.is_for_solving => {
                let (inside, lits) = inside(&graph, owner);
                add(of_root(root), Box::new(Connected::new(inside, lits)));
            }
            None => shared(builder, &graph, owner, &mut |constraint| add(of_root(root), constraint)),
        }
    }
    if let Some(bound) = least(components, nodes).filter(|_| builder.is_for_solving) {
        parts.push((None, Box::new(bound)));
    }
    parts
}

/// Returns a lower bound on the number of vertices in components, which are `nodes`, if all sizes are known. It is implied,
/// but unit propagation does not derive it while the owners of some vertices are open. An upper bound would not make solving
/// faster (see docs/connectivity.md).
fn least(components: &Components<Formula>, nodes: Vec<Lit>) -> Option<Cardinality> {
    let sizes = components.roots.iter().map(|&(_, size)| size.and_then(|size| usize::try_from(size).ok()));
    let total = sizes.into_iter().try_fold(0, |sum: usize, size| Some(sum.saturating_add(size?)))?;
    Some(Cardinality::at_least(nodes, total))
}

/// Adds the lower bound to a plain formulation, in which it follows from the rules of the roots.
pub(super) fn imply(builder: &mut Builder, components: &Components<Formula>, places: &[Value]) {
    let nodes = builder.lits(&components.vertices);
    if let Some(bound) = least(components, nodes) {
        builder.imply_at(components.roots.iter().map(|&(root, _)| places[root].clone()), bound);
    }
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
fn shared(builder: &mut Builder, graph: &Graph, owner: &Owner, add: &mut dyn FnMut(Box<dyn Constraint>)) {
    let (own, hub) = (&owner.own, graph.len());
    let edges = (0..hub).flat_map(|a| graph.neighbours(a).iter().map(move |&b| (a, b)));
    let spokes = owner.roots.iter().map(|&root| (root, hub));
    let with_hub = Graph::new(hub + 1, edges.filter(|&(a, b)| a < b).chain(spokes));
    let vertices: Vec<Lit> = own.iter().copied().chain([TRUE]).collect();
    add(Box::new(Connected::new(Arc::new(with_hub), vertices)));
    let mut bit = 0;
    while owner.roots.len() > 1 << bit {
        let mut label = vec![FALSE; hub];
        for (vertex, own) in owner.members() {
            label[vertex] = match owner.roots.iter().position(|&root| root == vertex) {
                Some(number) => from_bool(number >> bit & 1 == 1),
                None => builder.plain.model.boolean(),
            };
            add(Box::new(Clause::new([own, !label[vertex]])));
        }
        for (a, _) in owner.members() {
            for &b in graph.neighbours(a).iter().filter(|&&b| own[b] != FALSE) {
                add(Box::new(Clause::new([!own[a], !own[b], !label[a], label[b]])));
            }
        }
        bit += 1;
    }
}
