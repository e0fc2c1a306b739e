//! Writes the lines of a proof from a log.

use std::collections::HashMap;
use std::io;

use rustsat::types::Lit;

use super::Log;
use crate::cores;
use crate::define::Definitions;
use crate::error::ProofError;
use crate::hash::BuildMultiply;
use crate::veripb::{Id, Writer};

/// A proof that is being written.
pub(super) struct Output<'a> {
    pub(super) log: &'a Log,
    pub(super) definitions: Definitions,
    /// Maps each derived clause to its number in the proof.
    pub(super) ids: HashMap<u32, Id, BuildMultiply>,
    /// Maps each needed clause to the last step of the proof that has it as a hint. The steps are the needed learnt
    /// clauses, and then the contradiction.
    pub(super) last_uses: HashMap<u32, usize, BuildMultiply>,
    pub(super) derived: u64,
    pub(super) proof: Writer<'a>,
}

impl<'a> Output<'a> {
    pub(super) fn new(log: &'a Log, proof: Writer<'a>) -> Self {
        Self {
            log,
            definitions: log.definitions.clone(),
            ids: HashMap::default(),
            last_uses: HashMap::default(),
            derived: 0,
            proof,
        }
    }

    /// Derives a clause of a constraint if it has not been derived yet. Returns its number.
    pub(super) fn given(&mut self, clause: u32) -> Result<Id, ProofError> {
        if let Some(&id) = self.ids.get(&clause) {
            return Ok(id);
        }
        let lits = self.log.lits_of(clause);
        self.definitions.introduce(lits, &mut self.proof)?;
        let (name, constraint) = &self.log.constraints[self.log.origins[clause as usize] as usize];
        let id = constraint.derive(lits, &self.log.formula, &self.definitions, &mut self.proof)?;
        let Some(id) = id else {
            let clause = lits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            return Err(ProofError::NotDerived { constraint: (*name).to_owned(), clause });
        };
        self.derived += 1;
        self.ids.insert(clause, id);
        Ok(id)
    }

    /// Writes a learnt clause with its hints.
    pub(super) fn learnt(&mut self, clause: &[Lit], hints: &[u32]) -> Result<Id, ProofError> {
        let hints = hints.iter().map(|&hint| self.given(hint)).collect::<Result<Vec<_>, _>>()?;
        self.definitions.introduce(clause, &mut self.proof)?;
        Ok(self.proof.rup(clause, &hints)?)
    }

    /// Derives a contradiction from the cores of a core-guided search.
    pub(super) fn bound(&mut self) -> Result<Id, ProofError> {
        let mut ids = Vec::new();
        for core in &self.log.cores {
            // The hint may be a row that implies the core, but the sum needs the core itself.
            let hint = self.given(core.clause)?;
            ids.push(self.proof.rup(self.log.lits_of(core.clause), &[hint])?);
        }
        let better = self.log.better.as_deref().unwrap_or_default();
        let cores = self.log.cores.iter().cloned().zip(ids);
        cores::refute(cores, better, &self.log.formula, &mut self.definitions, &mut self.proof)
    }

    /// Deletes the hints that no later step needs, except rows of the formula.
    pub(super) fn forget(&mut self, hints: &[u32], step: usize) -> io::Result<()> {
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
