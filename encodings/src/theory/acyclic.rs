//! A propagator for edges without a cycle. It derives implied literals and conflicts, and explains them by clauses.
//!
//! The propagator stores the trees of the chosen edges as disjoint sets of vertices, with union by size and without path
//! compression, so that the last union can be undone (Westbrook, Tarjan 1989). When an edge joins two trees, every other edge
//! between them is false, because a path of chosen edges connects its ends; the edges of the smaller tree are looked at.
//! The clause contains the literals of this path. An edge within a tree is a conflict.
//!
//! If the edges have different literals, propagation is domain consistent: after it, the chosen edges form a forest, and
//! still do if any one of the undecided edges is added and all others are left out.

use std::collections::VecDeque;
use std::sync::Arc;

use super::connected::NEVER;
use super::{Event, Findings, Lazy, Propagator};
use crate::lit::{FALSE, Lit, constant};

/// A graph whose edges have literals.
#[derive(Debug)]
struct Edges {
    edges: Vec<(u32, u32, Lit)>,
    /// The edges at each vertex.
    at: Vec<Vec<u32>>,
}

impl Edges {
    fn lit(&self, edge: u32) -> Lit {
        self.edges[edge as usize].2
    }

    fn ends(&self, edge: u32) -> (u32, u32) {
        let (a, b, _) = self.edges[edge as usize];
        (a, b)
    }

    /// Returns the edges of a path between the ends of an edge, over other edges that are `open`.
    fn path(&self, edge: u32, open: impl Fn(u32) -> bool) -> Vec<u32> {
        let (start, end) = self.ends(edge);
        let mut came_by = vec![NEVER; self.at.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(vertex) = queue.pop_front() {
            if vertex == end {
                break;
            }
            for &next in self.at[vertex as usize].iter().filter(|&&next| next != edge && open(next)) {
                let (a, b) = self.ends(next);
                let other = if a == vertex { b } else { a };
                if other != start && came_by[other as usize] == NEVER {
                    came_by[other as usize] = next;
                    queue.push_back(other);
                }
            }
        }
        let mut path = Vec::new();
        let mut vertex = end;
        while vertex != start {
            let edge = came_by[vertex as usize];
            path.push(edge);
            let (a, b) = self.ends(edge);
            vertex = if a == vertex { b } else { a };
        }
        path
    }
}

/// Disjoint sets of vertices.
#[derive(Debug)]
struct Trees {
    /// The parent of each vertex in the tree of its set. The parent of a root is the root itself.
    above: Vec<u32>,
    /// The number of vertices of the set of each root.
    size: Vec<u32>,
    /// The next vertex of the set, in a cycle.
    next: Vec<u32>,
}

impl Trees {
    fn new(vertices: usize) -> Self {
        let own: Vec<u32> = (0..vertices as u32).collect();
        Self { above: own.clone(), size: vec![1; vertices], next: own }
    }

    fn root(&self, mut vertex: u32) -> u32 {
        while self.above[vertex as usize] != vertex {
            vertex = self.above[vertex as usize];
        }
        vertex
    }

    /// Joins the set of the root `lower` to that of the root `upper`.
    fn join(&mut self, upper: u32, lower: u32) {
        self.above[lower as usize] = upper;
        self.size[upper as usize] += self.size[lower as usize];
        self.next.swap(upper as usize, lower as usize);
    }

    /// Undoes the last [`Trees::join`], whose lower root is given.
    fn split(&mut self, lower: u32) {
        let upper = self.above[lower as usize];
        self.next.swap(upper as usize, lower as usize);
        self.size[upper as usize] -= self.size[lower as usize];
        self.above[lower as usize] = lower;
    }
}

/// Edges without a cycle, as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyAcyclic {
    graph: Arc<Edges>,
}

impl LazyAcyclic {
    /// Creates a constraint that is enforced by a propagator if the solver supports propagators, and by cuts otherwise.
    /// Each edge has two ends below `vertices`, and a literal.
    #[must_use]
    pub fn new(vertices: usize, edges: &[(usize, usize, Lit)]) -> Self {
        let open = edges.iter().filter(|(_, _, lit)| *lit != FALSE);
        let edges: Vec<_> = open.map(|&(a, b, lit)| (a as u32, b as u32, lit)).collect();
        let mut at = vec![Vec::new(); vertices];
        for (edge, &(a, b, _)) in (0..).zip(&edges) {
            at[a as usize].push(edge);
            if a != b {
                at[b as usize].push(edge);
            }
        }
        Self { graph: Arc::new(Edges { edges, at }) }
    }
}

impl Lazy for LazyAcyclic {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let graph = &*self.graph;
        let mut trees = Trees::new(graph.at.len());
        let mut joining = vec![false; graph.edges.len()];
        let mut clauses = Vec::new();
        for (edge, &(a, b, lit)) in (0..).zip(&graph.edges) {
            if !holds(lit) {
                continue;
            }
            let (one, other) = (trees.root(a), trees.root(b));
            if one == other {
                let path = graph.path(edge, |next| joining[next as usize]);
                let cycle = path.into_iter().chain([edge]).map(|edge| !graph.lit(edge));
                clauses.push(cycle.filter(|&lit| constant(lit).is_none()).collect());
            } else {
                trees.join(one, other);
                joining[edge as usize] = true;
            }
        }
        clauses
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        Some(Box::new(AcyclicPropagator::new(Arc::clone(&self.graph))))
    }
}

