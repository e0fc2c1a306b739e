//! A propagator for sets whose components have a given size. It derives implied literals and conflicts, and explains
//! them by clauses.
//!
//! In the following, a vertex is *in* if its literal is true, *out* if its literal is false, and *open* otherwise. Vertices
//! that are in and connected by others that are in form a *piece*. If the size is k, the propagator applies the following
//! rules:
//!
//! * **too large**: a piece with more than k vertices is a conflict, and an open vertex that would join pieces to a larger
//!   one is out. The clause contains the literals of k+1 connected vertices.
//! * **too small**: if fewer than k vertices can be reached from a vertex over vertices that are not out, the vertex is
//!   out. The clause contains the literals of the vertices around them; these vertices are out.
//! * **closed in**: a piece of c vertices can only grow to vertices within k - c steps. If there are fewer than k vertices
//!   with the piece itself, there is a conflict. If there are fewer than k without an articulation point (Tarjan 1972), and
//!   without what it separates from the piece, this point is in. The clause contains the literals of the vertices that are
//!   out and around the vertices that can be reached; and the literals of the piece, or of one of its vertices if any number
//!   of steps leads to fewer than k vertices.
//!
//! Only the pieces and vertices near the last assigned vertices are looked at. Clauses are built only if the solver requests
//! them, so the propagator stores the order in which the vertices were assigned.

mod search;

use std::sync::Arc;

use super::connected::NEVER;
use super::connected::depth_first::DepthFirst;
use super::network::{Network, event_in, event_out};
use super::{Event, Findings, Lazy, Propagator};
use crate::graph::Graph;
use crate::lit::{Lit, constant};
use search::Search;

/// Sets whose components have a given size, as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyComponentSize {
    network: Arc<Network>,
    size: usize,
}

impl LazyComponentSize {
    /// Creates a constraint that is enforced by a propagator if the solver supports propagators, and by cuts otherwise.
    /// `vertices` contains the literals of the graph's vertices.
    ///
    /// # Panics
    /// Panics if the size is 0.
    #[must_use]
    pub fn new(graph: &Graph, vertices: &[Lit], size: usize) -> Self {
        assert!(size > 0, "a component has a vertex");
        Self { network: Arc::new(Network::of_components(graph, vertices)), size }
    }
}

impl Lazy for LazyComponentSize {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let network = &*self.network;
        let mut search = Search::new(network.len());
        let mut seen = vec![false; network.len()];
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for start in network.vertices() {
            if seen[start as usize] || !holds(network.lit(start)) {
                continue;
            }
            search.spread(network, [start], usize::MAX, u32::MAX, |v| holds(network.lit(v)));
            let piece = &search.reached;
            for &vertex in piece {
                seen[vertex as usize] = true;
            }
            if piece.len() > self.size {
                clauses.push(piece[..=self.size].iter().map(|&vertex| !network.lit(vertex)).collect());
            } else if piece.len() < self.size {
                let around = search.rim.iter().map(|&vertex| network.lit(vertex));
                clauses.push(around.chain([!network.lit(start)]).collect());
            }
        }
        for clause in &mut clauses {
            clause.retain(|&lit| constant(lit).is_none());
        }
        clauses
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        Some(Box::new(ComponentSizePropagator::new(Arc::clone(&self.network), self.size)))
    }
}

/// The rule by which a literal was derived.
#[derive(Debug, Clone, Copy)]
enum Why {
    TooLarge,
    TooSmall,
    /// The piece of a vertex would be closed in.
    ClosedIn(u32),
}

/// The propagator for components of a given size. The [module](self) describes the propagation rules.
#[derive(Debug)]
pub struct ComponentSizePropagator {
    network: Arc<Network>,
    size: usize,
    /// The time at which each vertex's literal became true (`since_in`) or false (`since_out`): its position on the trail
    /// plus 1, 0 if it is constant, or [`NEVER`].
    since_in: Vec<u32>,
    since_out: Vec<u32>,
    trail: Vec<Event>,
    /// For each event, why it was derived, and the length of the trail then.
    found: Vec<(Why, u32)>,
    /// The vertices that were assigned since the last call without a conflict, or `None` before the first such call.
    fresh: Option<Vec<u32>>,
    /// The number of the last call that looked at each vertex, as part of a region or of a piece.
    known: Vec<u64>,
    looked_at: Vec<u64>,
    call: u64,
    search: Search,
    inner: Search,
    depth_first: DepthFirst,
    /// The vertices that the depth-first search can enter have the entry [`NEVER`].
    barrier: Vec<u32>,
}

