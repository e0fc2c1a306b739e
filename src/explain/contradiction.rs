//! The derivation of a contradiction in steps.
//!
//! The derivation is constructed forwards and then reduced backwards. First, unit propagation derives facts in the
//! order of its trail. Then failed literals add further facts. If there are no failed literals, unit propagation with
//! failed literals refutes the negations of facts, and if it refutes none, a search derives more facts. When the
//! contradiction has been derived, its argument is made minimal, then the arguments of the facts that
//! it needs, and so on. Facts that no argument needs are left out, and their arguments are never made minimal.

use std::collections::{HashMap, HashSet};

use gordian_encodings::{FALSE, Lit};
use gordian_explain::{Conclusion, Explained, Set};

use super::argument::{FoundBy, merged};
use super::{Argument, Explainer, PROBES, Reason, Step};
use crate::backend::BackendError;

/// A derived fact, or `FALSE` for the contradiction.
struct Derived {
    lit: Lit,
    /// The rules and facts that imply the fact. Some of them may be superfluous.
    groups: Set,
    because: Vec<Lit>,
    by: FoundBy,
}

impl Derived {
    fn of(conclusion: Conclusion) -> Self {
        let Conclusion { lit, groups, because } = conclusion;
        Self { lit: lit.unwrap_or(FALSE), groups, because, by: FoundBy::Propagation { smallest: false } }
    }
}

impl Explainer<'_> {
    /// Derives the contradiction between the rules and the facts of a reason. The last step derives `FALSE`, and every
    /// other fact is used by a later step. Returns `None` if a limit was reached.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    pub fn steps_to_contradiction(&self, reason: &Reason) -> Result<Option<Vec<Step>>, BackendError> {
        let allowed = Set::of(self.plain.rules.len(), reason.rules.iter().copied());
        // The session contains only the rules of the reason, which keeps the formula small.
        let session = self.session.restricted(&self.config, allowed)?;
        let mut explainer = Self::of(self.plain, &self.config, session, self.conflicts);
        explainer.know(reason.because.iter().copied());
        match explainer.derivation()? {
            Some(derived) => {
                explainer.limit_calls();
                explainer.needed_steps(derived, &reason.because).map(Some)
            }
            None => Ok(None),
        }
    }

    /// Derives facts, and finally the contradiction, which is the last entry. Returns `None` if a limit was reached.
    fn derivation(&mut self) -> Result<Option<Vec<Derived>>, BackendError> {
        let facts: Vec<Lit> = self.plain.facts.iter().map(|fact| fact.lit).collect();
        let variables: HashSet<_> = facts.iter().map(|lit| lit.var()).collect();
        let allowed = self.allowed.clone();
        let mut derived: Vec<Derived> = Vec::new();
        loop {
            if self.session.stopped() {
                return Ok(None);
            }
            let shown = |lit: Lit| variables.contains(&lit.var());
            let mut found = self.propagation.conclusions(&allowed, &self.known, shown);
            let is_derived = found.last().is_some_and(|last| last.lit.is_none());
            self.know(found.iter().filter_map(|conclusion| conclusion.lit));
            derived.extend(found.drain(..).map(Derived::of));
            if is_derived {
                return Ok(Some(derived));
            }
            let known: HashSet<Lit> = self.known.iter().copied().collect();
            let open = facts.iter().flat_map(|&lit| [lit, !lit]);
            let open = open.filter(|lit| !known.contains(lit) && !known.contains(&!*lit));
            let targets: Vec<Lit> = [FALSE].into_iter().chain(open).collect();
            let failed = self.propagation.failed(&allowed, &self.known, &targets);
            let mut found: Vec<Derived> = failed.into_iter().map(Derived::of).collect();
            if found.is_empty() {
                let cores = self.cores_by_assumption(&targets, PROBES);
                found = self.derived(cores, FoundBy::Assumption);
            }
            if found.is_empty() {
                found = self.search(&targets)?;
            }
            if let Some(end) = found.iter().position(|derived| derived.lit == FALSE) {
                derived.push(found.swap_remove(end));
                return Ok(Some(derived));
            }
            if found.is_empty() {
                return Ok(None);
            }
            self.know(found.iter().map(|derived| derived.lit));
            derived.extend(found);
        }
    }

    /// Returns facts in `targets` that follow from the smallest number of rules.
    fn search(&mut self, targets: &[Lit]) -> Result<Vec<Derived>, BackendError> {
        let found = self.find_by_search(targets, None)?;
        let by = FoundBy::Search { smallest: found.proven };
        Ok(self.derived(found.explained, by))
    }

    fn derived(&self, explained: Vec<Explained>, by: FoundBy) -> Vec<Derived> {
        let derived = |Explained { lit, groups }| Derived { lit, groups, because: self.known.clone(), by };
        explained.into_iter().map(derived).collect()
    }

    /// Returns steps with minimal arguments for the contradiction and for the facts on which it depends. Facts that
    /// depend on each other are in different steps.
    fn needed_steps(&mut self, derived: Vec<Derived>, given: &[Lit]) -> Result<Vec<Step>, BackendError> {
        let mut needed = HashSet::from([FALSE]);
        let mut arguments: Vec<Argument> = Vec::new();
        for Derived { lit, groups, because, by } in derived.into_iter().rev() {
            if needed.contains(&lit) {
                let argument = self.argument(lit, &groups, because, by)?;
                needed.extend(argument.deductions.iter().flat_map(|deduction| &deduction.because));
                arguments.push(argument);
            }
        }
        // The number of the step after which a fact is known.
        let mut after: HashMap<Lit, usize> = given.iter().map(|&lit| (lit, 0)).collect();
        let mut steps: Vec<Vec<Argument>> = Vec::new();
        for argument in arguments.into_iter().rev() {
            let because = argument.deductions.iter().flat_map(|deduction| &deduction.because);
            let step = because.filter_map(|lit| after.get(lit).copied()).max().unwrap_or(0);
            after.extend(argument.deductions.iter().map(|deduction| (deduction.lit, step + 1)));
            steps.resize_with(steps.len().max(step + 1), Vec::new);
            steps[step].push(argument);
        }
        Ok(steps.into_iter().map(|arguments| Step { arguments: merged(arguments), open: None }).collect())
    }
}
