//! Unary numbers: lists of literals `number >= 1`, `number >= 2` and so on.
//!
//! The clauses lead upwards only: if an operand is at least i, the sum is at least i. Therefore,
//! a number can exceed the number of true literals, and only upper bounds can be imposed on it.

use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Returns the literal `number >= t`.
pub(super) fn at_least(number: &[Lit], t: usize) -> Lit {
    t.checked_sub(1).map_or(TRUE, |index| number.get(index).copied().unwrap_or(FALSE))
}

/// The literals of a sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Smaller literals are not created but `TRUE`. The sum may be used only in clauses that need none of them.
    pub(super) least: usize,
    /// The greatest literal, or the number of all literals.
    pub(super) most: usize,
    /// True if the sum must not exceed `most`, which is enforced under the conditions of the sink. Otherwise, the caller
    /// knows that it does not.
    pub(super) bounded: bool,
}

/// Returns the number of true literals, as the root of a totalizer. It must not exceed `most`, which is enforced under
/// the conditions of the sink.
pub(super) fn count(lits: &[Lit], most: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
    if lits.len() <= 1 {
        return add([lits, &[]], FALSE, Wanted { least: 0, most, bounded: true }, sink);
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let halves = [count(left, most, sink), count(right, most, sink)];
    add([&halves[0], &halves[1]], FALSE, Wanted { least: 0, most, bounded: true }, sink)
}

/// Returns the sum of two unary numbers and a carry.
pub(super) fn add(
    [a, b]: [&[Lit]; 2],
    carry: Lit,
    Wanted { least, most, bounded }: Wanted,
    sink: &mut Sink<'_>,
) -> Vec<Lit> {
    if carry == FALSE && (a.is_empty() || b.is_empty()) {
        let sum = if a.is_empty() { b } else { a };
        if bounded {
            sink.clause(&[!at_least(sum, most + 1)]);
        }
        return sum[..most.min(sum.len())].to_vec();
    }
    let length = (a.len() + b.len() + usize::from(carry != FALSE)).min(most);
    let sum: Vec<Lit> = (1..=length).map(|t| if t < least { TRUE } else { sink.always().fresh() }).collect();
    let carries = [Some((0, TRUE)), (carry != FALSE).then_some((1, carry))];
    for (one, carry) in carries.into_iter().flatten() {
        for i in 0..=a.len() {
            for j in 0..=b.len().min((most + 1).saturating_sub(i + one)) {
                let total = i + j + one;
                let [a, b] = [!at_least(a, i), !at_least(b, j)];
                if total > most {
                    if bounded && total == most + 1 {
                        sink.clause(&[a, b, !carry]);
                    }
                } else if total >= least.max(1) {
                    sink.always().clause(&[a, b, !carry, sum[total - 1]]);
                }
            }
        }
    }
    sum
}
