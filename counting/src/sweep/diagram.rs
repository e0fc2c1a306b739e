//! The states and transitions of a sweep, and the circuit that they represent.

use std::ops::Range;

use gordian_encodings::{Var, tick};

use super::layer::{Layer, big};
use super::plan::Plan;
use crate::Number;
use crate::circuit::{Circuit, Conjunction, TRUE};

/// The transitions of a sweep, layer by layer.
#[derive(Debug)]
pub(super) struct Diagram {
    layers: Vec<Transitions>,
    /// The total numbers of states and transitions in all layers.
    size: (usize, usize),
    /// The memory in bytes for a state and for a transition.
    bytes: (usize, usize),
    /// True if the counts of the states are recorded.
    has_counts: bool,
}

/// The transitions from the states of one layer to the states of the next layer.
#[derive(Debug)]
pub(super) struct Transitions {
    /// The steps of the sweep between the two layers.
    group: Range<usize>,
    /// For each state, the index after its last transition in the lists `targets` and `values`.
    ends: Vec<u32>,
    /// For each transition, the number of the next state.
    targets: Vec<u32>,
    /// For each transition, the values of the variables that it reads, as the bits of a number.
    values: Vec<u8>,
    /// The words of the states' counts, if the counts are recorded, and the number of words per count.
    counts: (Vec<u64>, usize),
}

impl Transitions {
    /// Returns the steps of the sweep between the two layers.
    pub(super) fn group(&self) -> Range<usize> {
        self.group.clone()
    }

    /// Returns the number of states. Trailing states without transitions are omitted.
    pub(super) fn states(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of partial assignments that lead to a state.
    pub(super) fn count(&self, state: usize) -> Number {
        let (counts, limbs) = &self.counts;
        match counts[state * limbs..(state + 1) * limbs] {
            [low] => Number::from(u128::from(low)),
            [low, high] => Number::from(u128::from(high) << 64 | u128::from(low)),
            ref words => Number::from(big(words)),
        }
    }

    /// Returns the transitions of a state: the values of the variables, and the number of the next state.
    pub(super) fn transitions(&self, state: usize) -> impl Iterator<Item = (u8, usize)> + '_ {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        let range = start as usize..self.ends[state] as usize;
        range.map(|at| (self.values[at], self.targets[at] as usize))
    }
}

impl Diagram {
    /// Creates a diagram that can become a circuit.
    pub(super) fn for_circuit() -> Self {
        // The circuit and temporary lists also need memory.
        Self { layers: Vec::new(), size: (0, 0), bytes: (80, 160), has_counts: false }
    }

    /// Creates a diagram for a backward pass. The diagram also records how many assignments lead to each state.
    pub(super) fn for_counts() -> Self {
        // The estimate includes the numbers of completions that the backward pass stores for a few layers.
        Self { layers: Vec::new(), size: (0, 0), bytes: (40, 10), has_counts: true }
    }

    /// Starts recording the transitions from the states of a layer.
    pub(super) fn begin_layer(&mut self, group: Range<usize>, layer: &Layer) {
        let counts = if self.has_counts { layer.counts() } else { Vec::new() };
        let (ends, targets, values) = Default::default();
        self.layers.push(Transitions { group, ends, targets, values, counts: (counts, layer.limbs()) });
    }

    /// Returns the recorded layers.
    pub(super) fn layers(&self) -> &[Transitions] {
        &self.layers
    }

    /// Adds a transition from a state of the current layer. The states must be given in ascending order.
    pub(super) fn push(&mut self, state: usize, values: u32, target: usize) {
        let Some(layer) = self.layers.last_mut() else { return };
        let before = layer.targets.len() as u32;
        self.size.0 += (state + 1).saturating_sub(layer.ends.len());
        self.size.1 += 1;
        layer.ends.resize(state + 1, before);
        layer.ends[state] = before + 1;
        layer.targets.push(target as u32);
        layer.values.push(values as u8);
    }

    /// Returns an estimate of the memory, in bytes, for storing and processing the diagram.
    pub(super) fn memory(&self) -> usize {
        self.size.0 * self.bytes.0 + self.size.1 * self.bytes.1
    }

    /// Returns a circuit that represents the solutions. It has a node for each state from which the last layer can be
    /// reached. The argument `last` is the number of states of the last layer, and the variables in `free` may have any
    /// value.
    pub(super) fn into_circuit(self, plan: &Plan, last: usize, free: &[Var]) -> Circuit {
        let mut circuit = Circuit::new();
        // For each state in the next layer, its node and its count, or `None` if the count is 0. Trailing states
        // without transitions are omitted.
        let mut after: Vec<Option<(u32, Number)>> = vec![Some((TRUE, Number::ONE)); last];
        for layer in self.layers.into_iter().rev() {
            let mut nodes = Vec::with_capacity(layer.states());
            for state in 0..layer.states() {
                let mut total = Number::ZERO;
                let mut branches = Vec::new();
                for (values, target) in layer.transitions(state) {
                    tick(8);
                    let Some((node, count)) = after.get(target).and_then(Option::as_ref) else { continue };
                    let lit = |(bit, step): (usize, usize)| {
                        plan.variable(step).lit(values >> bit & 1 == 0).lidx() as u32
                    };
                    let lits = layer.group().enumerate().map(lit).collect();
                    total += count;
                    branches.push(Conjunction {
                        lits,
                        free: Vec::new(),
                        nodes: vec![*node],
                        count: count.clone(),
                    });
                }
                nodes.push((!branches.is_empty()).then(|| (circuit.node(&branches), total)));
            }
            after = nodes;
        }
        let root = after.into_iter().next().flatten();
        let branch = root.map(|(node, mut count)| {
            count <<= free.len() as u32;
            let free = free.iter().map(|variable| variable.idx32()).collect();
            Conjunction { lits: Vec::new(), free, nodes: vec![node], count }
        });
        circuit.node(branch.as_slice());
        circuit
    }
}
