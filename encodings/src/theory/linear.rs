//! A propagator for linear inequalities over integers in order encoding.
//!
//! A *ladder* represents a number in order encoding: its *steps* are literals `number >= weight` in ascending order
//! of their weights. The propagator enforces that the sum of the numbers is at most a constant. The lower bound of a
//! number is the weight of its highest true step. If the weight of a step and the lower bounds of the other numbers
//! add up to more than the constant, the propagator derives that the step is false.
//!
//! An explanation consists of at most one true step of each other ladder. To keep explanations general, ladders with
//! small bounds are omitted, and then the remaining ladders are represented by steps as low as possible.
//!
//! Paper: Ohrimenko, Stuckey, Codish: *Propagation via lazy clause generation*, Constraints 14, 2009. Unlike in the
//! paper, the literals `number >= weight` are created before the search.

use std::sync::Arc;

use super::{Event, Findings, Lazy, Propagator};
use crate::lit::Lit;

/// The steps of a number: the literals `number >= weight`, in ascending order of the weights. The weights are
/// positive. Clauses of the formula must ensure that each step implies the steps below it.
pub type Steps = Vec<(u128, Lit)>;

/// A linear inequality that the search enforces.
#[derive(Debug, Clone)]
pub struct LazyLinear {
    inequality: Arc<Inequality>,
}

#[derive(Debug)]
struct Inequality {
    /// The ladders, in descending order of their maximum values.
    ladders: Vec<Steps>,
    most: u128,
}

impl LazyLinear {
    /// Creates the constraint that the sum of the ladders is at most `most`. The literals must not be constants.
    ///
    /// # Panics
    /// Panics if the maximum values of the ladders add up to more than `u128::MAX`.
    #[must_use]
    pub fn new(mut ladders: Vec<Steps>, most: u128) -> Self {
        ladders.retain(|ladder| !ladder.is_empty());
        ladders.sort_by_key(|ladder| std::cmp::Reverse(top(ladder)));
        let total = ladders.iter().try_fold(0_u128, |sum, ladder| sum.checked_add(top(ladder)));
        assert!(total.is_some(), "the sum of the ladders exceeds 128 bits");
        Self { inequality: Arc::new(Inequality { ladders, most }) }
    }
}

/// Returns the maximum value of a ladder.
fn top(ladder: &Steps) -> u128 {
    ladder.last().map_or(0, |&(weight, _)| weight)
}

impl Inequality {
    /// Returns the lower bound of a number if the lowest `level` steps of its ladder are true.
    fn value(&self, ladder: usize, level: usize) -> u128 {
        level.checked_sub(1).map_or(0, |step| self.ladders[ladder][step].0)
    }

    /// Explains why the lower bounds of the ladders except `without`, at the given levels, add up to more than
    /// `exceeded`: appends at most one true step of each of these ladders to `reason`.
    fn explain(&self, levels: &[usize], without: Option<usize>, exceeded: u128, reason: &mut Vec<Lit>) {
        let used = || (0..levels.len()).filter(|&ladder| Some(ladder) != without && levels[ladder] > 0);
        let sum: u128 = used().map(|ladder| self.value(ladder, levels[ladder])).sum();
        let mut spare = sum - exceeded - 1;
        let mut kept = Vec::new();
        // The last ladders have the smallest maximum values.
        for ladder in used().collect::<Vec<_>>().into_iter().rev() {
            let value = self.value(ladder, levels[ladder]);
            if value <= spare {
                spare -= value;
            } else {
                kept.push(ladder);
            }
        }
        for ladder in kept {
            let steps = &self.ladders[ladder];
            let value = self.value(ladder, levels[ladder]);
            let lowest = steps.partition_point(|&(weight, _)| weight < value - spare);
            spare -= value - steps[lowest].0;
            reason.push(steps[lowest].1);
        }
    }
}

