//! A cache of the components that have been counted.

use crate::Number;

/// A component that has been counted.
#[derive(Debug)]
struct Entry {
    hash: u64,
    /// The start of the component's key in [`Cache::keys`]. The key ends where the next key starts.
    start: usize,
    /// The time at which the entry was created. Later entries have later times.
    born: u64,
    /// The time at which the entry was last used.
    used: u64,
    count: Number,
    node: u32,
}

/// A hash table from exact descriptions of components to their counts.
///
/// The entries are stored in the order of their creation, so all entries created after a given time can be removed
/// together.
#[derive(Debug)]
pub(super) struct Cache {
    /// The indices of the entries, plus 1. An empty slot is 0. The number of slots is a power of two.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    keys: Vec<u64>,
    /// The heap memory of all counts in bytes. Counts below 2^128 need no heap memory.
    numbers: usize,
    /// The maximum memory of the cache in bytes.
    most: usize,
    time: u64,
}

impl Cache {
    /// Creates a cache. The argument `most` is the approximate memory limit in bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { slots: vec![0; 64], entries: Vec::new(), keys: Vec::new(), numbers: 0, most, time: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the current time. Entries that are created later have later times.
    pub(super) fn time(&self) -> u64 {
        self.time
    }

    fn key(&self, index: usize) -> &[u64] {
        let end = self.entries.get(index + 1).map_or(self.keys.len(), |next| next.start);
        &self.keys[self.entries[index].start..end]
    }

    /// Returns the count and the circuit node of a component, if the component is in the cache.
    pub(super) fn get(&mut self, hash: u64, key: &[u64]) -> Option<(&Number, u32)> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let index = (self.slots[slot] as usize).checked_sub(1)?;
            if self.entries[index].hash == hash && self.key(index) == key {
                self.time += 1;
                let entry = &mut self.entries[index];
                entry.used = self.time;
                return Some((&entry.count, entry.node));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a component that is not in the cache.
    pub(super) fn insert(&mut self, hash: u64, key: &[u64], count: Number, node: u32) {
        if self.size() + size_of_val(key) + size_of::<Entry>() > self.most {
            self.shrink();
        }
        if self.entries.len() * 2 >= self.slots.len() {
            self.rehash(self.slots.len() * 2);
        }
        self.time += 1;
        self.numbers += count.heap_size();
        let (start, time) = (self.keys.len(), self.time);
        self.keys.extend_from_slice(key);
        self.entries.push(Entry { hash, start, born: time, used: time, count, node });
        self.place(self.entries.len() - 1);
    }

    /// Removes all entries that were added after `time`.
    pub(super) fn remove_since(&mut self, time: u64) {
        while self.entries.last().is_some_and(|last| last.born > time) {
            self.unplace(self.entries.len() - 1);
            if let Some(last) = self.entries.pop() {
                self.keys.truncate(last.start);
                self.numbers -= last.count.heap_size();
            }
        }
    }

    fn size(&self) -> usize {
        self.slots.len() * size_of::<u32>()
            + self.entries.len() * size_of::<Entry>()
            + size_of_val(&self.keys[..])
            + self.numbers
    }

    /// Removes the least recently used half of the entries.
    fn shrink(&mut self) {
        let mut used: Vec<u64> = self.entries.iter().map(|entry| entry.used).collect();
        if used.is_empty() {
            return;
        }
        let middle = used.len() / 2;
        let limit = *used.select_nth_unstable(middle).1;
        let (mut kept, mut end) = (0, 0);
        for index in 0..self.entries.len() {
            let (from, to) = (self.entries[index].start, self.entries[index].start + self.key(index).len());
            if self.entries[index].used <= limit {
                self.numbers -= self.entries[index].count.heap_size();
                continue;
            }
            self.keys.copy_within(from..to, end);
            self.entries.swap(kept, index);
            self.entries[kept].start = end;
            end += to - from;
            kept += 1;
        }
        self.entries.truncate(kept);
        self.keys.truncate(end);
        self.rehash(self.slots.len());
    }

    fn rehash(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        (0..self.entries.len()).for_each(|index| self.place(index));
    }

    /// Stores the index of an entry in the first empty slot of its probe sequence.
    fn place(&mut self, index: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = self.entries[index].hash as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = index as u32 + 1;
    }

    /// Empties the slot of an entry, and moves the entries of later slots so that lookups still find them.
    fn unplace(&mut self, index: usize) {
        let mask = self.slots.len() - 1;
        let mut hole = self.entries[index].hash as usize & mask;
        while self.slots[hole] != index as u32 + 1 {
            hole = (hole + 1) & mask;
        }
        let mut slot = hole;
        loop {
            slot = (slot + 1) & mask;
            let Some(other) = (self.slots[slot] as usize).checked_sub(1) else { break };
            let home = self.entries[other].hash as usize & mask;
            if (slot.wrapping_sub(home) & mask) >= (slot.wrapping_sub(hole) & mask) {
                self.slots[hole] = self.slots[slot];
                hole = slot;
            }
        }
        self.slots[hole] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a key, and a hash that causes many collisions.
    fn key(number: u64) -> (u64, [u64; 2]) {
        (number % 7, [number, number * number])
    }

    fn insert(cache: &mut Cache, number: u64) {
        let (hash, key) = key(number);
        cache.insert(hash, &key, Number::from(u128::from(number)), 0);
    }

    fn get(cache: &mut Cache, number: u64) -> Option<Number> {
        let (hash, key) = key(number);
        cache.get(hash, &key).map(|(count, _)| count.clone())
    }

    #[test]
    fn the_latest_entries_are_removed_together() {
        let mut cache = Cache::new(usize::MAX);
        (0..100).for_each(|number| insert(&mut cache, number));
        let time = cache.time();
        (100..200).for_each(|number| insert(&mut cache, number));
        cache.remove_since(time);
        for number in 0..200 {
            let expected = (number < 100).then(|| Number::from(u128::from(number)));
            assert_eq!(get(&mut cache, number), expected);
        }
    }

    #[test]
    fn a_full_cache_keeps_what_was_used_last() {
        let mut cache = Cache::new(100 * (size_of::<Entry>() + 16));
        for number in 0..1000 {
            insert(&mut cache, number);
            assert_eq!(get(&mut cache, 0), Some(Number::ZERO));
            assert_eq!(get(&mut cache, number), Some(Number::from(u128::from(number))));
            assert!(cache.len() <= 100);
        }
        assert_eq!(get(&mut cache, 1), None);
    }
}
