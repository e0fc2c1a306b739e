//! Converts explanations to arguments.

use gordian_encodings::Lit;
use gordian_explain::{Answer, Conclusion, Effort, Explained, Oracle, Set, Subset, minimal, needed};

use super::{Argument, Deduction, Explainer, Link, Size, never};
use crate::backend::BackendError;

/// The method that found an explanation.
#[derive(Debug, Clone, Copy)]
pub(super) enum FoundBy {
    /// Unit propagation.
    Propagation {
        /// True if search has proven that no smaller set of rules implies the fact.
        smallest: bool,
    },
    /// A solver.
    Search {
        /// True if it was proven that no smaller set of rules implies the fact.
        smallest: bool,
    },
}

impl Explainer<'_> {
    /// Converts explanations to arguments.
    pub(super) fn arguments(
        &mut self,
        explained: Vec<Explained>,
        targets: &[Lit],
        by: FoundBy,
    ) -> Result<Vec<Argument>, BackendError> {
        let mut explained = explained;
        if let [Explained { lit, groups }] = &explained[..]
            && groups.len() > 1
        {
            // Other facts that unit propagation derives from the same rules belong to the same argument.
            let (first, groups) = (*lit, groups.clone());
            for lit in self.propagation.implied(&groups, &self.known, targets) {
                if lit != first {
                    explained.push(Explained { lit, groups: groups.clone() });
                }
            }
        }
        let mut arguments = Vec::new();
        for Explained { lit, groups } in explained {
            arguments.push(self.argument(lit, &groups, self.known.clone(), by)?);
        }
        Ok(merged(arguments))
    }

    /// Returns an argument that derives `lit` from a minimal subset of the rules `groups` and of the facts `because`.
    /// If propagation found the explanation, the subset must suffice for propagation. A search might derive `lit` from
    /// fewer rules and facts, but search counts as more effort than propagation.
    pub(super) fn argument(
        &mut self,
        lit: Lit,
        groups: &Set,
        because: Vec<Lit>,
        by: FoundBy,
    ) -> Result<Argument, BackendError> {
        let all: Vec<Lit> = because.iter().copied().chain([!lit]).collect();
        let (groups, because, is_minimal) = match by {
            FoundBy::Propagation { .. } => never(reduced(&mut self.propagation, lit, groups, because)),
            FoundBy::Search { .. } => reduced(&mut self.session, lit, groups, because)?,
        };
        let assumed: Vec<Lit> = because.iter().copied().chain([!lit]).collect();
        let effort = match by {
            FoundBy::Propagation { .. } => Effort::Propagation,
            FoundBy::Search { .. } => self.effort(&groups, &assumed),
        };
        let is_smallest = is_minimal
            && match by {
                _ if groups.is_empty() => true,
                FoundBy::Search { smallest } => smallest || groups.len() == 1,
                // Propagation needs one rule. A search might need no rule, because the constraints that always hold
                // might imply the fact.
                FoundBy::Propagation { smallest: false } if groups.len() == 1 => {
                    let none = Set::new(self.session.groups());
                    matches!(self.session.check(&none, &all)?, Answer::Consistent(_))
                }
                FoundBy::Propagation { smallest } => smallest,
            };
        let size = match (is_minimal, is_smallest) {
            (false, _) => Size::Limited,
            (true, false) => Size::Minimal,
            (true, true) => Size::Smallest,
        };
        let rules: Vec<usize> = groups.iter().collect();
        let chain = if rules.len() > 1 { self.chain(&groups, &assumed) } else { Vec::new() };
        Ok(Argument { rules, deductions: vec![Deduction { lit, because }], effort, size, chain })
    }

    /// Returns the chain of conclusions by which unit propagation derives a contradiction from `rules` and `lits`. The
    /// chain is empty if unit propagation derives no contradiction.
    fn chain(&mut self, rules: &Set, lits: &[Lit]) -> Vec<Link> {
        let plain = self.plain;
        let conclusions = self.propagation.conclusions(rules, lits, |lit| plain.fact_of(lit).is_some());
        if conclusions.last().is_none_or(|last| last.lit.is_some()) {
            return Vec::new();
        }
        let link = |Conclusion { lit, groups, .. }| Link { lit, rules: groups.iter().collect() };
        conclusions.into_iter().map(link).collect()
    }
}

/// Removes groups from `groups` and facts from `because` as long as `oracle` still derives `lit`. Returns the remaining
/// groups and facts, and `true` if none of them can be left out.
fn reduced<O: Oracle>(
    oracle: &mut O,
    lit: Lit,
    groups: &Set,
    because: Vec<Lit>,
) -> Result<(Set, Vec<Lit>, bool), O::Error> {
    let mut groups = groups.clone();
    let assumed: Vec<Lit> = because.iter().copied().chain([!lit]).collect();
    let mut is_minimal = false;
    if let Some(subset) = minimal(oracle, &groups, &assumed)? {
        groups = subset.groups;
        is_minimal = subset.minimal;
    }
    match needed(oracle, &groups, &[!lit], &because)? {
        Some((facts, all_needed)) => Ok((groups, facts, is_minimal && all_needed)),
        None => Ok((groups, because, false)),
    }
}

/// Merges arguments with the same rules, and sorts the arguments by effort, then by the number of rules, then by the
/// number of known facts.
pub(super) fn merged(arguments: Vec<Argument>) -> Vec<Argument> {
    let mut merged: Vec<Argument> = Vec::new();
    for argument in arguments {
        if let Some(same) = merged.iter_mut().find(|other| other.rules == argument.rules) {
            same.deductions.extend(argument.deductions);
            same.effort = same.effort.max(argument.effort);
            same.size = same.size.min(argument.size);
        } else {
            merged.push(argument);
        }
    }
    let facts = |argument: &Argument| {
        argument.deductions.iter().map(|deduction| deduction.because.len()).max().unwrap_or(0)
    };
    merged.sort_by_key(|argument| (argument.effort, argument.rules.len(), facts(argument)));
    merged
}

/// Returns the literal in `targets` whose minimal explanation has the fewest groups. Unlike [`easiest`], computes only
/// one minimal explanation of each literal, starting with the literals that have the smallest unsatisfiable cores. After
/// the given number of conflicts, the remaining literals are ignored if an explanation is known.
pub(super) fn fewest<O: Oracle>(
    oracle: &mut O,
    known: &[Lit],
    targets: &[Lit],
    conflicts: u64,
) -> Result<Vec<Explained>, O::Error> {
    let limit = oracle.work().saturating_add(conflicts);
    let assumed = |lit: Lit| -> Vec<Lit> { known.iter().copied().chain([!lit]).collect() };
    let allowed = oracle.allowed();
    let mut cores: Vec<Explained> = Vec::new();
    for &lit in targets {
        if oracle.expired() || (!cores.is_empty() && oracle.work() >= limit) {
            break;
        }
        if let Answer::Contradiction(core) = oracle.check(&allowed, &assumed(lit))? {
            cores.push(Explained { lit, groups: core.groups });
        }
    }
    cores.sort_by_key(|explained| explained.groups.len());
    let mut best: Option<Explained> = None;
    for Explained { lit, groups } in cores {
        if oracle.expired() || (best.is_some() && oracle.work() >= limit) {
            break;
        }
        if let Some(Subset { groups, .. }) = minimal(oracle, &groups, &assumed(lit))?
            && best.as_ref().is_none_or(|best| groups.len() < best.groups.len())
        {
            best = Some(Explained { lit, groups });
        }
    }
    Ok(best.into_iter().collect())
}
