//! Linear inequalities.

use super::Side;
use super::bounds::{Bounds, Reason};
use crate::lit::Lit;
use crate::theory::Findings;

/// The inequality `sum of the terms <= most`. The coefficients are positive.
#[derive(Debug)]
pub(super) struct Linear {
    /// The terms, by descending width.
    terms: Vec<LinearTerm>,
    most: i64,
}

#[derive(Debug)]
struct LinearTerm {
    factor: i64,
    side: Side,
    /// An upper bound on the difference between the maximum and the minimum of the term.
    width: i64,
}

/// An integer is at least the integer or negation `from` plus `by`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) from: Side,
    pub(super) by: i64,
}

impl Linear {
    /// Creates an inequality. All widths are `i64::MAX` until [`Linear::set_widths`] is called, because the integers may
    /// not exist yet.
    pub(super) fn new(terms: Vec<(i64, Side)>, most: i64) -> Self {
        let terms = terms.into_iter().map(|(factor, side)| LinearTerm { factor, side, width: i64::MAX });
        Self { terms: terms.collect(), most }
    }

    /// Computes the widths of the terms from the domains of the integers.
    pub(super) fn set_widths(&mut self, bounds: &Bounds) {
        for term in &mut self.terms {
            let domain = &bounds.integer(term.side).domain;
            term.width = term.factor * (domain[domain.len() - 1].1 - domain[0].0);
        }
        self.terms.sort_by_key(|term| std::cmp::Reverse(term.width));
    }

    /// Returns the terms.
    pub(super) fn terms(&self) -> impl Iterator<Item = (i64, Side)> {
        self.terms.iter().map(|term| (term.factor, term.side))
    }

    /// Returns the minimum of the sum.
    pub(super) fn least(&self, bounds: &Bounds) -> i64 {
        self.terms().map(|(factor, side)| factor * bounds.min(side)).sum()
    }

    /// Returns a number: the inequality derives nothing while the minimum of its sum is at most this number.
    pub(super) fn idle(&self) -> i64 {
        self.most - self.terms.first().map_or(0, |widest| widest.width)
    }

    /// Derives upper bounds of the terms, or a conflict. `least` is the minimum of the sum. Returns `true` if it must be
    /// called again, because the unused literals did not suffice.
    pub(super) fn propagate(
        &self,
        least: i64,
        own: u32,
        bounds: &mut Bounds,
        findings: &mut Findings,
    ) -> bool {
        let room = self.most - least;
        if room < 0 {
            let mut reason = Vec::new();
            self.reason(None, -room - 1, bounds.time, bounds, &mut reason);
            findings.conflict = Some(reason.into_iter().map(|lit| !lit).collect());
            return false;
        }
        for &LinearTerm { factor, side, .. } in self.terms.iter().take_while(|term| term.width > room) {
            let (min, max) = (bounds.min(side), bounds.max(side));
            let reason = |value| Reason::Constraint { constraint: own, side, value };
            if factor * (max - min) > room && !bounds.lower(side, min + room / factor, reason, findings) {
                return true;
            }
        }
        false
    }

    /// Returns by how much the lower bound of the negation of `side` exceeds the lower bound of another term, and appends
    /// the true literals on which this depends. The other term is the one whose bound has changed last, among the terms with the
    /// same coefficient and more than two values. Returns `None` if there is no such term.
    pub(super) fn step(&self, side: Side, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) -> Option<Step> {
        let own = self.terms.iter().find(|term| term.side == side)?.factor;
        let is_partner = |term: &&LinearTerm| term.side != side && term.factor == own && term.width > own;
        let changed = |term: &&LinearTerm| bounds.history(term.side, time).last().map(|bound| bound.time);
        let from = self.terms.iter().filter(is_partner).max_by_key(changed)?.side;
        let mut room = self.most;
        for (factor, other) in self.terms().filter(|&(_, other)| other != side && other != from) {
            let value = bounds.min_at(other, time);
            room -= factor * value;
            reason.extend(bounds.weakest(other, value, time));
        }
        Some(Step { from, by: -room.div_euclid(own) })
    }

    /// Explains the upper bound `value` of a term.
    pub(super) fn explain(&self, side: Side, value: i64, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) {
        // If the term had the next larger value, the sum would exceed the limit by more than `spare`.
        let mut least = -1 - self.most;
        for (factor, other) in self.terms() {
            let value = if other == side { bounds.above(side, value) } else { bounds.min_at(other, time) };
            least += factor * value;
        }
        self.reason(Some(side), least, time, bounds, reason);
    }

    /// Appends literals for lower bounds of all terms except `without`. The sum of the bounds may be less than the sum at
    /// `time` by at most `spare`.
    fn reason(&self, without: Option<Side>, spare: i64, time: u32, bounds: &Bounds, reason: &mut Vec<Lit>) {
        let mut spare = spare;
        let mut rest: Vec<(i64, i64, Side)> = Vec::with_capacity(self.terms.len());
        for (factor, side) in self.terms().filter(|&(_, side)| Some(side) != without) {
            let history = bounds.history(side, time);
            let loss = factor * (history[history.len() - 1].value - history[0].value).abs();
            if loss > 0 {
                rest.push((loss, factor, side));
            }
        }
        // Terms that contribute little are left out first, because a short explanation is general.
        rest.sort_unstable_by_key(|&(loss, ..)| loss);
        for (loss, factor, side) in rest {
            if loss <= spare {
                spare -= loss;
                continue;
            }
            let history = bounds.history(side, time);
            let last = history[history.len() - 1].value;
            let lost = |value: i64| factor * (last - value).abs();
            let weakest = history.partition_point(|bound| lost(bound.value) > spare);
            spare -= lost(history[weakest].value);
            reason.extend(history[weakest].lit);
        }
    }
}
