//! Graphs, and a function that decides whether a clause follows from the connectivity of a graph.

use std::collections::{HashMap, VecDeque};

/// A vertex of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vertex {
    /// The number of the vertex.
    pub number: u32,
    /// The literal that is true if the vertex is in the set, or `None` if the vertex is in every set.
    pub lit: Option<i32>,
    /// The indices of the adjacent vertices.
    pub near: Vec<usize>,
}

/// A graph with the constraint that a set of its vertices is connected. The set may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The number of the graph.
    pub number: u32,
    /// The minimum number of vertices in the set.
    pub least: usize,
    /// The maximum number of vertices in the set.
    pub most: usize,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Maps each literal to the indices of the vertices with this literal.
    pub(crate) of: HashMap<i32, Vec<usize>>,
}

/// The state of a vertex if all literals of a clause are false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    In,
    Out,
    Open,
}

impl Graph {
    /// Decides whether a clause follows from the constraint of the graph.
    ///
    /// If all literals of the clause are false, some vertices are required to be in the set and others are excluded
    /// from it. After the excluded vertices are removed from the graph, the whole set must lie in one component. If no
    /// component can contain the required vertices and a set of the required size, the clause follows. A component is
    /// impossible in these cases:
    ///
    /// * It lacks a required vertex.
    /// * Its number of vertices is less than `least`.
    /// * Two required vertices are so far apart that every path between them would make the set larger than `most`.
    ///
    /// Clauses that follow only for other reasons are refused.
    ///
    /// # Errors
    /// Returns an error with an explanation if the function cannot show that the clause follows.
    pub fn implies(&self, clause: &[i32]) -> Result<(), String> {
        if clause.iter().any(|lit| clause.contains(&-lit)) {
            return Ok(());
        }
        let always = |vertex: &Vertex| if vertex.lit.is_none() { State::In } else { State::Open };
        let mut states: Vec<State> = self.vertices.iter().map(always).collect();
        for lit in clause {
            let [is, negated] = [lit, &-lit].map(|lit| self.of.get(lit).map_or(&[][..], Vec::as_slice));
            if is.is_empty() && negated.is_empty() {
                return Err(format!(
                    "expected literals of the vertices of graph {}, found {lit}",
                    self.number
                ));
            }
            for (vertices, state) in [(is, State::Out), (negated, State::In)] {
                for &vertex in vertices {
                    states[vertex] = state;
                }
            }
        }
        let inside: Vec<usize> = (0..states.len()).filter(|&vertex| states[vertex] == State::In).collect();
        let possible = |found: &str| {
            Err(format!(
                "expected a clause that follows from graph {}; {found} satisfies the graph",
                self.number
            ))
        };
        if inside.is_empty() && self.least == 0 {
            return possible("the empty set");
        }
        let mut seen = vec![false; states.len()];
        for start in 0..states.len() {
            if seen[start] || states[start] == State::Out {
                continue;
            }
            let component = self.component(start, &states, &mut seen);
            if component.len() >= self.least
                && inside.iter().all(|vertex| component.binary_search(vertex).is_ok())
                && (component.len() <= self.most || !self.too_far(&inside, &states))
            {
                let number = self.vertices[start].number;
                return possible(&format!("possibly a set in the component of vertex {number}"));
            }
        }
        Ok(())
    }

    /// Returns the sorted vertices of the component that contains `start`, in the graph without the vertices in state
    /// `Out`. Marks the returned vertices as seen.
    fn component(&self, start: usize, states: &[State], seen: &mut [bool]) -> Vec<usize> {
        let mut component = vec![start];
        seen[start] = true;
        let mut next = 0;
        while let Some(&vertex) = component.get(next) {
            next += 1;
            for &near in &self.vertices[vertex].near {
                if states[near] != State::Out && !std::mem::replace(&mut seen[near], true) {
                    component.push(near);
                }
            }
        }
        component.sort_unstable();
        component
    }

    /// Returns whether the shortest paths between vertices in `inside` show that the size of every connected set with
    /// all these vertices exceeds `most`. The vertices in `inside` are in one component.
    fn too_far(&self, inside: &[usize], states: &[State]) -> bool {
        let Some(spare) = self.most.checked_sub(inside.len().max(1)) else { return true };
        inside.iter().any(|&start| {
            let costs = self.costs(start, states);
            inside.iter().any(|&vertex| costs[vertex] > spare)
        })
    }

    /// Returns for each vertex v the minimum number of vertices in state `Open` on a path from `start` to v, including
    /// v. Paths contain no vertex in state `Out`.
    fn costs(&self, start: usize, states: &[State]) -> Vec<usize> {
        let mut costs = vec![usize::MAX; states.len()];
        costs[start] = 0;
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((vertex, cost)) = queue.pop_front() {
            if cost > costs[vertex] {
                continue;
            }
            for &near in &self.vertices[vertex].near {
                let open = states[near] == State::Open;
                let price = cost + usize::from(open);
                if states[near] != State::Out && price < costs[near] {
                    costs[near] = price;
                    // If a vertex adds no cost, it is inserted at the front. This keeps the queue sorted by cost.
                    if open { queue.push_back((near, price)) } else { queue.push_front((near, price)) }
                }
            }
        }
        costs
    }
}
