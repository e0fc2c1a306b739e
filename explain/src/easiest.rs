//! The literals with the smallest explanations.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gordian_encodings::Lit;

use crate::hitting::smallest_hitting_set;
use crate::oracle::{Answer, Oracle, Witness};
use crate::set::Set;

/// A literal, and a smallest set of groups that implies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// The literal.
    pub lit: Lit,
    /// The groups.
    pub groups: Set,
}

/// The literals with the smallest explanations, and whether these are proven to be smallest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Easiest {
    /// The explained literals. All explanations have the same number of groups. If this number is 0 or 1, the list
    /// contains every literal with such an explanation; otherwise, it contains only one literal. The list is empty if
    /// no literal has an explanation within the limit, or if the search ended early.
    pub explained: Vec<Explained>,
    /// True if no literal has an explanation with fewer groups.
    pub proven: bool,
}

/// The cost of one oracle call, measured in nodes of the search for hitting sets.
pub(crate) const CHECK: u64 = 100;

/// Finds the literals of `targets` with the smallest explanations, given that the literals in `known` hold.
/// Explanations in which the number of groups exceeds `most` are ignored. The target `FALSE` stands for a
/// contradiction.
///
/// The search keeps a lower bound for each literal: the size of the smallest hitting set of the correction sets found
/// for this literal. It tests the literal with the lowest bound. If the hitting set explains the literal, no literal
/// has a smaller explanation. Otherwise, the oracle returns an assignment as a witness. The witness adds a correction
/// set for each literal that it violates.
///
/// The caller may keep `witnesses` between calls. Witnesses that contain all literals in `known` are reused, and the
/// others are removed. The search ends early when its cost reaches `work`. The cost is the number of nodes in the
/// searches for hitting sets, plus the work of the oracle and 100 for each oracle call.
///
/// # Errors
/// Returns an error if the solver fails.
pub fn easiest<O: Oracle>(
    oracle: &mut O,
    witnesses: &mut Vec<Witness>,
    known: &[Lit],
    targets: &[Lit],
    most: usize,
    work: u64,
) -> Result<Easiest, O::Error> {
    witnesses.retain(|witness| known.iter().all(|&lit| witness.contains(lit)));
    let mut search = Search {
        corrections: Vec::new(),
        of: vec![Vec::new(); targets.len()],
        heap: (0..targets.len()).rev().map(|target| Reverse((0, target))).collect(),
        hitting: vec![None; targets.len()],
        impossible: vec![false; targets.len()],
        targets,
        most: most.min(oracle.groups()),
        work: Cell::new(work),
    };
    for witness in &*witnesses {
        search.learn(witness);
    }
    let mut result = Easiest { explained: Vec::new(), proven: true };
    while let Some((target, groups)) = search.next(oracle, &result) {
        let lit = targets[target];
        let before = oracle.work();
        let assumed: Vec<Lit> = known.iter().copied().chain([!lit]).collect();
        let answer = oracle.check_and_grow(&groups, &assumed)?;
        search.works(CHECK + (oracle.work() - before));
        match answer {
            Answer::Contradiction(_) => {
                let last = groups.len() > 1;
                result.explained.push(Explained { lit, groups });
                if last {
                    break;
                }
            }
            Answer::Consistent(witness) => {
                search.learn(&witness);
                search.heap.push(Reverse((groups.len(), target)));
                witnesses.push(witness);
            }
            Answer::Stopped => {
                result.proven = false;
                search.give_up_on(target, &groups, &oracle.allowed());
            }
        }
    }
    result.proven &= !oracle.expired() && search.work.get() > 0;
    Ok(result)
}

struct Search<'t> {
    targets: &'t [Lit],
    /// The maximum number of groups in an explanation.
    most: usize,
    corrections: Vec<Set>,
    /// The indices of each target's correction sets.
    of: Vec<Vec<u32>>,
    /// The targets, each with a lower bound on the size of its explanations.
    heap: BinaryHeap<Reverse<(usize, usize)>>,
    /// The last result for each target: a smallest hitting set, and the number of correction sets at that time.
    hitting: Vec<Option<(Set, usize)>>,
    /// For each target, true if even all allowed groups together do not explain it, or if the oracle can't decide
    /// whether they do.
    impossible: Vec<bool>,
    /// The remaining budget for the cost of the search.
    work: Cell<u64>,
}

impl Search<'_> {
    /// Subtracts `work` from the remaining budget, and returns whether the budget is used up.
    fn works(&self, work: u64) -> bool {
        self.work.set(self.work.get().saturating_sub(work));
        self.work.get() == 0
    }

    /// Adds the correction set of a witness to every target that the witness violates.
    fn learn(&mut self, witness: &Witness) {
        let index = self.corrections.len() as u32;
        for (target, &lit) in self.targets.iter().enumerate() {
            if witness.contains(!lit) {
                self.impossible[target] |= witness.broken.is_empty();
                self.of[target].push(index);
            }
        }
        self.corrections.push(witness.broken.clone());
    }

    /// Adds a correction set that consists of the allowed groups outside `groups`, so that neither `groups` nor a
    /// subset is tried again. This is needed if the oracle can't decide whether `groups` explain the target.
    fn give_up_on(&mut self, target: usize, groups: &Set, allowed: &Set) {
        let rest = allowed.minus(groups);
        self.impossible[target] |= rest.is_empty();
        self.of[target].push(self.corrections.len() as u32);
        self.corrections.push(rest);
        self.heap.push(Reverse((groups.len(), target)));
    }

    /// Returns the target with the lowest bound, and its smallest hitting set. Returns `None` if a limit was reached,
    /// or if every remaining target needs more groups than the limit or the explanations found so far allow.
    fn next<O: Oracle>(&mut self, oracle: &O, found: &Easiest) -> Option<(usize, Set)> {
        let most = found.explained.first().map_or(self.most, |explained| explained.groups.len());
        while let Some(Reverse((bound, target))) = self.heap.pop() {
            if bound > most || oracle.expired() || self.work.get() == 0 {
                return None;
            }
            if self.impossible[target] {
                continue;
            }
            let sets: Vec<&Set> =
                self.of[target].iter().map(|&index| &self.corrections[index as usize]).collect();
            let current = self.hitting[target]
                .take()
                .filter(|(groups, hit)| sets[*hit..].iter().all(|set| set.meets(groups)))
                .map(|(groups, _)| groups);
            let groups = if let Some(groups) = current {
                groups
            } else {
                let mut stop = || self.works(1) || oracle.expired();
                let found = smallest_hitting_set(oracle.groups(), &sets, most, &mut stop);
                let Some(groups) = found else { continue };
                groups
            };
            self.hitting[target] = Some((groups.clone(), sets.len()));
            if groups.len() > bound {
                self.heap.push(Reverse((groups.len(), target)));
                continue;
            }
            return Some((target, groups));
        }
        None
    }
}
