//! Clause learning at the first unique implication point, as in Marques-Silva, Sakallah: *GRASP: a search algorithm
//! for propositional satisfiability*, IEEE Transactions on Computers, 1999.

use super::{Clauses, Conflict, Reason, Span};

impl Clauses {
    /// Learns the clause of the first unique implication point. This point may be at a lower level than the current
    /// one, because the trail is not sorted by level: learnt clauses may imply literals of a lower level than the
    /// preceding literals.
    pub(super) fn learn(&mut self, conflict: Conflict) {
        self.conflicts += 1;
        let mut lits = vec![0];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut touched = Vec::new();
        let mut reason: Vec<u32> = match conflict {
            Conflict::Binary(a, b) => vec![a, b],
            Conflict::Clause(clause) => self.use_clause(clause),
        };
        let level = reason.iter().map(|&lit| self.level[(lit >> 1) as usize]).max().unwrap_or(0);
        if level == 0 {
            // The conflict shows that the formula has no models.
            return;
        }
        loop {
            for &lit in &reason {
                let variable = (lit >> 1) as usize;
                if self.seen[variable] || self.level[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                touched.push(variable);
                self.activity[variable] += self.increment;
                if self.level[variable] == level {
                    open += 1;
                } else {
                    lits.push(lit);
                }
            }
            loop {
                at -= 1;
                let variable = (self.trail[at] >> 1) as usize;
                if self.seen[variable] && self.level[variable] == level {
                    break;
                }
            }
            open -= 1;
            let lit = self.trail[at];
            if open == 0 {
                lits[0] = lit ^ 1;
                break;
            }
            reason = match self.reason[(lit >> 1) as usize] {
                Reason::None => Vec::new(),
                Reason::Binary(other) => vec![other],
                Reason::Clause(clause) => {
                    let mut lits = self.use_clause(clause);
                    lits.retain(|&other| other != lit);
                    lits
                }
            };
        }
        self.minimise(&mut lits);
        for variable in touched {
            self.seen[variable] = false;
        }
        self.increment *= 1.05;
        if self.increment > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.increment *= 1e-100;
        }
        self.store(lits);
    }

    /// Returns the literals of a clause, and marks the clause as used.
    fn use_clause(&mut self, clause: u32) -> Vec<u32> {
        self.spans[clause as usize].used = self.conflicts;
        self.lits_of(clause).to_vec()
    }

    /// Removes redundant literals from a learnt clause. A literal is redundant if its reason contains only fixed
    /// literals and other literals of the clause.
    fn minimise(&self, lits: &mut Vec<u32>) {
        let redundant = |lit: u32| {
            let covered = |other: u32| {
                let variable = (other >> 1) as usize;
                self.seen[variable] || self.level[variable] == 0
            };
            match self.reason[(lit >> 1) as usize] {
                Reason::None => false,
                Reason::Binary(other) => covered(other),
                Reason::Clause(clause) => {
                    self.lits_of(clause).iter().all(|&other| other == lit ^ 1 || covered(other))
                }
            }
        };
        let first = lits[0];
        lits.retain(|&lit| lit == first || !redundant(lit));
    }

    /// Stores a learnt clause. The first literal of the clause must have the highest level.
    fn store(&mut self, mut lits: Vec<u32>) {
        if lits.len() == 1 {
            self.units.push(lits[0]);
            return;
        }
        let last = (1..lits.len()).max_by_key(|&index| self.level[(lits[index] >> 1) as usize]).unwrap_or(1);
        lits.swap(1, last);
        let clause = self.watch(&lits);
        self.pending.push(clause);
        if self.spans.len() - self.original > self.most {
            self.forget();
        }
    }

    /// Removes the less recently used half of the learnt clauses.
    fn forget(&mut self) {
        let mut used: Vec<u32> = self.spans[self.original..].iter().map(|span| span.used).collect();
        let middle = used.len() / 2;
        let limit = *used.select_nth_unstable(middle).1;
        let mut keep = vec![true; self.spans.len()];
        for (keep, span) in keep.iter_mut().zip(&self.spans).skip(self.original) {
            *keep = span.used >= limit;
        }
        for &lit in &self.trail {
            if let Reason::Clause(clause) = self.reason[(lit >> 1) as usize] {
                keep[clause as usize] = true;
            }
        }
        for &clause in &self.pending {
            keep[clause as usize] = true;
        }
        let mut names = vec![u32::MAX; self.spans.len()];
        let (mut lits, mut spans) = (Vec::with_capacity(self.lits.len()), Vec::new());
        for (index, span) in self.spans.iter().enumerate().filter(|&(index, _)| keep[index]) {
            names[index] = spans.len() as u32;
            let start = lits.len() as u32;
            lits.extend_from_slice(&self.lits[span.start as usize..(span.start + span.len) as usize]);
            spans.push(Span { start, ..*span });
        }
        (self.lits, self.spans) = (lits, spans);
        for list in &mut self.watches {
            list.retain_mut(|watch| {
                watch.clause = names[watch.clause as usize];
                watch.clause != u32::MAX
            });
        }
        for reason in &mut self.reason {
            if let Reason::Clause(clause) = *reason {
                // The reasons of assigned variables are kept, so a removed clause can only be an old reason of an
                // unassigned variable.
                *reason = match names[clause as usize] {
                    u32::MAX => Reason::None,
                    name => Reason::Clause(name),
                };
            }
        }
        for clause in &mut self.pending {
            *clause = names[*clause as usize];
        }
        self.most = self.most.max((self.spans.len() - self.original) * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_open_variables_are_removed_with_their_clauses() {
        let mut clauses = Clauses::new(4, &[]);
        let old = clauses.watch(&[0, 2, 4]);
        clauses.reason[0] = Reason::Clause(old);
        clauses.conflicts = 1;
        clauses.watch(&[0, 2, 6]);
        clauses.forget();
        assert_eq!((clauses.spans.len(), clauses.reason[0]), (1, Reason::None));
        clauses.forget();
        assert_eq!(clauses.spans.len(), 1);
    }
}
