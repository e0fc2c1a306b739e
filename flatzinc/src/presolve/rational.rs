//! Rational numbers with overflow checks.

use std::cmp::Ordering;

use gordian_encodings::Value;

/// The error for numbers that exceed 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overflow;

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

    /// Creates a fraction in lowest terms. The denominator must not be 0.
    fn new(numerator: Option<Value>, denominator: Option<Value>) -> Result<Self, Overflow> {
        let (numerator, denominator) = numerator.zip(denominator).ok_or(Overflow)?;
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = Value::try_from(divisor).map_err(|_| Overflow)?;
        let fraction = Self { numerator: numerator / divisor, denominator: denominator / divisor };
        if fraction.denominator > 0 { Ok(fraction) } else { fraction.turned() }
    }

    /// Returns the negated fraction.
    fn turned(self) -> Result<Self, Overflow> {
        let turned = self.numerator.checked_neg().zip(self.denominator.checked_neg());
        let (numerator, denominator) = turned.ok_or(Overflow)?;
        Ok(Self { numerator, denominator })
    }

    pub(super) fn add(self, other: Self) -> Result<Self, Overflow> {
        let left = self.numerator.checked_mul(other.denominator);
        let right = other.numerator.checked_mul(self.denominator);
        let sum = left.zip(right).and_then(|(left, right)| left.checked_add(right));
        Self::new(sum, self.denominator.checked_mul(other.denominator))
    }

    pub(super) fn sub(self, other: Self) -> Result<Self, Overflow> {
        self.add(other.neg()?)
    }

    pub(super) fn neg(self) -> Result<Self, Overflow> {
        Ok(Self { numerator: self.numerator.checked_neg().ok_or(Overflow)?, ..self })
    }

    pub(super) fn mul(self, other: Self) -> Result<Self, Overflow> {
        let numerator = self.numerator.checked_mul(other.numerator);
        Self::new(numerator, self.denominator.checked_mul(other.denominator))
    }

    /// Returns the quotient of two fractions. The divisor must not be 0.
    pub(super) fn div(self, other: Self) -> Result<Self, Overflow> {
        let numerator = self.numerator.checked_mul(other.denominator);
        Self::new(numerator, self.denominator.checked_mul(other.numerator))
    }

    pub(super) fn compare(self, other: Self) -> Result<Ordering, Overflow> {
        Ok(self.sub(other)?.sign())
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
