//! A depth-first search over the vertices that are not out, with lowpoints (Tarjan 1972).

use super::NEVER;
use crate::theory::network::Network;

/// Stands for no vertex.
pub(super) const NOBODY: u32 = u32::MAX;

/// The memory of the depth-first search.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The order in which vertices were visited. Numbers below `base` belong to earlier searches.
    order: Vec<u32>,
    base: u32,
    low: Vec<u32>,
    /// For the subtree of each vertex: its number of vertices, and its first vertex that became in.
    below: Vec<u32>,
    witness: Vec<u32>,
    stack: Vec<(u32, u32)>,
    /// For each articulation point, the number of vertices that it separates from the start.
    pub(super) lost: Vec<u32>,
    pub(super) visited: Vec<u32>,
    /// Open articulation points that separate an in vertex from the start.
    pub(super) between: Vec<u32>,
    /// For each articulation point, the first in vertex that it separates from the start.
    pub(super) hanging: Vec<u32>,
}

impl Walk {
    pub(super) fn new(vertices: usize) -> Self {
        Self {
            order: vec![0; vertices],
            base: 1,
            low: vec![0; vertices],
            below: vec![0; vertices],
            witness: vec![NOBODY; vertices],
            lost: vec![0; vertices],
            hanging: vec![NOBODY; vertices],
            ..Self::default()
        }
    }

    /// Returns whether the last search, whose first number was `base`, visited the vertex.
    pub(super) fn met(&self, vertex: u32, base: u32) -> bool {
        self.order[vertex as usize] >= base
    }

    /// Searches the component of `start` and returns the number of its first visit.
    pub(super) fn run(&mut self, network: &Network, start: u32, since_in: &[u32], since_out: &[u32]) -> u32 {
        let walk = self;
        if walk.base > u32::MAX / 2 {
            walk.order.fill(0);
            walk.base = 1;
        }
        let base = walk.base;
        let mut next = base;
        walk.visited.clear();
        walk.between.clear();
        walk.stack.clear();
        let enter = |walk: &mut Walk, vertex: u32, number: u32| {
            let v = vertex as usize;
            walk.order[v] = number;
            walk.low[v] = number;
            walk.below[v] = 1;
            walk.lost[v] = 0;
            walk.hanging[v] = NOBODY;
            walk.witness[v] = if since_in[v] == NEVER { NOBODY } else { vertex };
            walk.visited.push(vertex);
            walk.stack.push((vertex, 0));
        };
        enter(walk, start, next);
        next += 1;
        while let Some(&mut (vertex, ref mut edge)) = walk.stack.last_mut() {
            let v = vertex as usize;
            let near = network.neighbours(vertex).get(*edge as usize).copied();
            *edge += 1;
            if let Some(near) = near {
                let u = near as usize;
                if since_out[u] != NEVER {
                    continue;
                }
                if walk.order[u] < base {
                    enter(walk, near, next);
                    next += 1;
                } else {
                    walk.low[v] = walk.low[v].min(walk.order[u]);
                }
                continue;
            }
            walk.stack.pop();
            let Some(&(parent, _)) = walk.stack.last() else { break };
            let p = parent as usize;
            walk.below[p] += walk.below[v];
            let earlier = |a: u32, b: u32| {
                let since = |x: u32| if x == NOBODY { NEVER } else { since_in[x as usize] };
                if since(a) <= since(b) { a } else { b }
            };
            walk.low[p] = walk.low[p].min(walk.low[v]);
            if walk.low[v] >= walk.order[p] && parent != start {
                // The parent separates the subtree of this child from the start.
                walk.lost[p] += walk.below[v];
                if walk.witness[v] != NOBODY && since_in[p] == NEVER {
                    if walk.hanging[p] == NOBODY {
                        walk.between.push(parent);
                    }
                    walk.hanging[p] = earlier(walk.hanging[p], walk.witness[v]);
                }
            }
            walk.witness[p] = earlier(walk.witness[p], walk.witness[v]);
        }
        walk.base = next;
        base
    }
}
