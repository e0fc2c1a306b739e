//! The reduction of the clause database.
//!
//! Learnt clauses are divided into three tiers by their LBD. Clauses of the first tier are never removed. After its
//! last use, a clause of the second tier survives two reductions, and a clause of the third tier survives one. A
//! reduction removes most of the other clauses, starting with the clauses of the highest LBD.
//!
//! Papers: Audemard, Simon: *Predicting learnt clauses quality in modern SAT solvers*, IJCAI 2009; Oh: *Between SAT and
//! UNSAT: the fundamental difference in CDCL SAT*, SAT 2015.

use crate::analyze::TIER_1;
use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::state::{Reason, Solver};

/// A reduction removes this percentage of the unused clauses.
const SHARE: usize = 60;

impl Solver {
    /// Removes learnt clauses and satisfied clauses.
    pub(crate) fn reduce(&mut self) {
        self.next.reductions += 1;
        let interval = (self.reduce_interval as f64 * (self.next.reductions as f64).sqrt()) as u64;
        self.next.reduce = self.statistics.conflicts + interval.max(1);
        self.next.inprocess = true;
        self.lock(true);
        self.remove_satisfied();
        let mut candidates = Vec::new();
        for index in 0..self.arena.refs().len() {
            let clause = self.arena.refs()[index];
            let arena = &mut self.arena;
            if !arena.is_learnt(clause) || arena.is_removed(clause) || arena.is_locked(clause) {
                continue;
            }
            if arena.is_unwatched(clause) {
                arena.remove(clause);
                continue;
            }
            let used = arena.used(clause);
            if used > 0 {
                arena.set_used(clause, used - 1);
            } else if arena.lbd(clause) > TIER_1 {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&clause| {
            std::cmp::Reverse(u64::from(self.arena.lbd(clause)) << 32 | self.arena.len(clause) as u64)
        });
        candidates.truncate(candidates.len() * SHARE / 100);
        for clause in candidates {
            self.log_deleted(clause);
            self.arena.remove(clause);
        }
        self.lock(false);
        self.collect();
    }

    /// Marks the reasons of all literals on the trail, or removes the marks.
    fn lock(&mut self, value: bool) {
        for lit in &self.trail {
            if let Reason::Clause(clause) = self.reason[lit.var()] {
                self.arena.set_locked(clause, value);
            }
        }
    }

    /// Returns the value of a literal if it was assigned at level 0, and 0 otherwise.
    pub(crate) fn root_value(&self, lit: Lit) -> i8 {
        if self.level[lit.var()] == 0 { self.assigned(lit) } else { 0 }
    }

    /// Removes the clauses that are satisfied at level 0, unless they are reasons.
    fn remove_satisfied(&mut self) {
        let roots = self.starts.first().copied().unwrap_or(self.trail.len());
        if roots == self.next.cleaned {
            return;
        }
        self.next.cleaned = roots;
        for index in 0..self.arena.refs().len() {
            let clause = self.arena.refs()[index];
            let satisfied = !self.arena.is_removed(clause)
                && !self.arena.is_locked(clause)
                && self.arena.lits(clause).any(|lit| self.root_value(lit) > 0);
            if satisfied {
                if self.arena.is_learnt(clause) && !self.arena.is_unwatched(clause) {
                    self.log_deleted(clause);
                }
                self.arena.remove(clause);
            }
        }
        for code in 0..self.watches.len() as u32 {
            let lit = Lit::from_code(code);
            if self.root_value(lit) == 0 {
                let mut list = std::mem::take(&mut self.watches[lit.index()]);
                list.retain(|watch| watch.clause().is_some() || self.root_value(watch.blocker) <= 0);
                self.watches[lit.index()] = list;
            } else {
                self.watches[lit.index()].retain(|watch| watch.clause().is_some());
            }
        }
    }

    /// Moves the remaining clauses to close the gaps in memory, and updates all references.
    fn collect(&mut self) {
        for list in &mut self.watches {
            list.retain(|watch| watch.clause().is_none_or(|clause| !self.arena.is_removed(clause)));
        }
        let moved = self.arena.compact();
        for list in &mut self.watches {
            for watch in list {
                watch.relocate(&moved);
            }
        }
        for lit in &self.trail {
            if let Reason::Clause(clause) = &mut self.reason[lit.var()] {
                *clause = moved(*clause);
            }
        }
    }

    /// Removes a learnt clause that is not the reason of any literal.
    pub(crate) fn discard(&mut self, clause: ClauseRef) {
        self.log_deleted(clause);
        self.unwatch(clause);
        self.arena.remove(clause);
    }
}
