//! Clausal proofs.

use std::fmt;

use crate::lit::Lit;

/// The number of a clause in a proof. All clauses of the formula, the theory and the proof are numbered in one
/// sequence, in the order in which the solver passes them to the [`Proof`]. The first number is 1.
pub type ClauseId = u32;

/// The largest number of a clause. The watches of a binary clause store its number in 31 bits.
pub(crate) const MOST_CLAUSES: ClauseId = (1 << 31) - 1;

/// A hint that stands for all unit clauses so far: those of the formula, the theory and the proof.
pub const UNITS: ClauseId = 0;

/// A receiver of the clauses that the solver uses, derives and deletes.
///
/// Each derived clause comes with its *hints*: clauses from which it follows by reverse unit propagation (RUP). Assume
/// that all literals of the derived clause are false. Then each hint in turn, except the last one, has exactly one
/// literal that is not false, and this literal becomes true. Finally, all literals of the last hint are false. If the
/// first hint is [`UNITS`], the literals of all unit clauses become true.
///
/// The last derived clause of an unsatisfiable call contains only negated assumptions. If two of the assumptions
/// contradict each other, the clause contains both of them and has no hints.
pub trait Proof: fmt::Debug {
    /// Receives a clause of the formula.
    fn added(&mut self, id: ClauseId, clause: &[Lit]);

    /// Receives a clause of the theory: an explanation or a conflict.
    fn lemma(&mut self, id: ClauseId, clause: &[Lit]);

    /// Receives a derived clause and its hints.
    fn derived(&mut self, id: ClauseId, clause: &[Lit], hints: &[ClauseId]);

    /// Receives a derived clause that the solver deletes.
    fn deleted(&mut self, id: ClauseId, clause: &[Lit]);

    /// Receives the result `needed` of [`Solver::implying`](crate::Solver::implying) for `lits`. The hints are the
    /// clauses with which unit propagation derives the other literals of `lits` from the literals in `needed`.
    fn implied(&mut self, needed: &[Lit], lits: &[Lit], hints: &[ClauseId]) {
        let _ = (needed, lits, hints);
    }
}

/// The log of a proof.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) proof: Box<dyn Proof>,
    pub(crate) last: ClauseId,
    /// Maps each assigned variable to the number of the clause that implies its literal. At level 0, this is a unit
    /// clause. Above level 0, only clauses that are not in the arena are stored here.
    pub(crate) causes: Vec<ClauseId>,
    /// Maps each variable to the value of `stamp` at its last visit.
    pub(crate) visited: Vec<u64>,
    pub(crate) stamp: u64,
    pub(crate) stack: Vec<Visit>,
    /// [`UNITS`], and then the other hints of the clause that is being logged.
    pub(crate) hints: Vec<ClauseId>,
    /// True if the clause that is being logged depends on unit clauses which are not in `hints`.
    pub(crate) uses_units: bool,
}

/// An entry of the stack that is used to collect hints.
#[derive(Debug)]
pub(crate) enum Visit {
    Open(Lit),
    /// All causes of the literal that this clause implies have been visited.
    Close(ClauseId),
}

impl Log {
    pub(crate) fn new(proof: Box<dyn Proof>) -> Self {
        let (last, stamp) = (0, 0);
        let (causes, visited, stack, hints) = (vec![], vec![], vec![], vec![]);
        Self { proof, last, causes, visited, stamp, stack, hints, uses_units: false }
    }

    /// Returns the proof, and the hints of the clause that is being logged.
    pub(crate) fn with_hints(&mut self) -> (&mut dyn Proof, &[ClauseId]) {
        (&mut *self.proof, if self.uses_units { &self.hints } else { &self.hints[1..] })
    }

    /// Returns the number of the next clause.
    pub(crate) fn next(&mut self) -> ClauseId {
        self.last = self.last.saturating_add(1).min(MOST_CLAUSES);
        self.last
    }

    pub(crate) fn reserve(&mut self, variables: usize) {
        self.causes.resize(variables, 0);
        self.visited.resize(variables, 0);
    }
}
