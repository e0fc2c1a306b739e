//! Propagation of products, divisions, powers, absolute values, minima and maxima.

use gordian_encodings::Value;

use super::extended::{add, ceil, floor, hull, is_finite, neg, product as times, root};
use super::function::function;
use super::{Status, Store, extended};
use crate::constraint::Ref;

type Range = (Value, Value);

/// If the values of all operands are known, checks the relation for these values. If it does not hold, marks the store
/// as infeasible. Returns [`Status::True`] after the check, and [`Status::Open`] if no check is possible.
fn decide(
    operands: [Ref; 3],
    holds: impl Fn(Value, Value, Value) -> Option<bool>,
    store: &mut Store,
) -> Status {
    let [Some(x), Some(y), Some(z)] = operands.map(|x| store.value(x)) else { return Status::Open };
    match holds(x, y, z) {
        Some(holds) => {
            store.infeasible |= !holds;
            Status::True
        }
        None => Status::Open,
    }
}

/// Splits a range into the part below 0 and the part above 0.
fn signs((first, last): Range) -> impl Iterator<Item = Range> {
    [(first, last.min(-1)), (first.max(1), last)].into_iter().filter(|&(first, last)| first <= last)
}

/// Returns the largest absolute value in a range.
fn magnitude((first, last): Range) -> Value {
    neg(first).max(last)
}

/// Propagates `x * y = z`.
pub(super) fn product([x, y, z]: [Ref; 3], store: &mut Store) -> Status {
    let (x_range, y_range) = (store.range(x), store.range(y));
    let (x, y) = (store.resolve(x), store.resolve(y));
    if x == y {
        let (_, last) = times(x_range, x_range);
        store.within(z, (0, last));
        let most = root(store.range(z).1.max(0), 2);
        store.within(x, (neg(most), most));
        function(x, z, |x| x.checked_mul(x), store);
    } else {
        store.within(z, times(x_range, y_range));
        for (factor, other) in [(x, y), (y, x)] {
            divide(factor, other, z, store);
        }
    }
    decide([x, y, z], |x, y, z| Some(x.checked_mul(y)? == z), store)
}

/// Propagates `factor * other = z`: restricts the domain of `factor` to the range of `z / other`.
fn divide(factor: Ref, other: Ref, z: Ref, store: &mut Store) {
    let (other_range, z_range) = (store.range(other), store.range(z));
    let zero = |(first, last): Range| first <= 0 && 0 <= last;
    if zero(z_range) && zero(other_range) {
        return;
    }
    if !store.allows(z, 0) {
        store.remove(factor, 0);
    }
    let (mut least, mut greatest) = (Value::MAX, Value::MIN);
    for divisor in signs(other_range) {
        let range = quotients(z_range, divisor);
        least = least.min(range.0);
        greatest = greatest.max(range.1);
    }
    if least > greatest {
        // The other factor is always 0, but the product is never 0.
        store.infeasible = true;
    } else {
        store.within(factor, (least, greatest));
    }
}

/// Returns the bounds of all integers `q` such that `q * d = z` for some `z` and `d` in the given ranges. All values of
/// `d` must have the same sign.
fn quotients((low, high): Range, (first, last): Range) -> Range {
    // The quotient tends to 0 as the divisor tends to infinity.
    let divide =
        |z: Value, d: Value, round: fn(Value, Value) -> Value| if is_finite(d) { round(z, d) } else { 0 };
    let corners = [(low, first), (low, last), (high, first), (high, last)];
    (hull(corners.map(|(z, d)| divide(z, d, ceil))).0, hull(corners.map(|(z, d)| divide(z, d, floor))).1)
}

/// Propagates `x div y = z`, rounded towards 0.
pub(super) fn quotient([x, y, z]: [Ref; 3], store: &mut Store) -> Status {
    store.remove(y, 0);
    let (x_range, y_range) = (store.range(x), store.range(y));
    let corners = signs(y_range).flat_map(|(first, last)| {
        [(x_range.0, first), (x_range.0, last), (x_range.1, first), (x_range.1, last)]
    });
    let (least, greatest) = hull(corners.map(|(x, y)| extended::quotient(x, y)));
    if least > greatest {
        store.infeasible = true;
        return Status::True;
    }
    store.within(z, (least, greatest));
    // The dividend is x = y * z + r, where |r| < |y| and r has the sign of x.
    let (low, high) = times(y_range, store.range(z));
    let rest = add(magnitude(y_range), -1);
    store.within(x, (add(low, neg(rest)), add(high, rest)));
    match store.value(y) {
        Some(1) => {
            store.merge(x, z);
            return Status::True;
        }
        Some(y) => function(x, z, |x| x.checked_div(y), store),
        None => {}
    }
    decide([x, y, z], |x, y, z| if y == 0 { Some(false) } else { Some(x.checked_div(y)? == z) }, store)
}

