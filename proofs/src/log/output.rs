//! Writes the lines of a proof from a log.

use std::io;

use rustsat::types::Lit;

use super::{KEPT, Log};
use crate::cores;
use crate::define::Definitions;
use crate::error::ProofError;
use crate::trim::{ROW, UNITS};
use crate::veripb::{Id, Line, Writer};

/// If a learnt clause depends on unit clauses, one inequality states all of their literals. It replaces a list of many
/// hints. With more unit clauses than this, the hints of the learnt clause list those that it depends on.
const MOST_UNITS: usize = 1024;

/// A clause that has more uses than this is derived by itself if the inequality that takes its place is long.
const MOST_USES: u32 = 2;

/// A proof that is being written.
pub(super) struct Output<'a> {
    pub(super) log: &'a Log,
    pub(super) definitions: Definitions,
    /// For each clause, the inequality that takes its place, if the proof contains it.
    places: Vec<Option<Place>>,
    /// For each clause, the number of its uses as a hint in the rest of the proof.
    uses: Vec<u32>,
    /// The unit clauses that learnt clauses use without listing them, in ascending order. The first `added` ones are in
    /// the proof.
    units: Vec<u32>,
    added: usize,
    /// The inequality that states all literals of these unit clauses.
    all_units: Option<Place>,
    /// The constraints of connectivity. `None` before they are needed.
    graphs: Option<Vec<usize>>,
    pub(super) derived: u64,
    pub(super) proof: Writer<'a>,
}

/// An inequality in the proof that takes the place of a clause.
#[derive(Debug, Clone, Copy)]
struct Place {
    id: Id,
    /// True if the inequality can be deleted when the clause is no longer used.
    is_owned: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(log: &'a Log, proof: Writer<'a>) -> Self {
        Self {
            log,
            definitions: log.definitions.clone(),
            places: vec![None; log.ends.len()],
            uses: vec![0; log.ends.len()],
            units: Vec::new(),
            added: 0,
            all_units: None,
            graphs: None,
            derived: 0,
            proof,
        }
    }

    /// Counts the uses of clauses as hints.
    pub(super) fn count_uses<'h>(&mut self, hints: impl Iterator<Item = &'h u32>) {
        for &hint in hints.filter(|&&hint| hint < ROW) {
            self.uses[hint as usize] += 1;
        }
    }

    /// Sets the unit clauses for which the hint [`UNITS`] stands. They are never deleted.
    pub(super) fn keep_units(&mut self, units: &[u32]) {
        self.count_uses(units.iter());
        self.units = units.to_vec();
    }

    /// Sets the number of a derived clause.
    pub(super) fn set(&mut self, clause: u32, id: Id) {
        self.places[clause as usize] = Some(Place { id, is_owned: true });
    }

    /// Derives an inequality that takes the place of a constraint's clause, unless it has already been derived. Returns
    /// its number.
    pub(super) fn given(&mut self, clause: u32) -> Result<Id, ProofError> {
        if let Some(place) = self.places[clause as usize] {
            return Ok(place.id);
        }
        let lits = self.log.lits_of(clause);
        self.definitions.introduce(lits, &mut self.proof)?;
        self.lemmas(clause)?;
        let (name, constraint) = &self.log.constraints[self.log.origins[clause as usize] as usize];
        let derived = constraint.derive(lits, &self.log.formula, &self.definitions, &mut self.proof)?;
        let Some(derived) = derived else {
            let clause = lits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            return Err(ProofError::NotDerived { constraint: (*name).to_owned(), clause });
        };
        let mut place = Place { id: derived.id, is_owned: derived.is_new };
        if derived.is_long && self.uses[clause as usize] > MOST_USES {
            place = Place { id: self.proof.rup(lits, &[derived.id])?, is_owned: true };
            if derived.is_new {
                self.proof.delete(&[derived.id])?;
            }
        }
        self.derived += 1;
        self.places[clause as usize] = Some(place);
        Ok(place.id)
    }

    /// Derives the lemmas of a clause, unless they have already been derived.
    fn lemmas(&mut self, clause: u32) -> Result<(), ProofError> {
        let constraints = &self.log.constraints;
        for lemma in constraints[self.log.origins[clause as usize] as usize].1.lemmas() {
            if self.proof.kept(&lemma).is_some() {
                continue;
            }
            let graphs = self.graphs.get_or_insert_with(|| {
                (0..constraints.len()).filter(|&number| constraints[number].1.graph().is_some()).collect()
            });
            for &graph in &*graphs {
                let (formula, definitions) = (&self.log.formula, &self.definitions);
                let derived = constraints[graph].1.derive(&lemma, formula, definitions, &mut self.proof)?;
                if let Some(derived) = derived {
                    self.proof.keep(&lemma, derived.id);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Writes a learnt clause with its hints. `number` is the number of the clause.
    pub(super) fn learnt(&mut self, clause: &[Lit], hints: &[u32], number: u32) -> Result<Id, ProofError> {
        let mut ids = Vec::with_capacity(hints.len());
        let hints = match hints {
            [UNITS, hints @ ..] => {
                self.add_units(hints, number, &mut ids)?;
                hints
            }
            _ => hints,
        };
        for &hint in hints {
            ids.push(if hint < ROW { self.given(hint)? } else { hint - ROW });
        }
        self.definitions.introduce(clause, &mut self.proof)?;
        Ok(self.proof.rup(clause, &ids)?)
    }

    /// Adds the hints for which [`UNITS`] stands in the hints of a learnt clause.
    fn add_units(&mut self, hints: &[u32], number: u32, ids: &mut Vec<Id>) -> Result<(), ProofError> {
        let end = self.units.partition_point(|&unit| unit < number);
        if end > MOST_UNITS {
            let mut units = Vec::new();
            for &hint in hints {
                self.log.units_against(hint, &mut units);
            }
            units.sort_unstable();
            units.dedup();
            for unit in units.into_iter().filter(|&unit| unit < number) {
                ids.push(self.given(unit)?);
            }
            return Ok(());
        }
        if self.added < end {
            let mut line = Line::default();
            let before = self.all_units;
            if let Some(before) = before {
                line.add(before.id);
            }
            for index in self.added..end {
                let unit = self.units[index];
                let mut id = self.given(unit)?;
                // A row of the formula may take the place of the unit clause, but the sum needs the clause itself.
                if self.log.origins[unit as usize] < KEPT {
                    id = self.proof.rup(&self.log.lits_of(unit)[..1], &[id])?;
                }
                line.add(id);
            }
            let last = self.proof.last();
            let id = self.proof.pol(&line)?;
            if let Some(before) = before.filter(|before| before.is_owned) {
                self.proof.delete(&[before.id])?;
            }
            self.all_units = Some(Place { id, is_owned: id > last });
            self.added = end;
        }
        ids.extend(self.all_units.map(|all| all.id));
        Ok(())
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

    /// Deletes the hints of a learnt clause that no later clause needs, except rows of the formula.
    pub(super) fn forget(&mut self, hints: &[u32]) -> io::Result<()> {
        let mut unused = Vec::new();
        for &hint in hints.iter().filter(|&&hint| hint < ROW) {
            let uses = &mut self.uses[hint as usize];
            *uses -= 1;
            if *uses == 0
                && let Some(place) = self.places[hint as usize].take()
                && place.is_owned
            {
                unused.push(place.id);
            }
        }
        self.proof.delete(&unused)
    }
}
