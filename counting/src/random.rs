//! A random number generator.

use num_bigint::BigUint;

/// A random number generator: `SplitMix64`, from Steele, Lea, Flood: *Fast splittable pseudorandom number generators*,
/// OOPSLA 2014.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Creates a generator. Generators with the same seed return the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a random number from 0 to 2^64 - 1.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a random index below `limit`, which must not be 0. The probabilities of the indices differ by at most
    /// `1 / 2^64`.
    ///
    /// # Panics
    /// Panics if `limit` is 0.
    pub fn index(&mut self, limit: usize) -> usize {
        (self.word() % limit as u64) as usize
    }

    /// Shuffles a list with the Fisher-Yates algorithm.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.index(end + 1));
        }
    }

    /// Returns a random number below `limit`, which must not be 0. All numbers are equally likely.
    ///
    /// # Panics
    /// Panics if `limit` is 0.
    pub fn below(&mut self, limit: &BigUint) -> BigUint {
        assert!(limit.bits() > 0, "no number is below 0");
        let digits = limit.bits().div_ceil(32);
        loop {
            let number = BigUint::new((0..digits).map(|_| (self.word() >> 32) as u32).collect());
            let number = number >> (32 * digits - limit.bits());
            if number < *limit {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_below_a_limit_are_equally_likely() {
        let mut random = Random::new(1);
        for limit in [1_u64, 2, 5, 37] {
            let mut counts = vec![0_u32; limit as usize];
            for _ in 0..1000 * limit {
                let number = random.below(&BigUint::from(limit)).iter_u64_digits().next().unwrap_or(0);
                counts[number as usize] += 1;
            }
            // The standard deviation of each entry of `counts` is at most 32.
            assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        }
    }
}