/// Propagates `x mod y = z`, where z is 0 or has the sign of x.
pub(super) fn remainder([x, y, z]: [Ref; 3], store: &mut Store) -> Status {
    store.remove(y, 0);
    let (x_range, y_range) = (store.range(x), store.range(y));
    let most = add(magnitude(y_range), -1).min(magnitude(x_range));
    let least = if x_range.0 >= 0 { 0 } else { neg(most) };
    let most = if x_range.1 <= 0 { 0 } else { most };
    store.within(z, (least, most));
    let smallest = signs(y_range).map(|(first, last)| if first > 0 { first } else { neg(last) }).min();
    if smallest.is_some_and(|smallest| magnitude(x_range) < smallest) {
        store.merge(x, z);
        return Status::True;
    }
    if let Some(y) = store.value(y) {
        function(x, z, |x| x.checked_rem(y), store);
    }
    decide([x, y, z], |x, y, z| if y == 0 { Some(false) } else { Some(x.checked_rem(y)? == z) }, store)
}

/// Propagates `x ^ y = z`.
pub(super) fn power([x, y, z]: [Ref; 3], store: &mut Store) -> Status {
    let (base, exponent) = (store.range(x), store.range(y));
    if exponent.0 >= 0 {
        let most = extended::power(magnitude(base).max(1), exponent.1);
        let even = store.value(y).is_some_and(|y| y % 2 == 0);
        if base.0 >= 1 {
            store.within(z, (extended::power(base.0, exponent.0), most));
        } else if base.0 == 0 || even {
            store.within(z, (0, most));
        } else {
            store.within(z, (neg(most), most));
        }
        let reach = magnitude(store.range(z)).max(0);
        if exponent.0 >= 1 {
            let most = root(reach, exponent.0);
            store.within(x, (neg(most), most));
        }
        if base.0 >= 2 && is_finite(reach) {
            // Exponents up to 128 suffice, because 2 ^ 128 exceeds the largest value.
            let most = (0..=128).take_while(|&y| extended::power(base.0, y) <= reach).last();
            store.lower(y, most.unwrap_or(0));
        }
        if base.0 >= 1 && is_finite(base.1) {
            // The power must reach the minimum of z, which gives a lower bound for the exponent.
            let least = store.range(z).0;
            let first = (0..=128).find(|&y| extended::power(base.1, y) >= least);
            if let Some(first) = first.filter(|_| is_finite(least)) {
                store.raise(y, first);
            }
        }
    }
    if store.value(y) == Some(1) {
        store.merge(x, z);
        return Status::True;
    }
    decide([x, y, z], |x, y, z| Some(power_holds(x, y, z)), store)
}

/// Returns whether `x ^ y = z` for constants.
fn power_holds(x: Value, y: Value, z: Value) -> bool {
    let sign = if x < 0 && y % 2 != 0 { -1 } else { 1 };
    match (x, y < 0) {
        (0, true) => false,
        (1 | -1, true) => z == sign,
        (_, true) => z == 0,
        (_, false) => {
            let power = extended::power(neg(x).max(x), y);
            is_finite(power) && extended::mul(sign, power) == z
        }
    }
}

/// Propagates `|x| = y`.
pub(super) fn absolute([x, y]: [Ref; 2], store: &mut Store) -> Status {
    let (first, last) = store.range(x);
    let least = if first > 0 {
        first
    } else if last < 0 {
        neg(last)
    } else {
        0
    };
    store.within(y, (least, magnitude((first, last))));
    let (least, most) = store.range(y);
    store.within(x, (neg(most), most));
    let (first, last) = store.range(x);
    // Since |x| >= least, x has no value between -least and least.
    if first > neg(least) {
        store.raise(x, least);
    }
    if last < least {
        store.lower(x, neg(least));
    }
    if first >= 0 {
        store.merge(x, y);
        return Status::True;
    }
    if store.set(x).intervals().len() > 1 || store.set(y).intervals().len() > 1 {
        function(x, y, Value::checked_abs, store);
    }
    decide([x, y, y], |x, y, _| Some(x.checked_abs()? == y), store)
}

/// Propagates a maximum or minimum.
pub(super) fn min_max(of: &[Ref], value: Ref, greatest: bool, store: &mut Store) -> Status {
    if let [only] = of {
        store.merge(*only, value);
        return Status::True;
    }
    // A minimum is treated as a maximum with negated operands and a negated result.
    let turned = |(first, last): Range| if greatest { (first, last) } else { (neg(last), neg(first)) };
    let bounds = of.iter().map(|&x| turned(store.range(x)));
    let reach =
        bounds.fold((Value::MIN, Value::MIN), |most, range| (most.0.max(range.0), most.1.max(range.1)));
    if of.is_empty() {
        store.infeasible = true;
        return Status::True;
    }
    store.within(value, turned(reach));
    let (least, most) = turned(store.range(value));
    for &x in of {
        store.within(x, turned((Value::MIN, most)));
    }
    // If only one operand can be as large as the maximum, this operand equals the maximum.
    let mut reaching = of.iter().filter(|&&x| turned(store.range(x)).1 >= least);
    match (reaching.next().copied(), reaching.next()) {
        (None, _) => store.infeasible = true,
        (Some(x), None) => store.within(x, turned((least, most))),
        _ => {}
    }
    Status::Open
}
