//! The timetable propagator for cumulative resources. It derives bounds on start times from the times at which tasks
//! certainly run.
//!
//! A task certainly runs from its latest start to its earliest end. This interval is its *compulsory part*. The
//! *profile* is the total demand of the compulsory parts at each time. From the profile, the propagator derives the
//! following literals and conflicts, each explained by a clause:
//!
//! * **overload**: if the profile exceeds the maximum capacity, there is a conflict. Otherwise, the capacity is at
//!   least the maximum of the profile.
//! * **start**: suppose that the profile leaves too little capacity for a task at time t. If the earliest start would
//!   make the task run at t, the task must start after t. If the latest start would make the task run at t, the task
//!   must end at t or earlier.
//!
//! Each clause explains an overload at a single time t, caused by tasks whose demands together exceed the capacity.
//! For each of these tasks, the clause contains the negations of `start <= t` and `start > t - duration`.

use std::sync::Arc;

use super::{Event, Findings, Lazy, Propagator};
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
    fn at_most(&self, value: Value) -> Lit {
        match self.values.partition_point(|&v| v <= value) {
            0 => FALSE,
            count => self.at_most.get(count - 1).copied().unwrap_or(TRUE),
        }
    }

    /// Returns the literal `x >= value`.
    fn at_least(&self, value: Value) -> Lit {
        match self.values.partition_point(|&v| v < value) {
            0 => TRUE,
            count => !self.at_most.get(count - 1).copied().unwrap_or(TRUE),
        }
    }
}

/// The variables of a cumulative resource.
#[derive(Debug)]
struct Variables {
    /// The start, the duration and the demand of each task, and then the capacity.
    ints: Vec<OrderedInt>,
    /// The first event of each integer. Each literal of the integer has two consecutive events: one for the literal and
    /// one for its negation.
    events: Vec<Event>,
    /// The conditions: the constraint must hold if all these literals are true.
    conditions: Vec<Lit>,
    /// The event of the first condition. The events of the other conditions follow.
    first_condition: Event,
}

/// A cumulative resource as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyTimetable(Arc<Variables>);

impl LazyTimetable {
    /// Creates the constraint from the start, the duration and the demand of each task, and the capacity. The capacity
    /// must be nonnegative. Negative durations and demands are treated as 0. The constraint must hold if all literals
    /// in `conditions` are true.
    #[must_use]
    pub fn new(
        tasks: impl IntoIterator<Item = [OrderedInt; 3]>,
        capacity: OrderedInt,
        conditions: Vec<Lit>,
    ) -> Self {
        let ints: Vec<OrderedInt> = tasks.into_iter().flatten().chain([capacity]).collect();
        let mut next: Event = 0;
        let mut events = Vec::with_capacity(ints.len());
        for x in &ints {
            events.push(next);
            next += 2 * x.at_most.len() as Event;
        }
        Self(Arc::new(Variables { ints, events, conditions, first_condition: next }))
    }
}

impl Lazy for LazyTimetable {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let mut state = TimetablePropagator::new(Arc::clone(&self.0));
        for (bounds, x) in state.bounds.iter_mut().zip(&self.0.ints) {
            let index = x.at_most.iter().position(|&lit| holds(lit)).unwrap_or(x.at_most.len());
            *bounds = (index, index);
        }
        if !self.0.conditions.iter().all(|&lit| constant(lit).unwrap_or_else(|| holds(lit))) {
            return Vec::new();
        }
        let limit = state.max(state.capacity());
        let overloads = state.profile().into_iter().filter(|segment| segment.height > limit);
        overloads.map(|segment| state.conflict(state.overload(segment.first))).collect()
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        Some(Box::new(TimetablePropagator::new(Arc::clone(&self.0))))
    }
}

/// An interval of the profile with constant height: from `first` to `end - 1`, the total demand is `height`.
#[derive(Debug, Clone, Copy)]
struct Segment {
    first: Value,
    end: Value,
    height: Value,
}

/// The propagator of a cumulative resource. The [module](self) describes the propagation rules.
#[derive(Debug)]
pub struct TimetablePropagator {
    variables: Arc<Variables>,
    /// The minimum and the maximum of each integer, as indices into the list of its values.
    bounds: Vec<(usize, usize)>,
    /// One entry for each reported literal: an integer and its previous bounds, or `None` if the literal is a
    /// condition.
    trail: Vec<Option<(usize, (usize, usize))>>,
    /// The number of conditions that have not been reported as true.
    open: usize,
    /// For each event, the true literals from which its literal was derived.
    reasons: Vec<Vec<Lit>>,
    /// True if a bound has changed since the last propagation.
    stale: bool,
}

