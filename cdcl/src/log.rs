//! Logs a proof: numbers the clauses, and collects the hints of derived clauses.
//!
//! The hints of a clause are the reasons from which it follows. The search for the hints starts with the literals of
//! the conflict, and replaces each literal that is not in the clause by the other literals of its reason. A literal
//! that is true at level 0 is derived as a unit clause, so its reason is not followed. Many clauses depend on hundreds
//! of these literals, so the hint [`UNITS`] stands for all unit clauses.

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::{ClauseId, Log, MOST_CLAUSES, Proof, UNITS, Visit};
use crate::state::{Conflict, Reason, Solver};
use crate::theory::Theory;

/// All functions that return the number of a clause return 0 if no proof is logged.
impl Solver {
    /// Logs all clauses that the solver uses, derives and deletes from now on. The solver must not have any clauses
    /// yet.
    pub fn log_proof(&mut self, proof: Box<dyn Proof>) {
        let mut log = Log::new(proof);
        log.reserve(self.level.len());
        self.log = Some(Box::new(log));
    }

    /// Logs a clause of the formula.
    pub(crate) fn log_added(&mut self, clause: &[Lit]) -> ClauseId {
        self.with_log(|_, log| {
            let id = log.next();
            log.proof.added(id, clause);
            id
        })
    }

    /// Logs a clause of the theory.
    pub(crate) fn log_lemma(&mut self, clause: &[Lit]) -> ClauseId {
        self.with_log(|_, log| {
            let id = log.next();
            log.proof.lemma(id, clause);
            id
        })
    }

    /// For each literal on the trail from position `start`, logs the explanation of the literal and its unit clause.
    /// The theory has derived these literals at level 0.
    pub(crate) fn log_theory_units(&mut self, start: usize, theory: &mut dyn Theory) {
        for index in start..self.trail.len() {
            let lit = self.trail[index];
            let mut clause = Vec::new();
            theory.explain(lit, &mut clause);
            for cause in &mut clause {
                *cause = !*cause;
            }
            clause.push(lit);
            let lemma = self.log_lemma(&clause);
            let unit = self.log_resolved(&[lit], &clause, lemma);
            self.set_cause(lit, unit);
        }
    }

    /// Sets the number of the clause that implies a literal. For a literal at level 0, this clause is its unit clause.
    #[inline]
    pub(crate) fn set_cause(&mut self, lit: Lit, id: ClauseId) {
        if let Some(log) = &mut self.log {
            log.causes[lit.var()] = id;
        }
    }

    /// Logs the unit clause of `lit`, a literal at level 0 with the given reason.
    pub(crate) fn log_unit(&mut self, lit: Lit, reason: Reason) {
        let id = match reason {
            Reason::Binary(other) => {
                let id = self.cause(lit);
                self.log_resolved(&[lit], &[lit, other], id)
            }
            Reason::Clause(clause) => {
                let lits: Vec<Lit> = self.arena.lits(clause).collect();
                self.log_resolved(&[lit], &lits, self.arena.id(clause))
            }
            // The caller logs the unit clause.
            Reason::None | Reason::Theory => return,
        };
        self.set_cause(lit, id);
    }

    /// Returns the number of the clause that implies a literal. For a literal at level 0, this clause is its unit
    /// clause; for any other literal, it is a clause outside the arena.
    pub(crate) fn cause(&self, lit: Lit) -> ClauseId {
        self.log.as_ref().map_or(0, |log| log.causes[lit.var()])
    }

    /// Logs a derived clause. If all its literals are false, propagation leads to `conflict`.
    pub(crate) fn log_conflict(&mut self, clause: &[Lit], conflict: &Conflict) -> ClauseId {
        if self.log.is_none() {
            return 0;
        }
        match conflict {
            Conflict::Binary(a, b, id) => self.log_resolved(clause, &[*a, *b], *id),
            Conflict::Clause(from) => self.log_shorter(clause, *from),
            Conflict::Theory(lits, id) => self.log_resolved(clause, lits, *id),
        }
    }

    /// Logs a derived clause. If all its literals are false, propagation makes all literals of `from` false.
    pub(crate) fn log_shorter(&mut self, clause: &[Lit], from: ClauseRef) -> ClauseId {
        if self.log.is_none() {
            return 0;
        }
        let lits: Vec<Lit> = self.arena.lits(from).collect();
        self.log_resolved(clause, &lits, self.arena.id(from))
    }

