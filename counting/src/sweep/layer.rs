//! The states of a layer and their counts, in a hash table.

use num_bigint::BigUint;

/// A layer: the states after a certain number of variables have been read.
///
/// A record consists of the words of a state, followed by the words of its count. The least significant word of the
/// count comes first. All counts of a layer have the same number of words, which increases when a count overflows.
#[derive(Debug)]
pub(super) struct Layer {
    /// The number of words of a state.
    words: usize,
    /// The number of words of a count.
    limbs: usize,
    records: Vec<u64>,
    len: usize,
    /// The hash table. An entry is 0 if it is vacant. The lower half of an occupied entry contains the number of a
    /// record plus one, and the upper half contains the upper half of the state's hash. The number of entries is a
    /// power of two.
    table: Vec<u64>,
}

/// The minimum number of entries of a table.
const SMALLEST_TABLE: usize = 1 << 10;

impl Layer {
    /// Creates an empty layer for states with the given number of words.
    pub(super) fn new(words: usize) -> Self {
        Self { words, limbs: 1, records: Vec::new(), len: 0, table: vec![0; SMALLEST_TABLE] }
    }

    /// Removes all states. `limbs` is the new number of words of a count. `expected` is an estimate of the number of
    /// states that will be added.
    pub(super) fn clear(&mut self, limbs: usize, expected: usize) {
        self.limbs = limbs;
        self.records.clear();
        self.len = 0;
        // If the table is much larger than necessary, it is shortened, because clearing the whole table would take
        // longer than growing a small table again.
        let size = (2 * expected).next_power_of_two().clamp(SMALLEST_TABLE, self.table.len());
        self.table.truncate(size);
        self.table.fill(0);
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn limbs(&self) -> usize {
        self.limbs
    }

    /// Returns the number of allocated bytes.
    pub(super) fn memory(&self) -> usize {
        8 * (self.records.capacity() + self.table.len())
    }

    /// Returns the state with the given number, and its count.
    pub(super) fn get(&self, number: usize) -> (&[u64], &[u64]) {
        let start = number * (self.words + self.limbs);
        self.records[start..start + self.words + self.limbs].split_at(self.words)
    }

    /// Returns the concatenated words of all counts.
    pub(super) fn counts(&self) -> Vec<u64> {
        (0..self.len).flat_map(|number| self.get(number).1).copied().collect()
    }

    /// Returns whether [`Layer::grow`] must be called before more states are added.
    pub(super) fn is_full(&self) -> bool {
        self.len > self.table.len() / 2
    }

    /// Returns an upper bound on the number of allocated bytes after a call to [`Layer::grow`].
    pub(super) fn memory_when_grown(&self) -> usize {
        // The number of records is at most half the number of entries, and the capacity of the vector may be up to
        // twice its length.
        16 * self.table.len() * (1 + self.words + self.limbs)
    }

    /// Doubles the number of entries of the table.
    pub(super) fn grow(&mut self) {
        self.table.fill(0);
        self.table.resize(2 * self.table.len(), 0);
        for number in 0..self.len {
            let hash = hash(self.get(number).0);
            let at = self.vacant(hash);
            self.table[at] = entry(hash, number);
        }
    }

    fn vacant(&self, hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at] != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    /// Adds `count` to the count of a state, and returns the number of the state. The table must have a vacant entry.
    pub(super) fn add(&mut self, state: &[u64], count: &[u64]) -> usize {
        let hash = hash(state);
        let mask = self.table.len() - 1;
        let stride = self.words + self.limbs;
        let mut at = hash as usize & mask;
        loop {
            let found = self.table[at];
            if found == 0 {
                break;
            }
            if found >> 32 == hash >> 32 {
                let number = (found & u64::from(u32::MAX)) as usize - 1;
                let start = number * stride;
                let (key, sum) = self.records[start..start + stride].split_at_mut(self.words);
                if key == state {
                    if add(sum, count) {
                        self.widen(number);
                    }
                    return number;
                }
            }
            at = (at + 1) & mask;
        }
        let number = self.len;
        self.table[at] = entry(hash, number);
        self.records.extend_from_slice(state);
        self.records.extend_from_slice(count);
        self.records.resize((number + 1) * stride, 0);
        self.len += 1;
        number
    }

    /// Adds a word to each count, because the count of the given state overflowed.
    fn widen(&mut self, overflowed: usize) {
        let mut records = Vec::with_capacity(
            self.records.capacity() / (self.words + self.limbs) * (self.words + self.limbs + 1),
        );
        for (number, record) in self.records.chunks_exact(self.words + self.limbs).enumerate() {
            records.extend_from_slice(record);
            records.push(u64::from(number == overflowed));
        }
        self.records = records;
        self.limbs += 1;
    }

    /// Returns the sum of the counts of all states.
    pub(super) fn total(&self) -> BigUint {
        (0..self.len).map(|number| big(self.get(number).1)).sum()
    }
}

/// Adds `more` to `sum`, which must have at least as many words as `more`. Returns whether the sum overflows.
pub(super) fn add(sum: &mut [u64], more: &[u64]) -> bool {
    let mut carry = false;
    for (index, word) in sum.iter_mut().enumerate() {
        if index >= more.len() && !carry {
            return false;
        }
        let (low, first) = word.overflowing_add(more.get(index).copied().unwrap_or(0));
        let (low, second) = low.overflowing_add(u64::from(carry));
        (*word, carry) = (low, first || second);
    }
    carry
}

/// Returns the number that consists of the given words, starting with the least significant word.
pub(super) fn big(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

fn entry(hash: u64, number: usize) -> u64 {
    hash >> 32 << 32 | (number as u64 + 1)
}

/// Hashes a state by folded multiplication, with constants from wyhash and the golden ratio.
fn hash(words: &[u64]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for &word in words {
        let product = u128::from(hash ^ word) * 0xA076_1D64_78BD_642F;
        hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    hash
}
