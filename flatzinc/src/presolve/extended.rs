//! Arithmetic on bounds: [`Value::MIN`] is minus infinity, and [`Value::MAX`] is plus infinity. If a result overflows,
//! it becomes infinite, so all bounds remain valid.

use gordian_encodings::Value;

const MINUS: Value = Value::MIN;
const PLUS: Value = Value::MAX;

pub(super) fn is_finite(value: Value) -> bool {
    value != MINUS && value != PLUS
}

pub(super) fn neg(value: Value) -> Value {
    match value {
        MINUS => PLUS,
        PLUS => MINUS,
        _ => -value,
    }
}

/// Adds two lower bounds or two upper bounds.
pub(super) fn add(a: Value, b: Value) -> Value {
    match (a, b) {
        (MINUS, _) | (_, MINUS) => MINUS,
        (PLUS, _) | (_, PLUS) => PLUS,
        _ => a.saturating_add(b),
    }
}

/// Multiplies two bounds. The product of 0 and infinity is 0.
pub(super) fn mul(a: Value, b: Value) -> Value {
    if a == 0 || b == 0 {
        return 0;
    }
    let infinite = if (a < 0) == (b < 0) { PLUS } else { MINUS };
    if is_finite(a) && is_finite(b) { a.checked_mul(b).unwrap_or(infinite) } else { infinite }
}

/// Divides two bounds and rounds towards 0. The divisor must not be 0.
pub(super) fn quotient(a: Value, b: Value) -> Value {
    match (is_finite(a), is_finite(b)) {
        (true, true) => a.checked_div(b).unwrap_or(PLUS),
        (_, false) => 0,
        (false, true) => {
            if (a < 0) == (b < 0) {
                PLUS
            } else {
                MINUS
            }
        }
    }
}

/// Divides two bounds and rounds down. The divisor must be finite and not 0.
pub(super) fn floor(a: Value, b: Value) -> Value {
    let quotient = quotient(a, b);
    if is_finite(a) && is_finite(quotient) && a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

/// Divides two bounds and rounds up. The divisor must be finite and not 0.
pub(super) fn ceil(a: Value, b: Value) -> Value {
    let quotient = quotient(a, b);
    if is_finite(a) && is_finite(quotient) && a % b != 0 && (a < 0) == (b < 0) {
        quotient + 1
    } else {
        quotient
    }
}

/// Returns `base` raised to `exponent`. Both must be nonnegative.
pub(super) fn power(base: Value, exponent: Value) -> Value {
    match (base, exponent) {
        (_, 0) => 1,
        (0 | 1, _) => base,
        (PLUS, _) | (_, PLUS) => PLUS,
        _ => u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).unwrap_or(PLUS),
    }
}

/// Returns the largest x with `x ^ exponent <= value`. The value must be at least 0, and the exponent at least 1.
pub(super) fn root(value: Value, exponent: Value) -> Value {
    if exponent == 1 || !is_finite(value) {
        return value;
    }
    // The result is less than 2^64, because the exponent is at least 2.
    let (mut low, mut high) = (0, 1 << 64);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if power(middle, exponent) <= value { low = middle } else { high = middle }
    }
    low
}

/// Returns the minimum and the maximum of several bounds.
pub(super) fn hull(values: impl IntoIterator<Item = Value>) -> (Value, Value) {
    values.into_iter().fold((PLUS, MINUS), |(least, greatest), value| (least.min(value), greatest.max(value)))
}

/// Returns the bounds of the product of two ranges.
pub(super) fn product((a, b): (Value, Value), (c, d): (Value, Value)) -> (Value, Value) {
    hull([mul(a, c), mul(a, d), mul(b, c), mul(b, d)])
}