impl ComponentSizePropagator {
    fn new(network: Arc<Network>, size: usize) -> Self {
        let n = network.len();
        let is_certain = |vertex: u32| constant(network.lit(vertex)) == Some(true);
        Self {
            size,
            since_in: network.vertices().map(|vertex| if is_certain(vertex) { 0 } else { NEVER }).collect(),
            since_out: vec![NEVER; n],
            trail: Vec::new(),
            found: vec![(Why::TooSmall, 0); 2 * n],
            fresh: None,
            known: vec![0; n],
            looked_at: vec![0; n],
            call: 0,
            search: Search::new(n),
            inner: Search::new(n),
            depth_first: DepthFirst::new(n),
            barrier: vec![0; n],
            network,
        }
    }

    fn is_out(&self, vertex: u32) -> bool {
        self.since_out[vertex as usize] != NEVER
    }

    fn is_in(&self, vertex: u32) -> bool {
        self.since_in[vertex as usize] != NEVER
    }

    fn imply(&mut self, event: Event, why: Why, findings: &mut Findings) {
        self.found[event as usize] = (why, self.trail.len() as u32);
        let lit = self.network.lit(event / 2);
        findings.implied.push((if event.is_multiple_of(2) { lit } else { !lit }, event));
    }

    /// Reports the conflict of the literals of a reason.
    fn fail(findings: &mut Findings, reason: &[Lit]) {
        findings.implied.clear();
        findings.conflict = Some(reason.iter().map(|&lit| !lit).collect());
    }

    /// Derives from the assigned vertices among `fresh`, or from all vertices. Returns `false` if there is a conflict.
    fn derive(&mut self, fresh: Option<&[u32]>, findings: &mut Findings) -> bool {
        self.call += 1;
        let all: Vec<u32> = if fresh.is_none() { self.network.vertices().collect() } else { Vec::new() };
        let fresh = fresh.unwrap_or(&all);
        let network = Arc::clone(&self.network);
        let outs: Vec<u32> = fresh.iter().copied().filter(|&vertex| self.is_out(vertex)).collect();
        let near_outs = outs.iter().flat_map(|&vertex| network.neighbours(vertex));
        let starts = near_outs.chain(&all);
        for &start in starts {
            if !self.is_out(start) && self.known[start as usize] != self.call && !self.region(start, findings)
            {
                return false;
            }
        }
        let mut pieces: Vec<u32> = fresh.iter().copied().filter(|&vertex| self.is_in(vertex)).collect();
        if !outs.is_empty() {
            let since_out = &self.since_out;
            let steps = self.size as u32;
            self.search.spread(&network, outs, usize::MAX, steps, |v| since_out[v as usize] == NEVER);
            pieces.extend(self.search.reached.iter().filter(|&&v| self.since_in[v as usize] != NEVER));
        }
        for vertex in pieces {
            if self.looked_at[vertex as usize] != self.call && !self.piece(vertex, findings) {
                return false;
            }
        }
        true
    }

    /// Looks at the vertices that can be reached from a vertex which is not out.
    fn region(&mut self, start: u32, findings: &mut Findings) -> bool {
        let network = Arc::clone(&self.network);
        let since_out = &self.since_out;
        let most = self.size - 1;
        self.search.spread(&network, [start], most, u32::MAX, |v| since_out[v as usize] == NEVER);
        for &vertex in &self.search.reached {
            self.known[vertex as usize] = self.call;
        }
        if self.search.reached.len() > most {
            return true;
        }
        for index in 0..self.search.reached.len() {
            let vertex = self.search.reached[index];
            if self.is_in(vertex) {
                let mut reason = Vec::new();
                self.explain_closed_in(vertex, None, self.trail.len() as u32, &mut reason);
                Self::fail(findings, &reason);
                return false;
            }
            self.imply(event_out(vertex), Why::TooSmall, findings);
        }
        true
    }

    /// Looks at the piece of a vertex.
    fn piece(&mut self, vertex: u32, findings: &mut Findings) -> bool {
        let network = Arc::clone(&self.network);
        let (since_in, since_out) = (&self.since_in, &self.since_out);
        let is_in = |v: u32| since_in[v as usize] != NEVER;
        self.search.spread(&network, [vertex], self.size, u32::MAX, is_in);
        if self.search.reached.len() > self.size {
            let reason = Self::literals(&network, &self.search.reached);
            Self::fail(findings, &reason);
            return false;
        }
        let piece = std::mem::take(&mut self.search.reached);
        let mut anchor = vertex;
        for &member in &piece {
            self.looked_at[member as usize] = self.call;
            if since_in[member as usize] < since_in[anchor as usize] {
                anchor = member;
            }
        }
        let mut joining = Vec::new();
        for &near in self.search.rim.iter().filter(|&&near| since_out[near as usize] == NEVER) {
            self.inner.spread(&network, [near], self.size, u32::MAX, is_in);
            if self.inner.reached.len() > self.size {
                joining.push(near);
            }
        }
        for near in joining {
            self.imply(event_out(near), Why::TooLarge, findings);
        }
        let fits = piece.len() == self.size || self.grow(anchor, &piece, findings);
        self.search.reached = piece;
        fits
    }

