//! The frontier states of components with roots: the partition of the frontier into components, and for each component
//! its root and its size so far.

use std::sync::Arc;

use super::connected::{Entry, Events, parts};
use super::slots::renumber;
use super::{Automaton, Frontier, Part, holds};
use crate::graph::Graph;
use crate::lit::{FALSE, Lit, Var};

/// The binary logarithm of the factor by which the number of states grows with each vertex on the frontier, in grids.
const BITS: f64 = 1.6;

/// The maximum number of vertices on the frontier. The labels of the components must fit in a byte, with one label
/// left for a new vertex.
const MOST_SLOTS: usize = 250;

/// The byte of a complete component whose root has a size. For each missing vertex, the byte is larger by one.
const SIZED: u8 = 128;
/// The byte of a component whose root has no size.
const UNSIZED: u8 = 255;
/// The maximum size of a component whose root has a size. The byte of a component without a root is the number of its
/// vertices so far.
const MOST_SIZE: usize = 120;

/// The frontier states of the constraint [`Components`](crate::constraint::Components).
#[derive(Debug)]
pub struct ComponentsFrontier {
    graph: Arc<Graph>,
    vertices: Vec<Lit>,
    /// For each vertex, the byte of the component that consists of the vertex alone.
    single: Vec<u8>,
    /// For each vertex, true if it is a root.
    is_root: Vec<bool>,
    /// The maximum byte of a component without a root. If there is a root without a size, larger components have the
    /// same byte; otherwise, larger components are impossible.
    most: u8,
    /// True if there is a root without a size.
    has_unsized: bool,
}

impl ComponentsFrontier {
    /// Creates the frontier states of the components of a set of vertices of `graph`, given the literal of each vertex
    /// and the roots with the sizes of their components. Returns `None` if a size is too large.
    #[must_use]
    pub fn new(graph: Arc<Graph>, vertices: Vec<Lit>, roots: &[(usize, Option<usize>)]) -> Option<Self> {
        let sizes = || roots.iter().filter_map(|&(_, size)| size);
        if sizes().any(|size| size > MOST_SIZE) {
            return None;
        }
        let has_unsized = roots.iter().any(|&(_, size)| size.is_none());
        let largest = sizes().max().unwrap_or(0) as u8;
        let mut single = vec![1; vertices.len()];
        let mut is_root = vec![false; vertices.len()];
        for &(root, size) in roots {
            is_root[root] = true;
            // No component has the size 0.
            single[root] = match size {
                None => UNSIZED,
                Some(0) => 0,
                Some(size) => SIZED + (size - 1) as u8,
            };
        }
        let most = largest + u8::from(has_unsized);
        Some(Self { graph, vertices, single, is_root, most, has_unsized })
    }
}

impl Frontier for ComponentsFrontier {
    fn parts(&self) -> Vec<Part> {
        parts(&self.graph, &self.vertices, BITS)
    }

    fn automaton(&self, order: &[Var]) -> Option<Box<dyn Automaton>> {
        let events = Events::new(&self.graph, &self.vertices, order);
        if events.slots > MOST_SLOTS {
            return None;
        }
        let possible = (0..self.vertices.len()).all(|vertex| {
            !self.is_root[vertex] || (self.vertices[vertex] != FALSE && self.single[vertex] != 0)
        });
        let ComponentsFrontier { single, is_root, most, has_unsized, .. } = self;
        Some(Box::new(ComponentsAutomaton {
            events,
            single: single.clone(),
            is_root: is_root.clone(),
            most: *most,
            has_unsized: *has_unsized,
            possible,
        }))
    }
}

/// The automaton of components with roots. A state contains for each slot the label of its component, which is 0
/// outside of the set, followed by the byte of each component.
#[derive(Debug)]
struct ComponentsAutomaton {
    events: Events,
    single: Vec<u8>,
    is_root: Vec<bool>,
    most: u8,
    has_unsized: bool,
    /// True if every root can be in the set.
    possible: bool,
}

impl ComponentsAutomaton {
    fn advance(&self, time: usize, value: bool, state: &mut [u8]) -> bool {
        let (labels, of_label) = state.split_at_mut(self.events.slots);
        let mut components = [0; 256];
        for (component, &byte) in components[1..].iter_mut().zip(&*of_label) {
            *component = byte;
        }
        let mut next = labels.iter().copied().max().unwrap_or(0);
        for entry in &self.events.entries[time] {
            if !holds(entry.lit, value) {
                if self.is_root[entry.vertex] {
                    return false;
                }
                continue;
            }
            next += 1;
            components[usize::from(next)] = self.single[entry.vertex];
            if !self.enter(entry, next, labels, &mut components) {
                return false;
            }
        }
        for &slot in &self.events.leaving[time] {
            let label = std::mem::take(&mut labels[slot]);
            let complete = label != 0 && !labels.contains(&label);
            if complete && ![SIZED, UNSIZED].contains(&components[usize::from(label)]) {
                return false;
            }
        }
        of_label.fill(0);
        renumber(labels, |old, new| of_label[usize::from(new) - 1] = components[usize::from(old)]);
        true
    }

    /// Adds a vertex with a new label to the set, and merges the components of its neighbours. Returns false if the
    /// merged component has two roots or too many vertices.
    fn enter(&self, entry: &Entry, new: u8, labels: &mut [u8], components: &mut [u8; 256]) -> bool {
        labels[entry.slot] = new;
        let mut component = components[usize::from(new)];
        for &near in &entry.near {
            let old = labels[near];
            if old == 0 || old == new {
                continue;
            }
            let Some(merged) = self.merged(component, components[usize::from(old)]) else { return false };
            component = merged;
            labels.iter_mut().filter(|label| **label == old).for_each(|label| *label = new);
        }
        components[usize::from(new)] = component;
        component >= SIZED || component <= self.most
    }

    /// Returns the byte of the union of two components, or `None` if the union has two roots or too many vertices.
    fn merged(&self, a: u8, b: u8) -> Option<u8> {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (SIZED.., _) => None,
            (_, UNSIZED) => Some(UNSIZED),
            (_, SIZED..) => b.checked_sub(a).filter(|&byte| byte >= SIZED),
            _ if a + b > self.most => self.has_unsized.then_some(self.most),
            _ => Some(a + b),
        }
    }
}

impl Automaton for ComponentsAutomaton {
    fn width(&self) -> usize {
        2 * self.events.slots
    }

    fn open(&self, state: &mut [u8]) -> bool {
        self.possible && self.advance(0, false, state)
    }

    fn read(&self, index: usize, value: bool, state: &mut [u8]) -> bool {
        self.advance(index + 1, value, state)
    }
}
