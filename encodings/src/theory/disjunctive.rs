//! The propagator for tasks that must not overlap. It derives bounds on the start times, and the order of tasks.
//!
//! Each pair of tasks has a literal that is true if the first task precedes the second. The propagator uses the minimum
//! duration p of each task. A task with the start s runs from the earliest start est (the minimum of s) to the latest
//! completion lct (the maximum of s, plus p). For a set S of tasks, p(S) is the sum of the durations, est(S) is the
//! minimum of est, and lct(S) is the maximum of lct. The rules are:
//!
//! * **order**: if task i cannot end before task j starts, j precedes i.
//! * **predecessors**: if all tasks of a set S precede i, then i starts at est(S) + p(S) or later.
//! * **overload**: if est(S) + p(S) > lct(S), there is a conflict.
//! * **edge finding**: if est(S and i) + p(S and i) > lct(S), then i is the last of these tasks. It starts at
//!   est(T) + p(T) or later, for each subset T of S.
//!
//! The last three rules are also applied to the reversed time, for upper bounds on the start times. If the duration of
//! a task varies, it is bounded by the tasks after it. In a constraint that is not strict, a rule applies to tasks with
//! a positive minimum duration only.
//!
//! The clause of an overload or of edge finding contains two literals for each task of S: the task starts at or after
//! a time e, and ends at or before a time f. The propagator chooses the largest f such that the rule still applies.
//!
//! For n tasks, each propagation takes time O(n^2).
//!
//! Papers: Carlier, Pinson: *An algorithm for solving the job-shop problem*, Management Science 35, 1989, for edge
//! finding; Vilím: *Computation of explanations in scheduling*, CPAIOR 2005, for the explanations. Unlike in the papers,
//! there are no rules for tasks that cannot be first or last.

use std::sync::Arc;

use super::bounds::{Bounds, OrderedInt, OrderedInts};
use super::{Event, Findings, Lazy, Propagator};
use crate::int::Value;
use crate::lit::{Lit, TRUE};

mod edge_finding;

/// Tasks that must not overlap, as a lazy constraint.
#[derive(Debug, Clone)]
pub struct LazyDisjunctive {
    /// The start and the duration of each task, and then the literals of the order.
    ints: Arc<OrderedInts>,
    tasks: usize,
    strict: bool,
}

/// The maximum absolute value of a start or a duration. The limit ensures that sums do not overflow.
pub const GREATEST: u64 = 1 << 40;

impl LazyDisjunctive {
    /// Creates the constraint from the start and the duration of each task. For i < j, the entries of `precedes` in the
    /// order (0, 1), (0, 2), (1, 2), (0, 3), ... are literals: task i must end before task j starts if the literal is
    /// true, and task j before task i otherwise. Negative durations are treated as 0. No absolute value of a start or
    /// a duration may exceed [`GREATEST`]. If `strict` is false, tasks of
    /// duration 0 may overlap other tasks. The constraint must hold if all literals in `conditions` are true.
    ///
    /// # Panics
    /// Panics if the number of literals is not the number of pairs, or if there are 2^20 tasks or more.
    #[must_use]
    pub fn new(
        tasks: impl IntoIterator<Item = [OrderedInt; 2]>,
        precedes: &[Lit],
        strict: bool,
        conditions: &[Lit],
    ) -> Self {
        let tasks: Vec<[OrderedInt; 2]> = tasks.into_iter().collect();
        let count = tasks.len();
        assert!(count < 1 << 20, "sums of the durations fit in 64 bits");
        assert_eq!(precedes.len(), count * count.saturating_sub(1) / 2, "one literal for each pair of tasks");
        let ints = tasks.into_iter().flatten().chain(precedes.iter().map(|&lit| OrderedInt::from(lit)));
        Self { ints: Arc::new(OrderedInts::new(ints, conditions)), tasks: count, strict }
    }

    fn propagator(&self, bounds: Bounds) -> DisjunctivePropagator {
        let before = vec![false; self.tasks * self.tasks];
        DisjunctivePropagator {
            ints: Arc::clone(&self.ints),
            bounds,
            tasks: self.tasks,
            strict: self.strict,
            before,
        }
    }
}

impl Lazy for LazyDisjunctive {
    fn cuts(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let mut state = self.propagator(Bounds::of_assignment(Arc::clone(&self.ints), holds));
        if !state.bounds.is_active() {
            return Vec::new();
        }
        state.read_order();
        let side = Side::new(&state, false);
        let mut cuts = Vec::new();
        for (i, j) in state.ordered_pairs() {
            if state.precedes(i, j) && side.est[i] + side.p[i] > side.est[j] {
                let mut reason = state.cannot_precede(i, j, &side);
                reason.push(state.order_lit(i, j));
                cuts.push(state.bounds.conflict(reason));
            }
        }
        cuts
    }

