//! Connectivity during the search: what a partial assignment implies for a connected set, and why.
//!
//! A vertex is *in* (its literal holds), *out* (its negation does) or *open*. One depth-first walk over the vertices
//! that are not out, from the root or else from the first vertex told to be in, gives the component in which the whole
//! set must lie, and by lowpoints (Tarjan 1972) its articulation points. From these follow, with the clause that
//! explains each:
//!
//! * **beyond**: a vertex outside the component is out, and if it is in there is a conflict. The clause: the start, the
//!   vertex, and a minimal set of out vertices that keeps them apart;
//! * **between**: an articulation point between the start and a vertex that is in, is in. The same clause, with the
//!   articulation point as one of those that keep them apart;
//! * **too few** (where the set has at least `min` vertices): a component with fewer is a conflict, and an articulation
//!   point without which fewer are left is in. The clause: the start and the out vertices around the component;
//! * **too far** (where it has at most `max`): with k vertices in, one that needs more than `max - k` open vertices on
//!   its way to the start (itself included) is out. The clause: the vertices that are in, and those out vertices that
//!   lie on a way that would have been short enough.
//!
//! So every clause speaks of a cut, not of the walk that found it. Clauses are made only when a solver asks, from the
//! order in which the vertices were told; the walk itself costs time linear in the component and is not done when
//! nothing has changed that could matter.

use std::sync::Arc;

use super::network::{Network, Walker};
use super::{Event, Findings, Lazy, Propagator};
use crate::constraint::Connected;
use crate::lit::{Lit, TRUE, constant};

/// A connected set of vertices, left to the search.
#[derive(Debug, Clone)]
pub struct LazyConnected {
    network: Arc<Network>,
    size: (usize, usize),
    propagates: bool,
}

impl LazyConnected {
    /// The constraint, to be kept by cuts.
    #[must_use]
    pub fn by_cuts(constraint: &Connected) -> Self {
        Self { network: Arc::new(Network::new(constraint)), size: constraint.size, propagates: false }
    }

    /// The constraint, to be kept by a propagator where the solver can.
    #[must_use]
    pub fn by_propagation(constraint: &Connected) -> Self {
        Self { propagates: true, ..Self::by_cuts(constraint) }
    }

    /// What of the graph matters.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// Of a separated component, at most this many vertices get a clause of their own.
const WITNESSES: usize = 4;

impl Lazy for LazyConnected {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let network = &*self.network;
        let outside = |vertex: u32| !holds(network.lit(vertex));
        let mut walker = Walker::new(network.len());
        let mut seen = vec![false; network.len()];
        let mut components: Vec<Vec<u32>> = Vec::new();
        for vertex in network.vertices() {
            if !seen[vertex as usize] && !outside(vertex) {
                let region = walker.region(network, vertex, outside).to_vec();
                for &member in &region {
                    seen[member as usize] = true;
                }
                components.push(region);
            }
        }
        // The component with the root, or the largest, is what the others must be joined to.
        let base = match network.root() {
            Some(root) => components.iter().position(|component| component.contains(&root)),
            None => (0..components.len()).max_by_key(|&index| components[index].len()),
        };
        let mut clauses = Vec::new();
        let Some(base) = base else { return clauses };
        let far = network.root().unwrap_or(components[base][0]);
        let mut separator = Vec::new();
        for component in components.iter().enumerate().filter(|&(index, _)| index != base) {
            separator.clear();
            walker.separator(network, component.1[0], far, outside, &mut separator);
            let open = separator.iter().map(|&vertex| network.lit(vertex));
            let known = [far].map(|vertex| !network.lit(vertex));
            // A vertex that is certainly in makes the clauses of the others needless.
            let certain = component.1.iter().position(|&vertex| network.lit(vertex) == TRUE);
            let witnesses = certain.map_or(&component.1[..], |index| &component.1[index..=index]);
            for &witness in witnesses.iter().take(WITNESSES) {
                let clause = open.clone().chain(known).chain([!network.lit(witness)]);
                clauses.push(clause.filter(|&lit| lit != !TRUE).collect());
            }
        }
        clauses
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        self.propagates.then(|| {
            let propagator = ConnectedPropagator::new(Arc::clone(&self.network), self.size);
            Box::new(propagator) as Box<dyn Propagator>
        })
    }
}

