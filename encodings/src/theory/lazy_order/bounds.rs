//! The bounds of all integers, the literals that state them, and the reasons for derived literals.

use std::collections::BTreeMap;

use super::{Id, Side};
use crate::lit::Lit;
use crate::theory::{Created, Event, Findings};

/// A bound of an integer with the literal that states it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) value: i64,
    /// The true literal that states the bound, or `None` for the bounds of the domain.
    pub(super) lit: Option<Lit>,
    /// The number of bounds that were reported up to this one, or 0 for the bounds of the domain.
    pub(super) time: u32,
}

#[derive(Debug)]
pub(super) struct Integer {
    pub(super) domain: Vec<(i64, i64)>,
    /// True if the formula contains all order literals and their clauses.
    pub(super) complete: bool,
    /// The lower and upper bounds, from the weakest to the current one.
    pub(super) lower: Vec<Bound>,
    pub(super) upper: Vec<Bound>,
    /// The slots of the literals `x <= v` that exist, by v.
    pub(super) literals: BTreeMap<i64, u32>,
    /// The constraints that depend on the lower bounds of the integer, and those that depend on its upper bounds. Each is
    /// listed with the coefficient of the integer, or with 0 if it is not an inequality.
    pub(super) dependents: [Vec<(u32, i64)>; 2],
}

impl Integer {
    pub(super) fn min(&self) -> i64 {
        self.lower[self.lower.len() - 1].value
    }

    pub(super) fn max(&self) -> i64 {
        self.upper[self.upper.len() - 1].value
    }

    /// Returns the largest value of the domain that is at most `value`. The domain must contain such a value.
    pub(super) fn at_or_below(&self, value: i64) -> i64 {
        let index = self.domain.partition_point(|&(first, _)| first <= value);
        let (_, last) = self.domain[index - 1];
        last.min(value)
    }

    /// Returns the smallest value of the domain that is greater than `value`. The domain must contain such a value.
    pub(super) fn above(&self, value: i64) -> i64 {
        let index = self.domain.partition_point(|&(_, last)| last <= value);
        self.domain[index].0.max(value + 1)
    }
}

/// A literal `x <= v` of the formula, or one that the propagator has created.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) integer: Id,
    pub(super) value: i64,
    pub(super) lit: Lit,
    /// The event of the last derivation by a constraint of the literal or its negation. If this derivation was undone,
    /// the event may belong to another literal.
    pub(super) derived: Event,
    /// True if the literal remains when the search backtracks.
    pub(super) kept: bool,
}

/// The reason for a derived literal.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reason {
    /// Another literal of the same integer.
    Order(Lit),
    /// A constraint derived the upper bound `value` of an integer or of its negation. A number from [`COMBINED`] on is
    /// the number of an inequality that follows from a linear program.
    Constraint { constraint: u32, side: Side, value: i64 },
    /// A cumulative resource derived a bound from the demand at a certain time.
    Demand { constraint: u32, time: i64, bound: Limited },
}

/// A bound that follows from the demand at a certain time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limited {
    /// A task can't run at this time. It starts later.
    Later(u32),
    /// A task can't run at this time. It ends earlier.
    Earlier(u32),
    /// The capacity is at least the demand.
    Capacity,
}

/// The number of the first inequality that follows from a linear program.
pub(super) const COMBINED: u32 = 1 << 31;

/// A derived literal. Its event is its index in the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Derived {
    pub(super) reason: Reason,
    /// The number of bounds that were reported before the derivation.
    pub(super) time: u32,
}

/// The bounds of all integers, and the literals that state them.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    pub(super) integers: Vec<Integer>,
    pub(super) slots: Vec<Slot>,
    /// The slots that are not in use.
    pub(super) free: Vec<u32>,
    pub(super) derived: Vec<Derived>,
    /// The number of reported bounds.
    pub(super) time: u32,
}

impl Bounds {
    pub(super) fn integer(&self, side: Side) -> &Integer {
        &self.integers[side.id as usize]
    }

    pub(super) fn min(&self, side: Side) -> i64 {
        let integer = self.integer(side);
        if side.negated { -integer.max() } else { integer.min() }
    }

