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

use super::bounds::{Bounds, OrderedInt, OrderedInts};
use super::{Event, Findings, Lazy, Propagator};
use crate::int::Value;
use crate::lit::Lit;

/// A cumulative resource as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyTimetable {
    /// The start, the duration and the demand of each task, and then the capacity.
    ints: Arc<OrderedInts>,
    tasks: usize,
}

impl LazyTimetable {
    /// Creates the constraint from the start, the duration and the demand of each task, and the capacity. The capacity
    /// must be nonnegative. Negative durations and demands are treated as 0. The constraint must hold if all literals
    /// in `conditions` are true.
    #[must_use]
    pub fn new(
        tasks: impl IntoIterator<Item = [OrderedInt; 3]>,
        capacity: OrderedInt,
        conditions: &[Lit],
    ) -> Self {
        let tasks: Vec<[OrderedInt; 3]> = tasks.into_iter().collect();
        let count = tasks.len();
        let ints = tasks.into_iter().flatten().chain([capacity]);
        Self { ints: Arc::new(OrderedInts::new(ints, conditions)), tasks: count }
    }

    fn timetable(&self, bounds: Bounds) -> TimetablePropagator {
        TimetablePropagator { ints: Arc::clone(&self.ints), bounds, tasks: self.tasks }
    }
}

impl Lazy for LazyTimetable {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let state = self.timetable(Bounds::of_assignment(Arc::clone(&self.ints), holds));
        if !state.bounds.is_active() {
            return Vec::new();
        }
        let limit = state.max(state.capacity());
        let overloads = state.profile().into_iter().filter(|segment| segment.height > limit);
        overloads.map(|segment| state.bounds.conflict(state.overload(segment.first))).collect()
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        Some(Box::new(self.timetable(Bounds::new(Arc::clone(&self.ints)))))
    }
}

/// An interval of the profile with constant height: from `first` to `end - 1`, the total demand is `height`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment<T> {
    pub(super) first: T,
    pub(super) end: T,
    pub(super) height: T,
}

/// Returns the intervals in which the profile is positive, in chronological order. Each task is given by its latest start,
/// its earliest end and its demand.
pub(super) fn profile<T>(tasks: impl IntoIterator<Item = (T, T, T)>) -> Vec<Segment<T>>
where
    T: Copy + Default + Ord + std::ops::Neg<Output = T> + std::ops::AddAssign,
{
    let mut changes = Vec::new();
    for (first, end, demand) in tasks {
        if first < end && demand > T::default() {
            changes.extend([(first, demand), (end, -demand)]);
        }
    }
    changes.sort_unstable();
    let (mut profile, mut height) = (Vec::new(), T::default());
    for (index, &(time, change)) in changes.iter().enumerate() {
        height += change;
        if let Some(&(end, _)) = changes.get(index + 1).filter(|next| next.0 > time && height > T::default())
        {
            profile.push(Segment { first: time, end, height });
        }
    }
    profile
}

/// The propagator of a cumulative resource. The [module](self) describes the propagation rules.
#[derive(Debug)]
pub struct TimetablePropagator {
    ints: Arc<OrderedInts>,
    bounds: Bounds,
    tasks: usize,
}

