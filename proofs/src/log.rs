//! The log of a run, and the proof that is written from it.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::Arc;

use rustsat::types::Lit;

use crate::define::{Definitions, Terms};
use crate::error::ProofError;
use crate::formula::Formula;
use crate::hash::{BuildMultiply, hash};
use crate::row::Row;
use crate::trim::{self, Step};
use crate::veripb::{Id, Writer};

/// A constraint of the problem that can derive its clauses in a proof.
pub trait Derive: fmt::Debug + Send {
    /// Derives a clause from rows of the formula and from definitions. Returns the number of the derived clause, or
    /// `None` if the clause can't be derived.
    ///
    /// # Errors
    /// Returns an error if writing fails or a number overflows.
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        definitions: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Id>, ProofError>;
}

/// A constraint whose clauses are derived by adding up rows of the formula and definitions of auxiliary variables.
#[derive(Debug, Clone, Default)]
pub struct Rows(pub Vec<Id>);

impl Derive for Rows {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        definitions: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Id>, ProofError> {
        definitions.derive(clause, &self.0, formula, proof)
    }
}

/// The size of a written proof.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of rows of the formula.
    pub rows: u64,
    /// The size of the formula in bytes.
    pub formula_bytes: u64,
    /// The size of the proof in bytes.
    pub proof_bytes: u64,
    /// The number of clauses that the solver learnt.
    pub learnt: u64,
    /// The number of learnt clauses in the proof.
    pub needed: u64,
    /// The number of clauses in the proof that were derived from constraints.
    pub derived: u64,
}

/// The value in [`Log::origins`] that marks a learnt clause.
const LEARNT: u32 = u32::MAX;

/// A log of everything that a refutation needs: the formula, the definitions of auxiliary variables, and the clauses
/// in the order in which they were added to the solver or learnt.
#[derive(Debug, Default)]
pub struct Log {
    /// The formula to refute.
    pub formula: Formula,
    definitions: Definitions,
    lits: Vec<Lit>,
    ends: Vec<usize>,
    steps: Vec<Step>,
    /// For each clause, the index of its constraint, or `LEARNT`.
    origins: Vec<u32>,
    constraints: Vec<(String, Box<dyn Derive>)>,
    /// For each hash value, the last clause whose literals have it.
    known: HashMap<u64, u32, BuildMultiply>,
    scratch: Vec<Lit>,
    /// The constraint that is being encoded.
    open: Option<u32>,
    /// The first failure. [`Log::write`] returns it.
    failure: Option<ProofError>,
}

impl Log {
    /// Adds a constraint with its name, and returns its number.
    #[expect(clippy::missing_panics_doc, reason = "memory holds fewer constraints")]
    pub fn constraint(&mut self, name: &str, constraint: Box<dyn Derive>) -> u32 {
        self.constraints.push((name.to_owned(), constraint));
        u32::try_from(self.constraints.len() - 1).expect("there are fewer than 2^32 constraints")
    }

