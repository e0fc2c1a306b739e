//! The frontier states of a connected set. A state is the partition of the frontier into the components of the set so
//! far.

use std::sync::Arc;

use super::slots::{Slots, renumber};
use super::{Automaton, Frontier, Part, Times, holds};
use crate::graph::Graph;
use crate::lit::{FALSE, Lit, TRUE, Var, constant};

/// On grids, each vertex on the frontier multiplies the number of states by about 2^`BITS`.
const BITS: f64 = 1.3;

/// The maximum number of vertices on the frontier. Component labels must fit in a byte, with one label left for a new
/// vertex.
const MOST_SLOTS: usize = 250;

/// The frontier states of a [`Connected`](crate::constraint::Connected) constraint.
#[derive(Debug)]
pub struct ConnectedFrontier {
    graph: Arc<Graph>,
    vertices: Vec<Lit>,
}

impl ConnectedFrontier {
    /// Creates the frontier states of a connected set of vertices of `graph`, given the literal of each vertex.
    #[must_use]
    pub fn new(graph: Arc<Graph>, vertices: Vec<Lit>) -> Self {
        Self { graph, vertices }
    }
}

/// Returns one part of the state for each vertex that can be in the set. This part depends on the literals of the
/// vertex and of its neighbours.
pub(super) fn parts(graph: &Graph, vertices: &[Lit], bits: f64) -> Vec<Part> {
    let of = |vertex: usize| {
        let near = graph.neighbours(vertex).iter().map(|&near| vertices[near]);
        Part::of(near.chain([vertices[vertex]]), bits)
    };
    (0..vertices.len()).filter(|&vertex| vertices[vertex] != FALSE).map(of).collect()
}

/// A vertex that is added to the frontier.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) vertex: usize,
    pub(super) lit: Lit,
    pub(super) slot: usize,
    /// The slots of the neighbours that are already on the frontier.
    pub(super) near: Vec<usize>,
}

/// The events of a sweep over the vertices of a graph.
#[derive(Debug)]
pub(super) struct Events {
    /// The vertices that are added to the frontier in each step.
    pub(super) entries: Vec<Vec<Entry>>,
    /// The slots of the vertices that leave the frontier in each step.
    pub(super) leaving: Vec<Vec<usize>>,
    /// The number of slots in a state.
    pub(super) slots: usize,
}

impl Events {
    /// Returns the events of a sweep that reads the variables in the given order. A vertex that must be in the set is
    /// added to the frontier with its first neighbour.
    pub(super) fn new(graph: &Graph, vertices: &[Lit], order: &[Var]) -> Self {
        let times = Times::new(order);
        let near = |vertex: usize| graph.neighbours(vertex).iter().filter(|&&near| vertices[near] != FALSE);
        let own = |vertex: usize| times.of(vertices[vertex]);
        let enters = |vertex: usize| match constant(vertices[vertex]) {
            None => own(vertex),
            Some(_) => near(vertex).map(|&near| own(near)).filter(|&time| time > 0).min().unwrap_or(0),
        };
        let enters: Vec<usize> = (0..vertices.len()).map(enters).collect();
        let span = |vertex: usize| {
            let last = near(vertex).map(|&near| enters[near]).fold(enters[vertex], usize::max);
            (vertices[vertex] != FALSE).then_some((enters[vertex], last))
        };
        let spans: Vec<_> = (0..vertices.len()).map(span).collect();
        let slots = Slots::new(&spans, times.len());
        let mut seen = vec![false; vertices.len()];
        let mut entry = |&vertex: &usize| {
            let open = near(vertex).filter(|&&near| seen[near]).map(|&near| slots.of[near]).collect();
            seen[vertex] = true;
            Entry { vertex, lit: vertices[vertex], slot: slots.of[vertex], near: open }
        };
        let entries = slots.entering.iter().map(|at| at.iter().map(&mut entry).collect()).collect();
        Self { entries, leaving: slots.leaving, slots: slots.count }
    }
}

impl Frontier for ConnectedFrontier {
    fn parts(&self) -> Vec<Part> {
        parts(&self.graph, &self.vertices, BITS)
    }

    fn automaton(&self, order: &[Var]) -> Option<Box<dyn Automaton>> {
        let events = Events::new(&self.graph, &self.vertices, order);
        let certain = |entries: &Vec<Entry>| entries.iter().any(|entry| entry.lit == TRUE);
        let last_certain = events.entries.iter().rposition(certain).unwrap_or(0);
        (events.slots <= MOST_SLOTS)
            .then(|| Box::new(ConnectedAutomaton { events, last_certain }) as Box<dyn Automaton>)
    }
}

/// The automaton of a connected set. The first byte of a state is 1 if the set is complete. The other bytes are the
/// component labels of the slots; the label of a vertex outside the set is 0.
#[derive(Debug)]
struct ConnectedAutomaton {
    events: Events,
    /// The last step in which a vertex that must be in the set is added to the frontier.
    last_certain: usize,
}

impl ConnectedAutomaton {
    fn advance(&self, time: usize, value: bool, state: &mut [u8]) -> bool {
        let (complete, labels) = state.split_at_mut(1);
        let mut next = labels.iter().copied().max().unwrap_or(0);
        for entry in self.events.entries[time].iter().filter(|entry| holds(entry.lit, value)) {
            if complete[0] == 1 {
                return false;
            }
            next += 1;
            labels[entry.slot] = next;
            for &near in &entry.near {
                let old = labels[near];
                if old != 0 && old != next {
                    labels.iter_mut().filter(|label| **label == old).for_each(|label| *label = next);
                }
            }
        }
        for &slot in &self.events.leaving[time] {
            let label = std::mem::take(&mut labels[slot]);
            if label != 0 && !labels.contains(&label) {
                // A component that can't grow any more must be the only component of the set.
                if time < self.last_certain || labels.iter().any(|&label| label != 0) {
                    return false;
                }
                complete[0] = 1;
            }
        }
        renumber(labels, |_, _| {});
        if time + 1 == self.events.entries.len() {
            complete[0] = 0;
        }
        true
    }
}

impl Automaton for ConnectedAutomaton {
    fn width(&self) -> usize {
        self.events.slots + 1
    }

    fn open(&self, state: &mut [u8]) -> bool {
        self.advance(0, false, state)
    }

    fn read(&self, index: usize, value: bool, state: &mut [u8]) -> bool {
        self.advance(index + 1, value, state)
    }
}
