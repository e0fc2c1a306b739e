//! Records a run of a solver, and writes a proof from the record.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use crate::cores::Core;
use crate::define::Definitions;
use crate::derive::{Derive, Rows};
use crate::error::ProofError;
use crate::formula::Formula;
use crate::row::Row;
use crate::terms::{Prefix, Terms};
use crate::trim::{Hints, Step};
use crate::veripb::{Id, Writer};

mod clausal;
mod hinted;
mod optimum;
mod output;
mod record;

pub use clausal::ClausalFiles;
use output::Output;

/// The size of a written proof.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of rows of the formula.
    pub rows: u64,
    /// The size of the formula in bytes.
    pub formula_bytes: u64,
    /// The size of the proof in bytes.
    pub proof_bytes: u64,
    /// The number of clauses that the solver has learnt.
    pub learnt: u64,
    /// The number of learnt clauses in the proof.
    pub needed: u64,
    /// The number of clauses in the proof that were derived from constraints.
    pub derived: u64,
}

/// The value in [`Log::origins`] for a learnt clause.
const LEARNT: u32 = u32::MAX;
/// The value in [`Log::origins`] for a learnt clause that the proof keeps even if the solver deletes it.
const KEPT: u32 = u32::MAX - 1;

/// A log of everything that a refutation needs: the formula, the definitions of auxiliary variables, and the clauses
/// in the order in which they were added or learnt.
#[derive(Debug, Default)]
pub struct Log {
    /// The formula to refute.
    pub formula: Formula,
    definitions: Definitions,
    lits: Vec<Lit>,
    ends: Vec<usize>,
    steps: Vec<Step>,
    /// For each clause, the index of the constraint that implies it, or `LEARNT` or `KEPT`.
    origins: Vec<u32>,
    /// The constraints, each with its name.
    constraints: Vec<(&'static str, Box<dyn Derive>)>,
    /// Maps each hash value to the last clause whose literals have this hash value.
    known: HashMap<u64, u32, FxBuildHasher>,
    /// For each learnt clause that the solver has derived more than once, the number of additional copies.
    copies: HashMap<u32, u32, FxBuildHasher>,
    scratch: Vec<Lit>,
    /// For each literal, the value of `stamp` when it was last copied to `scratch`.
    stamps: Vec<u64>,
    stamp: u64,
    hints: Hints,
    /// For each literal, the number of the first clause that consists of this literal only, or `LEARNT` if there is none.
    units: Vec<u32>,
    /// The hints of the next clause to be recorded.
    next_hints: Vec<u32>,
    /// The last clause that was added to the formula.
    required: Option<u32>,
    /// The last recorded learnt clause with hints, and the first empty learnt clause with hints.
    last_learnt: Option<u32>,
    refuted: Option<u32>,
    /// The constraint that is being encoded.
    open: Option<u32>,
    /// The cores of a core-guided search.
    cores: Vec<Core>,
    /// The inequalities that require a better value of the objective, each with the number of its row. `None` before
    /// [`Log::require_better`] is called.
    better: Option<Vec<(Id, Row)>>,
    /// True if the log may contain only clauses of the formula and clauses that follow from them by unit propagation (the
    /// clausal form).
    pub clausal: bool,
    /// The first failure, which [`Log::write`] returns.
    failure: Option<ProofError>,
}

impl Log {
    /// Adds a constraint with its name, and returns its number.
    #[expect(clippy::missing_panics_doc, reason = "memory holds fewer constraints")]
    pub fn constraint(&mut self, name: &'static str, constraint: Box<dyn Derive>) -> u32 {
        self.constraints.push((name, constraint));
        u32::try_from(self.constraints.len() - 1).expect("there are fewer than 2^32 constraints")
    }

    /// Starts the encoding of a constraint. Until [`Log::end`], all clauses that are passed to [`Log::clause`] must
    /// follow from the constraint. If another constraint is being encoded, does nothing and returns `false`, because
    /// the new constraint is a part of it.
    ///
    /// If `constraint` returns `None`, the constraint can't be expressed in the formula, and [`Log::write`] returns an
    /// error.
    pub fn begin(
        &mut self,
        name: &'static str,
        constraint: impl FnOnce(&mut Formula) -> Option<Box<dyn Derive>>,
    ) -> bool {
        if self.open.is_some() {
            return false;
        }
        let constraint = constraint(&mut self.formula).unwrap_or_else(|| {
            self.fail(ProofError::NoFormula { constraint: name.to_owned() });
            Box::new(Rows::default())
        });
        self.open = Some(self.constraint(name, constraint));
        true
    }

