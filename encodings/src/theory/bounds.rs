//! The bounds of integers in order encoding, for propagators that derive bounds from bounds.
//!
//! A literal is an integer with the values 0 and 1. The propagators therefore treat the literals of a constraint, and
//! the conditions under which the constraint must hold, like its integers.

use std::sync::Arc;

use super::{Event, Findings};
use crate::int::Value;
use crate::lit::{FALSE, Lit, TRUE, constant};

/// An integer with its literals `x <= v` (order encoding).
#[derive(Debug, Clone)]
pub struct OrderedInt {
    values: Vec<Value>,
    at_most: Vec<Lit>,
}

impl OrderedInt {
    /// Creates an integer from the values `v` of its domain, in ascending order, and their literals `x <= v`. The
    /// maximum has no literal.
    ///
    /// # Panics
    /// Panics if the number of literals is not the number of values minus 1.
    #[must_use]
    pub fn new(values: Vec<Value>, at_most: Vec<Lit>) -> Self {
        assert_eq!(values.len(), at_most.len() + 1, "one literal for each value but the maximum");
        Self { values, at_most }
    }

    /// Returns the literal `x <= value`.
    pub(super) fn at_most(&self, value: Value) -> Lit {
        match self.values.partition_point(|&v| v <= value) {
            0 => FALSE,
            count => self.at_most.get(count - 1).copied().unwrap_or(TRUE),
        }
    }

    /// Returns the literal `x >= value`.
    pub(super) fn at_least(&self, value: Value) -> Lit {
        match self.values.partition_point(|&v| v < value) {
            0 => TRUE,
            count => !self.at_most.get(count - 1).copied().unwrap_or(TRUE),
        }
    }

    /// Returns the largest value of the domain that is less than `value`, or `None` if there is none.
    pub(super) fn below(&self, value: Value) -> Option<Value> {
        self.values.partition_point(|&v| v < value).checked_sub(1).map(|index| self.values[index])
    }

    /// Returns the smallest value of the domain that is greater than `value`, or `None` if there is none.
    pub(super) fn above(&self, value: Value) -> Option<Value> {
        self.values.get(self.values.partition_point(|&v| v <= value)).copied()
    }
}

/// Converts a literal to an integer with the value 1 if the literal is true, and 0 otherwise.
impl From<Lit> for OrderedInt {
    fn from(lit: Lit) -> Self {
        match constant(lit) {
            Some(value) => Self::new(vec![Value::from(value)], Vec::new()),
            None => Self::new(vec![0, 1], vec![!lit]),
        }
    }
}

/// The integers of a propagator.
#[derive(Debug)]
pub(super) struct OrderedInts {
    ints: Vec<OrderedInt>,
    /// The index of the first condition. The conditions are the last integers. The constraint must hold if all of them
    /// are 1.
    conditions: usize,
    /// The first event of each integer. Each literal of the integer has two consecutive events: one for the literal and
    /// one for its negation.
    events: Vec<Event>,
    /// The integer of each literal, in the order of the events.
    owners: Vec<u32>,
}

impl OrderedInts {
    pub(super) fn new(ints: impl IntoIterator<Item = OrderedInt>, conditions: &[Lit]) -> Self {
        let mut ints: Vec<OrderedInt> = ints.into_iter().collect();
        let first = ints.len();
        ints.extend(conditions.iter().map(|&lit| OrderedInt::from(lit)));
        let mut next: Event = 0;
        let mut events = Vec::with_capacity(ints.len());
        let mut owners = Vec::new();
        for (x, number) in ints.iter().zip(0..) {
            events.push(next);
            next += 2 * x.at_most.len() as Event;
            owners.resize(next as usize / 2, number);
        }
        Self { ints, conditions: first, events, owners }
    }
}

impl std::ops::Index<usize> for OrderedInts {
    type Output = OrderedInt;

    fn index(&self, x: usize) -> &OrderedInt {
        &self.ints[x]
    }
}

/// The current bounds of the integers, and the reasons of the derived literals.
#[derive(Debug)]
pub(super) struct Bounds {
    ints: Arc<OrderedInts>,
    /// The minimum and the maximum of each integer, as indices into the list of its values.
    current: Vec<(usize, usize)>,
    /// One entry for each reported literal: an integer and its previous bounds.
    trail: Vec<(usize, (usize, usize))>,
    /// For each event, the true literals from which its literal was derived.
    reasons: Vec<Vec<Lit>>,
    /// True if a bound has changed since the last propagation that was completed.
    pub(super) stale: bool,
}

impl Bounds {
    pub(super) fn new(ints: Arc<OrderedInts>) -> Self {
        let current = ints.ints.iter().map(|x| (0, x.at_most.len())).collect();
        let reasons = vec![Vec::new(); 2 * ints.owners.len()];
        Self { ints, current, trail: Vec::new(), reasons, stale: true }
    }