impl TimetablePropagator {
    fn new(variables: Arc<Variables>) -> Self {
        let bounds = variables.ints.iter().map(|x| (0, x.at_most.len())).collect();
        let literals: usize = variables.ints.iter().map(|x| x.at_most.len()).sum();
        let open = variables.conditions.iter().filter(|&&lit| lit != TRUE).count();
        let reasons = vec![Vec::new(); 2 * literals];
        Self { variables, bounds, trail: Vec::new(), open, reasons, stale: true }
    }

    fn tasks(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.capacity()).step_by(3)
    }

    /// Returns the index of the capacity in the list of integers.
    fn capacity(&self) -> usize {
        self.variables.ints.len() - 1
    }

    fn min(&self, x: usize) -> Value {
        self.variables.ints[x].values[self.bounds[x].0]
    }

    fn max(&self, x: usize) -> Value {
        self.variables.ints[x].values[self.bounds[x].1]
    }

    /// Returns whether the given time is in the compulsory part of a task whose minimum demand is positive.
    fn runs(&self, task: usize, time: Value) -> bool {
        self.max(task) <= time
            && time < self.min(task).saturating_add(self.min(task + 1))
            && self.min(task + 2) > 0
    }

    /// Returns the intervals in which the profile is positive, in chronological order.
    fn profile(&self) -> Vec<Segment> {
        let mut changes: Vec<(Value, Value)> = Vec::new();
        for task in self.tasks() {
            let (first, demand) = (self.max(task), self.min(task + 2));
            let end = self.min(task).saturating_add(self.min(task + 1));
            if first < end && demand > 0 {
                changes.extend([(first, demand), (end, -demand)]);
            }
        }
        changes.sort_unstable();
        let (mut height, mut profile) = (0, Vec::new());
        for (index, &(time, change)) in changes.iter().enumerate() {
            height += change;
            if let Some(&(end, _)) = changes.get(index + 1).filter(|next| next.0 > time && height > 0) {
                profile.push(Segment { first: time, end, height });
            }
        }
        profile
    }

    /// Appends literals that are true and imply that a task runs at the given time with at least its minimum demand.
    fn running(&self, task: usize, time: Value, reason: &mut Vec<Lit>) {
        let ints = &self.variables.ints;
        let (duration, demand) = (self.min(task + 1), self.min(task + 2));
        reason.extend([ints[task].at_most(time), ints[task].at_least(time - duration + 1)]);
        reason.extend([ints[task + 1].at_least(duration), ints[task + 2].at_least(demand)]);
    }

    /// Adds the conditions to a reason, and removes constants from it.
    fn complete(&self, mut reason: Vec<Lit>) -> Vec<Lit> {
        reason.extend(&self.variables.conditions);
        reason.retain(|&lit| constant(lit).is_none());
        reason
    }

    /// Returns the conflict clause: the negations of all conditions and of all literals in the reason.
    fn conflict(&self, reason: Vec<Lit>) -> Vec<Lit> {
        self.complete(reason).into_iter().map(|lit| !lit).collect()
    }

    /// Returns literals that are true and that together imply that the tasks other than `except` have a total demand
    /// above `limit` at the given time.
    fn cover(&self, time: Value, limit: Value, except: Option<usize>) -> Vec<Lit> {
        let mut tasks: Vec<usize> =
            self.tasks().filter(|&task| Some(task) != except && self.runs(task, time)).collect();
        tasks.sort_by_key(|&task| -self.min(task + 2));
        let (mut total, mut reason) = (0, Vec::new());
        for task in tasks {
            if total > limit {
                break;
            }
            total += self.min(task + 2);
            self.running(task, time, &mut reason);
        }
        reason
    }

    /// Returns literals that are true and that together imply an overload at the given time.
    fn overload(&self, time: Value) -> Vec<Lit> {
        let capacity = self.capacity();
        let mut reason = self.cover(time, self.max(capacity), None);
        reason.push(self.variables.ints[capacity].at_most(self.max(capacity)));
        reason
    }

    /// Derives `x <= v`, or `x > v` if `at_least` is true, where v is the value with the given index.
    fn imply(&mut self, x: usize, index: usize, at_least: bool, reason: Vec<Lit>, findings: &mut Findings) {
        let Some(&lit) = self.variables.ints[x].at_most.get(index) else {
            findings.conflict = Some(self.conflict(reason));
            return;
        };
        let event = self.variables.events[x] + 2 * index as Event + Event::from(at_least);
        self.reasons[event as usize] = self.complete(reason);
        findings.implied.push((if at_least { !lit } else { lit }, event));
    }

    /// Raises the minimum of the capacity to the maximum height of the profile.
    fn raise_capacity(&mut self, profile: &[Segment], findings: &mut Findings) {
        let capacity = self.capacity();
        let Some(highest) = profile.iter().max_by_key(|segment| segment.height) else { return };
        if highest.height > self.min(capacity) {
            let below = self.variables.ints[capacity].values.partition_point(|&value| value < highest.height);
            let limit = self.variables.ints[capacity].values[below - 1];
            let reason = self.cover(highest.first, limit, None);
            self.imply(capacity, below - 1, true, reason, findings);
        }
    }

    /// Raises the minimum start of a task if `early` is true, and lowers the maximum start otherwise.
    fn push(&mut self, task: usize, early: bool, profile: &[Segment], findings: &mut Findings) {
        let (duration, demand) = (self.min(task + 1), self.min(task + 2));
        let bound = if early { self.min(task) } else { self.max(task) };
        let end = bound.saturating_add(duration);
        let room = self.max(self.capacity()) - demand;
        let is_full = |segment: &&Segment| {
            let overlaps = segment.first < end && bound < segment.end;
            overlaps && segment.height > room && !self.runs(task, segment.first)
        };
        let overlapping = profile.iter().skip_while(|segment| segment.end <= bound);
        let mut overlapping = overlapping.take_while(|segment| segment.first < end);
        let found = if early { overlapping.find(is_full) } else { overlapping.filter(is_full).last() };
        let Some(segment) = found else { return };
        let x = &self.variables.ints[task];
        // The task cannot run at `time`.
        let (time, own, index) = if early {
            let time = segment.end.min(end) - 1;
            // The derived literal is the negation of `start <= time`.
            let index = x.values.partition_point(|&value| value <= time) - 1;
            (time, x.at_least(time - duration + 1), Some(index))
        } else {
            let time = segment.first.max(bound);
            let index = x.values.partition_point(|&value| value <= time - duration).checked_sub(1);
            (time, x.at_most(time), index)
        };
        let mut reason = self.cover(time, room, Some(task));
        let ints = &self.variables.ints;
        let capacity = self.capacity();
        reason.extend([own, ints[task + 1].at_least(duration), ints[task + 2].at_least(demand)]);
        reason.push(ints[capacity].at_most(self.max(capacity)));
        match index {
            Some(index) => self.imply(task, index, early, reason, findings),
            None => findings.conflict = Some(self.conflict(reason)),
        }
    }
}

