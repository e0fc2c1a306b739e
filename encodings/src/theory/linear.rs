//! A propagator for linear inequalities over integers in order encoding.
//!
//! A *ladder* represents a number in order encoding: its *steps* are literals `number >= weight` in ascending order
//! of their weights. The propagator enforces that the sum of the numbers is at most a constant. The lower bound of a
//! number is the weight of its highest true step. If the weight of a step and the lower bounds of the other numbers
//! add up to more than the constant, the propagator derives that the step is false.
//!
//! An explanation consists of at most one true step of each other ladder. To keep explanations general, the propagator
//! first omits ladders with small bounds. For the remaining ladders, it then chooses the lowest possible steps.
//!
//! Paper: Ohrimenko, Stuckey, Codish: *Propagation via lazy clause generation*, Constraints 14, 2009. Unlike in the
//! paper, the literals `number >= weight` are created before the search.

use std::sync::Arc;

use super::{Event, Findings, Lazy, Propagator};
use crate::lit::Lit;

/// The steps of a number: the literals `number >= weight`, in ascending order of the weights. The weights are
/// positive. Clauses of the formula must ensure that each step implies the steps below it.
pub type Steps = Vec<(u64, Lit)>;

/// A linear inequality that a propagator enforces during the search.
#[derive(Debug, Clone)]
pub struct LazyLinear {
    inequality: Arc<Inequality>,
}

/// The inequality. All steps are in one list. A large model has many propagators, and many small allocations would fill
/// the processor's cache.
#[derive(Debug)]
struct Inequality {
    /// The steps of each ladder. The ladders are in descending order of their maximum values.
    steps: Vec<Step>,
    /// The literal of each step.
    lits: Vec<Lit>,
    /// The index of the first step of each ladder. The last entry is the number of steps.
    starts: Vec<u32>,
    most: u64,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    weight: u64,
    ladder: u32,
}

impl LazyLinear {
    /// Creates the constraint that the sum of the ladders is at most `most`. The literals must not be constants.
    ///
    /// # Panics
    /// Panics if the maximum values of the ladders add up to more than `u64::MAX`, or if there are 2^32 steps or more.
    #[must_use]
    pub fn new(mut ladders: Vec<Steps>, most: u64) -> Self {
        ladders.retain(|ladder| !ladder.is_empty());
        let top = |ladder: &Steps| ladder.last().map_or(0, |&(weight, _)| weight);
        ladders.sort_by_key(|ladder| std::cmp::Reverse(top(ladder)));
        let total = ladders.iter().try_fold(0_u64, |sum, ladder| sum.checked_add(top(ladder)));
        assert!(total.is_some(), "the sum of the ladders exceeds 64 bits");
        let (mut steps, mut lits, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for (ladder, list) in (0..).zip(&ladders) {
            steps.extend(list.iter().map(|&(weight, _)| Step { weight, ladder }));
            lits.extend(list.iter().map(|&(_, lit)| lit));
            starts.push(u32::try_from(steps.len()).expect("there are fewer than 2^32 steps"));
        }
        Self { inequality: Arc::new(Inequality { steps, lits, starts, most }) }
    }
}

impl Inequality {
    /// Returns the number of ladders.
    fn ladders(&self) -> usize {
        self.starts.len() - 1
    }

    /// Searches the steps `from..to`, which belong to one ladder. Returns the index of the first step with a weight
    /// above `value`, or `to` if there is no such step.
    fn first_above(&self, from: u32, to: u32, value: u64) -> u32 {
        from + self.steps[from as usize..to as usize].partition_point(|step| step.weight <= value) as u32
    }

    /// Explains why the lower bounds in `values`, except that of the ladder `without`, add up to more than `exceeded`.
    /// Appends at most one true step of each ladder to `reason`.
    fn explain(&self, values: &[u64], without: Option<usize>, exceeded: u64, reason: &mut Vec<Lit>) {
        let used = || (0..values.len()).filter(|&ladder| Some(ladder) != without && values[ladder] > 0);
        let sum: u64 = used().map(|ladder| values[ladder]).sum();
        let mut spare = sum - exceeded - 1;
        let mut kept = Vec::new();
        // The last ladders have the smallest maximum values.
        for ladder in used().collect::<Vec<_>>().into_iter().rev() {
            let value = values[ladder];
            if value <= spare {
                spare -= value;
            } else {
                kept.push(ladder);
            }
        }
        for ladder in kept {
            let needed = values[ladder] - spare;
            let lowest = self.first_above(self.starts[ladder], self.starts[ladder + 1], needed - 1) as usize;
            spare -= values[ladder] - self.steps[lowest].weight;
            reason.push(self.lits[lowest]);
        }
    }
}

impl Lazy for LazyLinear {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let inequality = &*self.inequality;
        let mut values = vec![0; inequality.ladders()];
        for (step, &lit) in inequality.steps.iter().zip(&inequality.lits) {
            if holds(lit) {
                values[step.ladder as usize] = step.weight;
            }
        }
        if values.iter().sum::<u64>() <= inequality.most {
            return Vec::new();
        }
        let mut reason = Vec::new();
        // The clauses of the ladder ensure that all steps below a true step are true.
        inequality.explain(&values, None, inequality.most, &mut reason);
        vec![reason.into_iter().map(|lit| !lit).collect()]
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        let inequality = Arc::clone(&self.inequality);
        Some(Box::new(LinearPropagator {
            values: vec![0; inequality.ladders()],
            sum: 0,
            log: Vec::new(),
            bounds: inequality.starts[1..].to_vec(),
            derived: Vec::new(),
            is_complete: false,
            past: Vec::new(),
            inequality,
        }))
    }
}