    /// Starts the clauses that order the literals `x <= v` of an integer, which are given in ascending order of v: each
    /// literal implies the next one. These clauses are added to the formula. After the clauses have been passed to
    /// [`Log::clause`], the caller must call [`Log::end`].
    ///
    /// If a constraint is being encoded, the integer is auxiliary, so its literals are not in the formula. The function
    /// then returns `false`, and [`Log::write`] returns an error.
    pub fn begin_order(&mut self, lits: &[Lit]) -> bool {
        if self.open.is_some() {
            self.fail(ProofError::Unsupported("auxiliary integers"));
            return false;
        }
        let mut rows = Vec::new();
        for pair in lits.windows(2) {
            if let Some(id) = self.formula.add(Row::clause(&[!pair[0], pair[1]])) {
                self.definitions.order(pair[0], pair[1], id);
                rows.push(id);
            }
        }
        self.open = Some(self.constraint("integers", Box::new(Rows(rows))));
        true
    }

    /// Continues the encoding of a constraint until [`Log::end`].
    pub fn resume(&mut self, constraint: u32) {
        self.open = Some(constraint);
    }

    /// Adds a clause to the formula, and records it. Returns the number of the clause, or `None` if it is a tautology.
    pub fn require(&mut self, name: &'static str, clause: &[Lit]) -> Option<u32> {
        let id = self.formula.add(Row::clause(clause));
        let constraint = self.constraint(name, Box::new(Rows(id.into_iter().collect())));
        self.required = self.given(constraint, clause);
        self.required
    }

    /// Ends the encoding that [`Log::begin`] or [`Log::resume`] started last.
    pub fn end(&mut self) {
        if let Some(open) = self.open.take()
            && self.formula.is_incomplete()
        {
            let constraint = self.constraints[open as usize].0.to_owned();
            self.fail(ProofError::NoFormula { constraint });
        }
    }

    /// Returns the number of the constraint that is being encoded, if any.
    #[must_use]
    pub fn open(&self) -> Option<u32> {
        self.open
    }

    /// Records a failure, which [`Log::write`] returns.
    pub fn fail(&mut self, failure: ProofError) {
        self.failure.get_or_insert(failure);
    }

    /// Returns the first failure so far.
    #[must_use]
    pub fn failure(&self) -> Option<&ProofError> {
        self.failure.as_ref()
    }

    /// Defines an auxiliary variable: `lit` is true if and only if at least `bound` of `lits` are true. A literal that
    /// occurs twice is counted twice.
    pub fn define(&mut self, lit: Lit, lits: impl Into<Prefix>, bound: i128) {
        self.definitions.define(lit, Terms::Lits(lits.into()), bound);
    }

    /// Defines an auxiliary variable: `lit` is true if and only if the sum of the terms is at least `bound`.
    pub fn define_sum(&mut self, lit: Lit, terms: impl Into<Arc<[(i128, Lit)]>>, bound: i128) {
        self.definitions.define(lit, Terms::Weighted(terms.into()), bound);
    }

    /// Records a clause of the constraint that is being encoded. If there is no such constraint, the clause must follow
    /// from the preceding clauses by unit propagation. Returns the number of the clause, or `None` if it is a
    /// tautology.
    pub fn clause(&mut self, clause: &[Lit]) -> Option<u32> {
        match self.open {
            // Duplicates are not detected: encodings rarely write a clause twice, and the solver does not delete these
            // clauses.
            Some(constraint) => {
                self.lits.extend_from_slice(clause);
                Some(self.push(constraint))
            }
            None => self.add(clause, LEARNT),
        }
    }

    /// Defines `lit` as the disjunction of `lits`. Rows that are added to the formula later contain the disjunction
    /// in place of the literal. `lits` must not be empty.
    pub fn replace(&mut self, lit: Lit, lits: &[Lit]) {
        self.define(lit, lits, 1);
        self.formula.replace(lit, lits);
    }

    /// Records a clause that follows from a constraint. A clause that is already recorded for a constraint is ignored.
    /// Returns the number of the clause, or `None` if it is a tautology.
    pub fn given(&mut self, constraint: u32, clause: &[Lit]) -> Option<u32> {
        self.add(clause, constraint)
    }

    /// Records a clause that the solver learnt.
    pub fn learnt(&mut self, clause: &[Lit]) {
        let _ = self.add(clause, LEARNT);
    }