impl TimetablePropagator {
    /// Returns the index of the start of each task. The duration and the demand have the next two indices.
    fn tasks(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.capacity()).step_by(3)
    }

    /// Returns the index of the capacity in the list of integers.
    fn capacity(&self) -> usize {
        3 * self.tasks
    }

    fn min(&self, x: usize) -> Value {
        self.bounds.min(x)
    }

    fn max(&self, x: usize) -> Value {
        self.bounds.max(x)
    }

    /// Returns whether the given time is in the compulsory part of a task whose minimum demand is positive.
    fn runs(&self, task: usize, time: Value) -> bool {
        self.max(task) <= time
            && time < self.min(task).saturating_add(self.min(task + 1))
            && self.min(task + 2) > 0
    }

    /// Returns the intervals in which the profile is positive, in chronological order.
    fn profile(&self) -> Vec<Segment<Value>> {
        profile(self.tasks().map(|task| {
            let end = self.min(task).saturating_add(self.min(task + 1));
            (self.max(task), end, self.min(task + 2))
        }))
    }

    /// Appends literals that are true and imply that a task runs at the given time with at least its minimum demand.
    fn running(&self, task: usize, time: Value, reason: &mut Vec<Lit>) {
        let ints = &self.ints;
        let (duration, demand) = (self.min(task + 1), self.min(task + 2));
        reason.extend([ints[task].at_most(time), ints[task].at_least(time - duration + 1)]);
        reason.extend([ints[task + 1].at_least(duration), ints[task + 2].at_least(demand)]);
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
        reason.push(self.ints[capacity].at_most(self.max(capacity)));
        reason
    }

    /// Raises the minimum of the capacity to the maximum height of the profile.
    fn raise_capacity(&mut self, profile: &[Segment<Value>], findings: &mut Findings) {
        let capacity = self.capacity();
        let Some(highest) = profile.iter().max_by_key(|segment| segment.height) else { return };
        if highest.height > self.min(capacity) {
            let limit =
                self.ints[capacity].below(highest.height).expect("the minimum is less than the height");
            let reason = self.cover(highest.first, limit, None);
            self.bounds.raise(capacity, highest.height, reason, findings);
        }
    }

    /// Raises the minimum start of a task if `early` is true, and lowers the maximum start otherwise.
    fn push(&mut self, task: usize, early: bool, profile: &[Segment<Value>], findings: &mut Findings) {
        let (duration, demand) = (self.min(task + 1), self.min(task + 2));
        let bound = if early { self.min(task) } else { self.max(task) };
        let end = bound.saturating_add(duration);
        let room = self.max(self.capacity()) - demand;
        let is_full = |segment: &&Segment<Value>| {
            let overlaps = segment.first < end && bound < segment.end;
            overlaps && segment.height > room && !self.runs(task, segment.first)
        };
        let overlapping = profile.iter().skip_while(|segment| segment.end <= bound);
        let mut overlapping = overlapping.take_while(|segment| segment.first < end);
        let found = if early { overlapping.find(is_full) } else { overlapping.filter(is_full).last() };
        let Some(segment) = found else { return };
        let x = &self.ints[task];
        // The task cannot run at `time`.
        let (time, own) = if early {
            let time = segment.end.min(end) - 1;
            (time, x.at_least(time - duration + 1))
        } else {
            let time = segment.first.max(bound);
            (time, x.at_most(time))
        };
        let mut reason = self.cover(time, room, Some(task));
        let ints = &self.ints;
        let capacity = self.capacity();
        reason.extend([own, ints[task + 1].at_least(duration), ints[task + 2].at_least(demand)]);
        reason.push(ints[capacity].at_most(self.max(capacity)));
        if early {
            self.bounds.raise(task, time + 1, reason, findings);
        } else {
            self.bounds.lower(task, time - duration, reason, findings);
        }
    }
}

impl Propagator for TimetablePropagator {
    fn events(&self) -> Vec<(Lit, Event)> {
        self.bounds.events()
    }

    fn assign(&mut self, event: Event) -> bool {
        self.bounds.assign(event)
    }

    fn undo(&mut self) {
        self.bounds.undo();
    }

    fn propagate(&mut self, findings: &mut Findings) {
        if !self.bounds.is_ready() {
            return;
        }
        let profile = self.profile();
        let limit = self.max(self.capacity());
        if let Some(segment) = profile.iter().find(|segment| segment.height > limit) {
            findings.conflict = Some(self.bounds.conflict(self.overload(segment.first)));
            return;
        }
        self.raise_capacity(&profile, findings);
        for task in self.tasks() {
            let can_move = self.min(task) < self.max(task);
            if can_move && self.min(task + 1) > 0 && self.min(task + 2) > 0 {
                for early in [true, false] {
                    self.push(task, early, &profile, findings);
                    if findings.conflict.is_some() {
                        return;
                    }
                }
            }
        }
        self.bounds.stale = false;
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        self.bounds.explain(event, reason);
    }
}
