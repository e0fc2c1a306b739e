//! Backward trimming: finds the clauses that a contradiction depends on, and the hints of each learnt clause.
//!
//! A first pass adds the clauses in their original order, and runs unit propagation until a clause is violated. A
//! second pass removes the clauses in reverse order. This pass checks each needed learnt clause by reverse unit
//! propagation: after the literals of the clause are set to false, unit propagation must find another clause that is
//! violated. The clauses that took part in the propagation are marked as needed, too. They are the *hints* of the
//! learnt clause, in the order of the propagation. Clauses that are already needed propagate first. This keeps the
//! number of needed clauses small.
//!
//! Learnt clauses with [hints](Hints) need no unit propagation: one pass from the last clause to the first marks the
//! hints of needed clauses as needed. Their hints can also stand for [all unit clauses](UNITS) or for a [row](ROW) of the
//! formula.
//!
//! Paper: Heule, Hunt, Wetzler: *Trimming while checking clausal proofs*, FMCAD 2013. Like the authors' program
//! DRAT-trim, the module ignores deletions of clauses that propagate a literal before any decision.

use rustsat::types::Lit;

mod hints;
mod propagate;

pub use hints::{Hints, ROW, UNITS};

/// A recorded step. Added clauses are numbered consecutively from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Adds the next clause, which is an axiom and needs no check by unit propagation.
    Given,
    /// Adds the next clause, which follows from the clauses before it by unit propagation.
    Learnt,
    /// Deletes the clause with this number.
    Delete(u32),
}

/// The result of trimming.
#[derive(Debug, Clone, Default)]
pub struct Trimmed {
    /// The needed learnt clauses in their original order, each with its hints. A hint is the number of a clause.
    pub learnt: Vec<(u32, Vec<u32>)>,
    /// The clauses from which unit propagation derives the contradiction, in the order of propagation. The list is
    /// empty if unit propagation does not derive a contradiction.
    pub conflict: Vec<u32>,
    /// The unit clauses for which the hint [`UNITS`] of the needed clauses stands, in ascending order.
    pub units: Vec<u32>,
}

/// An error that occurs when the clauses do not form a refutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TrimError {
    /// Unit propagation does not refute the clauses.
    #[error("the recorded clauses do not lead to a contradiction")]
    NoConflict,
    /// A learnt clause does not follow from the clauses before it by unit propagation.
    #[error("the learnt clause with number {0} does not follow by unit propagation")]
    NotImplied(u32),
}

/// Trims a refutation. Clause `c` consists of `lits[ends[c - 1]..ends[c]]`, where `ends[-1]` is 0. No clause contains a
/// variable twice.
///
/// If `roots` is given, the clauses need not be a refutation. If unit propagation derives no contradiction from them,
/// the clauses in `roots` are needed.
///
/// # Errors
/// Returns an error if the steps are not a refutation.
pub fn trim(
    lits: &[Lit],
    ends: &[usize],
    steps: &[Step],
    roots: Option<&[u32]>,
) -> Result<Trimmed, TrimError> {
    let mut checker = Checker::new(lits, ends);
    let mut trimmed = Trimmed::default();
    let last = match (checker.forward(steps), roots) {
        (Some((last, conflict)), _) => {
            trimmed.conflict = checker.antecedents(conflict, &[]);
            last
        }
        (None, Some(roots)) => {
            for &root in roots {
                checker.need(root);
            }
            steps.len()
        }
        (None, None) => return Err(TrimError::NoConflict),
    };
    checker.backward(&steps[..last], &mut trimmed)?;
    trimmed.learnt.reverse();
    Ok(trimmed)
}

const NONE: u32 = u32::MAX;

/// An entry of a watch list: a clause that watches a literal.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause. If it is true, the clause need not be visited.
    blocker: Lit,
}

struct Checker {
    lits: Vec<Lit>,
    starts: Vec<usize>,
    /// True for each clause that takes part in unit propagation.
    active: Vec<bool>,
    needed: Vec<bool>,
    /// True for each step that is an ignored deletion.
    ignored: Vec<bool>,
    /// The clauses that watch each literal: first the needed clauses, then all other clauses. A clause watches its
    /// first two literals.
    watches: [Vec<Vec<Watch>>; 2],
    /// True for each true literal.
    holds: Vec<bool>,
    /// Maps each variable to the clause that propagated it, or to `NONE`.
    reasons: Vec<u32>,
    trail: Vec<Lit>,
    /// The number of trail literals that have been propagated through the needed clauses, and the number of those that
    /// have been propagated through the other clauses.
    heads: [usize; 2],
    marked: Vec<bool>,
}

impl Checker {
    fn new(lits: &[Lit], ends: &[usize]) -> Self {
        let variables = lits.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
        Self {
            lits: lits.to_vec(),
            starts: std::iter::once(0).chain(ends.iter().copied()).collect(),
            active: vec![false; ends.len()],
            needed: vec![false; ends.len()],
            ignored: Vec::new(),
            watches: [(); 2].map(|()| vec![Vec::new(); 2 * variables]),
            holds: vec![false; 2 * variables],
            reasons: vec![NONE; variables],
            trail: Vec::new(),
            heads: [0; 2],
            marked: vec![false; variables],
        }
    }

    fn range(&self, clause: u32) -> std::ops::Range<usize> {
        self.starts[clause as usize]..self.starts[clause as usize + 1]
    }

    fn is(&self, lit: Lit) -> bool {
        self.holds[lit.lidx()]
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        self.holds[lit.lidx()] = true;
        self.reasons[lit.vidx()] = reason;
        self.trail.push(lit);
    }

