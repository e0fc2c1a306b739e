//! The propagator: it keeps the bounds, and decides which constraints to propagate.

use std::collections::{BTreeMap, VecDeque};

use super::bounds::{Bound, Bounds, COMBINED, Derived, Integer, Reason, Slot, event};
use super::cycle;
use super::linear::Linear;
use super::program::Program;
use super::strategy::Strategy;
use super::{Constraint, Id, LazyOrder, Side};
use crate::lit::Lit;
use crate::theory::{Event, Findings, Propagator, StrategyProgress};

/// The data that decide whether a constraint is propagated.
#[derive(Debug)]
struct Activity {
    /// The minimum of an inequality's sum. 0 for other constraints.
    least: i64,
    /// The constraint derives nothing while `least` is at most this value. -1 for constraints that are always propagated.
    idle: i64,
    /// True if the constraint is propagated only when no other constraint derives anything.
    is_slow: bool,
    /// True if the constraint is in a queue.
    queued: bool,
}

/// The state of the propagator.
#[derive(Debug, Default)]
pub(super) struct LazyOrderPropagator {
    source: Option<LazyOrder>,
    bounds: Bounds,
    constraints: Vec<Constraint>,
    programs: Vec<Program>,
    strategies: Vec<Strategy>,
    /// The inequalities that were derived from linear programs, each with the number of bounds that were reported before.
    combined: Vec<(Linear, u32)>,
    /// For each reported bound, the integer, and whether it is an upper bound.
    log: Vec<(Id, bool)>,
    /// The changes of bounds for which literals may still have to be derived from the order: the integer, whether the
    /// bound is an upper bound, and its position in the history of the integer.
    changed: Vec<(Id, bool, usize)>,
    /// The constraints to propagate: first those of the first queue, and then the slow ones in the second queue. If a
    /// constraint that was woken last were propagated first, the number of propagations could be exponential in the number
    /// of constraints.
    queues: [VecDeque<u32>; 2],
    /// The activity of each constraint.
    activities: Vec<Activity>,
    /// An integer or its negation whose lower bound has changed often.
    suspect: Option<Side>,
    /// An integer whose lower bound exceeds its upper bound.
    empty: Option<Id>,
    /// The first integer that may have several values, when the search branches on integers.
    undecided: usize,
    /// True if a solution has been found.
    solved: bool,
}

impl LazyOrderPropagator {
    /// Creates the propagator of the given integers and constraints.
    pub(super) fn new(source: LazyOrder) -> Self {
        Self { source: Some(source), ..Self::default() }
    }

    /// Takes over what was added since the last call.
    fn update(&mut self, findings: &mut Findings) {
        let Some(source) = &self.source else { return };
        let news = std::mem::take(&mut source.shared().news);
        for (domain, complete) in news.integers {
            let (first, last) = (domain[0].0, domain[domain.len() - 1].1);
            let bound = |value| vec![Bound { value, lit: None, time: 0 }];
            self.bounds.integers.push(Integer {
                complete,
                lower: bound(first),
                upper: bound(last),
                literals: BTreeMap::new(),
                dependents: Default::default(),
                domain,
            });
        }
        for (id, value, lit) in news.literals {
            let slot = self.bounds.slots.len() as u32;
            self.bounds.slots.push(Slot { integer: id, value, lit, derived: Event::MAX, kept: true });
            self.bounds.integers[id as usize].literals.insert(value, slot);
            findings.watched.extend([(lit, event(slot, true)), (!lit, event(slot, false))]);
            // The bounds may already imply the new literal.
            let integer = &self.bounds.integers[id as usize];
            let (lower, upper) =
                (integer.lower[integer.lower.len() - 1], integer.upper[integer.upper.len() - 1]);
            if upper.value <= value {
                self.imply(lit, upper.lit, findings);
            } else if lower.value > value {
                self.imply(!lit, lower.lit, findings);
            }
        }
        for mut constraint in news.constraints {
            let index = self.constraints.len() as u32;
            let always = Activity { least: 0, idle: -1, is_slow: false, queued: true };
            let (dependencies, activity): (Vec<(i64, Side)>, Activity) = match &mut constraint {
                Constraint::Linear(linear) => {
                    linear.set_widths(&self.bounds);
                    let (least, idle) = (linear.least(&self.bounds), linear.idle());
                    (linear.terms().collect(), Activity { least, idle, ..always })
                }
                Constraint::Minimum(minimum) => (minimum.sides().map(|side| (0, side)).collect(), always),
                Constraint::Timetable(timetable) => {
                    (timetable.sides().map(|side| (0, side)).collect(), Activity { is_slow: true, ..always })
                }
            };
            for (factor, side) in dependencies {
                let integer = &mut self.bounds.integers[side.id as usize];
                integer.dependents[usize::from(side.negated)].push((index, factor));
            }
            self.constraints.push(constraint);
            self.queues[usize::from(activity.is_slow)].push_back(index);
            self.activities.push(activity);
        }
        self.programs.extend(news.programs);
        self.strategies.extend(news.strategies);
    }

