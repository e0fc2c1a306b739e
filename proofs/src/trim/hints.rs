//! Trimming of a proof whose learnt clauses have hints.

use super::Trimmed;

/// The hints of each clause. A clause without hints has an empty list.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl Hints {
    /// Adds the hints of the next clause.
    pub fn push(&mut self, hints: &[u32]) {
        self.numbers.extend_from_slice(hints);
        self.ends.push(self.numbers.len());
    }

    /// Returns the hints of a clause.
    #[must_use]
    pub fn of(&self, clause: u32) -> &[u32] {
        let index = clause as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.numbers[start..self.ends[index]]
    }

    /// Finds the learnt clauses that the contradiction `conflict` depends on. If there is no contradiction, finds the
    /// learnt clauses that `roots` depend on. Returns `None` if there is no contradiction and no root, or if a needed
    /// learnt clause has no hints.
    #[must_use]
    pub fn trim(
        &self,
        is_learnt: impl Fn(u32) -> bool,
        conflict: Option<Vec<u32>>,
        roots: Option<&[u32]>,
    ) -> Option<Trimmed> {
        let mut needed = vec![false; self.ends.len()];
        let mut trimmed = Trimmed { learnt: Vec::new(), conflict: conflict.unwrap_or_default() };
        for &clause in if trimmed.conflict.is_empty() { roots? } else { &trimmed.conflict } {
            needed[clause as usize] = true;
        }
        for clause in (0..self.ends.len() as u32).rev() {
            if !needed[clause as usize] || !is_learnt(clause) {
                continue;
            }
            let hints = self.of(clause);
            if hints.is_empty() {
                return None;
            }
            for &hint in hints {
                needed[hint as usize] = true;
            }
            trimmed.learnt.push((clause, hints.to_vec()));
        }
        trimmed.learnt.reverse();
        Some(trimmed)
    }
}