/// When a vertex was told, if it was: positions in the log, constants before everything.
const NEVER: u32 = u32::MAX;

/// Why a literal was found.
#[derive(Debug, Clone, Copy)]
enum Why {
    Beyond,
    Between { witness: u32 },
    TooFew,
    TooFar,
}

/// What was known when a literal was found.
#[derive(Debug, Clone, Copy)]
struct Found {
    why: Why,
    /// The length of the log.
    told: u32,
    start: u32,
}

/// See the [module](self).
#[derive(Debug)]
pub struct ConnectedPropagator {
    network: Arc<Network>,
    min: usize,
    max: usize,
    /// When each vertex was told in, or out: one more than its place in the log; 0 for constants.
    since_in: Vec<u32>,
    since_out: Vec<u32>,
    /// The events told, in order.
    log: Vec<Event>,
    /// How many vertices are in, and the places in the log where they were told.
    inside: usize,
    ins: Vec<u32>,
    found: Vec<Found>,
    /// Something that could matter was told since the last walk.
    stale: bool,
    walk: Walk,
    walker: Walker,
    separator: Vec<u32>,
    cost: Vec<u32>,
    back: Vec<u32>,
}

/// The depth-first walk: its memory.
#[derive(Debug, Default)]
struct Walk {
    /// Order numbers; those below `base` are of earlier walks.
    order: Vec<u32>,
    base: u32,
    low: Vec<u32>,
    /// In the subtree: the number of vertices, and the vertex told in first.
    below: Vec<u32>,
    witness: Vec<u32>,
    stack: Vec<(u32, u32)>,
    /// How many vertices hang on an articulation point.
    lost: Vec<u32>,
    visited: Vec<u32>,
    /// Open articulation points, each with a vertex that is in and hangs on it.
    between: Vec<(u32, u32)>,
}

impl Walk {
    fn new(vertices: usize) -> Self {
        Self {
            order: vec![0; vertices],
            base: 1,
            low: vec![0; vertices],
            below: vec![0; vertices],
            witness: vec![NOBODY; vertices],
            lost: vec![0; vertices],
            ..Self::default()
        }
    }

    /// Whether the last walk, which began at the number `base`, met the vertex.
    fn met(&self, vertex: u32, base: u32) -> bool {
        self.order[vertex as usize] >= base
    }
}

const NOBODY: u32 = u32::MAX;

fn event_in(vertex: u32) -> Event {
    2 * vertex
}

fn event_out(vertex: u32) -> Event {
    2 * vertex + 1
}

impl ConnectedPropagator {
    fn new(network: Arc<Network>, (min, max): (usize, usize)) -> Self {
        let n = network.len();
        let certain = |vertex: u32| constant(network.lit(vertex)) == Some(true);
        let since_in: Vec<u32> =
            network.vertices().map(|vertex| if certain(vertex) { 0 } else { NEVER }).collect();
        Self {
            min,
            max,
            inside: since_in.iter().filter(|&&since| since == 0).count(),
            since_in,
            since_out: vec![NEVER; n],
            log: Vec::new(),
            ins: Vec::new(),
            found: vec![Found { why: Why::Beyond, told: 0, start: 0 }; 2 * n],
            stale: true,
            walk: Walk::new(n),
            walker: Walker::new(n),
            separator: Vec::new(),
            cost: vec![0; n],
            back: vec![0; n],
            network,
        }
    }

    /// Where walks start: the root, or the vertex that was told in first.
    fn start(&self) -> Option<u32> {
        self.network.root().or_else(|| self.ins.first().map(|&place| self.log[place as usize] / 2))
    }

    fn is_out(&self, vertex: u32) -> bool {
        self.since_out[vertex as usize] != NEVER
    }

    fn is_in(&self, vertex: u32) -> bool {
        self.since_in[vertex as usize] != NEVER
    }

    fn imply(&mut self, event: Event, found: Found, findings: &mut Findings) {
        self.found[event as usize] = found;
        let lit = self.network.lit(event / 2);
        findings.implied.push((if event % 2 == 0 { lit } else { !lit }, event));
    }