impl Lazy for LazyLinear {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let inequality = &*self.inequality;
        let level = |steps: &Steps| steps.iter().rposition(|&(_, lit)| holds(lit)).map_or(0, |step| step + 1);
        let levels: Vec<usize> = inequality.ladders.iter().map(level).collect();
        let sum: u128 =
            levels.iter().enumerate().map(|(ladder, &level)| inequality.value(ladder, level)).sum();
        if sum <= inequality.most {
            return Vec::new();
        }
        let mut reason = Vec::new();
        // The clauses of the ladder ensure that all steps below a true step are true.
        inequality.explain(&levels, None, inequality.most, &mut reason);
        vec![reason.into_iter().map(|lit| !lit).collect()]
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        let ladders = &self.inequality.ladders;
        let mut steps = Vec::new();
        for (ladder, all) in ladders.iter().enumerate() {
            steps.extend((0..all.len()).map(|step| (ladder, step)));
        }
        Some(Box::new(LinearPropagator {
            inequality: Arc::clone(&self.inequality),
            steps,
            levels: vec![0; ladders.len()],
            sum: 0,
            log: Vec::new(),
            derived: Vec::new(),
            past: Vec::new(),
        }))
    }
}

/// The state of the propagator of an inequality.
#[derive(Debug)]
struct LinearPropagator {
    inequality: Arc<Inequality>,
    /// For each event, the ladder and the index of the step in this ladder.
    steps: Vec<(usize, usize)>,
    /// For each ladder, its level: the number of true steps, counted from the lowest step.
    levels: Vec<usize>,
    /// The sum of the lower bounds of all numbers.
    sum: u128,
    /// For each reported literal, its ladder and the ladder's previous level.
    log: Vec<(usize, usize)>,
    /// For each derived literal, the ladder, the step, and the number of literals that had been reported before.
    derived: Vec<(usize, usize, usize)>,
    /// A buffer for the levels at the time of an earlier derivation.
    past: Vec<usize>,
}

impl LinearPropagator {
    fn set_level(&mut self, ladder: usize, level: usize) {
        self.sum -= self.inequality.value(ladder, self.levels[ladder]);
        self.sum += self.inequality.value(ladder, level);
        self.levels[ladder] = level;
    }
}

impl Propagator for LinearPropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        let lit = |&(ladder, step): &(usize, usize)| self.inequality.ladders[ladder][step].1;
        self.steps.iter().map(lit).zip(0..).collect()
    }

    fn assign(&mut self, event: Event) {
        let (ladder, step) = self.steps[event as usize];
        let level = self.levels[ladder];
        self.log.push((ladder, level));
        if step >= level {
            self.set_level(ladder, step + 1);
        }
    }

    fn undo(&mut self) {
        if let Some((ladder, level)) = self.log.pop() {
            self.set_level(ladder, level);
        }
        while self.derived.last().is_some_and(|&(_, _, before)| before > self.log.len()) {
            self.derived.pop();
        }
    }

    fn propagate(&mut self, findings: &mut Findings) {
        let inequality = &*self.inequality;
        let Some(room) = inequality.most.checked_sub(self.sum) else {
            let mut reason = Vec::new();
            inequality.explain(&self.levels, None, inequality.most, &mut reason);
            findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
            return;
        };
        for (ladder, steps) in inequality.ladders.iter().enumerate() {
            if top(steps) <= room {
                // The ladders are sorted, so no remaining ladder has a larger maximum value.
                break;
            }
            let most = inequality.value(ladder, self.levels[ladder]) + room;
            let step = steps.partition_point(|&(weight, _)| weight <= most);
            if let Some(&(_, lit)) = steps.get(step) {
                findings.implied.push((!lit, self.derived.len() as Event));
                self.derived.push((ladder, step, self.log.len()));
            }
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let (ladder, step, before) = self.derived[event as usize];
        self.past.clone_from(&self.levels);
        for &(ladder, level) in self.log[before..].iter().rev() {
            self.past[ladder] = level;
        }
        let Inequality { ladders, most } = &*self.inequality;
        // The step is false because its weight and the lower bounds of the other numbers add up to more than `most`.
        let weight = ladders[ladder][step].0;
        // If the weight alone exceeds `most`, the reason is empty.
        if let Some(exceeded) = most.checked_sub(weight) {
            self.inequality.explain(&self.past, Some(ladder), exceeded, reason);
        }
    }
}
