//! Cumulative resources.

use super::Side;
use super::bounds::{Bounds, Limited, Reason};
use crate::lit::Lit;
use crate::theory::Findings;
use crate::theory::timetable::{Segment, profile};

/// The constraint that the total demand of the running tasks never exceeds the capacity. The module
/// [`timetable`](crate::theory::timetable) describes the propagation rules.
#[derive(Debug)]
pub(super) struct Timetable {
    tasks: Vec<LazyTask>,
    capacity: Side,
    /// The constraint must hold if the integer is at least the number.
    condition: Option<(Side, i64)>,
}

/// A task that needs a resource. Negative durations and demands are treated as 0.
#[derive(Debug, Clone, Copy)]
pub struct LazyTask {
    /// The time at which the task starts.
    pub start: Side,
    /// The number of time steps for which the task runs.
    pub duration: Side,
    /// The amount of the resource that the task needs.
    pub demand: Side,
}

impl Timetable {
    pub(super) fn new(tasks: Vec<LazyTask>, capacity: Side, condition: Option<(Side, i64)>) -> Self {
        Self { tasks, capacity, condition }
    }

    /// Returns the integers and the negations of integers whose lower bounds the constraint depends on.
    pub(super) fn sides(&self) -> impl Iterator<Item = Side> {
        let of_tasks = |task: &LazyTask| [task.start, !task.start, task.duration, task.demand];
        let sides = self.tasks.iter().flat_map(of_tasks);
        sides.chain([!self.capacity]).chain(self.condition.map(|(side, _)| side))
    }

    /// Derives bounds on starts and on the capacity, or a conflict. Returns `true` if it must be called again, because the
    /// unused literals did not suffice.
    pub(super) fn propagate(&self, own: u32, bounds: &mut Bounds, findings: &mut Findings) -> bool {
        if self.condition.is_some_and(|(side, least)| bounds.min(side) < least) {
            return false;
        }
        let parts = self.tasks.iter().map(|task| {
            let end = bounds.min(task.start) + bounds.min(task.duration);
            (bounds.max(task.start), end, bounds.min(task.demand))
        });
        let profile = profile(parts);
        let Some(highest) = profile.iter().max_by_key(|segment| segment.height) else { return false };
        if highest.height > bounds.max(self.capacity) {
            let mut reason = Vec::new();
            self.overload(highest.first, bounds.time, bounds, &mut reason);
            findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
            return false;
        }
        if highest.height > bounds.min(self.capacity) {
            let reason =
                |_| Reason::Demand { constraint: own, time: highest.first, bound: Limited::Capacity };
            if !bounds.lower(!self.capacity, -highest.height, reason, findings) {
                return true;
            }
        }
        let mut pushed =
            (0..).zip(&self.tasks).flat_map(|(index, &task)| [(index, task, true), (index, task, false)]);
        pushed.any(|(index, task, early)| {
            let Some(time) = self.full(task, early, &profile, bounds) else { return false };
            let (side, most, bound) = if early {
                (!task.start, -time - 1, Limited::Later(index))
            } else {
                (task.start, time - bounds.min(task.duration), Limited::Earlier(index))
            };
            !bounds.lower(side, most, |_| Reason::Demand { constraint: own, time, bound }, findings)
        })
    }

    /// Returns a time at which a task can't run because the profile leaves too little capacity, although the task would
    /// run then if it started at its minimum or, if `early` is false, at its maximum.
    fn full(&self, task: LazyTask, early: bool, profile: &[Segment<i64>], bounds: &Bounds) -> Option<i64> {
        let (min, max) = (bounds.min(task.start), bounds.max(task.start));
        let (duration, demand) = (bounds.min(task.duration), bounds.min(task.demand));
        if min == max || duration <= 0 || demand <= 0 {
            return None;
        }
        let start = if early { min } else { max };
        let (end, compulsory) = (start + duration, max..min + duration);
        let room = bounds.max(self.capacity) - demand;
        let is_full = |segment: &&Segment<i64>| segment.height > room && !compulsory.contains(&segment.first);
        let overlapping = &profile[profile.partition_point(|segment| segment.end <= start)..];
        let overlapping = &overlapping[..overlapping.partition_point(|segment| segment.first < end)];
        if early {
            overlapping.iter().find(is_full).map(|segment| segment.end.min(end) - 1)
        } else {
            overlapping.iter().rfind(is_full).map(|segment| segment.first.max(start))
        }
    }