    /// Starts the encoding of a constraint. Until [`Log::end`], all clauses that are passed to [`Log::clause`] must
    /// follow from the constraint. If another constraint is being encoded, does nothing and returns `false`, because
    /// this constraint is a part of it.
    ///
    /// If `constraint` returns `None`, the formula can't state the constraint, and [`Log::write`] returns an error.
    pub fn begin(
        &mut self,
        name: &str,
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

    /// Continues the encoding of a constraint until [`Log::end`].
    pub fn resume(&mut self, constraint: u32) {
        self.open = Some(constraint);
    }

    /// Adds a clause to the formula, and records it.
    pub fn require(&mut self, name: &str, clause: &[Lit]) {
        let id = self.formula.add(Row::clause(clause));
        let constraint = self.constraint(name, Box::new(Rows(id.into_iter().collect())));
        self.given(constraint, clause);
    }

    /// Ends the encoding of the constraint that was started last.
    pub fn end(&mut self) {
        if let Some(open) = self.open.take()
            && self.formula.is_incomplete()
        {
            let constraint = self.constraints[open as usize].0.clone();
            self.fail(ProofError::NoFormula { constraint });
        }
    }

    /// Returns the number of the constraint that is being encoded, if there is one.
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
    /// occurs twice counts twice.
    pub fn define(&mut self, lit: Lit, lits: impl Into<Arc<[Lit]>>, bound: i128) {
        self.definitions.define(lit, Terms::Lits(lits.into()), bound);
    }

    /// Defines an auxiliary variable: `lit` is true if and only if the sum of the terms is at least `bound`.
    pub fn define_sum(&mut self, lit: Lit, terms: impl Into<Arc<[(i128, Lit)]>>, bound: i128) {
        self.definitions.define(lit, Terms::Weighted(terms.into()), bound);
    }

    /// Records a clause of the constraint that is being encoded. If there is no such constraint, the clause must follow
    /// from the preceding clauses by unit propagation.
    pub fn clause(&mut self, clause: &[Lit]) {
        self.add(clause, self.open.unwrap_or(LEARNT));
    }

    /// Defines `lit` as the disjunction of `lits`. Rows that are added to the formula later contain the disjunction
    /// in place of the literal. `lits` must not be empty.
    pub fn replace(&mut self, lit: Lit, lits: &[Lit]) {
        self.define(lit, lits, 1);
        self.formula.replace(lit, lits);
    }

    /// Records a clause that follows from a constraint. A clause that is already recorded for a constraint is ignored.
    pub fn given(&mut self, constraint: u32, clause: &[Lit]) {
        self.add(clause, constraint);
    }

    /// Records a clause that the solver learnt.
    pub fn learnt(&mut self, clause: &[Lit]) {
        self.add(clause, LEARNT);
    }

    /// Sorts a clause, and returns its hash value. Returns `None` if the clause is a tautology.
    fn normalise(&mut self, clause: &[Lit]) -> Option<u64> {
        self.scratch.clear();
        self.scratch.extend_from_slice(clause);
        self.scratch.sort_unstable();
        self.scratch.dedup();
        if self.scratch.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            return None;
        }
        Some(hash(&self.scratch))
    }

    fn lits_of(&self, clause: u32) -> &[Lit] {
        let index = clause as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.lits[start..self.ends[index]]
    }

    fn add(&mut self, clause: &[Lit], origin: u32) {
        let Some(hash) = self.normalise(clause) else { return };
        // A learnt clause that also follows from a constraint is recorded a second time, because the learnt clause
        // may be deleted.
        if let Some(&known) = self.known.get(&hash)
            && *self.lits_of(known) == self.scratch
            && (origin == LEARNT || self.origins[known as usize] != LEARNT)
        {
            return;
        }
        self.lits.extend_from_slice(&self.scratch);
        self.ends.push(self.lits.len());
        self.origins.push(origin);
        self.steps.push(if origin == LEARNT { Step::Learnt } else { Step::Given });
        self.known.insert(hash, u32::try_from(self.origins.len() - 1).unwrap_or(LEARNT));
    }

