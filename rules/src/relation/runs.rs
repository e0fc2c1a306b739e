//! Runs of given lengths.

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
