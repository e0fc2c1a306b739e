//! Adds clauses, and performs unit propagation with two watched literals per clause.
//!
//! Each watch has a *blocking literal*: if it is true, the clause need not be read (Sorensson, Een: *MiniSat 2.1 and
//! MiniSat++ 1.0*, SAT race 2008). Binary clauses are stored only in their two watches.

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::state::{Conflict, Reason, Solver};
use crate::watch::Watch;

impl Solver {
    /// Propagates all literals on the trail. Returns a conflict if a clause is false.
    pub(crate) fn propagate(&mut self) -> Option<Conflict> {
        if self.log.is_some() { self.propagate_logged::<true>() } else { self.propagate_logged::<false>() }
    }

    fn propagate_logged<const LOGGED: bool>(&mut self) -> Option<Conflict> {
        let start = self.head;
        let mut conflict = None;
        while conflict.is_none()
            && let Some(&lit) = self.trail.get(self.head)
        {
            self.head += 1;
            conflict = self.visit::<LOGGED>(!lit);
        }
        self.statistics.propagations += (self.head - start) as u64;
        conflict
    }

    /// Visits all clauses that watch `falsified`, a literal that has just become false. `LOGGED` is true if a proof is
    /// logged.
    fn visit<const LOGGED: bool>(&mut self, falsified: Lit) -> Option<Conflict> {
        let mut list = std::mem::take(&mut self.watches[falsified.index()]);
        let (mut read, mut write) = (0, 0);
        let mut conflict = None;
        self.ticks += 1 + list.len() as u64 / 8;
        while let Some(&watch) = list.get(read) {
            read += 1;
            let value = self.assigned(watch.blocker);
            if value > 0 {
                list[write] = watch;
                write += 1;
                continue;
            }
            let Some(clause) = watch.clause() else {
                list[write] = watch;
                write += 1;
                if value < 0 {
                    conflict = Some(Conflict::Binary(watch.blocker, falsified, watch.id()));
                    break;
                }
                if LOGGED {
                    self.set_cause(watch.blocker, watch.id());
                }
                self.assign(watch.blocker, Reason::Binary(falsified));
                continue;
            };
            self.ticks += 1;
            let codes = self.arena.codes_mut(clause);
            let other = Lit::from_code(codes[0] ^ codes[1] ^ falsified.code());
            let value = self.values[other.index()];
            if value > 0 {
                list[write] = Watch::long(other, clause);
                write += 1;
                continue;
            }
            let values = &self.values;
            if let Some(at) = codes[2..].iter().position(|&code| values[code as usize] >= 0) {
                let next = codes[at + 2];
                codes[0] = other.code();
                codes[1] = next;
                codes[at + 2] = falsified.code();
                self.watches[next as usize].push(Watch::long(other, clause));
                continue;
            }
            list[write] = Watch::long(other, clause);
            write += 1;
            if value < 0 {
                conflict = Some(Conflict::Clause(clause));
                break;
            }
            self.assign(other, Reason::Clause(clause));
        }
        list.copy_within(read.., write);
        list.truncate(write + list.len() - read);
        self.watches[falsified.index()] = list;
        conflict
    }

    /// Watches the first two literals of a clause.
    pub(crate) fn watch(&mut self, clause: ClauseRef) {
        let codes = self.arena.codes(clause);
        let [a, b] = [codes[0], codes[1]].map(Lit::from_code);
        self.watches[a.index()].push(Watch::long(b, clause));
        self.watches[b.index()].push(Watch::long(a, clause));
    }

    /// Stops watching a clause.
    pub(crate) fn unwatch(&mut self, clause: ClauseRef) {
        let codes = self.arena.codes(clause);
        for code in [codes[0], codes[1]] {
            self.watches[code as usize].retain(|watch| watch.clause() != Some(clause));
        }
    }

    /// Adds a clause. The values of the last model remain available until the next call to [`Solver::solve`].
    pub fn add(&mut self, clause: &[Lit]) {
        if let Some(most) = clause.iter().map(|lit| lit.variable()).max() {
            self.reserve(most + 1);
        }
        if self.inconsistent {
            return;
        }
        let mut id = self.log_added(clause);
        let mut lits = std::mem::take(&mut self.scratch.lits);
        lits.clear();
        lits.extend_from_slice(clause);
        lits.sort_unstable();
        lits.dedup();
        let satisfied =
            lits.iter().any(|&lit| self.assigned(lit) > 0) || lits.windows(2).any(|pair| pair[0] == !pair[1]);
        let count = lits.len();
        lits.retain(|&lit| self.assigned(lit) == 0);
        if !satisfied {
            if lits.len() < count || count == 0 {
                id = self.log_resolved(&lits, clause, id);
            }
            match lits[..] {
                [] => self.inconsistent = true,
                [unit] => {
                    self.assign_unit(unit, id);
                    if let Some(conflict) = self.propagate() {
                        self.refute(&conflict);
                    }
                }
                [a, b] => self.add_binary(a, b, id),
                _ => self.add_long(&lits, false, 0, id).map_or((), |clause| self.watch(clause)),
            }
        }
        self.scratch.lits = lits;
    }
}