    /// The vertex can't be in: a literal, or a conflict if it is in.
    fn exclude(&mut self, vertex: u32, why: Why, start: u32, findings: &mut Findings) -> bool {
        let told = self.log.len() as u32;
        let event = event_out(vertex);
        if !self.is_in(vertex) {
            self.imply(event, Found { why, told, start }, findings);
            return true;
        }
        self.found[event as usize] = Found { why, told, start };
        let mut reason = Vec::new();
        self.explain(event, &mut reason);
        let lit = self.network.lit(vertex);
        if lit != TRUE {
            reason.push(lit);
        }
        findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
        false
    }

    /// Walks the component of `start`. The answer is the order number it began with.
    fn walk(&mut self, start: u32) -> u32 {
        let Self { network, since_in, since_out, walk, .. } = self;
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
                // What hangs on the parent by this child alone.
                walk.lost[p] += walk.below[v];
                if walk.witness[v] != NOBODY && since_in[p] == NEVER {
                    walk.between.push((parent, walk.witness[v]));
                }
            }
            walk.witness[p] = earlier(walk.witness[p], walk.witness[v]);
        }
        walk.base = next;
        base
    }

    /// Sets `cost`: the least number of vertices that are not free on a way from the start to each vertex, itself
    /// included; none where it is over `limit`. Closed vertices get a cost too, but no way goes on from them.
    fn costs(
        network: &Network,
        cost: &mut [u32],
        start: u32,
        limit: u32,
        is_free: impl Fn(u32) -> bool,
        is_closed: impl Fn(u32) -> bool,
    ) {
        cost.fill(u32::MAX);
        let mut queue = std::collections::VecDeque::new();
        cost[start as usize] = u32::from(!is_free(start));
        queue.push_back(start);
        let mut done = vec![false; cost.len()];
        while let Some(vertex) = queue.pop_front() {
            if std::mem::replace(&mut done[vertex as usize], true) || (vertex != start && is_closed(vertex)) {
                continue;
            }
            for &near in network.neighbours(vertex) {
                let free = is_free(near);
                let price = cost[vertex as usize] + u32::from(!free);
                if price < cost[near as usize] && price <= limit {
                    cost[near as usize] = price;
                    if free { queue.push_front(near) } else { queue.push_back(near) }
                }
            }
        }
    }

    /// Excludes what the size doesn't suffice to reach; `false` if there was a conflict.
    fn too_far(&mut self, start: u32, findings: &mut Findings) -> bool {
        let Some(budget) = self.max.checked_sub(self.inside) else { return true };
        let budget = budget as u32;
        let Self { network, cost, since_in, since_out, .. } = &mut *self;
        let is_in = |vertex: u32| since_in[vertex as usize] != NEVER;
        let is_out = |vertex: u32| since_out[vertex as usize] != NEVER;
        Self::costs(network, cost, start, budget, is_in, is_out);
        // The reasons for a conflict need the costs' memory.
        let mut missed = None;
        for index in 0..self.walk.visited.len() {
            let vertex = self.walk.visited[index];
            if self.cost[vertex as usize] <= budget {
                continue;
            }
            if self.is_in(vertex) {
                missed = Some(vertex);
                break;
            }
            self.exclude(vertex, Why::TooFar, start, findings);
        }
        missed.is_none_or(|vertex| self.exclude(vertex, Why::TooFar, start, findings))
    }

    fn explain_too_far(&mut self, vertex: u32, told: u32, start: u32, reason: &mut Vec<Lit>) {
        let told_in = |&v: &u32| self.since_in[v as usize] <= told && v != vertex;
        let ins: Vec<u32> = self.network.vertices().filter(told_in).collect();
        let budget = self.max.saturating_sub(ins.len()) as u32;
        let (mut cost, mut back) = (std::mem::take(&mut self.cost), std::mem::take(&mut self.back));
        let network = &*self.network;
        let (since_in, since_out) = (&self.since_in, &self.since_out);
        let is_in = |v: u32| since_in[v as usize] <= told && v != vertex;
        let is_out = |v: u32| since_out[v as usize] <= told && v != vertex;
        Self::costs(network, &mut cost, start, budget, is_in, is_out);
        Self::costs(network, &mut back, vertex, budget + 1, is_in, |_| false);
        for v in network.vertices().filter(|&v| is_out(v)) {
            // The vertex itself is counted from both sides.
            let (there, on) = (cost[v as usize], back[v as usize]);
            if there != u32::MAX && on != u32::MAX && there + on <= budget + 1 {
                reason.push(!network.lit(v));
            }
        }
        for v in ins {
            if network.lit(v) != TRUE {
                reason.push(network.lit(v));
            }
        }
        (self.cost, self.back) = (cost, back);
    }
}

