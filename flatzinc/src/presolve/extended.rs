//! Arithmetic on bounds: [`Value::MIN`] is minus infinity, [`Value::MAX`] infinity. Results that overflow become
//! infinite, so that a bound never says more than is true.

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

/// Adds two bounds of the same kind: two lower or two upper bounds.
pub(super) fn add(a: Value, b: Value) -> Value {
    match (a, b) {
        (MINUS, _) | (_, MINUS) => MINUS,
        (PLUS, _) | (_, PLUS) => PLUS,
        _ => a.saturating_add(b),
    }
}

/// Multiplies; 0 times infinity is 0.
pub(super) fn mul(a: Value, b: Value) -> Value {
    if a == 0 || b == 0 {
        return 0;
    }
    let infinite = if (a < 0) == (b < 0) { PLUS } else { MINUS };
    if is_finite(a) && is_finite(b) { a.checked_mul(b).unwrap_or(infinite) } else { infinite }
}

/// Divides, rounding towards 0. The divisor is not 0.
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

/// Divides, rounding down. The divisor is finite and not 0.
pub(super) fn floor(a: Value, b: Value) -> Value {
    let quotient = quotient(a, b);
    if is_finite(a) && is_finite(quotient) && a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

/// Divides, rounding up. The divisor is finite and not 0.
pub(super) fn ceil(a: Value, b: Value) -> Value {
    let quotient = quotient(a, b);
    if is_finite(a) && is_finite(quotient) && a % b != 0 && (a < 0) == (b < 0) {
        quotient + 1
    } else {
        quotient
    }
}

/// Raises a number of at least 0 to a power of at least 0.
pub(super) fn power(base: Value, exponent: Value) -> Value {
    match (base, exponent) {
        (_, 0) => 1,
        (0 | 1, _) => base,
        (PLUS, _) | (_, PLUS) => PLUS,
        _ => u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).unwrap_or(PLUS),
    }
}

/// Returns the greatest x with `x ^ exponent <= value`. The value is at least 0 and the exponent at least 1.
pub(super) fn root(value: Value, exponent: Value) -> Value {
    if exponent == 1 || !is_finite(value) {
        return value;
    }
    // The result is below 2^64, as the exponent is at least 2.
    let (mut low, mut high) = (0, 1 << 64);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if power(middle, exponent) <= value { low = middle } else { high = middle }
    }
    low
}

/// Returns the least and the greatest of some bounds.
pub(super) fn hull(values: impl IntoIterator<Item = Value>) -> (Value, Value) {
    values.into_iter().fold((PLUS, MINUS), |(least, greatest), value| (least.min(value), greatest.max(value)))
}

/// Returns the bounds of the product of two ranges.
pub(super) fn product((a, b): (Value, Value), (c, d): (Value, Value)) -> (Value, Value) {
    hull([mul(a, c), mul(a, d), mul(b, c), mul(b, d)])
}
