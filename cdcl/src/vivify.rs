//! Vivification of learnt clauses.
//!
//! Vivification assumes the literals of a clause to be false, one after the other. The clause can be shortened if unit
//! propagation finds a conflict, or derives the value of another literal of the clause.
//!
//! Papers: Piette, Hamadi, Sais: *Vivifying propositional clausal formulae*, ECAI 2008; Luo, Li, Xiao, Manya, Lu: *An
//! effective learnt clause minimization approach for CDCL SAT solvers*, IJCAI 2017.

use crate::analyze::TIER_2;
use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::state::{Conflict, Reason, Solver};
use crate::theory::Theory;

/// The percentage of the solver's ticks that vivification may use.
const SHARE: u64 = 12;

impl Solver {
    /// Vivifies learnt clauses of the first two tiers, until the budget is used up.
    pub(crate) fn vivify(&mut self, theory: &mut dyn Theory) {
        if self.vivify_ticks * 100 > self.ticks * SHARE {
            return;
        }
        self.backtrack(0, theory);
        if let Some(conflict) = self.propagate() {
            self.refute(&conflict);
            return;
        }
        let before = self.ticks;
        let mut candidates: Vec<ClauseRef> = self.arena.refs().to_vec();
        candidates.retain(|&clause| {
            let arena = &self.arena;
            arena.is_learnt(clause)
                && !arena.is_removed(clause)
                && !arena.is_unwatched(clause)
                && !arena.is_vivified(clause)
                && arena.lbd(clause) <= TIER_2
        });
        candidates.sort_by_key(|&clause| (self.arena.lbd(clause), self.arena.len(clause)));
        for clause in candidates {
            let used = self.vivify_ticks + (self.ticks - before);
            if used * 100 > self.ticks * SHARE {
                break;
            }
            self.arena.set_vivified(clause, true);
            self.vivify_clause(clause);
            if self.inconsistent {
                return;
            }
        }
        self.vivify_ticks += self.ticks - before;
    }

    fn vivify_clause(&mut self, clause: ClauseRef) {
        let mut lits: Vec<Lit> = self.arena.lits(clause).collect();
        if lits.iter().any(|&lit| self.assigned(lit) > 0) {
            self.discard(clause);
            return;
        }
        let count = lits.len();
        lits.retain(|&lit| self.assigned(lit) == 0);
        lits.sort_by_key(|lit| std::cmp::Reverse(self.queue.time(lit.var())));
        // The clause must not take part in unit propagation while it is being vivified.
        self.unwatch(clause);
        let mut kept: Vec<Lit> = Vec::new();
        let mut shorter = None;
        // The number that identifies the shortened clause in the proof.
        let mut id = 0;
        for &lit in &lits {
            match self.assigned(lit) {
                0 => {
                    kept.push(lit);
                    self.decide(!lit);
                    if let Some(conflict) = self.propagate() {
                        let needed = self.responsible(&conflict);
                        if needed.len() < count {
                            id = self.log_conflict(&needed, &conflict);
                        }
                        shorter = Some(needed);
                        break;
                    }
                }
                1 => {
                    let mut needed = self.responsible(&Conflict::Binary(!lit, !lit, 0));
                    needed.push(lit);
                    if needed.len() < count {
                        id = self.log_implied(&needed, lit);
                    }
                    shorter = Some(needed);
                    break;
                }
                _ => {}
            }
        }
        if shorter.is_none() && kept.len() < count {
            id = self.log_shorter(&kept, clause);
        }
        self.undo(0);
        let new = shorter.unwrap_or(kept);
        if new.len() == count {
            self.watch(clause);
            return;
        }
        match new[..] {
            [] => self.inconsistent = true,
            [unit] => {
                self.assign_unit(unit, id);
                self.log_deleted(clause);
                self.arena.remove(clause);
                if let Some(conflict) = self.propagate() {
                    self.refute(&conflict);
                }
            }
            [a, b] => {
                self.log_deleted(clause);
                self.arena.remove(clause);
                self.add_binary(a, b, id);
            }
            _ => {
                self.log_deleted(clause);
                self.arena.shrink(clause, &new, id);
                let lbd = self.arena.lbd(clause).min(new.len() as u32 - 1);
                self.arena.set_lbd(clause, lbd);
                self.watch(clause);
            }
        }
    }

    /// Returns the negations of the decisions that imply a conflict.
    fn responsible(&self, conflict: &Conflict) -> Vec<Lit> {
        let mut seen = std::collections::HashSet::new();
        let mut open: Vec<Lit> = match conflict {
            Conflict::Binary(a, b, _) => vec![*a, *b],
            Conflict::Clause(clause) => self.arena.lits(*clause).collect(),
            Conflict::Theory(lits, _) => lits.clone(),
        };
        let mut decisions = Vec::new();
        while let Some(lit) = open.pop() {
            if self.level[lit.var()] == 0 || !seen.insert(lit.variable()) {
                continue;
            }
            match self.reason[lit.var()] {
                Reason::None => decisions.push(lit),
                Reason::Binary(other) => open.push(other),
                Reason::Clause(reason) => open.extend(self.arena.lits(reason)),
                Reason::Theory => {}
            }
        }
        decisions
    }
}