    fn lits_of(&self, clause: u32) -> &[Lit] {
        let index = clause as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.lits[start..self.ends[index]]
    }

    /// Records a clause that the solver learnt, and ignores later deletions of it.
    pub fn keep(&mut self, clause: &[Lit]) {
        let _ = self.add_kept(clause);
    }

    /// Records a clause with the origin `KEPT`. If the last learnt clause with hints implies the new clause, the learnt
    /// clause becomes the hint of the new clause.
    fn add_kept(&mut self, clause: &[Lit]) -> Option<u32> {
        let implies = |&last: &u32| self.lits_of(last).iter().all(|lit| clause.contains(lit));
        self.next_hints = self.last_learnt.filter(implies).into_iter().collect();
        self.add(clause, KEPT)
    }

    /// Records that the solver deleted a learnt clause, or one of its copies. A clause that is not recorded is ignored,
    /// because the solver may have removed literals from it.
    pub fn deleted(&mut self, clause: &[Lit]) {
        let Some(hash) = self.normalise(clause) else { return };
        if let Some(&known) = self.known.get(&hash)
            && self.origins[known as usize] == LEARNT
            && self.is_scratch(known)
        {
            if let Some(copies) = self.copies.get_mut(&known).filter(|copies| **copies > 0) {
                *copies -= 1;
                return;
            }
            self.known.remove(&hash);
            self.steps.push(Step::Delete(known));
        }
    }

    /// Writes the formula, and a proof that it is unsatisfiable.
    ///
    /// # Errors
    /// Returns an error if the recorded clauses do not refute the formula, or if a clause can't be derived from its
    /// constraint.
    pub fn write(
        &mut self,
        formula: &mut dyn io::Write,
        proof: &mut dyn io::Write,
    ) -> Result<Summary, ProofError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let trimmed = self.trimmed(true)?;
        let by_cores = trimmed.conflict.is_empty();
        let roots = self.roots();
        let last_hints = if by_cores { &roots } else { &trimmed.conflict };
        let formula_bytes = self.formula.write(formula)?;
        let (proof_bytes, derived) = self.output(proof, |mut out| {
            out.count_uses(trimmed.learnt.iter().flat_map(|(_, hints)| hints).chain(last_hints));
            out.keep_units(&trimmed.units);
            for (clause, hints) in &trimmed.learnt {
                let id = out.learnt(out.log.lits_of(*clause), hints, *clause)?;
                out.set(*clause, id);
                out.forget(hints)?;
            }
            let contradiction = if by_cores { out.bound()? } else { out.learnt(&[], last_hints, LEARNT)? };
            Ok((out.proof.conclude(contradiction)?, out.derived))
        })?;
        Ok(Summary {
            rows: self.formula.len().into(),
            formula_bytes,
            proof_bytes,
            learnt: self.origins.iter().filter(|&&origin| origin >= KEPT).count() as u64,
            needed: trimmed.learnt.len() as u64,
            derived,
        })
    }

    /// Instead of a refutation, writes a proof that derives all clauses of the constraints. The proof has no conclusion
    /// about the formula.
    ///
    /// # Errors
    /// Returns an error if a clause can't be derived from its constraint.
    pub fn write_given(
        &mut self,
        formula: &mut dyn io::Write,
        proof: &mut dyn io::Write,
    ) -> Result<(), ProofError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.formula.write(formula)?;
        self.output(proof, |mut out| {
            for (clause, &origin) in (0..).zip(&out.log.origins) {
                if origin < KEPT {
                    let id = out.given(clause)?;
                    out.proof.rup(out.log.lits_of(clause), &[id])?;
                }
            }
            out.proof.conclude_nothing()?;
            Ok(())
        })
    }

    /// Starts a proof about the formula, and calls `write`, which writes the lines of the proof.
    fn output<R>(
        &mut self,
        proof: &mut dyn io::Write,
        write: impl FnOnce(Output<'_>) -> Result<R, ProofError>,
    ) -> Result<R, ProofError> {
        let rows = self.formula.len();
        let mut names = std::mem::take(self.formula.names());
        let mut out = Output::new(&*self, Writer::new(proof, &mut names, rows));
        let rank = self.formula.rank();
        let ordered = if rank.is_empty() { Ok(()) } else { out.proof.order(rank).map_err(ProofError::from) };
        let derived = ordered.and_then(|()| out.definitions.derive_sums(&self.formula, &mut out.proof));
        let result = match derived {
            Ok(()) => write(out),
            Err(error) => Err(error),
        };
        *self.formula.names() = names;
        result
    }
}
