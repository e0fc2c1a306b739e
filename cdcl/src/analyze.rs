//! Conflict analysis: learns the clause of the first unique implication point, and removes redundant literals from it.
//!
//! Papers: Marques-Silva, Sakallah: *GRASP*, ICCAD 1996; Sorensson, Biere: *Minimizing learned clauses*, SAT 2009;
//! Audemard, Simon: *Predicting learnt clauses quality in modern SAT solvers*, IJCAI 2009 (LBD).

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::ClauseId;
use crate::state::{Conflict, Reason, Solver};
use crate::theory::Theory;

/// The states of variables during the analysis.
const UNSEEN: u8 = 0;
const SEEN: u8 = 1;
const REMOVABLE: u8 = 2;
const NEEDED: u8 = 3;

/// The maximum LBD of clauses in the first and in the second tier. Clauses of the first tier are kept forever, and
/// clauses of the second tier are kept as long as they are used.
pub(crate) const TIER_1: u32 = 2;
pub(crate) const TIER_2: u32 = 6;

/// The maximum depth of the recursion that finds redundant literals.
const MOST_DEPTH: u32 = 500;

/// The factor by which activities decay after each conflict in the stable mode.
const DECAY: f64 = 0.95;

impl Solver {
    /// Learns a clause from a conflict, backtracks, and makes the clause's first literal true. Sets `inconsistent` if
    /// the conflict does not depend on a decision or assumption.
    ///
    /// If the conflict is on a level with several assumptions, the call learns no clause and sets `core`, because such a
    /// level need not have a unique implication point.
    pub(crate) fn learn(&mut self, conflict: &Conflict, theory: &mut dyn Theory) {
        let mut lits = std::mem::take(&mut self.scratch.lits);
        lits.clear();
        match conflict {
            Conflict::Binary(a, b, _) => lits.extend([*a, *b]),
            Conflict::Clause(clause) => {
                self.use_clause(*clause);
                lits.extend(self.arena.lits(*clause));
            }
            Conflict::Theory(clause, _) => lits.extend(clause),
        }
        // A clause from the theory may already be false at an earlier level.
        let level = lits.iter().map(|lit| self.level[lit.var()]).max().unwrap_or(0) as usize;
        if level == 0 {
            self.refute(conflict);
        } else if self.assumed_together() > 1 && level <= self.assumed_levels() {
            let core = self.assumptions_among_causes(&lits, theory);
            if core.is_empty() {
                // The theory derived literals on this level that do not depend on the assumptions.
                self.refute(conflict);
            } else {
                let clause: Vec<Lit> = core.iter().map(|&assumed| !assumed).collect();
                let id = self.log_conflict(&clause, conflict);
                self.set_core(core, id, theory);
            }
        } else {
            self.update_phases();
            self.backtrack(level, theory);
            self.resolve(&mut lits, theory);
            self.minimise(theory);
            let learnt = std::mem::take(&mut self.scratch.learnt);
            let id = self.log_conflict(&learnt, conflict);
            self.scratch.learnt = learnt;
            self.finish(id, theory);
        }
        self.scratch.lits = lits;
    }

    /// Sets the core of a call, and learns the clause of its negated literals, whose number is `id`, if it is a unit
    /// clause. The proof contains the clause, so the hint [`UNITS`](crate::UNITS) stands for it, too.
    pub(crate) fn set_core(&mut self, core: Vec<Lit>, id: ClauseId, theory: &mut dyn Theory) {
        if let [assumed] = core[..] {
            self.backtrack(0, theory);
            if self.assigned(assumed) == 0 {
                self.assign_unit(!assumed, id);
            }
        }
        self.core = core;
    }

    /// Returns the assumptions that imply the values of the variables in `lits`.
    pub(crate) fn assumptions_among_causes(&mut self, lits: &[Lit], theory: &mut dyn Theory) -> Vec<Lit> {
        let mut seen = vec![false; self.level.len()];
        for lit in lits {
            seen[lit.var()] = true;
        }
        let (mut assumptions, mut causes) = (Vec::new(), Vec::new());
        for index in (self.starts[0]..self.trail.len()).rev() {
            let lit = self.trail[index];
            if !seen[lit.var()] {
                continue;
            }
            causes.clear();
            self.antecedents(lit, theory, &mut causes);
            if self.reason[lit.var()] == Reason::None {
                assumptions.push(lit);
            }
            for cause in &causes {
                seen[cause.var()] = true;
            }
        }
        assumptions
    }