    /// Logs a clause that contains `implied`. If all other literals of the clause are false, propagation makes
    /// `implied` true.
    pub(crate) fn log_implied(&mut self, clause: &[Lit], implied: Lit) -> ClauseId {
        if self.log.is_none() {
            return 0;
        }
        match self.reason[implied.var()] {
            _ if self.level[implied.var()] == 0 => self.log_resolved(clause, &[implied], self.cause(implied)),
            Reason::None => self.log_hinted(clause, &[]),
            Reason::Binary(other) => self.log_resolved(clause, &[implied, other], self.cause(implied)),
            Reason::Clause(reason) => self.log_shorter(clause, reason),
            Reason::Theory => self.log_resolved(clause, &[implied], self.cause(implied)),
        }
    }

    /// Logs a clause that is derived from the clause `from`, whose number is `id`. If all literals of the derived
    /// clause are false, propagation makes all literals of `from` false.
    pub(crate) fn log_resolved(&mut self, clause: &[Lit], from: &[Lit], id: ClauseId) -> ClauseId {
        self.with_log(|solver, log| {
            solver.collect_hints(log, clause, from);
            log.hints.push(id);
            let derived = log.next();
            let (proof, hints) = log.with_hints();
            proof.derived(derived, clause, hints);
            derived
        })
    }

    /// Logs a clause with the given hints.
    pub(crate) fn log_hinted(&mut self, clause: &[Lit], hints: &[ClauseId]) -> ClauseId {
        self.with_log(|_, log| {
            let derived = log.next();
            log.proof.derived(derived, clause, hints);
            derived
        })
    }

    /// Logs that unit propagation derives all literals of `lits` from those in `needed`, with the hints for this
    /// derivation.
    pub(crate) fn log_implying(&mut self, lits: &[Lit], needed: &[Lit], theory: &mut dyn Theory) {
        if self.log.is_none() {
            return;
        }
        // The explanations of the theory are logged first.
        let mut explained = Vec::new();
        for index in self.starts.first().copied().unwrap_or(self.trail.len())..self.trail.len() {
            if self.reason[self.trail[index].var()] == Reason::Theory {
                explained.clear();
                self.antecedents(self.trail[index], theory, &mut explained);
            }
        }
        self.with_log(|solver, log| {
            solver.collect_hints(log, needed, lits);
            let (proof, hints) = log.with_hints();
            proof.implied(needed, lits, hints);
            0
        });
    }

    /// Logs the deletion of a derived clause.
    pub(crate) fn log_deleted(&mut self, clause: ClauseRef) {
        if let Some(log) = &mut self.log {
            let lits: Vec<Lit> = self.arena.lits(clause).collect();
            log.proof.deleted(self.arena.id(clause), &lits);
        }
    }

    fn with_log(&mut self, write: impl FnOnce(&mut Self, &mut Log) -> ClauseId) -> ClauseId {
        let Some(mut log) = self.log.take() else { return 0 };
        let id = write(self, &mut log);
        // If no clause numbers are left, the proof is incomplete.
        self.full |= log.last == MOST_CLAUSES;
        self.log = Some(log);
        id
    }

    /// Collects as hints the clauses with which unit propagation derives the values of the variables in `from`, given
    /// the values of the variables in `clause`.
    fn collect_hints(&self, log: &mut Log, clause: &[Lit], from: &[Lit]) {
        log.hints.clear();
        log.hints.push(UNITS);
        log.uses_units = false;
        log.stamp += 1;
        for lit in clause {
            log.visited[lit.var()] = log.stamp;
        }
        log.stack.extend(from.iter().copied().map(Visit::Open));
        while let Some(visit) = log.stack.pop() {
            let lit = match visit {
                Visit::Close(id) => {
                    log.hints.push(id);
                    continue;
                }
                Visit::Open(lit) => lit,
            };
            let var = lit.var();
            if std::mem::replace(&mut log.visited[var], log.stamp) == log.stamp {
                continue;
            }
            if self.level[var] == 0 {
                // At level 0, the clause is the unit clause of the next literal, and depends on few other literals.
                if self.starts.is_empty() {
                    log.hints.push(log.causes[var]);
                } else {
                    log.uses_units = true;
                }
                continue;
            }
            match self.reason[var] {
                Reason::None => {}
                Reason::Theory => log.hints.push(log.causes[var]),
                Reason::Binary(other) => {
                    log.stack.extend([Visit::Close(log.causes[var]), Visit::Open(other)]);
                }
                Reason::Clause(reason) => {
                    log.stack.push(Visit::Close(self.arena.id(reason)));
                    log.stack.extend(self.arena.lits(reason).map(Visit::Open));
                }
            }
        }
    }
}
