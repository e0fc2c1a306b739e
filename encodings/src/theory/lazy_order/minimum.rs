//! The minimum of a list of integers.

use super::Side;
use super::bounds::{Bounds, Reason};
use crate::lit::Lit;
use crate::theory::Findings;

/// Some integer of the list is at most `least`.
#[derive(Debug)]
pub(super) struct Minimum {
    list: Vec<Side>,
    least: Side,
}

impl Minimum {
    pub(super) fn new(list: Vec<Side>, least: Side) -> Self {
        Self { list, least }
    }

    /// Returns the integers and the negations of integers whose lower bounds the constraint depends on.
    pub(super) fn sides(&self) -> impl Iterator<Item = Side> {
        self.list.iter().copied().chain([!self.least])
    }

    /// Derives a lower bound of `least`, an upper bound of the only integer that can be small enough, or a conflict.
    /// Returns `true` if it must be called again, because the unused literals did not suffice.
    pub(super) fn propagate(&self, own: u32, bounds: &mut Bounds, findings: &mut Findings) -> bool {
        let reason = |side| move |value| Reason::Constraint { constraint: own, side, value };
        let most = bounds.max(self.least);
        let mut candidates = self.list.iter().copied().filter(|&side| bounds.min(side) <= most);
        match (candidates.next(), candidates.next()) {
            (None, _) => {
                let mut reason = Vec::new();
                reason.extend(bounds.weakest(!self.least, -most, bounds.time));
                for &side in &self.list {
                    reason.extend(bounds.weakest(side, most + 1, bounds.time));
                }
                findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
                return false;
            }
            (Some(only), None) if bounds.max(only) > most => {
                return !bounds.lower(only, most, reason(only), findings);
            }
            _ => {}
        }
        let least = self.list.iter().map(|&side| bounds.min(side)).min();
        // The lower bound of an integer is an upper bound of its negation.
        least.is_some_and(|least| {
            least > bounds.min(self.least)
                && !bounds.lower(!self.least, -least, reason(!self.least), findings)
        })
    }

    /// Explains the upper bound `value` of an integer of the list, or of the negation of `least`.
    pub(super) fn explain(&self, side: Side, value: i64, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) {
        if side == !self.least {
            // If `least` had a smaller value, all integers of the list would be greater.
            let below = -bounds.above(side, value);
            for &other in &self.list {
                reason.extend(bounds.weakest(other, below + 1, time));
            }
            return;
        }
        let most = -bounds.min_at(!self.least, time);
        reason.extend(bounds.weakest(!self.least, -most, time));
        for &other in self.list.iter().filter(|&&other| other != side) {
            reason.extend(bounds.weakest(other, most + 1, time));
        }
    }
}