    fn propagator(&self) -> Option<Box<dyn Propagator>> {
        Some(Box::new(self.propagator(Bounds::new(Arc::clone(&self.ints)))))
    }
}

/// The propagator of tasks that must not overlap. The [module](self) describes the propagation rules.
#[derive(Debug)]
pub struct DisjunctivePropagator {
    ints: Arc<OrderedInts>,
    bounds: Bounds,
    tasks: usize,
    strict: bool,
    /// For each pair (i, j) of tasks, at the index `i * tasks + j`: whether task i is known to precede task j and both
    /// tasks count.
    before: Vec<bool>,
}

/// A time or a duration. Sums of them fit in 64 bits, because none exceeds [`GREATEST`].
type Time = i64;

fn time(value: Value) -> Time {
    Time::try_from(value).expect("times are at most `GREATEST`")
}

/// The tasks in one direction of time. In the reversed direction, the start of a task is the negation of the time at
/// which the task ends if it has its minimum duration.
struct Side {
    reversed: bool,
    /// The minimum duration of each task, at least 0.
    p: Vec<Time>,
    /// The earliest start of each task.
    est: Vec<Time>,
    /// The latest completion of each task.
    lct: Vec<Time>,
    /// The tasks in descending order of their earliest starts.
    by_est: Vec<usize>,
}

impl Side {
    fn new(state: &DisjunctivePropagator, reversed: bool) -> Self {
        let all = 0..state.tasks;
        let p: Vec<Time> = all.clone().map(|i| time(state.bounds.min(2 * i + 1).max(0))).collect();
        let (est, lct): (Vec<Time>, Vec<Time>) = all
            .clone()
            .map(|i| (time(state.bounds.min(2 * i)), time(state.bounds.max(2 * i)) + p[i]))
            .map(|(est, lct)| if reversed { (-lct, -est) } else { (est, lct) })
            .unzip();
        let mut by_est: Vec<usize> = all.collect();
        by_est.sort_by_key(|&i| -est[i]);
        Self { reversed, p, est, lct, by_est }
    }
}

impl DisjunctivePropagator {
    /// Returns the index of the literal for two tasks i < j.
    fn order(&self, i: usize, j: usize) -> usize {
        2 * self.tasks + j * (j - 1) / 2 + i
    }

