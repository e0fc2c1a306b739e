//! Converts explanations to arguments.

use gordian_encodings::Lit;
use gordian_explain::{
    Answer, Conclusion, Effort, Explained, Oracle, Probing, Set, Witness, minimal, needed,
};

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
    /// Unit propagation with failed literals.
    Assumption,
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
            // Other facts that follow from the same rules by the same method belong to the same argument. For a search,
            // only facts that unit propagation derives are added.
            let (first, groups) = (*lit, groups.clone());
            let others = match by {
                FoundBy::Assumption => self.derived_by_assumption(&groups, targets),
                _ => self.propagation.implied(&groups, &self.known, targets),
            };
            for lit in others.into_iter().filter(|&lit| lit != first) {
                explained.push(Explained { lit, groups: groups.clone() });
            }
        }
        let mut arguments: Vec<Argument> = Vec::new();
        for Explained { lit, groups } in explained {
            let mut argument = self.argument(lit, &groups, self.known.clone(), by)?;
            // The chain of a fact may use the earlier facts of the same argument, see `merged`.
            let before = arguments
                .iter()
                .filter(|other| (&other.rules, other.effort) == (&argument.rules, argument.effort));
            let before: Vec<Lit> = before.flat_map(|other| &other.deductions).map(|of| of.lit).collect();
            if !before.is_empty() && !argument.deductions[0].chain.is_empty() {
                let groups = Set::of(self.plain.rules.len(), argument.rules.iter().copied());
                let Deduction { because, chain, .. } = &mut argument.deductions[0];
                *chain = self.chain(argument.effort, &groups, &[&because[..], &before, &[!lit]].concat());
            }
            self.leave_out_known(&mut argument);
            arguments.push(argument);
        }
        Ok(merged(arguments))
    }

    /// Returns an argument that derives `lit` from a minimal subset of the rules `groups` and of the facts `because`.
    /// The subset suffices for the method that found the explanation. A method with more effort might derive `lit` from
    /// fewer rules and facts.
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
            FoundBy::Assumption => {
                never(reduced(&mut Probing::new(&mut self.propagation, &self.probes), lit, groups, because))
            }
            FoundBy::Search { .. } if self.is_hard => {
                self.frugally(|explainer, _| reduced(&mut explainer.session, lit, groups, because))?
            }
            FoundBy::Search { .. } => reduced(&mut self.session, lit, groups, because)?,
        };
        let assumed: Vec<Lit> = because.iter().copied().chain([!lit]).collect();
        let effort = match by {
            FoundBy::Propagation { .. } => Effort::Propagation,
            FoundBy::Assumption | FoundBy::Search { .. } => self.effort(&groups, &assumed),
        };
        let is_smallest = is_minimal
            && match by {
                _ if groups.is_empty() => true,
                FoundBy::Search { smallest } => smallest || groups.len() == 1,
                FoundBy::Propagation { smallest: true } => true,
                // The method needs one rule. A search might need no rule, because the constraints that always hold
                // might imply the fact.
                FoundBy::Propagation { .. } | FoundBy::Assumption => {
                    let none = Set::new(self.session.groups());
                    groups.len() == 1 && matches!(self.session.check(&none, &all)?, Answer::Consistent(_))
                }
            };
        let size = match (is_minimal, is_smallest) {
            (false, _) => Size::Limited,
            (true, false) => Size::Minimal,
            (true, true) => Size::Smallest,
        };
        let rules: Vec<usize> = groups.iter().collect();
        let chain = self.chain(effort, &groups, &assumed);
        Ok(Argument { rules, deductions: vec![Deduction { lit, because, chain }], effort, size })
    }

    /// Removes known facts from the chains of an argument.
    pub(super) fn leave_out_known(&self, argument: &mut Argument) {
        for deduction in &mut argument.deductions {
            deduction.chain.retain(|link| link.lit.is_none_or(|lit| !self.known.contains(&lit)));
        }
    }

    /// Returns the conclusions that refute `lits` with the given effort. The list is empty if there is only one rule, or
    /// if the refutation needs a search.
    fn chain(&mut self, effort: Effort, rules: &Set, lits: &[Lit]) -> Vec<Link> {
        match effort {
            Effort::Propagation if rules.len() > 1 => self.propagated(rules, lits),
            Effort::Assumption => self.failures(rules, lits),
            _ => Vec::new(),
        }
    }

    /// Returns the chain of conclusions by which unit propagation derives a contradiction from `rules` and `lits`. The
    /// chain is empty if unit propagation derives no contradiction.
    fn propagated(&mut self, rules: &Set, lits: &[Lit]) -> Vec<Link> {
        let plain = self.plain;
        let conclusions = self.propagation.conclusions(rules, lits, |lit| plain.fact_of(lit).is_some());
        if conclusions.last().is_none_or(|last| last.lit.is_some()) {
            return Vec::new();
        }
        conclusions.into_iter().map(link).collect()
    }

    /// Returns the negations of the failed literals that lead to a contradiction between `rules` and `lits`, and the
    /// contradiction.
    fn failures(&mut self, rules: &Set, lits: &[Lit]) -> Vec<Link> {
        let mut probing = Probing::new(&mut self.propagation, &self.probes);
        probing.conclusions(rules, lits).into_iter().map(link).collect()
    }

    /// Returns the literals of `targets` that unit propagation with failed literals derives from `rules` and the known
    /// facts.
    fn derived_by_assumption(&mut self, rules: &Set, targets: &[Lit]) -> Vec<Lit> {
        let mut probing = Probing::new(&mut self.propagation, &self.probes);
        let known = &self.known;
        let mut derives = |lit: Lit| {
            let assumed: Vec<Lit> = known.iter().copied().chain([!lit]).collect();
            matches!(never(probing.check(rules, &assumed)), Answer::Contradiction(_))
        };
        targets.iter().copied().filter(|&lit| derives(lit)).collect()
    }
}

