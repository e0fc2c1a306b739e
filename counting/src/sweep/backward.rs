//! The backward pass of a sweep, which counts the solutions in which each variable is true.
//!
//! A solution is a sequence of transitions from the initial state to a state of the last layer. The number of
//! solutions that contain a transition is the number of ways to reach its first state, which the forward pass has
//! counted, times the number of ways to complete its second state, which the backward pass counts.

use gordian_encodings::{Var, tick};
use num_bigint::BigUint;

use super::diagram::Diagram;
use super::plan::{MOST_IN_GROUP, Plan};
use crate::{LiteralCounts, Number};

/// Counts, for each variable of the plan, the solutions in which it is true. The argument `last` is the number of
/// states of the last layer, and the variables in `free` may have any value.
pub(super) fn counts(diagram: Diagram, plan: &Plan, last: usize, free: &[Var]) -> LiteralCounts {
    let mut found: Vec<(Var, BigUint)> = Vec::new();
    // For each state of the layer after the current one, the number of its completions. States at the end of a layer
    // that have no transitions are omitted.
    let mut after = vec![Number::ONE; last];
    for layer in diagram.into_layers().rev() {
        let mut completions = Vec::with_capacity(layer.states());
        // For each combination of values of the variables that are read, the number of solutions with these values.
        let mut with_values = vec![Number::ZERO; 1 << MOST_IN_GROUP];
        for state in 0..layer.states() {
            let ways = layer.count(state);
            let mut total = Number::ZERO;
            for (values, target) in layer.transitions(state) {
                tick(8);
                if let Some(completions) = after.get(target) {
                    total += completions;
                    with_values[values as usize] += &(&ways * completions);
                }
            }
            completions.push(total);
        }
        after = completions;
        for (bit, step) in layer.group().enumerate() {
            let is_true = |values: &usize| values >> bit & 1 == 1;
            let counts =
                (0..with_values.len()).filter(is_true).map(|values| with_values[values].to_biguint());
            found.push((plan.variable(step), counts.sum::<BigUint>() << free.len()));
        }
    }
    let total = after.first().map_or(BigUint::ZERO, Number::to_biguint) << free.len();
    found.extend(free.iter().map(|&variable| (variable, &total >> 1)));
    let variables = found.iter().map(|(variable, _)| variable.idx() + 1).max().unwrap_or(0);
    let mut positive = vec![BigUint::ZERO; variables];
    for (variable, count) in found {
        positive[variable.idx()] = count;
    }
    LiteralCounts::new(total, positive)
}
