//! Shortest paths in a graph. The length of a path is the number of vertices on it that are not free.

use std::collections::VecDeque;

use crate::theory::network::Network;

/// The cost of each vertex: the length of a shortest path to it. The ends of the path also count if they are not free.
#[derive(Debug)]
pub(super) struct Costs {
    cost: Vec<u32>,
    queue: VecDeque<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Costs {
    pub(super) fn new(vertices: usize) -> Self {
        Self { cost: vec![NONE; vertices], queue: VecDeque::new() }
    }

    /// Returns the cost of a vertex, or `None` if the cost exceeds the limit that was passed to the last call of
    /// [`Costs::spread`].
    pub(super) fn of(&self, vertex: u32) -> Option<u32> {
        Some(self.cost[vertex as usize]).filter(|&cost| cost != NONE)
    }

    /// Computes the costs of all vertices, up to `limit`. Paths start at `start`. A path may end at a closed vertex,
    /// but must not pass through a closed vertex.
    pub(super) fn spread(
        &mut self,
        network: &Network,
        start: u32,
        limit: u32,
        is_free: impl Fn(u32) -> bool,
        is_closed: impl Fn(u32) -> bool,
    ) {
        self.cost.fill(NONE);
        self.queue.clear();
        let first = u32::from(!is_free(start));
        if first > limit {
            return;
        }
        self.cost[start as usize] = first;
        self.queue.push_back((start, first));
        // Free vertices are added at the front of the queue, which keeps the queue sorted by cost.
        while let Some((vertex, cost)) = self.queue.pop_front() {
            if cost > self.cost[vertex as usize] || (vertex != start && is_closed(vertex)) {
                continue;
            }
            for &near in network.neighbours(vertex) {
                let free = is_free(near);
                let price = cost + u32::from(!free);
                if price < self.cost[near as usize] && price <= limit {
                    self.cost[near as usize] = price;
                    if free {
                        self.queue.push_front((near, price));
                    } else {
                        self.queue.push_back((near, price));
                    }
                }
            }
        }
    }
}
