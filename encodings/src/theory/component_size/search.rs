//! Breadth-first search with a limited number of steps and of vertices.

use crate::theory::network::Network;

/// A breadth-first search. Searches share the same memory.
#[derive(Debug)]
pub(super) struct Search {
    /// The number of the last search that met each vertex.
    met: Vec<u64>,
    number: u64,
    /// The vertices that the search reached, in the order of their distances.
    pub(super) reached: Vec<u32>,
    /// The vertices that the search met but did not enter.
    pub(super) rim: Vec<u32>,
}

impl Search {
    pub(super) fn new(vertices: usize) -> Self {
        Self { met: vec![0; vertices], number: 0, reached: Vec::new(), rim: Vec::new() }
    }

    /// Searches from the starts over vertices that the function `enters` accepts, up to a number of steps. Stops when more
    /// than `most` vertices are reached. Vertices beyond the last step do not belong to the rim.
    pub(super) fn spread(
        &mut self,
        network: &Network,
        starts: impl IntoIterator<Item = u32>,
        most: usize,
        steps: u32,
        enters: impl Fn(u32) -> bool,
    ) {
        self.number += 1;
        self.reached.clear();
        self.rim.clear();
        for start in starts {
            if self.met[start as usize] != self.number {
                self.met[start as usize] = self.number;
                self.reached.push(start);
            }
        }
        let mut next = 0;
        for _ in 0..steps {
            let layer = self.reached.len();
            if next == layer {
                return;
            }
            while next < layer {
                let vertex = self.reached[next];
                next += 1;
                for &near in network.neighbours(vertex) {
                    if self.met[near as usize] == self.number {
                        continue;
                    }
                    self.met[near as usize] = self.number;
                    if !enters(near) {
                        self.rim.push(near);
                        continue;
                    }
                    self.reached.push(near);
                    if self.reached.len() > most {
                        return;
                    }
                }
            }
        }
    }
}
