//! Numbers that differ.

use std::collections::HashMap;

use crate::opb::{self, Integer, Opb};

/// No two of the numbers are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Different<N> {
    /// The numbers.
    pub numbers: Vec<N>,
}

impl Different<i64> {
    /// Returns the first two entries with the same number.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let mut seen = HashMap::new();
        let mut twice = self.numbers.iter().enumerate();
        twice.find_map(|(at, number)| seen.insert(number, at).map(|first| vec![first, at]))
    }
}

impl Different<Integer> {
    /// States that at most one number has each value.
    pub(super) fn state(&self, opb: &mut Opb) {
        opb::all_different(opb, &self.numbers);
    }
}
