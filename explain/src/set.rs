//! Sets of small numbers.

use std::fmt;

/// A set of numbers below a fixed bound, stored as bits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set {
    words: Box<[u64]>,
}

impl Set {
    /// Creates an empty set for numbers below `bound`.
    #[must_use]
    pub fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)].into() }
    }

    /// Creates the set of all numbers below `bound`.
    #[must_use]
    pub fn full(bound: usize) -> Self {
        Self::of(bound, 0..bound)
    }

    /// Creates a set for numbers below `bound` that contains `members`.
    ///
    /// # Panics
    /// Panics if a member is too large.
    #[must_use]
    pub fn of(bound: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::new(bound);
        for member in members {
            set.insert(member);
        }
        set
    }

    /// Adds a number.
    ///
    /// # Panics
    /// Panics if the number is too large.
    pub fn insert(&mut self, member: usize) {
        self.words[member / 64] |= 1 << (member % 64);
    }

    /// Removes a number.
    pub fn remove(&mut self, member: usize) {
        if let Some(word) = self.words.get_mut(member / 64) {
            *word &= !(1 << (member % 64));
        }
    }

    /// Returns whether the set contains a number.
    #[must_use]
    pub fn contains(&self, member: usize) -> bool {
        self.words.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
    }

    /// Returns the number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set has no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = |&word: &u64| Some(word & word.wrapping_sub(1)).filter(|&rest| rest != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| index * 64 + word.trailing_zeros() as usize)
        })
    }

    /// Returns the least member, or `None` if the set is empty.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// Returns the greatest member, or `None` if the set is empty.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        let (index, word) = self.words.iter().enumerate().rfind(|&(_, &word)| word != 0)?;
        Some(index * 64 + word.ilog2() as usize)
    }

    /// Returns whether the sets have a common member.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Returns whether all members are also members of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// Removes the members of `other`.
    pub fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= !b);
    }

    /// Keeps only the members of `other`.
    pub fn intersect(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
    }

    /// Adds the members of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    /// Returns the members that are not in `other`.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        rest.subtract(other);
        rest
    }

    /// Returns the set with one more member.
    ///
    /// # Panics
    /// Panics if the member is too large.
    #[must_use]
    pub fn with(&self, member: usize) -> Self {
        let mut set = self.clone();
        set.insert(member);
        set
    }

    /// Returns the set without the given member.
    #[must_use]
    pub fn without(&self, member: usize) -> Self {
        let mut set = self.clone();
        set.remove(member);
        set
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_listed_in_order() {
        let set = Set::of(200, [3, 64, 199, 63]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 199]);
        assert_eq!(set.len(), 4);
        assert_eq!((set.first(), set.last(), set.without(199).last()), (Some(3), Some(199), Some(64)));
        assert_eq!((Set::new(65).last(), Set::full(65).last()), (None, Some(64)));
        assert!(set.without(3).is_subset(&set) && !set.is_subset(&set.without(3)));
        assert!(!set.contains(500) && !Set::of(200, [1]).meets(&set));
        assert_eq!(Set::full(65).len(), 65);
        assert_eq!(set.minus(&Set::of(200, [64, 199])), Set::of(200, [3, 63]));
    }
}
