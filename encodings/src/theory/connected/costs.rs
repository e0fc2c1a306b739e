//! How many more vertices a way needs: shortest ways where some vertices are free.

use std::collections::VecDeque;

use crate::theory::network::Network;

/// For each vertex, the least number of vertices that are not free on a way to it, itself included.
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

    /// The cost of a vertex, unless it is over the limit of the last [`Costs::spread`].
    pub(super) fn of(&self, vertex: u32) -> Option<u32> {
        Some(self.cost[vertex as usize]).filter(|&cost| cost != NONE)
    }

    /// Computes the costs up to `limit` of ways from `start`. Closed vertices get a cost too, but no way goes on from
    /// them.
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
        // Free vertices go to the front: the queue is sorted by cost at any time.
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