/// The state of the propagator of an inequality. The event of a reported literal is the index of its step.
#[derive(Debug)]
struct LinearPropagator {
    inequality: Arc<Inequality>,
    /// The lower bound of each ladder's number: the weight of the highest true step.
    values: Vec<u64>,
    /// The sum of the lower bounds.
    sum: u64,
    /// The reported literals that raised a lower bound, each with its ladder and the previous lower bound.
    log: Vec<(u32, u64)>,
    /// For each ladder, the index of the lowest step whose negation the propagator has derived, or the end of the
    /// ladder if there is no such step.
    bounds: Vec<u32>,
    derived: Vec<Derived>,
    /// True if the current lower bounds imply no further literals.
    is_complete: bool,
    /// A buffer for the lower bounds at the time of an earlier derivation.
    past: Vec<u64>,
}

/// A derived literal. Its event is its index in [`LinearPropagator::derived`].
#[derive(Debug)]
struct Derived {
    /// The step that is false.
    step: u32,
    /// The ladder's entry in [`LinearPropagator::bounds`] before the derivation.
    previous: u32,
    /// The length of the log before the derivation.
    before: usize,
}

impl Propagator for LinearPropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        self.inequality.lits.iter().copied().zip(0..).collect()
    }

    fn assign(&mut self, event: Event) -> bool {
        let Step { weight, ladder } = self.inequality.steps[event as usize];
        let value = &mut self.values[ladder as usize];
        let rises = weight > *value;
        if rises {
            self.log.push((ladder, *value));
            self.sum += weight - *value;
            *value = weight;
            self.is_complete = false;
        }
        rises
    }

    fn undo(&mut self) {
        if let Some((ladder, previous)) = self.log.pop() {
            let value = &mut self.values[ladder as usize];
            self.sum -= *value - previous;
            *value = previous;
            self.is_complete = false;
        }
        while let Some(last) = self.derived.pop_if(|last| last.before > self.log.len()) {
            let ladder = self.inequality.steps[last.step as usize].ladder;
            self.bounds[ladder as usize] = last.previous;
        }
    }

    fn propagate(&mut self, findings: &mut Findings) {
        if self.is_complete {
            return;
        }
        let inequality = &*self.inequality;
        let Some(room) = inequality.most.checked_sub(self.sum) else {
            let mut reason = Vec::new();
            inequality.explain(&self.values, None, inequality.most, &mut reason);
            findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
            return;
        };
        self.is_complete = true;
        for (ladder, range) in inequality.starts.windows(2).enumerate() {
            let (from, end) = (range[0], range[1]);
            if inequality.steps[end as usize - 1].weight <= room {
                // The ladders are sorted, so the maximum values of all remaining ladders are at most `room`.
                break;
            }
            let bound = self.bounds[ladder];
            let step = inequality.first_above(from, bound, self.values[ladder] + room);
            if step < bound {
                findings.implied.push((!inequality.lits[step as usize], self.derived.len() as Event));
                self.derived.push(Derived { step, previous: bound, before: self.log.len() });
                self.bounds[ladder] = step;
            }
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let Derived { step, before, .. } = self.derived[event as usize];
        self.past.clone_from(&self.values);
        for &(ladder, value) in self.log[before..].iter().rev() {
            self.past[ladder as usize] = value;
        }
        // The step is false because its weight and the lower bounds of the other numbers add up to more than `most`.
        let Step { weight, ladder } = self.inequality.steps[step as usize];
        // If the weight alone exceeds `most`, the reason is empty.
        if let Some(exceeded) = self.inequality.most.checked_sub(weight) {
            self.inequality.explain(&self.past, Some(ladder as usize), exceeded, reason);
        }
    }
}
