//! The frontier states of a bounded sum: equivalence classes of partial sums. Two partial sums are equivalent if the
//! same values of the remaining variables lead to accepted sums.

use std::collections::{BTreeMap, HashMap};

use super::{Automaton, Frontier, Part};
use crate::int::Value;
use crate::lit::{Lit, Var, constant};

/// The maximum difference between the largest and the smallest possible sum. Beyond this difference, a sweep would have
/// too many states.
const MOST_SUMS: usize = 4_000;

/// The maximum number of states of an automaton, summed over all positions of the order.
const MOST_STATES: usize = 1_000_000;

/// The frontier states of a bounded sum. The sum of the coefficients of the true literals must be within the bounds or,
/// if `within` is false, outside them.
#[derive(Debug)]
pub struct SumFrontier {
    /// For each variable, the amount by which the sum changes if the variable is true instead of false.
    terms: BTreeMap<Var, i64>,
    /// The bounds of the sum: `min` and `max` in [`SumFrontier::new`].
    bounds: (i64, i64),
    /// True if sums within the bounds are accepted, false if sums outside the bounds are accepted.
    within: bool,
}

impl SumFrontier {
    /// Creates the frontier states of the condition `min <= sum <= max`, or of its negation if `within` is false.
    /// Returns `None` if the terms have too many possible sums.
    pub fn new(
        terms: impl IntoIterator<Item = (Value, Lit)>,
        min: Value,
        max: Value,
        within: bool,
    ) -> Option<Self> {
        let mut sum = 0_i64;
        let mut of_variable = BTreeMap::<Var, i64>::new();
        for (coefficient, lit) in terms {
            let coefficient =
                i64::try_from(coefficient).ok().filter(|&c| c.unsigned_abs() <= MOST_SUMS as u64)?;
            if let Some(holds) = constant(lit) {
                sum += if holds { coefficient } else { 0 };
            } else {
                let term = of_variable.entry(lit.var()).or_default();
                *term = term.checked_add(if lit.is_pos() { coefficient } else { -coefficient })?;
                sum += if lit.is_pos() { 0 } else { coefficient };
            }
        }
        let range =
            of_variable.values().try_fold(0_u64, |range, term| range.checked_add(term.unsigned_abs()))?;
        // All bounds below the possible sums are equivalent, and all bounds above the possible sums are equivalent. The
        // bounds are therefore clamped to an interval that contains all possible sums.
        let limit = MOST_SUMS as Value + 1;
        let clamp = |bound: Value| (bound.saturating_sub(sum.into())).clamp(-limit, limit) as i64;
        (range <= MOST_SUMS as u64).then(|| Self {
            terms: of_variable,
            bounds: (clamp(min), clamp(max)),
            within,
        })
    }
}

impl Frontier for SumFrontier {
    fn parts(&self) -> Vec<Part> {
        let range: u64 = self.terms.values().map(|term| term.unsigned_abs()).sum();
        let (min, max) = self.bounds;
        let needed = [min, max].map(|bound| bound.unsigned_abs().min(range) + 1);
        let bits = (needed[0].max(needed[1]) as f64).log2().max(1.0);
        vec![Part { variables: self.terms.keys().copied().collect(), bits: 0.8 * bits }]
    }

    fn automaton(&self, order: &[Var]) -> Option<Box<dyn Automaton>> {
        let terms: Vec<i64> = order.iter().map(|variable| self.terms[variable]).collect();
        let (min, max) = self.bounds;
        // The minimum and the maximum sum of the remaining terms at each position.
        let mut rest = vec![(0, 0)];
        for &term in terms.iter().rev() {
            let (low, high) = rest[rest.len() - 1];
            rest.push((low + term.min(0), high + term.max(0)));
        }
        rest.reverse();
        // The possible partial sums at each position. Sums from which no accepted sum can be reached are omitted.
        let mut sums = vec![vec![0]];
        let mut total = 0;
        for (&term, &(low, high)) in terms.iter().zip(&rest[1..]) {
            let before = &sums[sums.len() - 1];
            let mut after: Vec<i64> = before.iter().flat_map(|&sum| [sum, sum + term]).collect();
            after.sort_unstable();
            after.dedup();
            after.retain(|sum| !self.within || (sum + low <= max && sum + high >= min));
            crate::tick(after.len() as u64);
            total += after.len();
            if total > MOST_STATES {
                return None;
            }
            sums.push(after);
        }
        // States that accept the same continuations are merged, from the last layer to the first. `after` contains the
        // state of each sum from which an accepted sum can be reached.
        let accepted = |sum: &&i64| (min..=max).contains(*sum) == self.within;
        let last = sums.pop().unwrap_or_default();
        let mut after: HashMap<i64, u16> = last.iter().filter(accepted).map(|&sum| (sum, 0)).collect();
        let mut steps = Vec::new();
        for (before, &term) in sums.iter().zip(&terms).rev() {
            let mut states = HashMap::new();
            let mut step: Vec<[Option<u16>; 2]> = Vec::new();
            let mut current = HashMap::new();
            for &sum in before {
                let successors = [after.get(&sum).copied(), after.get(&(sum + term)).copied()];
                if successors == [None, None] {
                    continue;
                }
                let state = *states.entry(successors).or_insert_with(|| {
                    step.push(successors);
                    step.len() - 1
                });
                current.insert(sum, u16::try_from(state).ok()?);
            }
            after = current;
            steps.push(step);
        }
        steps.reverse();
        let wide = steps.iter().any(|step| step.len() > 1 << 8);
        Some(Box::new(SumAutomaton { satisfiable: after.contains_key(&0), steps, wide }))
    }
}

/// The minimal automaton of a bounded sum. Each state has a number that takes one byte, or two bytes if `wide` is true.
#[derive(Debug)]
struct SumAutomaton {
    satisfiable: bool,
    /// For each variable and each state, the successors of the state if the variable is false and if it is true.
    steps: Vec<Vec<[Option<u16>; 2]>>,
    wide: bool,
}

impl Automaton for SumAutomaton {
    fn width(&self) -> usize {
        if self.wide { 2 } else { 1 }
    }

    fn open(&self, _: &mut [u8]) -> bool {
        self.satisfiable
    }

    fn read(&self, index: usize, value: bool, state: &mut [u8]) -> bool {
        let current = state.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
        let Some(next) = self.steps[index][current][usize::from(value)] else { return false };
        for (byte, part) in state.iter_mut().zip(next.to_le_bytes()) {
            *byte = part;
        }
        true
    }
}