    /// Resolves the conflict clause in `lits` until it contains only one literal of the current level.
    fn resolve(&mut self, lits: &mut Vec<Lit>, theory: &mut dyn Theory) {
        let level = self.current_level() as u32;
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        learnt.clear();
        // This entry is a placeholder for the asserting literal.
        learnt.push(Lit::new(0, true));
        let (mut open, mut index) = (0, self.trail.len());
        let asserted = loop {
            for &lit in &*lits {
                let var = lit.var();
                if self.scratch.seen[var] == UNSEEN && self.level[var] > 0 {
                    self.scratch.seen[var] = SEEN;
                    self.scratch.touched.push(lit.variable());
                    if self.level[var] == level {
                        open += 1;
                    } else {
                        learnt.push(lit);
                    }
                }
            }
            let pivot = loop {
                index -= 1;
                let lit = self.trail[index];
                if self.scratch.seen[lit.var()] == SEEN {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break pivot;
            }
            lits.clear();
            self.antecedents(pivot, theory, lits);
            if let Reason::Clause(clause) = self.reason[pivot.var()] {
                self.use_clause(clause);
            }
        };
        learnt[0] = !asserted;
        self.scratch.learnt = learnt;
    }

    /// Appends the other literals of the clause that made `lit` true. All of these literals are false. If the theory
    /// implied the literal, the theory's explanation is stored as a clause.
    pub(crate) fn antecedents(&mut self, lit: Lit, theory: &mut dyn Theory, lits: &mut Vec<Lit>) {
        let var = lit.var();
        if self.reason[var] == Reason::Theory {
            let start = lits.len();
            theory.explain(lit, lits);
            for cause in &mut lits[start..] {
                *cause = !*cause;
            }
            // The explanation is stored, because the analysis of later conflicts may need it again.
            let id = if self.log.is_some() {
                lits.push(lit);
                let id = self.log_lemma(&lits[start..]);
                lits.pop();
                id
            } else {
                0
            };
            self.set_cause(lit, id);
            self.reason[var] = match lits[start..] {
                [] => Reason::Theory,
                [other] => Reason::Binary(other),
                _ => {
                    lits.push(lit);
                    let clause = self.add_long(&lits[start..], true, 0, id);
                    lits.pop();
                    clause.map_or(Reason::Theory, |clause| {
                        self.arena.set_unwatched(clause);
                        Reason::Clause(clause)
                    })
                }
            };
            return;
        }
        match self.reason[var] {
            Reason::Binary(other) => lits.push(other),
            Reason::Clause(clause) => lits.extend(self.arena.lits(clause).filter(|&other| other != lit)),
            Reason::None | Reason::Theory => {}
        }
    }

    /// Marks a clause as used, and updates its LBD.
    fn use_clause(&mut self, clause: ClauseRef) {
        if !self.arena.is_learnt(clause) || self.arena.is_unwatched(clause) {
            return;
        }
        let mut lbd = self.arena.lbd(clause);
        if lbd > TIER_1 {
            let now = self.clause_lbd(clause, lbd);
            if now < lbd {
                self.arena.set_lbd(clause, now);
                self.arena.set_vivified(clause, false);
                lbd = now;
            }
        }
        self.arena.set_used(clause, if lbd <= TIER_2 { 2 } else { 1 });
    }

    /// Returns the LBD of a clause whose variables are all assigned, or `most` if the LBD is larger.
    fn clause_lbd(&mut self, clause: ClauseRef, most: u32) -> u32 {
        self.scratch.stamp += 1;
        let mut lbd = 0;
        for &code in self.arena.codes(clause) {
            let level = self.level[code as usize >> 1] as usize;
            if stamp(&mut self.scratch.stamps, level, self.scratch.stamp) {
                lbd += 1;
                if lbd >= most {
                    break;
                }
            }
        }
        lbd
    }

    /// Removes redundant literals from the learnt clause. A literal is redundant if it must be false whenever the other
    /// literals are false.
    fn minimise(&mut self, theory: &mut dyn Theory) {
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        self.scratch.stamp += 1;
        for lit in &learnt {
            let level = self.level[lit.var()] as usize;
            stamp(&mut self.scratch.stamps, level, self.scratch.stamp);
        }
        let mut kept = 1;
        for index in 1..learnt.len() {
            let lit = learnt[index];
            if !self.is_removable(!lit, 0, theory) {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.scratch.learnt = learnt;
    }

    /// Returns whether the true literal `lit` follows from the negations of the other literals in the learnt clause.
    fn is_removable(&mut self, lit: Lit, depth: u32, theory: &mut dyn Theory) -> bool {
        let var = lit.var();
        let level = self.level[var] as usize;
        let state = self.scratch.seen[var];
        if level == 0 || state == REMOVABLE || (depth > 0 && state == SEEN) {
            return true;
        }
        if state == NEEDED
            || self.reason[var] == Reason::None
            || depth > MOST_DEPTH
            || self.scratch.stamps.get(level) != Some(&self.scratch.stamp)
        {
            return false;
        }
        let mut stack = std::mem::take(&mut self.scratch.stack);
        let start = stack.len();
        self.antecedents(lit, theory, &mut stack);
        let end = stack.len();
        self.scratch.stack = stack;
        let removable = (start..end).all(|index| {
            let cause = self.scratch.stack[index];
            self.is_removable(!cause, depth + 1, theory)
        });
        self.scratch.stack.truncate(start);
        // Redundant literals of the learnt clause stay marked as seen, because they can justify the removal of further
        // literals.
        if state == UNSEEN {
            self.scratch.seen[var] = if removable { REMOVABLE } else { NEEDED };
            self.scratch.touched.push(lit.variable());
        }
        removable
    }

    /// Adds the learnt clause, backtracks, and updates the heuristics. The number of the clause in the proof is `id`.
    fn finish(&mut self, id: ClauseId, theory: &mut dyn Theory) {
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        // The literal with the second highest level moves to the second position.
        let mut target = 0;
        for index in 1..learnt.len() {
            let level = self.level[learnt[index].var()] as usize;
            if level > target {
                target = level;
                learnt.swap(1, index);
            }
        }
        self.scratch.stamp += 1;
        let mut lbd = 0;
        for lit in &learnt {
            let level = self.level[lit.var()] as usize;
            lbd += u32::from(stamp(&mut self.scratch.stamps, level, self.scratch.stamp));
        }
        self.bump();
        self.keep(&learnt, theory);
        if self.stable {
            self.luby.tick();
        } else {
            self.fast.add(f64::from(lbd));
            self.slow.add(f64::from(lbd));
        }
        self.backtrack(target, theory);
        match learnt[..] {
            [] => {}
            [unit] => self.assign_unit(unit, id),
            [first, second] => {
                self.add_binary(first, second, id);
                self.set_cause(first, id);
                self.assign(first, Reason::Binary(second));
            }
            [first, ..] => {
                if let Some(clause) = self.add_long(&learnt, true, lbd, id) {
                    self.arena.set_used(clause, if lbd <= TIER_2 { 2 } else { 1 });
                    self.watch(clause);
                    self.assign(first, Reason::Clause(clause));
                }
            }
        }
        self.scratch.learnt = learnt;
    }

    /// Increases the priority of the variables involved in the conflict, and resets their states.
    fn bump(&mut self) {
        let mut touched = std::mem::take(&mut self.scratch.touched);
        if !self.stable {
            touched.sort_unstable_by_key(|&variable| self.queue.time(variable as usize));
        }
        for &variable in &touched {
            let var = variable as usize;
            let state = std::mem::replace(&mut self.scratch.seen[var], UNSEEN);
            if state != SEEN {
                continue;
            }
            if self.stable {
                self.heap.bump(var);
            } else {
                let is_assigned = self.values[2 * var] != 0;
                self.queue.bump(var, is_assigned);
            }
        }
        if self.stable {
            self.heap.decay(DECAY);
        }
        touched.clear();
        self.scratch.touched = touched;
    }
}

/// Stores the stamp `now` for a level. Returns whether the level had a different stamp before.
fn stamp(stamps: &mut Vec<u64>, level: usize, now: u64) -> bool {
    if stamps.len() <= level {
        stamps.resize(level + 1, 0);
    }
    std::mem::replace(&mut stamps[level], now) != now
}