/// The event that an edge is chosen.
fn event_in(edge: u32) -> Event {
    2 * edge
}

/// The event that an edge is not chosen.
fn event_out(edge: u32) -> Event {
    2 * edge + 1
}

/// The propagator for edges without a cycle.
#[derive(Debug)]
pub struct AcyclicPropagator {
    graph: Arc<Edges>,
    trees: Trees,
    /// The time at which each edge was chosen: its position on the trail plus 1, 0 if it is constant, or [`NEVER`].
    since: Vec<u32>,
    /// The chosen edges, each with the root of the tree that it joined to another one, if it did.
    trail: Vec<(u32, Option<u32>)>,
    /// For each edge that is not chosen, when this was derived.
    derived: Vec<u32>,
    /// Edges within a tree that are not reported yet, with the time at which the tree was joined.
    implied: Vec<(u32, u32)>,
    /// Chosen edges that close a cycle, with the time at which they were chosen.
    cycles: Vec<(u32, u32)>,
}

impl AcyclicPropagator {
    fn new(graph: Arc<Edges>) -> Self {
        let edges = graph.edges.len();
        let mut propagator = Self {
            trees: Trees::new(graph.at.len()),
            since: vec![NEVER; edges],
            trail: Vec::new(),
            derived: vec![0; edges],
            implied: Vec::new(),
            cycles: Vec::new(),
            graph,
        };
        for edge in 0..edges as u32 {
            let (a, b) = propagator.graph.ends(edge);
            if constant(propagator.graph.lit(edge)) == Some(true) {
                propagator.choose(edge, 0);
            } else if a == b {
                propagator.implied.push((edge, 0));
            }
        }
        propagator
    }

    /// Adds a chosen edge. Returns the root of the tree that it joined to another one.
    fn choose(&mut self, edge: u32, time: u32) -> Option<u32> {
        self.since[edge as usize] = time;
        let (a, b) = self.graph.ends(edge);
        let (mut upper, mut lower) = (self.trees.root(a), self.trees.root(b));
        if upper == lower {
            self.cycles.push((edge, time));
            return None;
        }
        if self.trees.size[upper as usize] < self.trees.size[lower as usize] {
            (upper, lower) = (lower, upper);
        }
        let mut vertex = lower;
        loop {
            for &near in &self.graph.at[vertex as usize] {
                let (a, b) = self.graph.ends(near);
                let other = if a == vertex { b } else { a };
                if near != edge && self.trees.root(other) == upper {
                    self.implied.push((near, time));
                }
            }
            vertex = self.trees.next[vertex as usize];
            if vertex == lower {
                break;
            }
        }
        self.trees.join(upper, lower);
        Some(lower)
    }

    /// Appends the literals of a path between the ends of an edge that was complete at a time.
    fn explain_path(&self, edge: u32, time: u32, reason: &mut Vec<Lit>) {
        let path = self.graph.path(edge, |next| self.since[next as usize] <= time);
        let lits = path.into_iter().map(|edge| self.graph.lit(edge));
        reason.extend(lits.filter(|&lit| constant(lit).is_none()));
    }
}

impl Propagator for AcyclicPropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        let edges = (0..).zip(&self.graph.edges).map(|(edge, &(_, _, lit))| (lit, event_in(edge)));
        edges.filter(|&(lit, _)| constant(lit).is_none()).collect()
    }

    fn assign(&mut self, event: Event) -> bool {
        let edge = event / 2;
        let time = self.trail.len() as u32 + 1;
        let joined = self.choose(edge, time);
        self.trail.push((edge, joined));
        true
    }

    fn undo(&mut self) {
        let time = self.trail.len() as u32;
        let Some((edge, joined)) = self.trail.pop() else { return };
        if let Some(lower) = joined {
            self.trees.split(lower);
        }
        self.since[edge as usize] = NEVER;
        for pending in [&mut self.implied, &mut self.cycles] {
            while pending.last().is_some_and(|&(_, since)| since >= time) {
                pending.pop();
            }
        }
    }

    fn propagate(&mut self, findings: &mut Findings) {
        if let Some(&(edge, time)) = self.cycles.first() {
            let mut cycle = Vec::new();
            // An edge that is chosen at the same time as others is constant.
            let others = time.saturating_sub(1);
            self.explain_path(edge, others, &mut cycle);
            cycle.push(self.graph.lit(edge));
            findings.conflict =
                Some(cycle.into_iter().filter(|&lit| constant(lit).is_none()).map(|lit| !lit).collect());
            return;
        }
        for (edge, time) in std::mem::take(&mut self.implied) {
            self.derived[edge as usize] = time;
            findings.implied.push((!self.graph.lit(edge), event_out(edge)));
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let edge = event / 2;
        self.explain_path(edge, self.derived[edge as usize], reason);
    }
}