impl Propagator for ConnectedPropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        let variable = |&vertex: &u32| constant(self.network.lit(vertex)).is_none();
        let both = |vertex: u32| {
            let lit = self.network.lit(vertex);
            [(lit, event_in(vertex)), (!lit, event_out(vertex))]
        };
        self.network.vertices().filter(variable).flat_map(both).collect()
    }

    fn assign(&mut self, event: Event) {
        let place = self.log.len() as u32;
        let vertex = (event / 2) as usize;
        self.log.push(event);
        if event % 2 == 0 {
            self.since_in[vertex] = place + 1;
            self.ins.push(place);
            self.inside += 1;
        } else {
            self.since_out[vertex] = place + 1;
        }
        self.stale = true;
    }

    fn undo(&mut self) {
        let Some(event) = self.log.pop() else { return };
        let vertex = (event / 2) as usize;
        if event % 2 == 0 {
            self.since_in[vertex] = NEVER;
            self.ins.pop();
            self.inside -= 1;
        } else {
            self.since_out[vertex] = NEVER;
        }
    }

    fn propagate(&mut self, findings: &mut Findings) {
        if !std::mem::replace(&mut self.stale, false) {
            return;
        }
        let Some(start) = self.start() else { return };
        let base = self.walk(start);
        let reached = self.walk.visited.len();
        let told = self.log.len() as u32;
        // Beyond. The conflict to report is the oldest.
        if reached < self.network.len() {
            let mut witness = NOBODY;
            for vertex in self.network.vertices() {
                if !self.walk.met(vertex, base) && !self.is_out(vertex) {
                    if !self.is_in(vertex) {
                        self.imply(event_out(vertex), Found { why: Why::Beyond, told, start }, findings);
                    } else if witness == NOBODY
                        || self.since_in[vertex as usize] < self.since_in[witness as usize]
                    {
                        witness = vertex;
                    }
                }
            }
            if witness != NOBODY {
                findings.implied.clear();
                self.exclude(witness, Why::Beyond, start, findings);
                return;
            }
        }
        if reached < self.min {
            self.separator.clear();
            let Self { network, walker, separator, since_out, .. } = self;
            walker.rim(network, start, |vertex| since_out[vertex as usize] != NEVER, separator);
            let around = self.separator.iter().map(|&vertex| self.network.lit(vertex));
            let known = Some(!self.network.lit(start)).filter(|&lit| lit != !TRUE);
            findings.implied.clear();
            findings.conflict = Some(around.chain(known).collect());
            return;
        }
        for index in 0..self.walk.between.len() {
            let (point, witness) = self.walk.between[index];
            self.imply(event_in(point), Found { why: Why::Between { witness }, told, start }, findings);
        }
        if self.min > 0 {
            for index in 1..reached {
                let vertex = self.walk.visited[index];
                let left = reached - 1 - self.walk.lost[vertex as usize] as usize;
                if left < self.min && !self.is_in(vertex) {
                    self.imply(event_in(vertex), Found { why: Why::TooFew, told, start }, findings);
                }
            }
        }
        if self.max < reached && !self.too_far(start, findings) {
            findings.implied.clear();
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let Found { why, told, start } = self.found[event as usize];
        let vertex = event / 2;
        if let Why::TooFar = why {
            self.explain_too_far(vertex, told, start, reason);
            return;
        }
        self.separator.clear();
        let Self { network, walker, separator, since_out, .. } = self;
        let closed = |v: u32| since_out[v as usize] <= told || v == vertex;
        let mut known = vec![start];
        match why {
            Why::Beyond => {
                let closed = |v: u32| since_out[v as usize] <= told && v != vertex;
                walker.separator(network, vertex, start, closed, separator);
            }
            Why::Between { witness } => {
                walker.separator(network, witness, start, closed, separator);
                known.push(witness);
            }
            Why::TooFew => walker.rim(network, start, closed, separator),
            Why::TooFar => {}
        }
        for &out in &self.separator {
            if out != vertex {
                reason.push(!self.network.lit(out));
            }
        }
        for vertex in known {
            let lit = self.network.lit(vertex);
            if lit != TRUE {
                reason.push(lit);
            }
        }
    }
}