    /// Solves the linear programs until an inequality that follows from one of them derives something.
    fn propagate_programs(&mut self, findings: &mut Findings) {
        for program in &mut self.programs {
            let Some(inequality) = program.inequality(&self.bounds) else { continue };
            let index = COMBINED + self.combined.len() as u32;
            let least = inequality.least(&self.bounds);
            findings.incomplete = inequality.propagate(least, index, &mut self.bounds, findings);
            if !findings.is_empty() {
                program.was_useful();
            }
            if !findings.implied.is_empty() {
                self.combined.push((inequality, self.bounds.time));
            }
            if !findings.is_empty() || findings.incomplete {
                break;
            }
        }
    }

    /// Derives a literal from another literal of the same integer, or from its domain.
    fn imply(&mut self, lit: Lit, from: Option<Lit>, findings: &mut Findings) {
        let reason = Reason::Order(from.unwrap_or(crate::TRUE));
        self.bounds.derive(lit, reason, findings);
    }

    /// Derives the literals between each changed bound and the bound that it replaced. The last bound of the integer is not
    /// used: with it, the ranges of many small changes would overlap.
    fn propagate_order(&mut self, findings: &mut Findings) {
        let Self { bounds, changed, .. } = self;
        for (id, is_upper, position) in changed.drain(..) {
            let integer = &bounds.integers[id as usize];
            if integer.complete {
                continue;
            }
            let history = if is_upper { &integer.upper } else { &integer.lower };
            let Bound { value, lit, .. } = history[position];
            let previous = history[position - 1].value;
            let reason = Reason::Order(lit.unwrap_or(crate::TRUE));
            let range = if is_upper { value..previous } else { previous..value };
            let lits = integer.literals.range(range).map(|(_, &slot)| bounds.slots[slot as usize].lit);
            let implied = lits.map(|implied| if is_upper { implied } else { !implied });
            // The range contains the literal that states the bound.
            let implied: Vec<Lit> = implied.filter(|&implied| Some(implied) != lit).collect();
            for implied in implied {
                bounds.derive(implied, reason, findings);
            }
        }
    }

    /// Updates the sums of the inequalities after the lower bound of an integer or of its negation has increased by `by`.
    /// Adds the constraints that may derive something to the queue.
    fn increase(&mut self, side: Side, by: i64) {
        for &(index, factor) in &self.bounds.integer(side).dependents[usize::from(side.negated)] {
            let activity = &mut self.activities[index as usize];
            activity.least += factor * by;
            if activity.least > activity.idle && !std::mem::replace(&mut activity.queued, true) {
                self.queues[usize::from(activity.is_slow)].push_back(index);
            }
        }
    }

    /// Updates the sums of the inequalities after the last lower bound of an integer or of its negation was removed, which
    /// exceeded the one before by `by`.
    fn decrease(&mut self, side: Side, by: i64) {
        for &(index, factor) in &self.bounds.integer(side).dependents[usize::from(side.negated)] {
            self.activities[index as usize].least -= factor * by;
        }
    }
}

