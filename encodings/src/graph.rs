//! Undirected graphs as adjacency lists.

use std::collections::VecDeque;

/// An undirected graph without loops or parallel edges. The vertices have the numbers `0..len`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    neighbours: Vec<Vec<usize>>,
}

impl Graph {
    /// Creates a graph with the given number of vertices and the given edges. Loops and repeated edges are dropped.
    ///
    /// # Panics
    /// Panics if an edge refers to a vertex that does not exist.
    #[must_use]
    pub fn new(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut neighbours = vec![Vec::new(); vertices];
        for (a, b) in edges {
            // The shorter list is searched, because a vertex may have very many neighbours.
            let (from, to) = if neighbours[a].len() <= neighbours[b].len() { (a, b) } else { (b, a) };
            if a != b && !neighbours[from].contains(&to) {
                neighbours[a].push(b);
                neighbours[b].push(a);
            }
        }
        Self { neighbours }
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns whether the graph has no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// Returns the neighbours of `vertex`.
    ///
    /// # Panics
    /// Panics if the vertex does not exist.
    #[must_use]
    pub fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[vertex]
    }

    /// Returns the distance of each vertex from the nearest vertex of `sources`. Paths may only use vertices, including
    /// sources, for which the function `open` returns true. The distance of an unreachable vertex is `None`.
    ///
    /// # Panics
    /// Panics if a source is not a vertex of the graph.
    pub fn distances(
        &self,
        sources: impl IntoIterator<Item = usize>,
        open: impl Fn(usize) -> bool,
    ) -> Vec<Option<usize>> {
        let mut distance = vec![None; self.len()];
        let mut queue = VecDeque::new();
        for source in sources {
            if open(source) && distance[source].is_none() {
                distance[source] = Some(0);
                queue.push_back((source, 0));
            }
        }
        while let Some((vertex, steps)) = queue.pop_front() {
            for &next in self.neighbours(vertex) {
                if distance[next].is_none() && open(next) {
                    distance[next] = Some(steps + 1);
                    queue.push_back((next, steps + 1));
                }
            }
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_go_around_closed_vertices() {
        let square = Graph::new(5, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1), (2, 2)]);
        assert_eq!(square.neighbours(0), [1, 3]);
        assert_eq!(square.neighbours(2), [1, 3]);
        let steps = square.distances([0], |vertex| vertex != 1);
        assert_eq!(steps, [Some(0), None, Some(2), Some(1), None]);
        assert_eq!(square.distances([1], |vertex| vertex != 1), [None; 5]);
    }
}
