//! The transitions of a sweep, and the circuit that they represent.

use std::ops::Range;

use gordian_encodings::{Var, tick};

use super::plan::Plan;
use crate::Number;
use crate::circuit::{Circuit, Conjunction, TRUE};

/// The transitions of a sweep, layer by layer.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    layers: Vec<Transitions>,
    /// The total number of states, and of transitions, in all layers.
    size: (usize, usize),
}

/// The transitions from the states of one layer to the states of the next layer.
#[derive(Debug)]
struct Transitions {
    /// The steps of the sweep between the two layers.
    group: Range<usize>,
    /// For each state of the layer, the end of its transitions in the lists of transitions.
    ends: Vec<u32>,
    /// For each transition, the number of the state in the next layer.
    targets: Vec<u32>,
    /// For each transition, the values of the variables that are read, as the bits of a number.
    values: Vec<u8>,
}

/// The memory in bytes that a state and a transition need in a circuit, including temporary lists.
const BYTES: (usize, usize) = (80, 160);

impl Diagram {
    /// Starts to record the transitions of the next layer.
    pub(super) fn begin_layer(&mut self, group: Range<usize>) {
        let (ends, targets, values) = Default::default();
        self.layers.push(Transitions { group, ends, targets, values });
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

    /// Returns an estimate of the memory in bytes that the circuit needs.
    pub(super) fn memory(&self) -> usize {
        self.size.0 * BYTES.0 + self.size.1 * BYTES.1
    }

    /// Returns the circuit of the solutions, with a node for each state from which the last layer can be reached. The
    /// argument `last` is the number of states of the last layer, and the variables in `free` may have any value.
    pub(super) fn into_circuit(self, plan: &Plan, last: usize, free: &[Var]) -> Circuit {
        let mut circuit = Circuit::new();
        // For each state of the layer after the current one, its node and its count, unless the count is 0. States at
        // the end of a layer are omitted if they have no transitions.
        let mut after: Vec<Option<(u32, Number)>> = vec![Some((TRUE, Number::ONE)); last];
        for layer in self.layers.into_iter().rev() {
            let mut begin = 0;
            let mut nodes = Vec::with_capacity(layer.ends.len());
            for &end in &layer.ends {
                let transitions = begin as usize..end as usize;
                begin = end;
                tick(transitions.len() as u64 * 8);
                let mut total = Number::ZERO;
                let mut branches = Vec::with_capacity(transitions.len());
                for at in transitions {
                    let target = after.get(layer.targets[at] as usize).and_then(Option::as_ref);
                    let Some((node, count)) = target else { continue };
                    let lit = |(bit, step): (usize, usize)| {
                        plan.variable(step).lit(layer.values[at] >> bit & 1 == 0).lidx() as u32
                    };
                    let lits = layer.group.clone().enumerate().map(lit).collect();
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