impl Propagator for LazyOrderPropagator {
    /// Returns no events: the propagator announces its literals in [`Findings::watched`].
    fn events(&self) -> Vec<(Lit, Event)> {
        Vec::new()
    }

    fn assign(&mut self, event: Event) -> bool {
        let Slot { integer: id, value, lit, .. } = self.bounds.slots[event as usize >> 1];
        let is_upper = event & 1 == 0;
        let integer = &mut self.bounds.integers[id as usize];
        let (lit, value) = if is_upper { (lit, value) } else { (!lit, integer.above(value)) };
        let previous = if is_upper { integer.max() } else { integer.min() };
        let is_weaker = if is_upper { value >= previous } else { value <= previous };
        if is_weaker {
            return false;
        }
        self.bounds.time += 1;
        let bound = Bound { value, lit: Some(lit), time: self.bounds.time };
        let history = if is_upper { &mut integer.upper } else { &mut integer.lower };
        let position = history.len();
        history.push(bound);
        if history.len().is_multiple_of(cycle::INTERVAL) {
            self.suspect = Some(Side { id, negated: is_upper });
        }
        if integer.min() > integer.max() {
            self.empty = self.empty.or(Some(id));
        }
        self.log.push((id, is_upper));
        self.changed.push((id, is_upper, position));
        self.increase(Side { id, negated: is_upper }, value.abs_diff(previous) as i64);
        true
    }

    fn undo(&mut self) {
        let Some((id, is_upper)) = self.log.pop() else { return };
        let integer = &mut self.bounds.integers[id as usize];
        let history = if is_upper { &mut integer.upper } else { &mut integer.lower };
        if let Some(last) = history.pop() {
            let by = last.value.abs_diff(history[history.len() - 1].value) as i64;
            self.decrease(Side { id, negated: is_upper }, by);
        }
        if self.empty == Some(id) {
            self.empty = None;
        }
        self.suspect = None;
        self.bounds.time -= 1;
        self.undecided = self.undecided.min(id as usize);
        self.changed.clear();
        while self.bounds.derived.pop_if(|last| last.time > self.bounds.time).is_some() {}
        while self.combined.pop_if(|&mut (_, time)| time > self.bounds.time).is_some() {}
    }

    fn propagate(&mut self, findings: &mut Findings) {
        self.update(findings);
        if let Some(id) = self.empty {
            let integer = &self.bounds.integers[id as usize];
            let lits = [&integer.lower, &integer.upper].map(|history| history[history.len() - 1].lit);
            findings.conflict = Some(lits.into_iter().flatten().map(|lit| !lit).collect());
            return;
        }
        if let Some(side) = self.suspect.take()
            && let Some(reason) = cycle::contradiction(side, &self.constraints, &self.bounds)
        {
            findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
            return;
        }
        self.propagate_order(findings);
        while findings.implied.is_empty() {
            let [queue, slow] = &mut self.queues;
            let Some(index) = queue.pop_front().or_else(|| slow.pop_front()) else { break };
            let activity = &mut self.activities[index as usize];
            activity.queued = false;
            if activity.least <= activity.idle {
                continue;
            }
            let again = match &self.constraints[index as usize] {
                Constraint::Linear(linear) => {
                    debug_assert_eq!(activity.least, linear.least(&self.bounds));
                    linear.propagate(activity.least, index, &mut self.bounds, findings)
                }
                Constraint::Minimum(minimum) => minimum.propagate(index, &mut self.bounds, findings),
                Constraint::Timetable(timetable) => timetable.propagate(index, &mut self.bounds, findings),
            };
            if findings.conflict.is_some() || again {
                let activity = &mut self.activities[index as usize];
                activity.queued = true;
                self.queues[usize::from(activity.is_slow)].push_front(index);
                break;
            }
        }
        findings.incomplete = self.queues.iter().any(|queue| !queue.is_empty());
        if findings.is_empty() && !findings.incomplete {
            self.propagate_programs(findings);
        }
    }

