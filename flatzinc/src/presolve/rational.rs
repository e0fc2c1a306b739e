//! Rational numbers. Operations return `None` on overflow.

use std::cmp::Ordering;

use gordian_encodings::Value;

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rational {
    numerator: Value,
    denominator: Value,
}

impl Rational {
    pub(super) const ZERO: Self = Self::integer(0);
    pub(super) const ONE: Self = Self::integer(1);

    pub(super) const fn integer(value: Value) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// The denominator must not be 0.
    fn new(numerator: Value, denominator: Value) -> Option<Self> {
        let divisor = Value::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        Some(match denominator > 0 {
            true => Self { numerator, denominator },
            false => Self { numerator: numerator.checked_neg()?, denominator: denominator.checked_neg()? },
        })
    }

    pub(super) fn add(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    pub(super) fn sub(self, other: Self) -> Option<Self> {
        self.add(other.neg()?)
    }

    pub(super) fn neg(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    pub(super) fn mul(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Self::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    /// The divisor must not be 0.
    pub(super) fn div(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.denominator)?;
        Self::new(numerator, self.denominator.checked_mul(other.numerator)?)
    }

    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.sub(other)?.numerator.cmp(&0))
    }

    pub(super) fn sign(self) -> Ordering {
        self.numerator.cmp(&0)
    }

    pub(super) fn floor(self) -> Value {
        self.numerator.div_euclid(self.denominator)
    }
}

pub(super) fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
