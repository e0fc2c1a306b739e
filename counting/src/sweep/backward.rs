//! The backward pass of a sweep. For each given conjunction of literals, it counts the solutions that satisfy the
//! conjunction.
//!
//! A solution is a sequence of transitions from the initial state to a state of the last layer. The number of
//! solutions that pass through a state is the number of ways to reach it (from the forward pass) times the number of
//! ways to complete it (from the backward pass). For a conjunction, a second backward pass runs from the layer of its
//! last variable to the layer of its first variable, and follows only transitions with the required values.

use std::collections::BTreeMap;

use gordian_encodings::{Lit, Var, constant, tick};
use num_bigint::BigUint;

use super::diagram::{Diagram, Transitions};
use super::plan::Plan;
use crate::Number;

/// The values that a conjunction requires for the variables read between two layers. Each variable has one bit.
#[derive(Debug, Clone, Copy, Default)]
struct Required {
    /// The variables of the conjunction.
    mask: u8,
    /// The required values of these variables.
    values: u8,
}

/// A conjunction that does not contain a literal and its negation.
struct Conjunction {
    /// The required values in each layer that reads a variable of the conjunction.
    layers: BTreeMap<usize, Required>,
    /// The number of variables in the conjunction that occur in no constraint. Each of them halves the number of
    /// solutions.
    free: usize,
}

/// Returns the number of solutions, and the number of solutions that satisfy each conjunction. The argument `last` is
/// the number of states of the last layer. The variables in `free` occur in no constraint, so they may have any value.
pub(super) fn counts(
    diagram: &Diagram,
    plan: &Plan,
    last: usize,
    free: &[Var],
    conjunctions: &[Vec<Lit>],
) -> (BigUint, Vec<BigUint>) {
    let layers = diagram.layers();
    let mut places = BTreeMap::new();
    for (layer, transitions) in layers.iter().enumerate() {
        places.extend(transitions.group().enumerate().map(|(bit, step)| (plan.variable(step), (layer, bit))));
    }
    let parsed: Vec<Option<Conjunction>> =
        conjunctions.iter().map(|lits| Conjunction::new(lits, &places)).collect();
    let mut ending = vec![Vec::new(); layers.len()];
    for (index, conjunction) in parsed.iter().enumerate() {
        if let Some((&layer, _)) = conjunction.as_ref().and_then(|known| known.layers.last_key_value()) {
            ending[layer].push(index);
        }
    }
    let mut counts = vec![BigUint::ZERO; conjunctions.len()];
    let mut completions = vec![Number::ONE; last];
    for (layer, ending) in ending.iter().enumerate().rev() {
        for &index in ending {
            let Some(conjunction) = &parsed[index] else { continue };
            let count = conjunction.count(layers, &completions);
            counts[index] = count << free.len().saturating_sub(conjunction.free);
        }
        completions = before(&layers[layer], &completions, Required::default());
    }
    let total = completions.first().map_or(BigUint::ZERO, Number::to_biguint) << free.len();
    for (count, conjunction) in counts.iter_mut().zip(&parsed) {
        if let Some(Conjunction { layers, free }) = conjunction
            && layers.is_empty()
        {
            *count = &total >> *free;
        }
    }
    (total, counts)
}

impl Conjunction {
    /// Creates the conjunction of `lits`. Returns `None` if the conjunction is unsatisfiable. For each variable that
    /// occurs in a constraint, `places` contains the layer that reads the variable, and the bit that holds its value.
    fn new(lits: &[Lit], places: &BTreeMap<Var, (usize, usize)>) -> Option<Self> {
        let mut conjunction = Self { layers: BTreeMap::new(), free: 0 };
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        for &lit in &lits {
            match (constant(lit), places.get(&lit.var())) {
                (Some(true), _) => {}
                (Some(false), _) => return None,
                _ if lits.binary_search(&!lit).is_ok() => return None,
                (None, None) => conjunction.free += 1,
                (None, Some(&(layer, bit))) => {
                    let required: &mut Required = conjunction.layers.entry(layer).or_default();
                    required.mask |= 1 << bit;
                    required.values |= u8::from(lit.is_pos()) << bit;
                }
            }
        }
        Some(conjunction)
    }

    /// Returns the number of solutions of the sweep that satisfy the conjunction. For each state of the layer after the
    /// conjunction's last variable, `completions` contains the number of completions.
    fn count(&self, layers: &[Transitions], completions: &[Number]) -> BigUint {
        let Some(((&first, _), (&last, _))) = self.layers.first_key_value().zip(self.layers.last_key_value())
        else {
            return BigUint::ZERO;
        };
        let mut completions = completions.to_vec();
        for layer in (first..=last).rev() {
            let required = self.layers.get(&layer).copied().unwrap_or_default();
            completions = before(&layers[layer], &completions, required);
        }
        let mut total = Number::ZERO;
        for (state, completions) in completions.iter().enumerate().filter(|(_, number)| !number.is_zero()) {
            total += &(&layers[first].count(state) * completions);
        }
        total.to_biguint()
    }
}

/// Returns, for each state of a layer, the number of completions with the required values. `after` contains the numbers
/// of completions for the states of the next layer. Trailing states without transitions are omitted.
fn before(layer: &Transitions, after: &[Number], required: Required) -> Vec<Number> {
    let of_state = |state: usize| {
        let mut total = Number::ZERO;
        for (values, target) in layer.transitions(state) {
            tick(8);
            if values & required.mask == required.values
                && let Some(completions) = after.get(target)
            {
                total += completions;
            }
        }
        total
    };
    (0..layer.states()).map(of_state).collect()
}
