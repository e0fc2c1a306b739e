//! The frontier states for connected components with roots. A state contains the partition of the frontier into
//! components, and the root and current size of each component.

use std::sync::Arc;

use super::connected::{Entry, Events, parts};
use super::slots::renumber;
use super::{Automaton, Frontier, Part, holds};
use crate::graph::Graph;
use crate::lit::{FALSE, Lit, Var};

/// On grids, each vertex on the frontier multiplies the number of states by about 2^`BITS`.
const BITS: f64 = 1.6;

/// The maximum number of vertices on the frontier. Component labels must fit in a byte, with one label left for a new
/// vertex.
const MOST_SLOTS: usize = 250;

/// If the size of a component is given by its root, the component's byte is `SIZED` plus the number of vertices that
/// the component still lacks.
const SIZED: u8 = 128;
/// The byte of a component whose root has no given size.
const UNSIZED: u8 = 255;
/// The maximum given size. The byte of a component without a root is its current number of vertices.
const MOST_SIZE: usize = 120;

/// The frontier states of the constraint [`Components`](crate::constraint::Components).
#[derive(Debug)]
pub struct ComponentsFrontier {
    graph: Arc<Graph>,
    vertices: Vec<Lit>,
    /// The byte of the component that consists only of the given vertex.
    single: Vec<u8>,
    /// True for each vertex that is a root.
    is_root: Vec<bool>,
    /// The maximum value of the byte of a component without a root. Larger components without a root also get this byte
    /// if some root has no given size; otherwise, they are impossible.
    most: u8,
    /// True if some root has no given size.
    has_unsized: bool,
}

impl ComponentsFrontier {
    /// Creates the frontier states for the connected components of a set of vertices in `graph`. `vertices` contains
    /// the literal of each vertex. `roots` contains each root with the size of its component, or `None` if the size is
    /// not given. Returns `None` if a given size is too large.
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
            // No component has size 0.
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

/// The automaton of components with roots. A state contains the component label of each slot, followed by the byte of
/// each component. The label of a vertex outside the set is 0.
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

    /// Adds a vertex with a new label to the set, and merges it with the components of its neighbours. Returns false
    /// if the merged component has two roots or too many vertices.
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

    /// Returns the byte for the union of two components, or `None` if the union has two roots or too many vertices.
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
