//! A fast hash function for tables of clauses and rows. An adversary could choose keys that collide.

use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A multiplicative hash function.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Multiply(u64);

/// Creates the hasher of a hash table.
pub(crate) type BuildMultiply = BuildHasherDefault<Multiply>;

/// 2^64 divided by the golden ratio, which distributes products evenly (Knuth: *The Art of Computer Programming*,
/// volume 3, section 6.4).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Multiply {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[expect(clippy::cast_possible_truncation, reason = "both halves are hashed")]
    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        // The highest bits of a product depend on all bits of its factors. Hash tables also use the lowest bits, so
        // the bits are rotated.
        self.0.rotate_left(26)
    }
}

/// Returns the hash value of an object.
pub(crate) fn hash(object: &impl Hash) -> u64 {
    let mut hasher = Multiply::default();
    object.hash(&mut hasher);
    hasher.finish()
}