    pub(super) fn max(&self, side: Side) -> i64 {
        -self.min(!side)
    }

    /// Returns the lower bounds of an integer or of its negation after `time` bounds were reported. The values of the
    /// negation are negated: see [`Side::value`].
    pub(super) fn history(&self, side: Side, time: u32) -> &[Bound] {
        let integer = self.integer(side);
        let bounds = if side.negated { &integer.upper } else { &integer.lower };
        &bounds[..bounds.partition_point(|bound| bound.time <= time)]
    }

    /// Returns the lower bound of an integer or of its negation after `time` bounds were reported.
    pub(super) fn min_at(&self, side: Side, time: u32) -> i64 {
        let history = self.history(side, time);
        side.value(history[history.len() - 1].value)
    }

    /// Returns the literal of the weakest lower bound that is at least `value` after `time` bounds were reported. Returns
    /// `None` if the domain implies this bound. Such a bound must exist.
    pub(super) fn weakest(&self, side: Side, value: i64, time: u32) -> Option<Lit> {
        let history = self.history(side, time);
        let index = history.partition_point(|bound| side.value(bound.value) < value);
        history.get(index).and_then(|bound| bound.lit)
    }

    /// Returns the smallest value above `value` that the integer or its negation can have according to its domain.
    pub(super) fn above(&self, side: Side, value: i64) -> i64 {
        if side.negated {
            -self.integer(side).at_or_below(-value - 1)
        } else {
            self.integer(side).above(value)
        }
    }

    /// Derives the upper bound `value` of an integer or of its negation, which must not be below its lower bound. `reason`
    /// returns the reason for the largest value of the domain that is at most `value`. Returns `false` if the new literal
    /// would exceed the stock of unused literals.
    pub(super) fn lower(
        &mut self,
        side: Side,
        value: i64,
        reason: impl FnOnce(i64) -> Reason,
        findings: &mut Findings,
    ) -> bool {
        let integer = self.integer(side);
        // The literal is `x <= at_most`, or its negation.
        let at_most = if side.negated { -value - 1 } else { value };
        let at_most = integer.at_or_below(at_most);
        let value = if side.negated { -integer.above(at_most) } else { at_most };
        let Some(lit) = self.literal(side.id, at_most, findings) else { return false };
        let slot = self.integers[side.id as usize].literals[&at_most];
        self.slots[slot as usize].derived = self.derived.len() as Event;
        self.derive(if side.negated { !lit } else { lit }, reason(value), findings);
        true
    }

    pub(super) fn derive(&mut self, lit: Lit, reason: Reason, findings: &mut Findings) {
        findings.implied.push((lit, self.derived.len() as Event));
        self.derived.push(Derived { reason, time: self.time });
    }

    /// Returns the literal `id <= value`. If the literal does not exist, creates it. Returns `None` if the stock of unused
    /// literals is empty.
    pub(super) fn literal(&mut self, id: Id, value: i64, findings: &mut Findings) -> Option<Lit> {
        let Self { integers, slots, free, .. } = self;
        let literals = &mut integers[id as usize].literals;
        if let Some(&slot) = literals.get(&value) {
            return Some(slots[slot as usize].lit);
        }
        let slot = if let Some(slot) = free.pop() {
            slots[slot as usize] = Slot { integer: id, value, kept: false, ..slots[slot as usize] };
            slot
        } else {
            let lit = findings.unused.pop()?;
            slots.push(Slot { integer: id, value, lit, derived: Event::MAX, kept: false });
            let slot = slots.len() as u32 - 1;
            findings.watched.extend([(lit, event(slot, true)), (!lit, event(slot, false))]);
            slot
        };
        literals.insert(value, slot);
        let lit = slots[slot as usize].lit;
        findings.created.push(Created { lit, event: event(slot, true) });
        Some(lit)
    }
}

/// The event that a literal `x <= v` became true or false.
pub(super) fn event(slot: u32, holds: bool) -> Event {
    slot << 1 | u32::from(!holds)
}
