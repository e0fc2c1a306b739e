//! Components with one root each.

use super::{Neighbours, areas};

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

impl Components<bool> {
    /// Returns a component with a wrong number of roots or of vertices, or a root outside of all components.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        if let Some(&(root, _)) = self.roots.iter().find(|&&(root, _)| !self.vertices[root]) {
            return Some(vec![root]);
        }
        let areas = areas(&self.neighbours, |vertex| self.vertices[vertex], |_, _| true);
        areas.into_iter().find(|area| {
            let roots: Vec<_> = self.roots.iter().filter(|(root, _)| area.contains(root)).collect();
            let size = i64::try_from(area.len()).unwrap_or(i64::MAX);
            !matches!(roots[..], [&(_, wanted)] if wanted.is_none_or(|wanted| wanted == size))
        })
    }
}
