//! Conversions from Rust's integer types.

use std::ops::RangeInclusive;

use super::{Domain, Value};

/// An integer that can be converted to an `i128`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number(pub Value);

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl From<$number> for Number {
            #[allow(clippy::cast_lossless, reason = "usize has no lossless conversion, although it fits")]
            fn from(number: $number) -> Self {
                Self(number as Value)
            }
        }
    )* };
}

numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

impl<N: Into<Number>> From<RangeInclusive<N>> for Domain {
    fn from(range: RangeInclusive<N>) -> Self {
        let (first, last) = range.into_inner();
        Self::interval(first.into().0, last.into().0)
    }
}
