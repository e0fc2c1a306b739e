//! Trimming of a proof whose learnt clauses have hints.

use super::Trimmed;

/// A hint that stands for all unit clauses before a clause. If a clause has it, it is the first hint.
pub const UNITS: u32 = u32::MAX;

/// The least hint that is not the number of a clause. The hint `ROW + id` stands for row `id` of the formula.
pub const ROW: u32 = 1 << 31;

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
    /// learnt clauses that `roots` depend on. The function `units` appends the unit clauses that make a literal of a hint
    /// false. The function `better` may return other hints for a learnt clause, given whether a clause is
    /// already needed. Returns `None` if there is no contradiction and no root, or if a needed learnt clause has no
    /// hints.
    #[must_use]
    pub fn trim(
        &self,
        is_learnt: impl Fn(u32) -> bool,
        units: impl Fn(u32, &mut Vec<u32>),
        better: impl Fn(u32, &[bool]) -> Option<Vec<u32>>,
        conflict: Option<Vec<u32>>,
        roots: Option<&[u32]>,
    ) -> Option<Trimmed> {
        let mut needed = Needed {
            clauses: vec![false; self.ends.len()],
            seen: vec![false; self.ends.len()],
            found: Vec::new(),
            units: Vec::new(),
        };
        let mut trimmed = Trimmed { conflict: conflict.unwrap_or_default(), ..Trimmed::default() };
        let last = if trimmed.conflict.is_empty() { roots? } else { &trimmed.conflict };
        needed.add(last, UNITS, &units);
        for clause in (0..self.ends.len() as u32).rev() {
            if !needed.clauses[clause as usize] || !is_learnt(clause) {
                continue;
            }
            let hints = self.of(clause);
            if hints.is_empty() {
                return None;
            }
            let hints = better(clause, &needed.clauses).unwrap_or_else(|| hints.to_vec());
            needed.add(&hints, clause, &units);
            trimmed.learnt.push((clause, hints));
        }
        trimmed.learnt.reverse();
        needed.units.sort_unstable();
        needed.units.dedup();
        trimmed.units = needed.units;
        Some(trimmed)
    }
}

/// The clauses that are needed for the clauses visited so far, from the last one to the first one.
struct Needed {
    /// True for each needed clause.
    clauses: Vec<bool>,
    /// True for each hint of a clause with the hint [`UNITS`].
    seen: Vec<bool>,
    found: Vec<u32>,
    /// The unit clauses for which [`UNITS`] stands.
    units: Vec<u32>,
}

impl Needed {
    /// Adds the hints of a clause.
    fn add(&mut self, hints: &[u32], clause: u32, units: impl Fn(u32, &mut Vec<u32>)) {
        let (with_units, hints) = match hints {
            [UNITS, hints @ ..] => (true, hints),
            _ => (false, hints),
        };
        for &hint in hints {
            let is_seen = match self.clauses.get_mut(hint as usize) {
                Some(needed) => {
                    *needed = true;
                    with_units && std::mem::replace(&mut self.seen[hint as usize], true)
                }
                None => false,
            };
            // An earlier clause can't use more unit clauses than a later clause with the same hint.
            if with_units && !is_seen {
                self.found.clear();
                units(hint, &mut self.found);
                for &unit in self.found.iter().filter(|&&unit| unit < clause) {
                    self.clauses[unit as usize] = true;
                    self.units.push(unit);
                }
            }
        }
    }
}
