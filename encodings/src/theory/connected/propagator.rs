//! The propagator for connected sets.

use std::sync::Arc;

use super::NEVER;
use super::costs::Costs;
use super::depth_first::{DepthFirst, NO_VERTEX};
use crate::lit::{Lit, TRUE, constant};
use crate::theory::network::{BreadthFirst, Network, event_in, event_out};
use crate::theory::{Event, Findings, Propagator};

/// The rule by which a literal was derived.
#[derive(Debug, Clone, Copy)]
enum Why {
    Beyond,
    Between { witness: u32 },
    TooFew,
    TooFar,
}

/// How a literal was derived: the rule, the length of the trail, and the vertex from which the search started.
#[derive(Debug, Clone, Copy)]
struct Found {
    why: Why,
    /// The length of the trail when the literal was derived.
    time: u32,
    start: u32,
}

/// The propagator for a connected set. The [parent module](super) describes the propagation rules.
#[derive(Debug)]
pub struct ConnectedPropagator {
    network: Arc<Network>,
    min: usize,
    max: usize,
    /// The time at which each vertex's literal became true (`since_in`) or false (`since_out`), or [`NEVER`].
    since_in: Vec<u32>,
    since_out: Vec<u32>,
    /// The events reported to this propagator, in chronological order.
    trail: Vec<Event>,
    /// The number of vertices whose literals are true. `ins` contains the positions of these literals on the trail,
    /// which has no constant literals.
    inside: usize,
    ins: Vec<u32>,
    found: Vec<Found>,
    /// True if a vertex has been assigned since the last search.
    stale: bool,
    depth_first: DepthFirst,
    breadth_first: BreadthFirst,
    separator: Vec<u32>,
    costs: Costs,
    back: Costs,
}
impl ConnectedPropagator {
    pub(super) fn new(network: Arc<Network>, (min, max): (usize, usize)) -> Self {
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
            trail: Vec::new(),
            ins: Vec::new(),
            found: vec![Found { why: Why::Beyond, time: 0, start: 0 }; 2 * n],
            stale: true,
            depth_first: DepthFirst::new(n),
            breadth_first: BreadthFirst::new(n),
            separator: Vec::new(),
            costs: Costs::new(n),
            back: Costs::new(n),
            network,
        }
    }

    /// Returns the vertex from which searches start: the root or, if there is no root, the vertex whose literal became
    /// true first.
    fn start(&self) -> Option<u32> {
        self.network.root().or_else(|| self.ins.first().map(|&position| self.trail[position as usize] / 2))
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
        findings.implied.push((if event.is_multiple_of(2) { lit } else { !lit }, event));
    }

    /// Derives that `vertex` is not in the set. If the vertex's literal is already true, reports a conflict and
    /// returns `false`.
    fn exclude(&mut self, vertex: u32, why: Why, start: u32, findings: &mut Findings) -> bool {
        let time = self.trail.len() as u32;
        let event = event_out(vertex);
        if !self.is_in(vertex) {
            self.imply(event, Found { why, time, start }, findings);
            return true;
        }
        self.found[event as usize] = Found { why, time, start };
        let mut reason = Vec::new();
        self.explain(event, &mut reason);
        let lit = self.network.lit(vertex);
        if lit != TRUE {
            reason.push(lit);
        }
        findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
        false
    }

    /// Excludes vertices that are too far from the start: the set would become too large if it contained such a vertex
    /// and a path to it. Returns `false` if there is a conflict.
    fn too_far(&mut self, start: u32, findings: &mut Findings) -> bool {
        let Some(budget) = self.max.checked_sub(self.inside) else { return true };
        let budget = budget as u32;
        let Self { network, costs, since_in, since_out, .. } = &mut *self;
        let is_in = |vertex: u32| since_in[vertex as usize] != NEVER;
        let is_out = |vertex: u32| since_out[vertex as usize] != NEVER;
        costs.spread(network, start, budget, is_in, is_out);
        // Explaining a conflict overwrites `costs`, so the conflict is explained after the loop.
        let mut missed = None;
        for index in 0..self.depth_first.visited.len() {
            let vertex = self.depth_first.visited[index];
            if self.costs.of(vertex).is_some() {
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

    fn explain_too_far(&mut self, vertex: u32, time: u32, start: u32, reason: &mut Vec<Lit>) {
        let was_in = |&v: &u32| self.since_in[v as usize] <= time && v != vertex;
        let ins: Vec<u32> = self.network.vertices().filter(was_in).collect();
        let budget = self.max.saturating_sub(ins.len()) as u32;
        let Self { network, costs, back, since_in, since_out, .. } = &mut *self;
        let is_in = |v: u32| since_in[v as usize] <= time && v != vertex;
        let is_out = |v: u32| since_out[v as usize] <= time && v != vertex;
        costs.spread(network, start, budget, is_in, is_out);
        back.spread(network, vertex, budget + 1, is_in, |_| false);
        for v in network.vertices().filter(|&v| is_out(v)) {
            // Both costs count vertex v, so their sum may be `budget + 1`.
            let (Some(there), Some(on)) = (costs.of(v), back.of(v)) else { continue };
            if there + on <= budget + 1 {
                reason.push(!network.lit(v));
            }
        }
        for v in ins {
            if network.lit(v) != TRUE {
                reason.push(network.lit(v));
            }
        }
    }
}

impl Propagator for ConnectedPropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        self.network.events()
    }

    fn assign(&mut self, event: Event) -> bool {
        let position = self.trail.len() as u32;
        let vertex = (event / 2) as usize;
        self.trail.push(event);
        if event.is_multiple_of(2) {
            self.since_in[vertex] = position + 1;
            self.ins.push(position);
            self.inside += 1;
        } else {
            self.since_out[vertex] = position + 1;
        }
        self.stale = true;
        true
    }

    fn undo(&mut self) {
        let Some(event) = self.trail.pop() else { return };
        let vertex = (event / 2) as usize;
        if event.is_multiple_of(2) {
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
        let base = self.depth_first.run(&self.network, start, &self.since_in, &self.since_out);
        let reached = self.depth_first.visited.len();
        let time = self.trail.len() as u32;
        // If the rule "beyond" finds several conflicts, the propagator reports the conflict whose vertex was assigned
        // first.
        if reached < self.network.len() {
            let mut witness = NO_VERTEX;
            for vertex in self.network.vertices() {
                if !self.depth_first.met(vertex, base) && !self.is_out(vertex) {
                    if !self.is_in(vertex) {
                        self.imply(event_out(vertex), Found { why: Why::Beyond, time, start }, findings);
                    } else if witness == NO_VERTEX
                        || self.since_in[vertex as usize] < self.since_in[witness as usize]
                    {
                        witness = vertex;
                    }
                }
            }
            if witness != NO_VERTEX {
                findings.implied.clear();
                self.exclude(witness, Why::Beyond, start, findings);
                return;
            }
        }
        if reached < self.min {
            self.separator.clear();
            let Self { network, breadth_first, separator, since_out, .. } = self;
            breadth_first.rim(network, start, |vertex| since_out[vertex as usize] != NEVER, separator);
            let around = self.separator.iter().map(|&vertex| self.network.lit(vertex));
            let known = Some(!self.network.lit(start)).filter(|&lit| lit != !TRUE);
            findings.implied.clear();
            findings.conflict = Some(around.chain(known).collect());
            return;
        }
        for index in 0..self.depth_first.between.len() {
            let point = self.depth_first.between[index];
            let witness = self.depth_first.hanging[point as usize];
            self.imply(event_in(point), Found { why: Why::Between { witness }, time, start }, findings);
        }
        if self.min > 0 {
            for index in 1..reached {
                let vertex = self.depth_first.visited[index];
                let left = reached - 1 - self.depth_first.lost[vertex as usize] as usize;
                if left < self.min && !self.is_in(vertex) {
                    self.imply(event_in(vertex), Found { why: Why::TooFew, time, start }, findings);
                }
            }
        }
        if self.max < reached && !self.too_far(start, findings) {
            findings.implied.clear();
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let Found { why, time, start } = self.found[event as usize];
        let vertex = event / 2;
        if let Why::TooFar = why {
            self.explain_too_far(vertex, time, start, reason);
            return;
        }
        self.separator.clear();
        let Self { network, breadth_first, separator, since_out, .. } = self;
        let closed = |v: u32| since_out[v as usize] <= time || v == vertex;
        let mut known = vec![start];
        match why {
            Why::Beyond => {
                let closed = |v: u32| since_out[v as usize] <= time && v != vertex;
                breadth_first.separator(network, vertex, start, closed, separator);
            }
            Why::Between { witness } => {
                breadth_first.separator(network, witness, start, closed, separator);
                known.push(witness);
            }
            Why::TooFew => breadth_first.rim(network, start, closed, separator),
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
