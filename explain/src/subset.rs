//! Minimal and smallest explanations.

use gordian_encodings::Lit;

use crate::easiest::CHECK;
use crate::hitting::smallest_hitting_set;
use crate::oracle::{Answer, Oracle};
use crate::set::Set;

/// A contradictory set of groups, and whether it is proven minimal or smallest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// The groups.
    pub groups: Set,
    /// True if no proper subset of the groups is contradictory.
    pub minimal: bool,
    /// True if no contradictory set has fewer groups.
    pub smallest: bool,
}

/// Shrinks contradictory groups to a minimal contradictory subset by deletion, starting with the last group. Returns `None` if the oracle does not
/// refute the groups.
///
/// # Errors
/// Returns an error if the solver fails.
pub fn minimal<O: Oracle>(oracle: &mut O, groups: &Set, lits: &[Lit]) -> Result<Option<Subset>, O::Error> {
    shrunk(oracle, groups, lits, &mut Vec::new())
}

/// Works like [`minimal`], and adds the correction sets that it finds to `corrections`.
fn shrunk<O: Oracle>(
    oracle: &mut O,
    groups: &Set,
    lits: &[Lit],
    corrections: &mut Vec<Set>,
) -> Result<Option<Subset>, O::Error> {
    let Answer::Contradiction(core) = oracle.check(groups, lits)? else { return Ok(None) };
    // The groups that are not known to be needed.
    let mut open = core.groups;
    let mut needed = Set::new(oracle.groups());
    let mut minimal = true;
    while let Some(group) = open.last() {
        open.remove(group);
        match oracle.check_beside(&needed, &open, lits)? {
            Answer::Contradiction(core) => open.intersect(&core.groups),
            Answer::Consistent(witness) => {
                corrections.push(witness.broken);
                needed.insert(group);
            }
            Answer::Stopped => {
                minimal = false;
                needed.insert(group);
            }
        }
    }
    let groups = needed;
    let smallest = minimal && groups.len() <= 1;
    Ok(Some(Subset { groups, minimal, smallest }))
}

/// A work limit for [`smallest`] that ends a search after a few seconds on a board. Most searches need a small part of it.
/// If the oracle does not measure its work, each call counts 100.
pub const SMALLEST_WORK: u64 = 200_000;

/// Finds a smallest contradictory subset of the allowed groups by hitting sets. First searches for a minimal subset,
/// and collects the correction sets that this search finds. If a limit ends the search for a smallest subset, returns
/// the minimal subset. Returns `None` if the oracle does not refute the groups.
///
/// The search for a smallest subset ends when its cost reaches `work`. The cost is measured as for
/// [`easiest`](crate::easiest). The search for a minimal subset does not count.
///
/// # Errors
/// Returns an error if the solver fails.
pub fn smallest<O: Oracle>(oracle: &mut O, lits: &[Lit], work: u64) -> Result<Option<Subset>, O::Error> {
    let bound = oracle.groups();
    let mut corrections: Vec<Set> = Vec::new();
    let Some(found) = shrunk(oracle, &oracle.allowed(), lits, &mut corrections)? else { return Ok(None) };
    if found.smallest {
        return Ok(Some(found));
    }
    let most = found.groups.len().saturating_sub(1);
    let mut work = work;
    loop {
        let sets: Vec<&Set> = corrections.iter().collect();
        let mut stop = || {
            work = work.saturating_sub(1);
            work == 0 || oracle.expired()
        };
        let hitting = smallest_hitting_set(bound, &sets, most, &mut stop);
        if work == 0 || oracle.expired() {
            return Ok(Some(found));
        }
        let before = oracle.work();
        // No smaller set hits all correction sets, so no smaller set is contradictory.
        let Some(groups) = hitting else {
            return Ok(Some(Subset { smallest: true, minimal: true, ..found }));
        };
        match oracle.check_and_grow(&groups, lits)? {
            Answer::Contradiction(_) => return Ok(Some(Subset { groups, minimal: true, smallest: true })),
            Answer::Consistent(witness) => corrections.push(witness.broken),
            Answer::Stopped => return Ok(Some(found)),
        }
        work = work.saturating_sub(CHECK + (oracle.work() - before));
    }
}

/// Shrinks `lits` to a minimal subset that is contradictory together with the groups and `kept`. The second value is
/// `false` if a limit was reached, so that the subset is not necessarily minimal. Returns `None` if the oracle does not
/// refute the groups and literals.
///
/// # Errors
/// Returns an error if the solver fails.
pub fn needed<O: Oracle>(
    oracle: &mut O,
    groups: &Set,
    kept: &[Lit],
    lits: &[Lit],
) -> Result<Option<(Vec<Lit>, bool)>, O::Error> {
    let Answer::Contradiction(core) = oracle.check(groups, &[lits, kept].concat())? else {
        return Ok(None);
    };
    let mut needed: Vec<Lit> = lits.iter().copied().filter(|lit| core.lits.contains(lit)).collect();
    let (mut index, mut minimal) = (0, true);
    while index < needed.len() {
        let rest: Vec<Lit> =
            needed.iter().enumerate().filter(|&(at, _)| at != index).map(|(_, &l)| l).collect();
        match oracle.check(groups, &[&rest[..], kept].concat())? {
            Answer::Contradiction(core) => {
                // The literals before `index` are needed, so they are in every core.
                needed = rest.into_iter().filter(|lit| core.lits.contains(lit)).collect();
            }
            Answer::Consistent(_) => index += 1,
            Answer::Stopped => {
                minimal = false;
                index += 1;
            }
        }
    }
    Ok(Some((needed, minimal)))
}
