//! Components with one root each.

use super::{Neighbours, areas, pairs};
use crate::opb::{Opb, Sum, Truth};

/// The vertices whose entries are true form components in a graph. Each component contains exactly one root, and each
/// root is in a component. If a root has a size, its component has as many vertices.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Components<B> {
    /// The graph.
    pub neighbours: Neighbours,
    /// An entry for each vertex.
    pub vertices: Vec<B>,
    /// The roots, each with the size of its component, or `None` for any size.
    pub roots: Vec<(usize, Option<i64>)>,
}

/// What can own a vertex: a component whose root has this size, and the literal that it does.
pub type Owner = (Option<i64>, Truth);

impl<B> Components<B> {
    /// Returns the size of each vertex's component as its root states it, or `None` for a vertex without a component or
    /// whose component has no root. `inside` selects the vertices of components.
    pub fn sizes(&self, inside: impl Fn(usize) -> bool) -> Vec<Option<Option<i64>>> {
        let mut sizes = vec![None; self.vertices.len()];
        for area in areas(&self.neighbours, inside, |_, _| true) {
            let root = self.roots.iter().find(|(root, _)| area.contains(root));
            for vertex in area {
                sizes[vertex] = root.map(|&(_, size)| size);
            }
        }
        sizes
    }
}

impl Components<bool> {
    /// Returns the vertices of each component.
    #[must_use]
    pub fn areas(&self) -> Vec<Vec<usize>> {
        areas(&self.neighbours, |vertex| self.vertices[vertex], |_, _| true)
    }

    /// Returns a component with a wrong number of roots or of vertices, or a root outside of all components.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        if let Some(&(root, _)) = self.roots.iter().find(|&&(root, _)| !self.vertices[root]) {
            return Some(vec![root]);
        }
        self.areas().into_iter().find(|area| {
            let roots: Vec<_> = self.roots.iter().filter(|(root, _)| area.contains(root)).collect();
            let size = i64::try_from(area.len()).unwrap_or(i64::MAX);
            !matches!(roots[..], [&(_, wanted)] if wanted.is_none_or(|wanted| wanted == size))
        })
    }
}

impl Components<Truth> {
    /// States owners: a literal for each root and each vertex that a component of the root's size can reach. A vertex of a
    /// component has one owner, neighbours have the same owner, and the vertices of an owner are connected and as many as
    /// its size says. Returns the owners that each vertex can have.
    pub fn state(&self, opb: &mut Opb) -> Vec<Vec<Owner>> {
        let mut owners: Vec<Vec<(usize, Truth)>> = vec![Vec::new(); self.vertices.len()];
        for &(root, size) in &self.roots {
            opb.clause_of([self.vertices[root]]);
            for vertex in self.reach(root, size) {
                let own = if vertex == root { Truth::Constant(true) } else { Truth::Same(opb.auxiliary()) };
                owners[vertex].push((root, own));
            }
        }
        let owns = |vertex: usize, root: usize| {
            owners[vertex]
                .iter()
                .find(|owner| owner.0 == root)
                .map_or(Truth::Constant(false), |owner| owner.1)
        };
        for (vertex, &inside) in self.vertices.iter().enumerate() {
            let own: Vec<Truth> = owners[vertex].iter().map(|owner| owner.1).collect();
            opb.at_most_of(&own, 1);
            opb.clause_of(own.iter().copied().chain([!inside]));
            for &(root, own) in &owners[vertex] {
                opb.clause_of([!own, inside]);
                for &next in &self.neighbours[vertex] {
                    opb.clause_of([!own, !self.vertices[next], owns(next, root)]);
                }
            }
        }
        for &(root, size) in &self.roots {
            let own: Vec<Truth> = (0..self.vertices.len()).map(|vertex| owns(vertex, root)).collect();
            if let Some(size) = size {
                Sum::of_truths(&own).equals(opb, size.into());
            }
            opb.connected_set(&own, pairs(&self.neighbours));
        }
        let size = |root: usize| self.roots.iter().find(|other| other.0 == root).and_then(|&(_, size)| size);
        let of_vertex =
            |owners: Vec<(usize, Truth)>| owners.into_iter().map(|(root, own)| (size(root), own)).collect();
        owners.into_iter().map(of_vertex).collect()
    }

    /// Returns the vertices that a component with this root and size can contain.
    fn reach(&self, root: usize, size: Option<i64>) -> Vec<usize> {
        let mut reached = vec![root];
        let mut first = 0;
        let most = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(self.vertices.len());
        for _ in 1..most.min(self.vertices.len()) {
            for at in std::mem::replace(&mut first, reached.len())..reached.len() {
                for &next in &self.neighbours[reached[at]] {
                    if !reached.contains(&next) {
                        reached.push(next);
                    }
                }
            }
        }
        reached
    }
}
