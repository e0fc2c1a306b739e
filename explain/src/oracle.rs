//! The interface to solvers that decide whether groups are contradictory.

use gordian_encodings::{Lit, TRUE};

use crate::set::Set;

/// The result of checking whether groups and literals are contradictory.
#[derive(Debug, Clone)]
pub enum Answer {
    /// The groups and literals are contradictory.
    Contradiction(Core),
    /// The oracle does not refute the groups and literals.
    Consistent(Witness),
    /// The oracle reached a limit before it decided.
    Stopped,
}

/// Groups and literals that are contradictory.
#[derive(Debug, Clone)]
pub struct Core {
    /// The groups.
    pub groups: Set,
    /// The literals, in an unspecified order.
    pub lits: Vec<Lit>,
}

/// An assignment that satisfies all groups except the groups in `broken`. It shows that the other groups are consistent
/// with the literals of the assignment.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The groups that the assignment violates.
    pub broken: Set,
    /// The indices ([`Lit::lidx`]) of the literals of the assignment.
    pub lits: Set,
}

impl Witness {
    /// Returns whether the assignment contains a literal.
    #[must_use]
    pub fn contains(&self, lit: Lit) -> bool {
        lit == TRUE || self.lits.contains(lit.lidx())
    }
}

/// A solver that decides whether a set of groups and literals is contradictory.
///
/// The answers must be monotone: if groups and literals are contradictory, so are all supersets.
pub trait Oracle {
    /// The type of the error that is returned if the solver fails.
    type Error;

    /// Returns the number of groups, which are numbered from 0.
    fn groups(&self) -> usize;

    /// Returns the groups that explanations may contain. All other groups are ignored, so [`Witness::broken`] does
    /// not contain them even if the assignment violates them. By default, all groups are allowed.
    fn allowed(&self) -> Set {
        Set::full(self.groups())
    }

    /// Decides whether `groups` and `lits` are contradictory.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn check(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Self::Error>;

    /// Decides whether `needed`, `groups` and `lits` together are contradictory. Every contradictory subset contains
    /// `needed`, so an oracle can look for a core with few of the other groups.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn check_beside(&mut self, needed: &Set, groups: &Set, lits: &[Lit]) -> Result<Answer, Self::Error> {
        let mut all = groups.clone();
        all.extend(needed);
        self.check(&all, lits)
    }

    /// Works like [`Oracle::check`], but an oracle may stop early if the decision takes long.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn check_briefly(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Self::Error> {
        self.check(groups, lits)
    }

    /// Works like [`Oracle::check`], but returns a witness with a minimal set of violated groups: adding any of them
    /// to the satisfied groups contradicts `lits`. If [`Oracle::check_briefly`] stops, the set may not be minimal.
    ///
    /// # Errors
    /// Returns an error if the solver fails.
    fn check_and_grow(&mut self, groups: &Set, lits: &[Lit]) -> Result<Answer, Self::Error> {
        let mut witness = match self.check(groups, lits)? {
            Answer::Consistent(witness) => witness,
            answer => return Ok(answer),
        };
        let mut left = witness.broken.clone();
        while let Some(group) = left.first() {
            left.remove(group);
            let mut larger = self.allowed().minus(&witness.broken);
            larger.insert(group);
            if let Answer::Consistent(better) = self.check_briefly(&larger, lits)? {
                left.intersect(&better.broken);
                witness = better;
            }
        }
        Ok(Answer::Consistent(witness))
    }

    /// Returns the work of all calls so far, or 0 if the oracle does not measure it. For a solver, the work is the
    /// number of conflicts.
    fn work(&self) -> u64 {
        0
    }

    /// Returns whether the time limit of the whole search was reached.
    fn expired(&self) -> bool {
        false
    }
}
