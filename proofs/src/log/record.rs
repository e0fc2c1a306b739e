//! The recorded clauses, without repetitions.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use super::{KEPT, LEARNT, Log};
use crate::trim::Step;

impl Log {
    /// Copies a clause without repeated literals to `scratch`. Returns a hash value that does not depend on the order of
    /// the literals. Returns `None` if the clause is a tautology.
    pub(super) fn normalise(&mut self, clause: &[Lit]) -> Option<u64> {
        self.scratch.clear();
        self.stamp += 1;
        let mut sum: u64 = 0;
        for &lit in clause {
            let index = lit.lidx();
            if self.stamps.len() <= (index | 1) {
                self.stamps.resize((index | 1) + 1, 0);
            }
            if self.stamps[index ^ 1] == self.stamp {
                return None;
            }
            if std::mem::replace(&mut self.stamps[index], self.stamp) != self.stamp {
                self.scratch.push(lit);
                sum = sum.wrapping_add(FxBuildHasher.hash_one(FxBuildHasher.hash_one(lit)));
            }
        }
        Some(sum)
    }

    /// Returns whether a recorded clause has the same literals as `scratch`.
    pub(super) fn is_scratch(&self, clause: u32) -> bool {
        let lits = self.lits_of(clause);
        lits.len() == self.scratch.len()
            && lits.iter().all(|lit| self.stamps.get(lit.lidx()) == Some(&self.stamp))
    }

    /// Records a clause, unless it is already recorded. Returns the number of the clause, or `None` if it is a
    /// tautology.
    pub(super) fn add(&mut self, clause: &[Lit], origin: u32) -> Option<u32> {
        let hints = std::mem::take(&mut self.next_hints);
        let hash = self.normalise(clause)?;
        // If a constraint also implies a learnt clause, the clause is recorded a second time for the constraint,
        // because the learnt copy may be deleted.
        if let Some(&known) = self.known.get(&hash)
            && self.is_scratch(known)
            && (origin == LEARNT || self.origins[known as usize] != LEARNT)
        {
            if self.origins[known as usize] == LEARNT {
                *self.copies.entry(known).or_default() += 1;
            }
            return Some(known);
        }
        self.lits.extend_from_slice(&self.scratch);
        self.next_hints = hints;
        let number = self.push(origin);
        self.known.insert(hash, number);
        Some(number)
    }

    /// Ends the clause whose literals were just added. Returns the number of the clause.
    pub(super) fn push(&mut self, origin: u32) -> u32 {
        self.ends.push(self.lits.len());
        self.origins.push(origin);
        self.hints.push(&self.next_hints);
        self.next_hints.clear();
        self.steps.push(if origin >= KEPT { Step::Learnt } else { Step::Given });
        let number = u32::try_from(self.origins.len() - 1).unwrap_or(LEARNT);
        // A clause of an encoding may contain a literal twice.
        if let &[unit, ref rest @ ..] = self.lits_of(number)
            && rest.iter().all(|&lit| lit == unit)
        {
            let index = unit.lidx();
            if self.units.len() <= index {
                self.units.resize(index + 1, LEARNT);
            }
            if self.units[index] == LEARNT {
                self.units[index] = number;
            }
        }
        number
    }

    /// Returns the number of the first clause that consists of the given literal only.
    pub(super) fn unit(&self, lit: Lit) -> Option<u32> {
        self.units.get(lit.lidx()).copied().filter(|&number| number != LEARNT)
    }
}