impl Propagator for TimetablePropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        let mut events = Vec::new();
        for (x, &first) in self.variables.ints.iter().zip(&self.variables.events) {
            for (&lit, event) in x.at_most.iter().zip((first..).step_by(2)) {
                if constant(lit).is_none() {
                    events.extend([(lit, event), (!lit, event + 1)]);
                }
            }
        }
        let conditions = self.variables.conditions.iter().copied().zip(self.variables.first_condition..);
        events.extend(conditions.filter(|&(lit, _)| constant(lit).is_none()));
        events
    }

    fn assign(&mut self, event: Event) -> bool {
        if event >= self.variables.first_condition {
            self.open -= 1;
            self.trail.push(None);
            self.stale = true;
            return true;
        }
        let x = self.variables.events.partition_point(|&first| first <= event) - 1;
        let offset = event - self.variables.events[x];
        let index = (offset / 2) as usize;
        let before = self.bounds[x];
        let after = if offset.is_multiple_of(2) {
            (before.0, before.1.min(index))
        } else {
            (before.0.max(index + 1), before.1)
        };
        if after == before {
            return false;
        }
        self.trail.push(Some((x, before)));
        self.bounds[x] = after;
        self.stale = true;
        true
    }

    fn undo(&mut self) {
        match self.trail.pop() {
            Some(Some((x, before))) => self.bounds[x] = before,
            Some(None) => self.open += 1,
            None => {}
        }
    }

    fn propagate(&mut self, findings: &mut Findings) {
        // If the minimum of an integer exceeds its maximum, the solver itself detects the conflict.
        if self.open > 0 || !self.stale || self.bounds.iter().any(|bounds| bounds.0 > bounds.1) {
            return;
        }
        let profile = self.profile();
        let limit = self.max(self.capacity());
        if let Some(segment) = profile.iter().find(|segment| segment.height > limit) {
            findings.conflict = Some(self.conflict(self.overload(segment.first)));
            return;
        }
        self.stale = false;
        self.raise_capacity(&profile, findings);
        for task in self.tasks() {
            let can_move = self.bounds[task].0 < self.bounds[task].1;
            if can_move && self.min(task + 1) > 0 && self.min(task + 2) > 0 {
                for early in [true, false] {
                    self.push(task, early, &profile, findings);
                    if findings.conflict.is_some() {
                        self.stale = true;
                        return;
                    }
                }
            }
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        reason.extend_from_slice(&self.reasons[event as usize]);
    }
}
