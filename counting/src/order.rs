//! Nested dissection: orders the vertices of a graph so that small separators come first.
//!
//! A separator splits the graph into parts, which are then dissected in the same way. Branching first on the variables
//! of a separator makes the parts independent of each other. A separator is a minimum vertex cut between two ends of
//! the graph, as in inertial flow (Schild, Sommer: *On balanced separators in road networks*, SEA 2015), but the ends
//! are determined by distances instead of coordinates. Nested dissection is from George: *Nested dissection of a
//! regular finite element mesh*, SIAM Journal on Numerical Analysis, 1973.

use gordian_encodings::tick;

use crate::random::Random;

/// A nested dissection of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dissection {
    /// The depth of each vertex: 0 in a separator of a whole connected component, 1 in a separator of one of the
    /// resulting parts, and so on.
    pub depth: Vec<u32>,
    /// The vertices in the order of the dissection: each separator before its parts, and the vertices of each part
    /// together.
    pub sequence: Vec<u32>,
    /// The maximum total size of a sequence of separators in which each separator splits one of the parts that its
    /// predecessor leaves.
    pub width: usize,
}

/// A separator is a minimum cut between two sets of vertices, the ends of the graph. The search tries ends of these
/// sizes, given as fractions of the number of vertices.
const SHARES: [f64; 3] = [0.15, 0.3, 0.4];
/// The search minimises the size of the separator, plus this factor times the square root of the largest part's size.
const BALANCE: f64 = 1.2;
/// Parts with at most this many vertices are not dissected further.
const SMALL: usize = 4;

/// Dissects a graph, which is given by the neighbours of each vertex. To find a separator, `tries` attempts are made,
/// and the best result is used. The result is deterministic.
#[must_use]
pub fn dissect(neighbours: &[Vec<u32>], tries: usize) -> Dissection {
    let mut dissection = Dissection {
        depth: vec![0; neighbours.len()],
        sequence: Vec::with_capacity(neighbours.len()),
        width: 0,
    };
    let mut random = Random::new(7);
    let mut graph = Graph::new(neighbours);
    let all: Vec<u32> = (0..neighbours.len() as u32).collect();
    let mut stack: Vec<(Vec<u32>, u32, usize)> =
        graph.parts(&all, &[]).into_iter().map(|part| (part, 0, 0)).collect();
    while let Some((part, level, above)) = stack.pop() {
        graph.enter(&part);
        let separator = if part.len() <= SMALL || graph.is_clique() {
            part.clone()
        } else {
            graph.separator(&mut random, tries)
        };
        for &vertex in &separator {
            dissection.depth[vertex as usize] = level;
        }
        let width = above + separator.len();
        dissection.width = dissection.width.max(width);
        stack.extend(graph.parts(&part, &separator).into_iter().map(|part| (part, level + 1, width)));
        dissection.sequence.extend(separator);
    }
    dissection
}

/// Marks the absence of a vertex.
const NONE: u32 = u32::MAX;

/// A graph, and the part of the graph that is being dissected. The vertices of the part are numbered from 0.
struct Graph<'a> {
    neighbours: &'a [Vec<u32>],
    /// The number of each vertex within the part, or [`NONE`].
    local: Vec<u32>,
    part: Vec<u32>,
    /// The neighbours of each vertex within the part.
    inside: Vec<Vec<u32>>,
}

impl<'a> Graph<'a> {
    fn new(neighbours: &'a [Vec<u32>]) -> Self {
        Self { neighbours, local: vec![NONE; neighbours.len()], part: Vec::new(), inside: Vec::new() }
    }

    fn enter(&mut self, part: &[u32]) {
        for &vertex in &self.part {
            self.local[vertex as usize] = NONE;
        }
        for (number, &vertex) in (0..).zip(part) {
            self.local[vertex as usize] = number;
        }
        let inside = |&vertex: &u32| {
            let local = self.neighbours[vertex as usize].iter().map(|&other| self.local[other as usize]);
            local.filter(|&other| other != NONE).collect()
        };
        self.inside = part.iter().map(inside).collect();
        self.part = part.to_vec();
    }

    fn is_clique(&self) -> bool {
        self.inside.iter().all(|others| others.len() + 1 == self.part.len())
    }

