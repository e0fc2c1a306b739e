//! Natural numbers of any size. Numbers below 2^128 need no memory allocation.

use std::ops::{AddAssign, Mul, ShlAssign};

use num_bigint::BigUint;

/// A natural number of any size.
///
/// ```
/// use gordian_counting::Number;
///
/// let mut number = Number::from(u128::MAX);
/// number += &Number::from(1);
/// assert_eq!(number.to_biguint(), num_bigint::BigUint::from(2_u8).pow(128));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

/// A number below 2^128 is always `Small`, so equal numbers have equal representations.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(u128),
    Large(Box<BigUint>),
}

use Repr::{Large, Small};

impl Number {
    /// The number 0.
    pub const ZERO: Self = Self(Small(0));
    /// The number 1.
    pub const ONE: Self = Self(Small(1));

    /// Returns whether the number is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Returns the number as a big integer.
    #[must_use]
    pub fn to_biguint(&self) -> BigUint {
        match &self.0 {
            Small(small) => BigUint::from(*small),
            Large(large) => (**large).clone(),
        }
    }

    /// Returns the size of the heap allocation in bytes.
    #[must_use]
    pub fn heap_size(&self) -> usize {
        match &self.0 {
            Small(_) => 0,
            Large(large) => size_of::<BigUint>() + large.bits().div_ceil(8) as usize,
        }
    }
}

impl From<u128> for Number {
    fn from(number: u128) -> Self {
        Self(Small(number))
    }
}

impl From<BigUint> for Number {
    fn from(number: BigUint) -> Self {
        Self(u128::try_from(&number).map_or_else(|_| Large(Box::new(number)), Small))
    }
}

impl AddAssign<&Number> for Number {
    fn add_assign(&mut self, other: &Self) {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            self.0 = Small(sum);
        } else {
            *self = Self::from(self.to_biguint() + other.to_biguint());
        }
    }
}

impl Mul for &Number {
    type Output = Number;

    fn mul(self, other: Self) -> Number {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Number(Small(product));
        }
        Number::from(self.to_biguint() * other.to_biguint())
    }
}

impl ShlAssign<u32> for Number {
    fn shl_assign(&mut self, bits: u32) {
        *self = match &self.0 {
            Small(small) if bits <= small.leading_zeros() => {
                Self(Small(small.checked_shl(bits).unwrap_or(0)))
            }
            _ => Self::from(self.to_biguint() << bits),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Generates numbers of every length up to 256 bits.
    fn number() -> impl Strategy<Value = BigUint> {
        (any::<u128>(), any::<u128>(), 0_u32..=256)
            .prop_map(|(a, b, shift)| (BigUint::from(a) << 128_u8 | BigUint::from(b)) >> shift)
    }

    proptest! {
        #[test]
        fn operations_equal_those_of_biguint(a in number(), b in number(), bits in 0_u32..300) {
            let (x, y) = (Number::from(a.clone()), Number::from(b.clone()));
            prop_assert_eq!(x.to_biguint(), a.clone());
            prop_assert_eq!(&x * &y, Number::from(&a * &b));
            let mut sum = x.clone();
            sum += &y;
            prop_assert_eq!(sum, Number::from(&a + &b));
            let mut shifted = x;
            shifted <<= bits;
            prop_assert_eq!(shifted, Number::from(a << bits));
        }
    }
}