fn link(Conclusion { lit, groups, .. }: Conclusion) -> Link {
    Link { lit, rules: groups.iter().collect() }
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

/// Merges arguments with the same rules and the same effort, and sorts the arguments by effort, then by the number of
/// rules, then by the number of known facts.
pub(super) fn merged(arguments: Vec<Argument>) -> Vec<Argument> {
    let mut merged: Vec<Argument> = Vec::new();
    for argument in arguments {
        let is_same =
            |other: &&mut Argument| (&other.rules, other.effort) == (&argument.rules, argument.effort);
        if let Some(same) = merged.iter_mut().find(is_same) {
            same.deductions.extend(argument.deductions);
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

/// Returns the literals of `targets` that all allowed groups imply, each with the groups of an unsatisfiable core. After
/// the given amount of work, the remaining literals are ignored. The second value is `true` if no literal was ignored,
/// and the oracle decided all of them.
///
/// Literals that are false in one of the `witnesses` are not tested. Witnesses are reused and updated as in
/// [`easiest`](gordian_explain::easiest).
pub(super) fn cores<O: Oracle>(
    oracle: &mut O,
    witnesses: &mut Vec<Witness>,
    known: &[Lit],
    targets: &[Lit],
    work: u64,
) -> Result<(Vec<Explained>, bool), O::Error> {
    witnesses.retain(|witness| known.iter().all(|&lit| witness.contains(lit)));
    let limit = oracle.work().saturating_add(work);
    let allowed = oracle.allowed();
    let mut cores: Vec<Explained> = Vec::new();
    let mut is_complete = true;
    for &lit in targets {
        if oracle.work() >= limit || oracle.expired() {
            return Ok((cores, false));
        }
        if witnesses.iter().any(|witness| witness.broken.is_empty() && witness.contains(!lit)) {
            continue;
        }
        let assumed: Vec<Lit> = known.iter().copied().chain([!lit]).collect();
        match oracle.check(&allowed, &assumed)? {
            Answer::Contradiction(core) => cores.push(Explained { lit, groups: core.groups }),
            Answer::Consistent(witness) => witnesses.push(witness),
            Answer::Stopped => is_complete = false,
        }
    }
    Ok((cores, is_complete))
}

/// Returns the explanation in `cores` that has the fewest groups after one minimal subset of each has been computed,
/// starting with the smallest. After the given amount of work, the remaining explanations are ignored.
pub(super) fn fewest<O: Oracle>(
    oracle: &mut O,
    known: &[Lit],
    mut cores: Vec<Explained>,
    work: u64,
) -> Result<Option<Explained>, O::Error> {
    let limit = oracle.work().saturating_add(work);
    cores.sort_by_key(|explained| explained.groups.len());
    let mut best: Option<Explained> = None;
    for Explained { lit, groups } in cores {
        if best.is_some() && (oracle.expired() || oracle.work() >= limit) {
            break;
        }
        let assumed: Vec<Lit> = known.iter().copied().chain([!lit]).collect();
        let groups = minimal(oracle, &groups, &assumed)?.map_or(groups, |subset| subset.groups);
        if best.as_ref().is_none_or(|best| groups.len() < best.groups.len()) {
            best = Some(Explained { lit, groups });
        }
    }
    Ok(best)
}
