//! A depth-first search with lowpoints (Tarjan 1972) over the vertices that can still be in the connected set.

use super::NEVER;
use crate::theory::network::Network;

/// Represents `None` in arrays of vertices.
pub(super) const NO_VERTEX: u32 = u32::MAX;

/// The arrays of the depth-first search.
#[derive(Debug, Default)]
pub(in crate::theory) struct DepthFirst {
    /// The number of the last visit to each vertex. Visits are numbered consecutively over all searches: numbers below
    /// `base` are from earlier searches.
    order: Vec<u32>,
    base: u32,
    low: Vec<u32>,
    /// The number of vertices in the search subtree of each vertex, including the vertex itself. For each subtree,
    /// `witness` contains the vertex whose literal became true first.
    below: Vec<u32>,
    witness: Vec<u32>,
    stack: Vec<(u32, u32)>,
    /// The number of vertices that each articulation point separates from the start.
    pub(in crate::theory) lost: Vec<u32>,
    pub(in crate::theory) visited: Vec<u32>,
    /// Unassigned articulation points that separate a vertex of the set from the start.
    pub(super) between: Vec<u32>,
    /// For each articulation point, a vertex of the set that it separates from the start: the one whose literal became
    /// true first.
    pub(super) hanging: Vec<u32>,
}

impl DepthFirst {
    pub(in crate::theory) fn new(vertices: usize) -> Self {
        Self {
            order: vec![0; vertices],
            base: 1,
            low: vec![0; vertices],
            below: vec![0; vertices],
            witness: vec![NO_VERTEX; vertices],
            lost: vec![0; vertices],
            hanging: vec![NO_VERTEX; vertices],
            ..Self::default()
        }
    }

    /// Returns whether the search that started at visit number `base` visited the vertex.
    pub(in crate::theory) fn met(&self, vertex: u32, base: u32) -> bool {
        self.order[vertex as usize] >= base
    }

    /// Searches the component of `start`. Returns the number of the visit to `start`.
    pub(in crate::theory) fn run(
        &mut self,
        network: &Network,
        start: u32,
        since_in: &[u32],
        since_out: &[u32],
    ) -> u32 {
        let search = self;
        if search.base > u32::MAX / 2 {
            search.order.fill(0);
            search.base = 1;
        }
        let base = search.base;
        let mut next = base;
        search.visited.clear();
        search.between.clear();
        search.stack.clear();
        let enter = |search: &mut DepthFirst, vertex: u32, number: u32| {
            let v = vertex as usize;
            search.order[v] = number;
            search.low[v] = number;
            search.below[v] = 1;
            search.lost[v] = 0;
            search.hanging[v] = NO_VERTEX;
            search.witness[v] = if since_in[v] == NEVER { NO_VERTEX } else { vertex };
            search.visited.push(vertex);
            search.stack.push((vertex, 0));
        };
        enter(search, start, next);
        next += 1;
        while let Some(&mut (vertex, ref mut edge)) = search.stack.last_mut() {
            let v = vertex as usize;
            let near = network.neighbours(vertex).get(*edge as usize).copied();
            *edge += 1;
            if let Some(near) = near {
                let u = near as usize;
                if since_out[u] != NEVER {
                    continue;
                }
                if search.order[u] < base {
                    enter(search, near, next);
                    next += 1;
                } else {
                    search.low[v] = search.low[v].min(search.order[u]);
                }
                continue;
            }
            search.stack.pop();
            let Some(&(parent, _)) = search.stack.last() else { break };
            let p = parent as usize;
            search.below[p] += search.below[v];
            let earlier = |a: u32, b: u32| {
                let since = |x: u32| if x == NO_VERTEX { NEVER } else { since_in[x as usize] };
                if since(a) <= since(b) { a } else { b }
            };
            search.low[p] = search.low[p].min(search.low[v]);
            if search.low[v] >= search.order[p] && parent != start {
                // The parent is an articulation point: it separates the subtree of the child from the start.
                search.lost[p] += search.below[v];
                if search.witness[v] != NO_VERTEX && since_in[p] == NEVER {
                    if search.hanging[p] == NO_VERTEX {
                        search.between.push(parent);
                    }
                    search.hanging[p] = earlier(search.hanging[p], search.witness[v]);
                }
            }
            search.witness[p] = earlier(search.witness[p], search.witness[v]);
        }
        search.base = next;
        base
    }
}
