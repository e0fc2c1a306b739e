//! A graph whose vertices are literals, ready for search: only what can matter, numbered densely.
//!
//! Vertices that can't be in the set are left out, and so are those that no way leads to from a vertex that certainly
//! is. The separators here are minimal: each of their vertices touches both sides, so that none can be left out of the
//! clause.

use crate::constraint::Connected;
use crate::lit::{FALSE, Lit, TRUE};

/// Vertices with literals, and the edges between them.
#[derive(Debug, Clone)]
pub struct Network {
    lits: Vec<Lit>,
    /// Neighbours of vertex v: `ends[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// A vertex that is certainly in the set.
    root: Option<u32>,
    /// Vertices of the graph that can't be in the set, as no way leads to them.
    cut_off: Vec<Lit>,
}

impl Network {
    /// The part of the constraint's graph that can matter.
    #[must_use]
    pub fn new(constraint: &Connected) -> Self {
        let Connected { graph, vertices, .. } = constraint;
        let open = |vertex: usize| vertices[vertex] != FALSE;
        let root = (0..vertices.len()).find(|&vertex| vertices[vertex] == TRUE);
        let near = root.map(|root| graph.distances([root], open));
        let reached = |vertex: usize| near.as_ref().is_none_or(|near| near[vertex].is_some());
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

    /// The number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }

    /// The literal of a vertex.
    #[must_use]
    pub fn lit(&self, vertex: u32) -> Lit {
        self.lits[vertex as usize]
    }

    /// A vertex that is certainly in the set, if one is.
    #[must_use]
    pub fn root(&self) -> Option<u32> {
        self.root
    }

    /// The literals of the vertices that were left out because no way leads to them: none of them may hold.
    #[must_use]
    pub fn cut_off(&self) -> &[Lit] {
        &self.cut_off
    }

    /// The neighbours of a vertex.
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.ends[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    /// All vertices.
    #[must_use]
    pub fn vertices(&self) -> std::ops::Range<u32> {
        0..self.lits.len() as u32
    }
}

/// Walks on a [`Network`], with memory to reuse.
#[derive(Debug, Clone)]
pub struct Walker {
    /// The walk that last met a vertex.
    met: Vec<u64>,
    walk: u64,
    queue: Vec<u32>,
    rim: Vec<u32>,
}

impl Walker {
    /// A walker for networks of this many vertices.
    #[must_use]
    pub fn new(vertices: usize) -> Self {
        Self { met: vec![0; vertices], walk: 0, queue: Vec::new(), rim: Vec::new() }
    }

    /// The vertices that can be reached from `start` (itself included) over those that are not `closed`.
    pub fn region(&mut self, network: &Network, start: u32, closed: impl Fn(u32) -> bool) -> &[u32] {
        self.spread(network, start, closed);
        &self.queue
    }

    /// Walks from `start`: `queue` gets what is reached, `rim` the closed vertices beside it.
    fn spread(&mut self, network: &Network, start: u32, closed: impl Fn(u32) -> bool) {
        self.walk += 1;
        self.queue.clear();
        self.rim.clear();
        self.met[start as usize] = self.walk;
        self.queue.push(start);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            for &near in network.neighbours(vertex) {
                if self.met[near as usize] != self.walk {
                    self.met[near as usize] = self.walk;
                    if closed(near) {
                        self.rim.push(near);
                    } else {
                        self.queue.push(near);
                    }
                }
            }
        }
    }

    /// Appends to `separator` all closed vertices beside the region of `start`.
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

    /// Appends to `separator` a minimal set of closed vertices without which no way leads from `near` to `far`, those
    /// nearest to `near`. There must be no way over vertices that are not closed.
    pub fn separator(
        &mut self,
        network: &Network,
        near: u32,
        far: u32,
        closed: impl Fn(u32) -> bool,
        separator: &mut Vec<u32>,
    ) {
        self.spread(network, near, closed);
        let walk = self.walk;
        // Only the rim is closed now. From the far side, what of it can still be touched?
        self.walk += 1;
        self.queue.clear();
        self.met[far as usize] = self.walk;
        self.queue.push(far);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            for &beside in network.neighbours(vertex) {
                let met = self.met[beside as usize];
                if met == self.walk {
                    continue;
                }
                self.met[beside as usize] = self.walk;
                // What the first walk met and left closed is the rim; nothing else of it can be met from here.
                if met == walk {
                    separator.push(beside);
                } else {
                    self.queue.push(beside);
                }
            }
        }
    }
}
