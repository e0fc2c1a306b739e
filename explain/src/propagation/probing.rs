//! Unit propagation with failed literals as an oracle.

use std::convert::Infallible;

use gordian_encodings::Lit;

use super::{Conclusion, Propagation};
use crate::oracle::{Answer, Core, Oracle};
use crate::set::Set;

/// Unit propagation on a formula that also negates failed literals until no candidate fails. A literal fails if unit
/// propagation derives a contradiction from it.
///
/// As an [`Oracle`], it refutes groups and literals with an [effort](super::Effort) up to `Assumption`.
#[derive(Debug)]
pub struct Probing<'p> {
    propagation: &'p mut Propagation,
    /// The candidates for failed literals.
    candidates: Vec<Lit>,
    /// For each literal, the number of the last pass in which it was part of a consistent propagation.
    seen: Vec<u32>,
    pass: u32,
    work: u64,
}

/// A failed literal, or a contradiction after failed literals have been negated.
#[derive(Debug)]
pub(super) struct Failure {
    /// The failed literal, or `None` for the contradiction.
    lit: Option<Lit>,
    /// The assumptions and the negations of earlier failed literals from which unit propagation derives the failure.
    /// They include the failed literal.
    core: Vec<Lit>,
}

impl<'p> Probing<'p> {
    /// Creates an oracle. The literals of `probes` and their negations are the candidates for failed literals.
    #[must_use]
    pub fn new(propagation: &'p mut Propagation, probes: &[Lit]) -> Self {
        Self {
            candidates: probes.iter().flat_map(|&lit| [lit, !lit]).collect(),
            seen: vec![0; 2 * propagation.variables],
            pass: 0,
            propagation,
            work: 0,
        }
    }

    /// Negates failed literals, given the current assumptions. Returns the failures that lead to a contradiction, in
    /// order, or `None` if the remaining candidates do not fail.
    pub(super) fn refute(&mut self) -> Option<Vec<Failure>> {
        let engine = &mut self.propagation.engine;
        let mut failures = Vec::new();
        self.pass += 1;
        // The number of candidates tested since the last failure.
        let mut tested = 0;
        for &lit in self.candidates.iter().cycle() {
            if tested == self.candidates.len() {
                break;
            }
            tested += 1;
            // If a literal follows from a consistent literal, it is consistent, too.
            if engine.value(lit).is_some() || self.seen[lit.lidx()] == self.pass {
                continue;
            }
            self.work += 1;
            let before = engine.trail().len();
            let Err(core) = engine.push(lit) else {
                for implied in &engine.trail()[before..] {
                    self.seen[implied.lidx()] = self.pass;
                }
                engine.pop();
                continue;
            };
            failures.push(Failure { lit: Some(lit), core });
            self.pass += 1;
            tested = 0;
            if let Err(core) = engine.push(!lit) {
                failures.push(Failure { lit: None, core });
                return Some(needed(failures));
            }
        }
        None
    }

    /// Returns the failures from which groups and literals are refuted: the negation of each failed literal, and the
    /// contradiction as the last entry. The list contains only negations that a later entry uses. It is empty if the
    /// groups and literals are not refuted, or if unit propagation alone refutes them.
    pub fn conclusions(&mut self, groups: &Set, lits: &[Lit]) -> Vec<Conclusion> {
        if self.propagation.assume(groups, lits).is_some() {
            return Vec::new();
        }
        let failures = self.refute().unwrap_or_default();
        let conclusion = |Failure { lit, core }| {
            let Core { groups, lits: mut because } = self.propagation.core(core);
            because.retain(|&other| Some(other) != lit);
            Conclusion { lit: lit.map(|lit| !lit), groups, because }
        };
        failures.into_iter().map(conclusion).collect()
    }
}

/// Returns the failures on which the contradiction, the last failure, depends.
fn needed(failures: Vec<Failure>) -> Vec<Failure> {
    let mut used: Vec<Lit> = Vec::new();
    let mut needed = Vec::new();
    for failure in failures.into_iter().rev() {
        if failure.lit.is_none_or(|lit| used.contains(&!lit)) {
            used.extend(failure.core.iter().filter(|&&other| Some(other) != failure.lit));
            needed.push(failure);
        }
    }
    needed.reverse();
    needed
}

impl Oracle for Probing<'_> {
    type Error = Infallible;

    fn groups(&self) -> usize {
        self.propagation.groups()
    }

    fn allowed(&self) -> Set {
        self.propagation.allowed()
    }

    fn expired(&self) -> bool {
        self.propagation.expired()
    }

    fn check(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Infallible> {
        if let Some(core) = self.propagation.assume(groups, lits) {
            return Ok(Answer::Contradiction(core));
        }
        let Some(failures) = self.refute() else {
            let broken = self.propagation.allowed.minus(groups);
            return Ok(Answer::Consistent(self.propagation.witness(broken)));
        };
        let assumptions = failures.into_iter().flat_map(|failure| failure.core);
        let Core { groups: used, lits: of } = self.propagation.core(assumptions.collect());
        // The cores also contain the failed literals and their negations.
        Ok(Answer::Contradiction(Core {
            groups: used,
            lits: lits.iter().copied().filter(|lit| of.contains(lit)).collect(),
        }))
    }

    fn work(&self) -> u64 {
        self.work
    }
}
