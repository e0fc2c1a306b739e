//! Runs of given lengths.

use crate::opb::{Integer, Opb, Sum, Truth};

/// The maximal runs of true entries have the given lengths, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Runs<B> {
    /// The entries.
    pub entries: Vec<B>,
    /// The lengths of the runs, each at least 1.
    pub lengths: Vec<i64>,
}

impl Runs<bool> {
    /// Returns the first run that has a wrong length or is too many, or no entry if runs are missing.
    pub(super) fn broken(&self) -> Option<Vec<usize>> {
        let mut lengths = self.lengths.iter();
        let mut at = 0;
        for run in self.entries.chunk_by(|a, b| a == b) {
            let entries = at..at + run.len();
            at = entries.end;
            if !run[0] {
                continue;
            }
            if lengths.next().copied() != i64::try_from(run.len()).ok() {
                return Some(entries.collect());
            }
        }
        lengths.next().map(|_| Vec::new())
    }
}

impl Runs<Truth> {
    /// States the first entry of each run as a number. An entry is true if it belongs to a run.
    pub(super) fn state(&self, opb: &mut Opb) {
        let lengths: Vec<i128> = self.lengths.iter().copied().map(i128::from).collect();
        let last = self.entries.len() as i128 - lengths.iter().sum::<i128>() - lengths.len() as i128 + 1;
        if lengths.iter().any(|&length| length < 1) || !lengths.is_empty() && last < 0 {
            return opb.clause([]);
        }
        let mut starts: Vec<Integer> = Vec::new();
        let mut least = 0;
        for (number, &length) in lengths.iter().enumerate() {
            let start = opb.auxiliary_integer(least..=least + last);
            if let Some(before) = starts.last() {
                let gap = lengths[number - 1] + 1;
                let mut order = Sum { terms: Vec::new(), constant: gap };
                order.add_integer(1, before);
                order.add_integer(-1, &start);
                opb.at_most_zero(&order, []);
            }
            starts.push(start);
            least += length + 1;
        }
        for (at, &entry) in (0..).zip(&self.entries) {
            let mut sum = Sum::of_truths(&[!entry]);
            for (start, length) in starts.iter().zip(&lengths) {
                sum.add(1, &start.at_most(at));
                sum.add(-1, &start.at_most(at - length));
            }
            sum.equals(opb, 1);
        }
    }
}