    /// Returns all pairs of different tasks, in both orders.
    fn ordered_pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let tasks = self.tasks;
        (0..tasks).flat_map(move |i| (0..tasks).filter(move |&j| j != i).map(move |j| (i, j)))
    }

    /// Reads the known orders of pairs.
    fn read_order(&mut self) {
        let mut order = 2 * self.tasks;
        for j in 0..self.tasks {
            for i in 0..j {
                let counts = self.counts(i) && self.counts(j);
                self.before[i * self.tasks + j] = counts && self.bounds.min(order) == 1;
                self.before[j * self.tasks + i] = counts && self.bounds.max(order) == 0;
                order += 1;
            }
        }
    }

    /// Returns whether task i is known to precede task j and both tasks count.
    fn precedes(&self, i: usize, j: usize) -> bool {
        self.before[i * self.tasks + j]
    }

    /// Returns the literal that is true if task i precedes task j.
    fn order_lit(&self, i: usize, j: usize) -> Lit {
        if i < j { self.ints[self.order(i, j)].at_least(1) } else { self.ints[self.order(j, i)].at_most(0) }
    }

    /// Returns whether a task must not overlap other tasks.
    fn counts(&self, i: usize) -> bool {
        self.strict || self.bounds.min(2 * i + 1) > 0
    }

    /// Returns the literal that implies that the task counts.
    fn counted(&self, i: usize) -> Lit {
        if self.strict { TRUE } else { self.ints[2 * i + 1].at_least(1) }
    }

    /// Returns the literal that the duration of a task is at least its minimum. Negative durations are treated as 0.
    fn lasts(&self, i: usize, side: &Side) -> Lit {
        if side.p[i] > 0 { self.ints[2 * i + 1].at_least(side.p[i].into()) } else { TRUE }
    }

    /// Returns the literal that a task starts at or after the given time, in the direction of the side.
    fn starts_from(&self, i: usize, time: Time, side: &Side) -> Lit {
        let start = &self.ints[2 * i];
        if side.reversed { start.at_most((-time - side.p[i]).into()) } else { start.at_least(time.into()) }
    }

    /// Returns the literal that a task ends at or before the given time if it has its minimum duration, in the direction
    /// of the side.
    fn ends_by(&self, i: usize, time: Time, side: &Side) -> Lit {
        let start = &self.ints[2 * i];
        if side.reversed { start.at_least((-time).into()) } else { start.at_most((time - side.p[i]).into()) }
    }

    /// Returns the least bound that has the same effect on the start of a task as the given lower bound.
    fn needed(&self, i: usize, bound: Time, side: &Side) -> Time {
        let start = &self.ints[2 * i];
        if side.reversed {
            // The start is at most `-bound - p`.
            start.above((-bound - side.p[i]).into()).map_or(bound, |above| 1 - time(above) - side.p[i])
        } else {
            start.below(bound.into()).map_or(bound, |below| time(below) + 1)
        }
    }

    /// Derives that a task starts at or after the given time, in the direction of the side.
    fn push(&mut self, i: usize, time: Time, side: &Side, reason: Vec<Lit>, findings: &mut Findings) {
        if side.reversed {
            self.bounds.lower(2 * i, (-time - side.p[i]).into(), reason, findings);
        } else {
            self.bounds.raise(2 * i, time.into(), reason, findings);
        }
    }

    /// Returns the reason why task i cannot precede task j: it ends after the latest start of j.
    fn cannot_precede(&self, i: usize, j: usize, side: &Side) -> Vec<Lit> {
        let (est, p) = (side.est[i], side.p[i]);
        let late = self.ints[2 * j].at_most((est + p - 1).into());
        vec![
            self.ints[2 * i].at_least(est.into()),
            self.lasts(i, side),
            late,
            self.counted(i),
            self.counted(j),
        ]
    }

    /// Applies the rule *order* to all pairs of tasks, and bounds variable durations.
    fn order_tasks(&mut self, side: &Side, findings: &mut Findings) {
        for (i, j) in self.ordered_pairs() {
            let latest = side.lct[j] - side.p[j];
            let (precedes, follows) = (self.precedes(i, j), self.precedes(j, i));
            if side.est[i] + side.p[i] > latest && !follows && self.counts(i) && self.counts(j) {
                let mut reason = self.cannot_precede(i, j, side);
                if precedes {
                    reason.push(self.order_lit(i, j));
                    findings.conflict = Some(self.bounds.conflict(reason));
                    return;
                }
                if i < j {
                    self.bounds.lower(self.order(i, j), 0, reason, findings);
                } else if side.est[j] + side.p[j] <= side.lct[i] - side.p[i] {
                    // Otherwise, the opposite literal was derived from the pair (j, i).
                    self.bounds.raise(self.order(j, i), 1, reason, findings);
                }
            }
            let longest = latest - side.est[i];
            if precedes && longest >= side.p[i] && self.bounds.max(2 * i + 1) > longest.into() {
                let (from, late) =
                    (self.ints[2 * i].at_least(side.est[i].into()), self.ints[2 * j].at_most(latest.into()));
                let reason = vec![self.order_lit(i, j), from, late, self.counted(i), self.counted(j)];
                self.bounds.lower(2 * i + 1, longest.into(), reason, findings);
            }
        }
    }

    /// Applies the rule *predecessors*.
    fn follow_predecessors(&mut self, side: &Side, findings: &mut Findings) {
        for i in 0..self.tasks {
            if !self.counts(i) {
                continue;
            }
            let before = |this: &Self, j: usize| {
                if side.reversed { this.precedes(i, j) } else { this.precedes(j, i) }
            };
            let (mut sum, mut best, mut from) = (0, side.est[i], None);
            for &j in &side.by_est {
                if before(self, j) {
                    sum += side.p[j];
                    if side.est[j] + sum > best {
                        (best, from) = (side.est[j] + sum, Some(side.est[j]));
                    }
                }
            }
            let Some(from) = from else { continue };
            let from_needed = from - (best - self.needed(i, best, side));
            let mut reason = vec![self.counted(i)];
            if side.reversed {
                reason.push(self.lasts(i, side));
            }
            for &j in side.by_est.iter().take_while(|&&j| side.est[j] >= from) {
                if before(self, j) {
                    let order = if side.reversed { self.order_lit(i, j) } else { self.order_lit(j, i) };
                    reason.extend([order, self.starts_from(j, from_needed, side)]);
                    reason.extend([self.lasts(j, side), self.counted(j)]);
                }
            }
            self.push(i, best, side, reason, findings);
        }
    }
}

impl Propagator for DisjunctivePropagator {
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
        self.read_order();
        let side = Side::new(self, false);
        let reversed = Side::new(self, true);
        self.order_tasks(&side, findings);
        for side in [&side, &reversed] {
            if findings.conflict.is_none() {
                self.follow_predecessors(side, findings);
            }
        }
        // Edge finding is worth its time only after the simpler rules.
        for side in [&side, &reversed] {
            if findings.is_empty() {
                self.find_edges(side, findings);
            }
        }
        self.bounds.stale = !findings.is_empty();
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        self.bounds.explain(event, reason);
    }
}
