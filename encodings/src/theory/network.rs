//! The graph of a connectivity constraint, simplified for cuts and propagation. The vertices have consecutive
//! numbers, and each vertex has a literal.
//!
//! The graph omits vertices that cannot be in the set. If some vertex is always in the set, the graph also omits all
//! vertices that are not connected to this vertex. Separators are minimal: each of their vertices has neighbours on
//! both sides, so a clause that contains a separator's literals has no superfluous ones.

use crate::graph::Graph;
use crate::lit::{FALSE, Lit, TRUE, constant};
use crate::theory::Event;

/// Returns the event that a vertex is in the set.
pub(super) fn event_in(vertex: u32) -> Event {
    2 * vertex
}

/// Returns the event that a vertex is not in the set.
pub(super) fn event_out(vertex: u32) -> Event {
    2 * vertex + 1
}

/// A graph in which each vertex has a literal, which is true if the vertex is in the set.
#[derive(Debug, Clone)]
pub struct Network {
    lits: Vec<Lit>,
    /// The neighbours of vertex v are `ends[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// A vertex that is always in the set, if any.
    root: Option<u32>,
    /// The literals of vertices that cannot be in the set because they are unreachable.
    cut_off: Vec<Lit>,
}

impl Network {
    /// Builds the network from the vertices of the graph that can be in the set. The argument `vertices` contains the
    /// literals of all vertices of the graph.
    #[must_use]
    pub fn new(graph: &Graph, vertices: &[Lit]) -> Self {
        let open = |vertex: usize| vertices[vertex] != FALSE;
        let root = (0..vertices.len()).find(|&vertex| vertices[vertex] == TRUE);
        let near = root.map(|root| graph.distances([root], open));
        Self::with_root(graph, vertices, root, |vertex| {
            near.as_ref().is_none_or(|near| near[vertex].is_some())
        })
    }

    /// Builds the network of a set that need not be connected, from all vertices that can be in the set.
    #[must_use]
    pub fn of_components(graph: &Graph, vertices: &[Lit]) -> Self {
        Self::with_root(graph, vertices, None, |_| true)
    }

    fn with_root(
        graph: &Graph,
        vertices: &[Lit],
        root: Option<usize>,
        reached: impl Fn(usize) -> bool,
    ) -> Self {
        let open = |vertex: usize| vertices[vertex] != FALSE;
        let mut number = vec![u32::MAX; vertices.len()];
        let mut kept = Vec::new();
        for vertex in (0..vertices.len()).filter(|&vertex| open(vertex) && reached(vertex)) {
            number[vertex] = kept.len() as u32;
            kept.push(vertex);
        }
        let mut starts = vec![0];
        let mut ends = Vec::new();
        for &vertex in &kept {
            let neighbours = graph.neighbours(vertex).iter().map(|&next| number[next]);
            ends.extend(neighbours.filter(|&next| next != u32::MAX));
            starts.push(ends.len() as u32);
        }
        let cut_off = (0..vertices.len()).filter(|&vertex| open(vertex) && !reached(vertex));
        Self {
            lits: kept.iter().map(|&vertex| vertices[vertex]).collect(),
            starts,
            ends,
            root: root.map(|root| number[root]),
            cut_off: cut_off.map(|vertex| vertices[vertex]).collect(),
        }
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lits.len()
    }

    /// Returns whether the network has no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }

    /// Returns the literal of a vertex.
    #[must_use]
    pub fn lit(&self, vertex: u32) -> Lit {
        self.lits[vertex as usize]
    }

    /// Returns a vertex that is always in the set, if any.
    #[must_use]
    pub fn root(&self) -> Option<u32> {
        self.root
    }

    /// Returns the literals of vertices that were removed because they are unreachable. The literals of unreachable
    /// vertices must be false.
    #[must_use]
    pub fn cut_off(&self) -> &[Lit] {
        &self.cut_off
    }

    /// Returns the neighbours of a vertex.
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.ends[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    /// Returns all vertices of the network.
    #[must_use]
    pub fn vertices(&self) -> std::ops::Range<u32> {
        0..self.lits.len() as u32
    }

    /// Returns the events of a propagator of the network: the two values of each literal that is no constant.
    pub(super) fn events(&self) -> Vec<(Lit, Event)> {
        let open = self.vertices().filter(|&vertex| constant(self.lit(vertex)).is_none());
        let both = |vertex: u32| {
            let lit = self.lit(vertex);
            [(lit, event_in(vertex)), (!lit, event_out(vertex))]
        };
        open.flat_map(both).collect()
    }
}

/// Breadth-first search in a [`Network`]. Searches share the same memory.
#[derive(Debug, Clone)]
pub struct BreadthFirst {
    /// The number of the last search that reached each vertex.
    met: Vec<u64>,
    search: u64,
    queue: Vec<u32>,
    rim: Vec<u32>,
}

impl BreadthFirst {
    /// Creates the memory for searches in a network with the given number of vertices.
    #[must_use]
    pub fn new(vertices: usize) -> Self {
        Self { met: vec![0; vertices], search: 0, queue: Vec::new(), rim: Vec::new() }
    }

    /// Returns the vertices, including `start`, that can be reached from `start` without passing through a `closed`
    /// vertex.
    pub fn region(&mut self, network: &Network, start: u32, closed: impl Fn(u32) -> bool) -> &[u32] {
        self.spread(network, start, closed);
        &self.queue
    }

    /// Searches from `start`. Stores the reached vertices in `queue`, and the closed vertices that are adjacent to
    /// reached vertices in `rim`.
    fn spread(&mut self, network: &Network, start: u32, closed: impl Fn(u32) -> bool) {
        self.search += 1;
        self.queue.clear();
        self.rim.clear();
        self.met[start as usize] = self.search;
        self.queue.push(start);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            for &neighbour in network.neighbours(vertex) {
                if self.met[neighbour as usize] != self.search {
                    self.met[neighbour as usize] = self.search;
                    if closed(neighbour) {
                        self.rim.push(neighbour);
                    } else {
                        self.queue.push(neighbour);
                    }
                }
            }
        }
    }

    /// Finds the vertices that can be reached from `start` without passing through a closed vertex. Appends the
    /// adjacent closed vertices to `separator`.
    pub fn rim(
        &mut self,
        network: &Network,
        start: u32,
        closed: impl Fn(u32) -> bool,
        separator: &mut Vec<u32>,
    ) {
        self.spread(network, start, closed);
        separator.extend_from_slice(&self.rim);
    }

    /// Finds the minimal set of closed vertices that separates `near` from `far` and is nearest to `near`, and
    /// appends it to `separator`. The closed vertices must separate `near` from `far`.
    pub fn separator(
        &mut self,
        network: &Network,
        near: u32,
        far: u32,
        closed: impl Fn(u32) -> bool,
        separator: &mut Vec<u32>,
    ) {
        self.spread(network, near, closed);
        let first = self.search;
        // The second search starts from `far`, and stops only at rim vertices. The rim vertices that it reaches form
        // the separator.
        self.search += 1;
        self.queue.clear();
        self.met[far as usize] = self.search;
        self.queue.push(far);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            for &neighbour in network.neighbours(vertex) {
                let met = self.met[neighbour as usize];
                if met == self.search {
                    continue;
                }
                self.met[neighbour as usize] = self.search;
                // The first search reached this neighbour, which must be a rim vertex, because the rim encloses the
                // region.
                if met == first {
                    separator.push(neighbour);
                } else {
                    self.queue.push(neighbour);
                }
            }
        }
    }
}
