//! Sums of the inequalities of all vertices in a region.

use gordian_proofs::{Id, Line, ProofError, Writer};

use super::Flow;

/// A region with at least this many vertices is large.
const LARGE: usize = 24;
/// The maximum number of sums that are kept for a constraint.
const MOST_SUMS: usize = 256;

fn bit_set(region: &[bool]) -> Vec<u64> {
    let word = |chunk: &[bool]| (0..).zip(chunk).fold(0, |word, (bit, &is)| word | u64::from(is) << bit);
    region.chunks(64).map(word).collect()
}

fn contains(set: &[u64], v: usize) -> bool {
    set[v / 64] >> (v % 64) & 1 == 1
}

impl Flow {
    /// Adds the inequality of each vertex in a region to a sum, except for the vertices in `done`: the sum already
    /// contains their inequalities. Returns `None` if a vertex has no inequality.
    pub(super) fn add_region(
        &self,
        line: &mut Line,
        region: &[bool],
        done: &[bool],
        proof: &mut Writer<'_>,
    ) -> Result<Option<()>, ProofError> {
        let mut rest: Vec<bool> = region.iter().zip(done).map(|(&region, &done)| region && !done).collect();
        if self.members.iter().filter(|&&v| rest[v]).count() >= LARGE {
            match self.large_part(&rest, proof)? {
                Some((part, sum)) => {
                    line.add(sum);
                    self.members.iter().filter(|&&v| contains(&part, v)).for_each(|&v| rest[v] = false);
                }
                None => return Ok(None),
            }
        }
        Ok(self.add_balances(line, &rest))
    }

    /// Adds the inequalities of all vertices in a region to a sum. Returns `None` if a vertex has no inequality.
    fn add_balances(&self, line: &mut Line, region: &[bool]) -> Option<()> {
        for &v in self.members.iter().filter(|&&v| region[v]) {
            line.add(self.network.balance(v)?);
        }
        Some(())
    }

    pub(super) fn first_row(&self) -> Option<Id> {
        self.members.iter().find_map(|&v| self.network.balance(v))
    }

    /// Returns a region or a large part of it, and the sum of the inequalities of all vertices in this part. The sums of
    /// whole regions are kept, because many clauses have the same region or a slightly larger one. Returns `None` if a
    /// vertex has no inequality.
    fn large_part(
        &self,
        region: &[bool],
        proof: &mut Writer<'_>,
    ) -> Result<Option<(Vec<u64>, Id)>, ProofError> {
        let all = bit_set(region);
        let Some(first) = self.first_row() else { return Ok(None) };
        let within = |part: &[u64]| part.iter().zip(&all).all(|(part, all)| part & !all == 0);
        let size = |part: &[u64]| part.iter().map(|word| word.count_ones()).sum::<u32>();
        let sums = proof.sums(first);
        let known = (0..).zip(&*sums).filter(|(_, (part, _))| within(part));
        if let Some((most, index)) = known.map(|(index, (part, _))| (size(part), index)).max()
            && 3 * most >= 2 * size(&all)
        {
            // The sum that was not used for the longest time comes first.
            let found = sums.remove(index);
            sums.push(found.clone());
            return Ok(Some(found));
        }
        let mut line = Line::default();
        if self.add_balances(&mut line, region).is_none() {
            return Ok(None);
        }
        let found = (all, proof.pol(&line)?);
        let sums = proof.sums(first);
        if sums.len() >= MOST_SUMS {
            sums.remove(0);
        }
        sums.push(found.clone());
        Ok(Some(found))
    }
}