    fn explain(&mut self, event: Event, reason: &mut Vec<Lit>) {
        let Derived { reason: cause, time } = self.bounds.derived[event as usize];
        match cause {
            Reason::Order(lit) => reason.extend((lit != crate::TRUE).then_some(lit)),
            Reason::Constraint { constraint: combined @ COMBINED.., side, value } => {
                let (inequality, _) = &self.combined[(combined - COMBINED) as usize];
                inequality.explain(side, value, time, &self.bounds, reason);
            }
            Reason::Constraint { constraint, side, value } => match &self.constraints[constraint as usize] {
                Constraint::Linear(linear) => linear.explain(side, value, time, &self.bounds, reason),
                Constraint::Minimum(minimum) => minimum.explain(side, value, time, &self.bounds, reason),
                Constraint::Timetable(_) => unreachable!("a timetable derives bounds from demands"),
            },
            Reason::Demand { constraint, time: at, bound } => {
                let Constraint::Timetable(timetable) = &self.constraints[constraint as usize] else {
                    unreachable!("only a timetable derives bounds from demands")
                };
                timetable.explain(bound, at, time, &self.bounds, reason);
            }
        }
    }

    fn creates_literals(&self) -> bool {
        true
    }

    fn has_strategy(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.shared().has_strategy)
    }

    fn branch(
        &mut self,
        values: &dyn Fn(Lit) -> Option<bool>,
        done: &mut StrategyProgress,
        findings: &mut Findings,
    ) -> Option<Lit> {
        while let Some(strategy) = self.strategies.get_mut(done.strategies) {
            if let Some(lit) = strategy.decide(&mut self.bounds, values, &mut done.variables, findings) {
                return Some(lit);
            }
            *done = StrategyProgress { strategies: done.strategies + 1, variables: 0 };
        }
        None
    }

    fn decide(&mut self, findings: &mut Findings) -> Option<Lit> {
        let integers = &self.bounds.integers;
        while let Some(integer) = integers.get(self.undecided)
            && integer.min() == integer.max()
        {
            self.undecided += 1;
        }
        let source = self.source.as_ref()?;
        let Some(integer) = integers.get(self.undecided) else {
            let mut shared = source.shared();
            for (value, integer) in shared.solution.iter_mut().zip(integers) {
                *value = integer.min();
            }
            self.solved = true;
            return None;
        };
        let (min, max) = (integer.min(), integer.max());
        let wanted = if self.solved { source.value(self.undecided as Id).clamp(min, max) } else { min };
        let id = self.undecided as Id;
        if wanted == max {
            let below = integer.at_or_below(max - 1);
            self.bounds.literal(id, below, findings).map(|lit| !lit)
        } else {
            let wanted = integer.at_or_below(wanted);
            self.bounds.literal(id, wanted, findings)
        }
    }

    fn keep(&mut self, event: Event) {
        self.bounds.slots[event as usize >> 1].kept = true;
    }

    fn release(&mut self, event: Event) {
        let slot = event >> 1;
        let Slot { integer, value, kept, .. } = self.bounds.slots[slot as usize];
        if !kept {
            self.bounds.integers[integer as usize].literals.remove(&value);
            self.bounds.free.push(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_derived_at_most_once_from_many_small_changes() {
        let order = LazyOrder::default();
        let x = order.integer(vec![(0, 100)], false);
        // The variable v is `x <= v`.
        for value in 0..100 {
            order.literal(x, value, Lit::positive(value as u32));
        }
        let mut propagator = LazyOrderPropagator::new(order);
        propagator.propagate(&mut Findings::default());
        for value in 0..50 {
            assert!(propagator.assign(event(value, false)));
        }
        let mut findings = Findings::default();
        propagator.propagate(&mut findings);
        assert!(findings.implied.is_empty(), "each literal has been assigned");
        // The bound moves from 50 to 71.
        assert!(propagator.assign(event(70, false)));
        propagator.propagate(&mut findings);
        assert_eq!(findings.implied.len(), 20);
    }
}