    /// Unassigns all literals of the trail starting at position `length`.
    fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.holds[lit.lidx()] = false;
        }
        self.heads = self.heads.map(|head| head.min(length));
    }

    /// Adds the clauses in the given order. Returns the number of steps before the contradiction, and the violated
    /// clause. Returns `None` if there is no contradiction.
    fn forward(&mut self, steps: &[Step]) -> Option<(usize, u32)> {
        self.ignored = vec![false; steps.len()];
        let axioms = leading_axioms(steps);
        if let Some(conflict) = self.add_axioms(axioms) {
            return Some((axioms, conflict));
        }
        let mut next = axioms as u32;
        for (number, &step) in steps.iter().enumerate().skip(axioms) {
            if let Step::Delete(clause) = step {
                let range = self.range(clause);
                let reason = |&lit: &Lit| self.is(lit) && self.reasons[lit.vidx()] == clause;
                self.ignored[number] =
                    !self.active[clause as usize] || range.len() < 2 || self.lits[range].iter().any(reason);
                if !self.ignored[number] {
                    self.active[clause as usize] = false;
                    self.detach(clause);
                }
                continue;
            }
            let clause = next;
            next += 1;
            let conflict = if self.add(clause) { Some(clause) } else { self.propagate() };
            if let Some(conflict) = conflict {
                return Some((number + 1, conflict));
            }
        }
        None
    }

    /// Adds the first `count` clauses, and then runs unit propagation. Returns a violated clause, or `None` if there is
    /// none.
    fn add_axioms(&mut self, count: usize) -> Option<u32> {
        let clauses = 0..count as u32;
        let mut sizes = vec![0; self.holds.len()];
        for clause in clauses.clone() {
            if self.place(clause) {
                return Some(clause);
            }
            for lit in self.watched(clause) {
                sizes[lit.lidx()] += 1;
            }
        }
        for (watches, size) in self.watches[1].iter_mut().zip(sizes) {
            watches.reserve(size);
        }
        for clause in clauses {
            self.attach(clause);
        }
        self.propagate()
    }

    /// Adds a clause. Returns `true` if all literals of the clause are false.
    fn add(&mut self, clause: u32) -> bool {
        let violated = self.place(clause);
        self.attach(clause);
        violated
    }

    /// Marks the violated clause `conflict` as needed, unless `conflict` is `NONE`. Also marks every clause from which
    /// unit propagation derived the value of a literal in `conflict` or `lits`, and so on for the literals of these
    /// clauses. Returns the marked clauses in the order of the propagation.
    fn antecedents(&mut self, conflict: u32, lits: &[Lit]) -> Vec<u32> {
        let mut found = Vec::new();
        for lit in lits {
            self.marked[lit.vidx()] = true;
        }
        if conflict != NONE {
            found.push(conflict);
            self.mark(conflict);
        }
        for position in (0..self.trail.len()).rev() {
            let variable = self.trail[position].vidx();
            if std::mem::take(&mut self.marked[variable]) && self.reasons[variable] != NONE {
                found.push(self.reasons[variable]);
                self.mark(self.reasons[variable]);
                self.marked[variable] = false;
            }
        }
        found.reverse();
        found
    }

    fn mark(&mut self, clause: u32) {
        self.need(clause);
        for index in self.range(clause) {
            self.marked[self.lits[index].vidx()] = true;
        }
    }

    /// Removes the clauses after the leading axioms in reverse order, and checks the needed learnt clauses.
    fn backward(&mut self, steps: &[Step], trimmed: &mut Trimmed) -> Result<(), TrimError> {
        let axioms = leading_axioms(steps);
        let mut next = steps.iter().filter(|step| !matches!(step, Step::Delete(_))).count();
        for (number, &step) in steps.iter().enumerate().skip(axioms).rev() {
            if let Step::Delete(clause) = step {
                if !self.ignored[number] {
                    self.active[clause as usize] = true;
                    self.attach(clause);
                }
                continue;
            }
            next -= 1;
            let clause = next as u32;
            self.remove(clause);
            if step == Step::Learnt && self.needed[clause as usize] {
                let hints = self.check(clause).ok_or(TrimError::NotImplied(clause))?;
                trimmed.learnt.push((clause, hints));
            }
        }
        Ok(())
    }

    /// Removes the clause that was added last, and undoes the propagation since then.
    fn remove(&mut self, clause: u32) {
        self.active[clause as usize] = false;
        let reason = |&&lit: &&Lit| self.is(lit) && self.reasons[lit.vidx()] == clause;
        if let Some(&lit) = self.lits[self.range(clause)].iter().find(reason)
            && let Some(position) = self.trail.iter().rposition(|&other| other == lit)
        {
            self.undo(position);
        }
    }

    /// Returns the hints of a clause, or `None` if unit propagation does not imply it.
    fn check(&mut self, clause: u32) -> Option<Vec<u32>> {
        let base = self.trail.len();
        self.heads = [base; 2];
        let lits = self.lits[self.range(clause)].to_vec();
        if let Some(&lit) = lits.iter().find(|&&lit| self.is(lit)) {
            return Some(self.antecedents(NONE, &[lit]));
        }
        for &lit in &lits {
            if !self.is(!lit) {
                self.assign(!lit, NONE);
            }
        }
        let conflict = self.propagate();
        let hints = conflict.map(|conflict| self.antecedents(conflict, &[]));
        self.undo(base);
        hints
    }
}

/// Returns the number of axioms at the start of the list. Encodings write most clauses before the search starts.
fn leading_axioms(steps: &[Step]) -> usize {
    steps.iter().take_while(|&&step| step == Step::Given).count()
}

#[cfg(test)]
mod tests;