    /// Creates the bounds for a total assignment.
    pub(super) fn of_assignment(ints: Arc<OrderedInts>, holds: &dyn Fn(Lit) -> bool) -> Self {
        let mut this = Self::new(ints);
        for (bounds, x) in this.current.iter_mut().zip(&this.ints.ints) {
            let index = x.at_most.iter().position(|&lit| holds(lit)).unwrap_or(x.at_most.len());
            *bounds = (index, index);
        }
        this
    }

    pub(super) fn min(&self, x: usize) -> Value {
        self.ints[x].values[self.current[x].0]
    }

    pub(super) fn max(&self, x: usize) -> Value {
        self.ints[x].values[self.current[x].1]
    }

    /// Returns whether all conditions hold.
    pub(super) fn is_active(&self) -> bool {
        (self.ints.conditions..self.ints.ints.len()).all(|x| self.min(x) == 1)
    }

    /// Returns whether to propagate: a bound has changed, all conditions hold, and no integer has a minimum above its
    /// maximum. In the last case, the solver itself detects the conflict.
    pub(super) fn is_ready(&self) -> bool {
        self.stale && self.current.iter().all(|bounds| bounds.0 <= bounds.1) && self.is_active()
    }

    /// Adds the conditions to a reason, and removes constants and repetitions from it.
    fn complete(&self, mut reason: Vec<Lit>) -> Vec<Lit> {
        reason.extend(self.ints.ints[self.ints.conditions..].iter().map(|x| x.at_least(1)));
        reason.retain(|&lit| constant(lit).is_none());
        reason.sort_unstable();
        reason.dedup();
        reason
    }

    /// Returns the conflict clause: the negations of all conditions and of all literals in the reason.
    pub(super) fn conflict(&self, reason: Vec<Lit>) -> Vec<Lit> {
        self.complete(reason).into_iter().map(|lit| !lit).collect()
    }

    /// Derives `x >= value`, which must exceed the current minimum.
    pub(super) fn raise(&mut self, x: usize, value: Value, reason: Vec<Lit>, findings: &mut Findings) {
        let index = self.ints[x].values.partition_point(|&v| v < value) - 1;
        self.imply(x, index, true, reason, findings);
    }

    /// Derives `x <= value`, which must be less than the current maximum.
    pub(super) fn lower(&mut self, x: usize, value: Value, reason: Vec<Lit>, findings: &mut Findings) {
        match self.ints[x].values.partition_point(|&v| v <= value).checked_sub(1) {
            Some(index) => self.imply(x, index, false, reason, findings),
            None => findings.conflict = Some(self.conflict(reason)),
        }
    }

    /// Derives `x <= v`, or `x > v` if `above` is true, where v is the value with the given index.
    fn imply(&mut self, x: usize, index: usize, above: bool, reason: Vec<Lit>, findings: &mut Findings) {
        let Some(&lit) = self.ints[x].at_most.get(index) else {
            findings.conflict = Some(self.conflict(reason));
            return;
        };
        let event = self.ints.events[x] + 2 * index as Event + Event::from(above);
        self.reasons[event as usize] = self.complete(reason);
        findings.implied.push((if above { !lit } else { lit }, event));
    }

    /// Implements [`Propagator::events`](super::Propagator::events).
    pub(super) fn events(&self) -> Vec<(Lit, Event)> {
        let mut events = Vec::new();
        for (x, &first) in self.ints.ints.iter().zip(&self.ints.events) {
            for (&lit, event) in x.at_most.iter().zip((first..).step_by(2)) {
                if constant(lit).is_none() {
                    events.extend([(lit, event), (!lit, event + 1)]);
                }
            }
        }
        events
    }

    /// Implements [`Propagator::assign`](super::Propagator::assign).
    pub(super) fn assign(&mut self, event: Event) -> bool {
        let x = self.ints.owners[event as usize / 2] as usize;
        let offset = event - self.ints.events[x];
        let index = (offset / 2) as usize;
        let before = self.current[x];
        let after = if offset.is_multiple_of(2) {
            (before.0, before.1.min(index))
        } else {
            (before.0.max(index + 1), before.1)
        };
        if after == before {
            return false;
        }
        self.trail.push((x, before));
        self.current[x] = after;
        self.stale = true;
        true
    }

    /// Implements [`Propagator::undo`](super::Propagator::undo).
    pub(super) fn undo(&mut self) {
        if let Some((x, before)) = self.trail.pop() {
            self.current[x] = before;
        }
    }

    /// Implements [`Propagator::explain`](super::Propagator::explain).
    pub(super) fn explain(&self, event: Event, reason: &mut Vec<Lit>) {
        reason.extend_from_slice(&self.reasons[event as usize]);
    }
}
