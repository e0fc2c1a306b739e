//! Unit propagation with two watched literals.

use rustsat::types::Lit;

use super::{Checker, Watch};

impl Checker {
    /// Activates a clause and chooses the literals that it will watch. If only one of its literals is not false, makes
    /// this literal true. Returns `true` if all its literals are false.
    pub(super) fn place(&mut self, clause: u32) -> bool {
        self.active[clause as usize] = true;
        let range = self.range(clause);
        let (lits, holds) = (&mut self.lits[range], &self.holds);
        // Up to two literals that are not false are moved to the front.
        let mut open = 0;
        for index in 0..lits.len() {
            if !holds[(!lits[index]).lidx()] {
                lits.swap(open, index);
                open += 1;
                if open == 2 {
                    break;
                }
            }
        }
        if let &mut [first, ..] = lits
            && open == 1
            && !self.is(first)
        {
            self.assign(first, clause);
        }
        open == 0
    }

    /// Returns the literals that a clause watches: its first two literals, or none for a clause with fewer than two
    /// literals.
    pub(super) fn watched(&self, clause: u32) -> &[Lit] {
        let range = self.range(clause);
        if range.len() < 2 { &[] } else { &self.lits[range.start..range.start + 2] }
    }

    pub(super) fn attach(&mut self, clause: u32) {
        let &[first, second] = self.watched(clause) else { return };
        let watches = &mut self.watches[usize::from(!self.needed[clause as usize])];
        watches[first.lidx()].push(Watch { clause, blocker: second });
        watches[second.lidx()].push(Watch { clause, blocker: first });
    }

    pub(super) fn detach(&mut self, clause: u32) {
        let &[first, second] = self.watched(clause) else { return };
        for lit in [first, second] {
            let watches = &mut self.watches[usize::from(!self.needed[clause as usize])][lit.lidx()];
            if let Some(position) = watches.iter().position(|watch| watch.clause == clause) {
                watches.swap_remove(position);
            }
        }
    }

    /// Marks a clause as needed, and moves it to the watch lists of the needed clauses.
    pub(super) fn need(&mut self, clause: u32) {
        if self.needed[clause as usize] {
            return;
        }
        if self.active[clause as usize] {
            self.detach(clause);
        }
        self.needed[clause as usize] = true;
        if self.active[clause as usize] {
            self.attach(clause);
        }
    }

    /// Runs unit propagation. Returns a violated clause, or `None` if there is none.
    pub(super) fn propagate(&mut self) -> Option<u32> {
        loop {
            let list = usize::from(self.heads[0] == self.trail.len());
            let &lit = self.trail.get(self.heads[list])?;
            self.heads[list] += 1;
            let conflict = self.visit(!lit, list);
            if conflict.is_some() {
                return conflict;
            }
        }
    }

    /// Visits the clauses that watch `lit`, which became false. Visits the needed clauses if `list` is 0, and the other
    /// clauses if `list` is 1.
    fn visit(&mut self, lit: Lit, list: usize) -> Option<u32> {
        let mut watches = std::mem::take(&mut self.watches[list][lit.lidx()]);
        let mut conflict = None;
        let mut kept = 0;
        for index in 0..watches.len() {
            let Watch { clause, blocker } = watches[index];
            if self.is(blocker) {
                watches[kept] = watches[index];
                kept += 1;
                continue;
            }
            if !self.active[clause as usize] {
                continue;
            }
            if conflict.is_none() {
                let range = self.range(clause);
                if self.lits[range.start] == lit {
                    self.lits.swap(range.start, range.start + 1);
                }
                let other = self.lits[range.start];
                if !self.is(other) {
                    let open = (range.start + 2..range.end).find(|&index| !self.is(!self.lits[index]));
                    if let Some(open) = open {
                        self.lits.swap(range.start + 1, open);
                        let watch = Watch { clause, blocker: other };
                        self.watches[list][self.lits[range.start + 1].lidx()].push(watch);
                        continue;
                    }
                    if self.is(!other) {
                        conflict = Some(clause);
                    } else {
                        self.assign(other, clause);
                    }
                }
            }
            watches[kept] = watches[index];
            kept += 1;
        }
        watches.truncate(kept);
        self.watches[list][lit.lidx()] = watches;
        conflict
    }
}
