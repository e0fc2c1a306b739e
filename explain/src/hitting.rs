//! Smallest hitting sets by branch and bound.

use std::cmp::Reverse;

use crate::set::Set;

/// Returns a smallest set that shares a member with each of `sets`. Returns `None` if no such set has at most `limit`
/// members, or if `stop` returns `true`.
///
/// The search branches on the members of a set with the fewest allowed members. The number of pairwise disjoint sets
/// is a lower bound, because each of them needs a different member.
pub fn smallest_hitting_set(
    bound: usize,
    sets: &[&Set],
    limit: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Set> {
    let mut by_size: Vec<&Set> = sets.to_vec();
    by_size.sort_by_key(|set| set.len());
    let mut kept: Vec<&Set> = Vec::new();
    for set in by_size {
        // A superset of a kept set is redundant: every choice that hits the kept set also hits the superset.
        if !kept.iter().any(|small| small.is_subset(set)) {
            kept.push(set);
        }
    }
    let mut search = Search { banned: Set::new(bound), chosen: Set::new(bound), stop };
    let first = search.lower_bound(&kept);
    (first..=limit).find_map(|size| search.of_size(size, &kept).then(|| search.chosen.clone()))
}

struct Search<'s> {
    /// The members that must not be chosen, because an earlier branch has already tried all sets that contain them.
    banned: Set,
    chosen: Set,
    stop: &'s mut dyn FnMut() -> bool,
}

impl Search<'_> {
    /// Returns the number of sets in a greedily chosen list of disjoint sets.
    fn lower_bound(&self, sets: &[&Set]) -> usize {
        let mut used = self.banned.clone();
        let mut disjoint = 0;
        for set in sets {
            // Banned members can't be chosen, so two sets that share only banned members are treated as disjoint.
            let free = set.minus(&self.banned);
            if !free.meets(&used) {
                used.extend(&free);
                disjoint += 1;
            }
        }
        disjoint
    }

    /// Extends `chosen` by at most `size` members so that it hits all `sets`. Returns `false` and leaves `chosen`
    /// unchanged if there are no such members.
    fn of_size(&mut self, size: usize, sets: &[&Set]) -> bool {
        let Some(branch) = sets.iter().map(|set| set.minus(&self.banned)).min_by_key(Set::len) else {
            return true;
        };
        if size == 0 || branch.is_empty() || self.lower_bound(sets) > size || (self.stop)() {
            return false;
        }
        let hits = |member: usize| sets.iter().filter(|set| set.contains(member)).count();
        let mut members: Vec<usize> = branch.iter().collect();
        members.sort_by_key(|&member| (Reverse(hits(member)), member));
        let before = self.banned.clone();
        for member in members {
            let rest: Vec<&Set> = sets.iter().copied().filter(|set| !set.contains(member)).collect();
            self.chosen.insert(member);
            if self.of_size(size - 1, &rest) {
                return true;
            }
            self.chosen.remove(member);
            self.banned.insert(member);
        }
        self.banned = before;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_agree_with_brute_force() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..3000 {
            let bound = random.usize(1..9);
            let sets: Vec<Set> = (0..random.usize(0..8))
                .map(|_| Set::of(bound, (0..bound).filter(|_| random.u8(0..3) == 0)))
                .collect();
            let refs: Vec<&Set> = sets.iter().collect();
            let hits = |members: &Set| sets.iter().all(|set| set.meets(members));
            let of_bits = |bits: usize| Set::of(bound, (0..bound).filter(|&member| bits >> member & 1 == 1));
            let least = (0..1 << bound).map(of_bits).filter(hits).map(|set| set.len()).min();
            let found = smallest_hitting_set(bound, &refs, bound, &mut || false);
            assert_eq!(found.as_ref().map(Set::len), least, "round {round}: {sets:?}");
            assert!(found.is_none_or(|found| hits(&found)), "round {round}");
            if let Some(least) = least.filter(|&least| least > 0) {
                assert_eq!(smallest_hitting_set(bound, &refs, least - 1, &mut || false), None);
            }
        }
    }
}