    /// Looks at the vertices to which a piece can grow.
    fn grow(&mut self, anchor: u32, piece: &[u32], findings: &mut Findings) -> bool {
        let network = Arc::clone(&self.network);
        let since_out = &self.since_out;
        let steps = (self.size - piece.len()) as u32;
        let starts = piece.iter().copied();
        self.inner.spread(&network, starts, usize::MAX, steps, |v| since_out[v as usize] == NEVER);
        let reached = self.inner.reached.len();
        if reached < self.size {
            let mut reason = Vec::new();
            self.explain_closed_in(anchor, None, self.trail.len() as u32, &mut reason);
            Self::fail(findings, &reason);
            return false;
        }
        for &vertex in &self.inner.reached {
            self.barrier[vertex as usize] = NEVER;
        }
        self.depth_first.run(&network, anchor, &self.since_in, &self.barrier);
        for index in 0..reached {
            let vertex = self.inner.reached[index];
            self.barrier[vertex as usize] = 0;
            let left = reached - 1 - self.depth_first.lost[vertex as usize] as usize;
            if left < self.size && !self.is_in(vertex) {
                self.imply(event_in(vertex), Why::ClosedIn(anchor), findings);
            }
        }
        true
    }

    /// Appends literals to a reason, without constants.
    fn add(reason: &mut Vec<Lit>, lits: impl Iterator<Item = Lit>) {
        reason.extend(lits.filter(|&lit| constant(lit).is_none()));
    }

    fn literals(network: &Network, vertices: &[u32]) -> Vec<Lit> {
        let mut lits = Vec::new();
        Self::add(&mut lits, vertices.iter().map(|&vertex| network.lit(vertex)));
        lits
    }

    /// Appends the reason why the piece of `anchor` could not grow to the size at a time, even without a further vertex.
    fn explain_closed_in(&mut self, anchor: u32, without: Option<u32>, time: u32, reason: &mut Vec<Lit>) {
        let network = &*self.network;
        let (since_in, since_out) = (&self.since_in, &self.since_out);
        let enters = |v: u32| since_out[v as usize] > time && Some(v) != without;
        let search = &mut self.inner;
        search.spread(network, [anchor], self.size - 1, u32::MAX, enters);
        if search.reached.len() < self.size {
            Self::add(reason, [network.lit(anchor)].into_iter());
        } else {
            search.spread(network, [anchor], self.size, u32::MAX, |v| since_in[v as usize] <= time);
            let piece = std::mem::take(&mut search.reached);
            let steps = (self.size - piece.len()) as u32;
            search.spread(network, piece.iter().copied(), usize::MAX, steps, enters);
            Self::add(reason, piece.iter().map(|&vertex| network.lit(vertex)));
        }
        let around = search.rim.iter().filter(|&&vertex| Some(vertex) != without);
        Self::add(reason, around.map(|&vertex| !network.lit(vertex)));
    }
}

impl Propagator for ComponentSizePropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        self.network.events()
    }

    fn assign(&mut self, event: Event) -> bool {
        let vertex = event / 2;
        self.trail.push(event);
        let since = if event.is_multiple_of(2) { &mut self.since_in } else { &mut self.since_out };
        since[vertex as usize] = self.trail.len() as u32;
        if let Some(fresh) = &mut self.fresh {
            fresh.push(vertex);
        }
        true
    }

    fn undo(&mut self) {
        let Some(event) = self.trail.pop() else { return };
        let since = if event.is_multiple_of(2) { &mut self.since_in } else { &mut self.since_out };
        since[event as usize / 2] = NEVER;
    }

    fn propagate(&mut self, findings: &mut Findings) {
        let fresh = self.fresh.take();
        let fits = fresh.as_ref().is_some_and(Vec::is_empty) || self.derive(fresh.as_deref(), findings);
        // After a conflict, what is still assigned is looked at again.
        self.fresh = if fits { Some(Vec::new()) } else { fresh };
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let (why, time) = self.found[event as usize];
        let vertex = event / 2;
        let network = &*self.network;
        let (since_in, since_out) = (&self.since_in, &self.since_out);
        let search = &mut self.inner;
        match why {
            Why::TooLarge => {
                search.spread(network, [vertex], self.size, u32::MAX, |v| since_in[v as usize] <= time);
                Self::add(reason, search.reached[1..].iter().map(|&v| network.lit(v)));
            }
            Why::TooSmall => {
                search.spread(network, [vertex], self.size, u32::MAX, |v| since_out[v as usize] > time);
                Self::add(reason, search.rim.iter().map(|&v| !network.lit(v)));
            }
            Why::ClosedIn(anchor) => self.explain_closed_in(anchor, Some(vertex), time, reason),
        }
    }
}