    /// Records that the solver deleted a learnt clause. A clause that is not recorded is ignored, because the solver may
    /// have removed literals from it.
    pub fn deleted(&mut self, clause: &[Lit]) {
        let Some(hash) = self.normalise(clause) else { return };
        if let Some(&known) = self.known.get(&hash)
            && self.origins[known as usize] == LEARNT
            && *self.lits_of(known) == self.scratch
        {
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
        let trimmed = trim::trim(&self.lits, &self.ends, &self.steps)?;
        let formula_bytes = self.formula.write(formula)?;
        let (proof_bytes, derived) = self.output(proof, |mut out| {
            for (step, (_, hints)) in trimmed.learnt.iter().enumerate() {
                out.last_uses.extend(hints.iter().map(|&hint| (hint, step)));
            }
            out.last_uses.extend(trimmed.conflict.iter().map(|&hint| (hint, trimmed.learnt.len())));
            for (step, (clause, hints)) in trimmed.learnt.iter().enumerate() {
                let id = out.learnt(out.log.lits_of(*clause), hints)?;
                out.ids.insert(*clause, id);
                out.forget(hints, step)?;
            }
            let contradiction = out.learnt(&[], &trimmed.conflict)?;
            Ok((out.proof.conclude(contradiction)?, out.derived))
        })?;
        Ok(Summary {
            rows: self.formula.len().into(),
            formula_bytes,
            proof_bytes,
            learnt: self.origins.iter().filter(|&&origin| origin == LEARNT).count() as u64,
            needed: trimmed.learnt.len() as u64,
            derived,
        })
    }

    /// Writes a proof that derives all clauses of the constraints, instead of a refutation. The proof has no
    /// conclusion about the formula.
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
                if origin != LEARNT {
                    out.given(clause)?;
                }
            }
            out.proof.conclude_nothing()?;
            Ok(())
        })
    }

    /// Starts a proof about the written formula, and calls `write` for its lines.
    fn output<R>(
        &mut self,
        proof: &mut dyn io::Write,
        write: impl FnOnce(Output<'_>) -> Result<R, ProofError>,
    ) -> Result<R, ProofError> {
        let rows = self.formula.len();
        let mut names = std::mem::take(self.formula.names());
        let mut out = Output {
            log: &*self,
            definitions: self.definitions.clone(),
            ids: HashMap::default(),
            last_uses: HashMap::default(),
            derived: 0,
            proof: Writer::new(proof, &mut names, rows),
        };
        let result = match out.definitions.derive_sums(&self.formula, &mut out.proof) {
            Ok(()) => write(out),
            Err(error) => Err(error),
        };
        *self.formula.names() = names;
        result
    }
}

/// A proof that is being written.
struct Output<'a> {
    log: &'a Log,
    definitions: Definitions,
    /// For each derived clause, its number in the proof.
    ids: HashMap<u32, Id, BuildMultiply>,
    /// For each needed clause, the last learnt clause that has it as a hint.
    last_uses: HashMap<u32, usize, BuildMultiply>,
    derived: u64,
    proof: Writer<'a>,
}

impl Output<'_> {
    /// Derives a clause of a constraint if it is not yet derived. Returns its number.
    fn given(&mut self, clause: u32) -> Result<Id, ProofError> {
        if let Some(&id) = self.ids.get(&clause) {
            return Ok(id);
        }
        let lits = self.log.lits_of(clause);
        self.definitions.introduce(lits, &mut self.proof)?;
        let (name, constraint) = &self.log.constraints[self.log.origins[clause as usize] as usize];
        let id = constraint.derive(lits, &self.log.formula, &self.definitions, &mut self.proof)?;
        let Some(id) = id else {
            let clause = lits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            return Err(ProofError::NotDerived { constraint: name.clone(), clause });
        };
        self.derived += 1;
        self.ids.insert(clause, id);
        Ok(id)
    }

    /// Writes a learnt clause with its hints.
    fn learnt(&mut self, clause: &[Lit], hints: &[u32]) -> Result<Id, ProofError> {
        let hints = hints.iter().map(|&hint| self.given(hint)).collect::<Result<Vec<_>, _>>()?;
        self.definitions.introduce(clause, &mut self.proof)?;
        Ok(self.proof.rup(clause, &hints)?)
    }

    /// Deletes the hints that no later step needs, except rows of the formula.
    fn forget(&mut self, hints: &[u32], step: usize) -> io::Result<()> {
        let mut unused = Vec::new();
        for hint in hints {
            if self.last_uses[hint] == step
                && let Some(id) = self.ids.remove(hint)
                && id > self.log.formula.len()
            {
                unused.push(id);
            }
        }
        self.proof.delete(&unused)
    }
}
