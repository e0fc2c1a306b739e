//! At least one of some literals.

use super::{Meaning, Scope};
use crate::assignment::Assignment;
use crate::encoding::{Technique, clause};
use crate::int::Domains;
use crate::lit::Lit;

/// At least one of the literals holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The literals; none of them makes the constraint unsatisfiable.
    pub lits: Vec<Lit>,
}

impl Clause {
    /// At least one of `lits`.
    #[must_use]
    pub fn new(lits: impl Into<Vec<Lit>>) -> Self {
        Self { lits: lits.into() }
    }
}

impl Meaning for Clause {
    const NAME: &'static str = "clause";
    const SUMMARY: &'static str = "at least one of the literals holds";

    fn techniques() -> &'static [&'static Technique<Self>] {
        static TECHNIQUES: &[&Technique<Clause>] = &[&clause::CLAUSE];
        TECHNIQUES
    }

    fn auto(&self, _: Domains<'_>) -> &'static Technique<Self> {
        &clause::CLAUSE
    }

    fn scope(&self) -> Scope {
        Scope { lits: self.lits.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        self.lits.iter().any(|&lit| assignment.lit(lit))
    }
}