    /// Returns the connected components of `vertices` after removing the vertices in `removed`.
    fn parts(&self, vertices: &[u32], removed: &[u32]) -> Vec<Vec<u32>> {
        let mut inside = vec![false; self.neighbours.len()];
        for (list, value) in [(vertices, true), (removed, false)] {
            for &vertex in list {
                inside[vertex as usize] = value;
            }
        }
        let mut parts = Vec::new();
        for &vertex in vertices {
            if !std::mem::take(&mut inside[vertex as usize]) {
                continue;
            }
            let mut part = vec![vertex];
            let mut next = 0;
            while let Some(&vertex) = part.get(next) {
                next += 1;
                let others = self.neighbours[vertex as usize].iter();
                part.extend(others.filter(|&&other| std::mem::take(&mut inside[other as usize])));
            }
            parts.push(part);
        }
        parts
    }

    /// Returns the distance of each vertex of the part from the vertex `from`.
    fn distances(&self, from: usize) -> Vec<i64> {
        let mut distances = vec![i64::MAX; self.part.len()];
        distances[from] = 0;
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&vertex) = queue.get(next) {
            next += 1;
            for &other in &self.inside[vertex] {
                if distances[other as usize] == i64::MAX {
                    distances[other as usize] = distances[vertex] + 1;
                    queue.push(other as usize);
                }
            }
        }
        distances
    }

    /// Returns a small set of vertices that splits a connected part into balanced parts.
    fn separator(&self, random: &mut Random, tries: usize) -> Vec<u32> {
        let size = self.part.len();
        let mut best = (f64::INFINITY, self.part.clone());
        for attempt in 0..tries {
            let from = self.distances(random.index(size));
            let noise: Vec<u64> = (0..size).map(|_| random.word()).collect();
            let farthest = |distances: &[i64]| {
                (0..size).max_by_key(|&vertex| (distances[vertex], noise[vertex])).unwrap_or(0)
            };
            let first = self.distances(farthest(&from));
            let second = self.distances(if attempt % 3 == 2 { random.index(size) } else { farthest(&first) });
            let mut order: Vec<u32> = (0..size as u32).collect();
            order.sort_unstable_by_key(|&vertex| {
                (first[vertex as usize] - second[vertex as usize], noise[vertex as usize])
            });
            for share in SHARES {
                let end = ((size as f64 * share) as usize).max(1);
                let least = BALANCE * (size as f64 * share).sqrt();
                let most = (best.0 - least).max(0.0).min(size as f64) as usize;
                let (sources, sinks) = (&order[..end], &order[size - end..]);
                let Some(cut) = self.minimum_cut(sources, sinks, most) else { continue };
                let cut: Vec<u32> = cut.into_iter().map(|vertex| self.part[vertex as usize]).collect();
                let largest = self.parts(&self.part, &cut).iter().map(Vec::len).max().unwrap_or(0);
                let score = cut.len() as f64 + BALANCE * (largest as f64).sqrt();
                if score < best.0 {
                    best = (score, cut);
                }
            }
        }
        best.1
    }

    /// Returns a smallest set of vertices that separates the sources from the sinks, or `None` if the size of this set
    /// exceeds `most`. The set may contain sources and sinks.
    ///
    /// The algorithm is based on Menger's theorem: vertex-disjoint paths are added until no further path exists. The
    /// search for the next path distinguishes two states of each vertex: `2 v` for entering it and `2 v + 1` for
    /// leaving it.
    fn minimum_cut(&self, sources: &[u32], sinks: &[u32], most: usize) -> Option<Vec<u32>> {
        let size = self.part.len();
        let mut is_sink = vec![false; size];
        for &sink in sinks {
            is_sink[sink as usize] = true;
        }
        // The predecessor and the successor of each vertex on its path. The first vertex is its own predecessor, and
        // the last vertex is its own successor.
        let (mut before, mut after) = (vec![NONE; size], vec![NONE; size]);
        let mut flow = 0;
        let mut parent = vec![NONE; 2 * size];
        let mut queue: Vec<u32> = Vec::with_capacity(2 * size);
        loop {
            tick(size as u64);
            parent.fill(NONE);
            queue.clear();
            for &source in sources {
                parent[2 * source as usize] = 2 * source;
                queue.push(2 * source);
            }
            let mut next = 0;
            let mut end = None;
            while let Some(&state) = queue.get(next) {
                next += 1;
                let vertex = state >> 1;
                let (previous, following) = (before[vertex as usize], after[vertex as usize]);
                let mut reach = |to: u32| {
                    if parent[to as usize] == NONE {
                        parent[to as usize] = state;
                        queue.push(to);
                    }
                };
                if state & 1 == 1 {
                    if is_sink[vertex as usize] && following != vertex {
                        end = Some(state);
                        break;
                    }
                    for &other in &self.inside[vertex as usize] {
                        if other != following {
                            reach(2 * other);
                        }
                    }
                    if following != NONE {
                        reach(2 * vertex);
                    }
                } else if following == NONE {
                    reach(2 * vertex + 1);
                } else if previous != vertex {
                    reach(2 * previous + 1);
                }
            }
            let Some(end) = end else {
                let is_cut = |&vertex: &u32| {
                    parent[2 * vertex as usize] != NONE && parent[2 * vertex as usize + 1] == NONE
                };
                return Some((0..size as u32).filter(is_cut).collect());
            };
            flow += 1;
            if flow > most {
                return None;
            }
            let mut states = vec![end];
            let mut state = end;
            while parent[state as usize] != state {
                state = parent[state as usize];
                states.push(state);
            }
            states.reverse();
            let steps = || states.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| a >> 1 != b >> 1);
            for (a, b) in steps().filter(|(a, _)| a & 1 == 0) {
                // The new path uses an edge of an existing path in the opposite direction, so the edge is removed
                // from both.
                let (from, to) = ((b >> 1) as usize, (a >> 1) as usize);
                if after[from] == to as u32 {
                    after[from] = NONE;
                }
                if before[to] == from as u32 {
                    before[to] = NONE;
                }
            }
            for (a, b) in steps().filter(|(a, _)| a & 1 == 1) {
                after[(a >> 1) as usize] = b >> 1;
                before[(b >> 1) as usize] = a >> 1;
            }
            before[(states[0] >> 1) as usize] = states[0] >> 1;
            after[(end >> 1) as usize] = end >> 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: u32, columns: u32) -> Vec<Vec<u32>> {
        let at = |row: u32, column: u32| row * columns + column;
        (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|(row, column)| {
                let mut near = Vec::new();
                near.extend((row > 0).then(|| at(row.wrapping_sub(1), column)));
                near.extend((row + 1 < rows).then(|| at(row + 1, column)));
                near.extend((column > 0).then(|| at(row, column.wrapping_sub(1))));
                near.extend((column + 1 < columns).then(|| at(row, column + 1)));
                near
            })
            .collect()
    }

    #[test]
    fn a_separator_separates() {
        for (rows, columns) in [(1, 1), (1, 9), (5, 5), (4, 20), (13, 13)] {
            let graph = grid(rows, columns);
            let Dissection { depth, mut sequence, width } = dissect(&graph, 6);
            let position = |vertex: &u32| sequence.iter().position(|other| other == vertex).unwrap();
            let all = Graph::new(&graph);
            for least in 0..*depth.iter().max().unwrap() {
                let below = (0..rows * columns).filter(|&vertex| depth[vertex as usize] >= least);
                for part in all.parts(&below.collect::<Vec<_>>(), &[]) {
                    let mut positions: Vec<usize> = part.iter().map(position).collect();
                    positions.sort_unstable();
                    assert_eq!(positions[positions.len() - 1] - positions[0] + 1, part.len());
                    // In the order, the first separator of a part precedes the parts that it separates.
                    assert!(positions.is_sorted_by_key(|&at| depth[sequence[at] as usize] > least));
                }
            }
            assert!(width <= 6 * rows.min(columns) as usize + SMALL, "{rows} x {columns}: {width}");
            sequence.sort_unstable();
            assert!(sequence.into_iter().eq(0..rows * columns));
        }
    }

    #[test]
    fn the_minimum_cut_of_a_grid_is_a_line() {
        let graph = grid(5, 9);
        let mut part = Graph::new(&graph);
        let all: Vec<u32> = (0..45).collect();
        part.enter(&all);
        let column = |column: u32| (0..5).map(|row| row * 9 + column).collect::<Vec<u32>>();
        assert_eq!(part.minimum_cut(&column(0), &column(8), 5).unwrap().len(), 5);
        assert_eq!(part.minimum_cut(&column(0), &column(8), 4), None);
        assert_eq!(part.minimum_cut(&[20], &column(8), 5).unwrap(), [20]);
    }
}