    /// Explains a bound that follows from the demand at `at`.
    pub(super) fn explain(&self, bound: Limited, at: i64, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) {
        let index = match bound {
            Limited::Later(index) | Limited::Earlier(index) => index,
            Limited::Capacity => {
                let demands = self.running(at, None, time, bounds).map(|(demand, _)| demand);
                let limit = -bounds.above(!self.capacity, -demands.sum::<i64>());
                self.cover(at, limit, None, time, bounds, reason);
                return self.complete(time, bounds, reason);
            }
        };
        let LazyTask { start, duration, demand } = self.tasks[index as usize];
        let [least, needed] = [duration, demand].map(|side| bounds.min_at(side, time));
        let capacity = -bounds.min_at(!self.capacity, time);
        self.cover(at, capacity - needed, Some(index), time, bounds, reason);
        reason.extend(match bound {
            Limited::Later(_) => bounds.weakest(start, at - least + 1, time),
            _ => bounds.weakest(!start, -at, time),
        });
        reason.extend(bounds.weakest(duration, least, time));
        reason.extend(bounds.weakest(demand, needed, time));
        reason.extend(bounds.weakest(!self.capacity, -capacity, time));
        self.complete(time, bounds, reason);
    }

    /// Appends literals that imply that the total demand at `at` exceeds the capacity.
    fn overload(&self, at: i64, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) {
        let capacity = -bounds.min_at(!self.capacity, time);
        self.cover(at, capacity, None, time, bounds, reason);
        reason.extend(bounds.weakest(!self.capacity, -capacity, time));
        self.complete(time, bounds, reason);
    }

    /// Appends the condition of the constraint, and removes repetitions.
    fn complete(&self, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) {
        reason.extend(self.condition.and_then(|(side, least)| bounds.weakest(side, least, time)));
        reason.sort_unstable();
        reason.dedup();
    }

    /// Appends literals that imply that the total demand at `at`, without the given task, exceeds `limit`.
    fn cover(
        &self,
        at: i64,
        limit: i64,
        except: Option<u32>,
        time: u32,
        bounds: &Bounds,
        reason: &mut Vec<Lit>,
    ) {
        let mut running: Vec<(i64, LazyTask)> = self.running(at, except, time, bounds).collect();
        running.sort_by_key(|&(demand, _)| -demand);
        let mut total = 0;
        for (demand, task) in running {
            if total > limit {
                break;
            }
            total += demand;
            let duration = bounds.min_at(task.duration, time);
            reason.extend(bounds.weakest(task.start, at - duration + 1, time));
            reason.extend(bounds.weakest(!task.start, -at, time));
            reason.extend(bounds.weakest(task.duration, duration, time));
            reason.extend(bounds.weakest(task.demand, demand, time));
        }
    }

    /// Returns the tasks other than `except` that certainly run at `at`, each with its minimum demand.
    fn running(
        &self,
        at: i64,
        except: Option<u32>,
        time: u32,
        bounds: &Bounds,
    ) -> impl Iterator<Item = (i64, LazyTask)> {
        let others = (0..).zip(&self.tasks).filter(move |&(index, _)| Some(index) != except);
        others.filter_map(move |(_, &task)| {
            let demand = bounds.min_at(task.demand, time);
            let has_started = -bounds.min_at(!task.start, time) <= at;
            let has_ended = bounds.min_at(task.start, time) + bounds.min_at(task.duration, time) <= at;
            (has_started && !has_ended && demand > 0).then_some((demand, task))
        })
    }
}
