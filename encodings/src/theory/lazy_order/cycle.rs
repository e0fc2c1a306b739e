//! Positive cycles of inequalities.
//!
//! Inequalities such as `x + 1 <= y` and `y + 1 <= x` raise each other's bounds in small steps, up to the largest value of
//! a domain. For a large domain, this takes too long. Therefore, if the lower bound of an integer has changed often,
//! this module follows its reasons back. If they lead to an earlier bound of the same integer, and the steps on the way
//! add up to more than 0, no values of the integers satisfy all of these inequalities.
//!
//! Paper: Cotton, Maler: *Fast and flexible difference constraint propagation for DPLL(T)*, SAT 2006, for the conflicts.
//! Unlike in the paper, a cycle is found from the reasons, and only after it has raised a bound several times.

use super::bounds::{Bounds, Derived, Reason};
use super::linear::Linear;
use super::{Constraint, Side};
use crate::lit::Lit;

/// The number of changes of a bound after which its reasons are followed back.
pub(super) const INTERVAL: usize = 32;
/// The maximum number of reasons that are followed back.
const LONGEST: usize = 256;

/// Searches for a contradictory cycle that raised the last lower bound of `start`. Returns true literals under which the
/// inequalities of the cycle contradict each other.
pub(super) fn contradiction(start: Side, constraints: &[Constraint], bounds: &Bounds) -> Option<Vec<Lit>> {
    let (mut side, mut time) = (start, bounds.time);
    let (mut length, mut reason) = (0_i64, Vec::new());
    for _ in 0..LONGEST {
        let (linear, before) = derivation(side, time, constraints, bounds)?;
        let step = linear.step(!side, before, bounds, &mut reason)?;
        (side, time, length) = (step.from, before, length.checked_add(step.by)?);
        if side == start {
            reason.sort_unstable();
            reason.dedup();
            return (length > 0).then_some(reason);
        }
    }
    None
}

/// Returns the inequality that derived the last lower bound of an integer up to a time, and the time of the derivation.
fn derivation<'c>(
    side: Side,
    time: u32,
    constraints: &'c [Constraint],
    bounds: &Bounds,
) -> Option<(&'c Linear, u32)> {
    let value = bounds.min_at(side, time);
    let integer = bounds.integer(side);
    let at_most =
        if side.negated { -value } else { integer.at_or_below(value.max(integer.domain[0].0 + 1) - 1) };
    let slot = &bounds.slots[*integer.literals.get(&at_most)? as usize];
    let &Derived { reason, time: before } = bounds.derived.get(slot.derived as usize)?;
    match reason {
        // The entry may belong to another literal, because entries are reused after backtracking.
        Reason::Constraint { constraint, side: of, value: most }
            if of == !side && most == -value && before < time =>
        {
            match constraints.get(constraint as usize)? {
                Constraint::Linear(linear) => Some((linear, before)),
                Constraint::Minimum(_) | Constraint::Timetable(_) => None,
            }
        }
        _ => None,
    }
}
