//! Unit propagation over clauses with two watched literals.
//!
//! Literals are numbers: the variable `v` has the positive literal `2 * v` and the negative literal `2 * v + 1`.

mod learn;

/// The truth value of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    Open,
    True,
    False,
}

/// The reason why a literal is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// The literal is a decision, or holds in all models.
    None,
    /// The literal is implied by a binary clause whose other literal is given.
    Binary(u32),
    /// The literal is implied by the clause with the given index.
    Clause(u32),
}

/// An entry of a watch list: a clause, and its blocking literal.
#[derive(Debug, Clone, Copy)]
struct Watch {
    clause: u32,
    blocker: u32,
}

/// The range of a long clause's literals in [`Clauses::lits`].
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    len: u32,
    /// The number of the last conflict whose analysis used the learnt clause.
    used: u32,
}

/// The clause that is false in a conflict.
#[derive(Debug, Clone, Copy)]
pub(super) enum Conflict {
    Binary(u32, u32),
    Clause(u32),
}

/// The initial limit on the number of learnt clauses.
const FEW: usize = 4096;

/// The clauses of the formula, and the current partial assignment.
#[derive(Debug)]
pub(super) struct Clauses {
    /// The truth value of each literal.
    truth: Vec<Truth>,
    /// The level and reason of each variable.
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// The true literals in the order of their assignment.
    trail: Vec<u32>,
    /// The number of literals on the trail that have been propagated.
    head: usize,
    /// Maps each literal to the literals that it implies by binary clauses.
    implied: Vec<Vec<u32>>,
    watches: Vec<Vec<Watch>>,
    lits: Vec<u32>,
    spans: Vec<Span>,
    /// The number of long clauses of the formula, not counting learnt clauses.
    original: usize,
    /// The limit on the number of learnt clauses. If there are more, the half that was used less recently is removed.
    most: usize,
    conflicts: u32,
    activity: Vec<f64>,
    increment: f64,
    seen: Vec<bool>,
    /// The learnt clauses with a single literal.
    units: Vec<u32>,
    /// The learnt clauses that may be unit after backtracking.
    pending: Vec<u32>,
}

impl Clauses {
    /// Creates a formula. Each clause must have at least two literals, and must not contain a variable twice.
    pub(super) fn new(variables: usize, clauses: &[Vec<u32>]) -> Self {
        let mut formula = Self {
            truth: vec![Truth::Open; 2 * variables],
            level: vec![0; variables],
            reason: vec![Reason::None; variables],
            trail: Vec::with_capacity(variables),
            head: 0,
            implied: vec![Vec::new(); 2 * variables],
            watches: vec![Vec::new(); 2 * variables],
            lits: Vec::new(),
            spans: Vec::new(),
            original: 0,
            most: FEW,
            conflicts: 0,
            activity: vec![0.0; variables],
            increment: 1.0,
            seen: vec![false; variables],
            units: Vec::new(),
            pending: Vec::new(),
        };
        for clause in clauses {
            if let &[a, b] = &clause[..] {
                formula.implied[(a ^ 1) as usize].push(b);
                formula.implied[(b ^ 1) as usize].push(a);
            } else {
                formula.watch(clause);
            }
        }
        formula.original = formula.spans.len();
        formula
    }

    /// Adds a clause with at least two literals, and watches its first two literals. Returns the index of the clause.
    fn watch(&mut self, clause: &[u32]) -> u32 {
        let (a, b) = (clause[0], clause[1]);
        let index = self.spans.len() as u32;
        self.spans.push(Span {
            start: self.lits.len() as u32,
            len: clause.len() as u32,
            used: self.conflicts,
        });
        self.lits.extend_from_slice(clause);
        self.watches[a as usize].push(Watch { clause: index, blocker: b });
        self.watches[b as usize].push(Watch { clause: index, blocker: a });
        index
    }

    pub(super) fn truth(&self, lit: u32) -> Truth {
        self.truth[lit as usize]
    }

    /// Returns whether a variable has no value.
    pub(super) fn is_open(&self, variable: u32) -> bool {
        self.truth[2 * variable as usize] == Truth::Open
    }

    /// Returns the true literals in the order of their assignment.
    pub(super) fn trail(&self) -> &[u32] {
        &self.trail
    }

    /// Returns the activity of a variable, which measures how often it occurred in recent conflicts.
    pub(super) fn activity(&self, variable: u32) -> f64 {
        self.activity[variable as usize] / self.increment
    }

    fn enqueue(&mut self, lit: u32, level: u32, reason: Reason) {
        self.truth[lit as usize] = Truth::True;
        self.truth[lit as usize ^ 1] = Truth::False;
        self.level[(lit >> 1) as usize] = level;
        self.reason[(lit >> 1) as usize] = reason;
        self.trail.push(lit);
    }

    /// Unassigns the variables on the trail from position `length` on.
    pub(super) fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.truth[lit as usize] = Truth::Open;
            self.truth[lit as usize ^ 1] = Truth::Open;
        }
        self.head = self.head.min(length);
    }

    /// Assigns the literals that learnt clauses imply, assigns `lit`, and propagates. If there is a conflict, learns
    /// a clause. Returns whether there was no conflict.
    pub(super) fn decide(&mut self, lit: u32, level: u32) -> bool {
        if !self.imply_learnt() {
            return false;
        }
        match self.truth(lit) {
            Truth::False => return false,
            Truth::True => {}
            Truth::Open => self.enqueue(lit, level, Reason::None),
        }
        match self.propagate(level) {
            None => true,
            Some(conflict) => {
                self.learn(conflict);
                false
            }
        }
    }

    /// Assigns a literal that holds in all models, and propagates. Returns whether there was no conflict.
    pub(super) fn assert(&mut self, lit: u32) -> bool {
        match self.truth(lit) {
            Truth::False => return false,
            Truth::True => {}
            Truth::Open => self.enqueue(lit, 0, Reason::None),
        }
        self.propagate(0).is_none()
    }

    /// Returns whether assigning `lit` leads to a conflict by propagation.
    pub(super) fn fails(&mut self, lit: u32) -> bool {
        let length = self.trail.len();
        self.enqueue(lit, 1, Reason::None);
        let conflict = self.propagate(1);
        self.undo(length);
        conflict.is_some()
    }

    /// Assigns the literals that learnt unit clauses and pending clauses imply. Returns `false` if an implied literal
    /// is already false.
    fn imply_learnt(&mut self) -> bool {
        for index in 0..self.units.len() {
            match self.truth(self.units[index]) {
                Truth::False => return false,
                Truth::True => {}
                Truth::Open => self.enqueue(self.units[index], 0, Reason::None),
            }
        }
        let mut index = 0;
        while let Some(&clause) = self.pending.get(index) {
            let lits = self.lits_of(clause);
            if lits[..2].iter().any(|&lit| self.truth(lit) == Truth::True) {
                index += 1;
                continue;
            }
            let mut open = lits.iter().filter(|&&lit| self.truth(lit) == Truth::Open);
            let first = open.next().copied();
            if open.next().is_some() {
                self.pending.swap_remove(index);
                continue;
            }
            index += 1;
            if lits.iter().any(|&lit| self.truth(lit) == Truth::True) {
                continue;
            }
            let Some(lit) = first else { return false };
            let others = lits.iter().filter(|&&other| other != lit);
            let level = others.map(|other| self.level[(other >> 1) as usize]).max().unwrap_or(0);
            self.enqueue(lit, level, Reason::Clause(clause));
        }
        true
    }

    fn lits_of(&self, clause: u32) -> &[u32] {
        let Span { start, len, .. } = self.spans[clause as usize];
        &self.lits[start as usize..(start + len) as usize]
    }

    fn propagate(&mut self, level: u32) -> Option<Conflict> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            for index in 0..self.implied[lit as usize].len() {
                let other = self.implied[lit as usize][index];
                match self.truth[other as usize] {
                    Truth::True => {}
                    Truth::Open => self.enqueue(other, level, Reason::Binary(lit ^ 1)),
                    Truth::False => return Some(Conflict::Binary(lit ^ 1, other)),
                }
            }
            let conflict = self.visit_watches(lit ^ 1, level);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch `falsified`, a literal that has just become false, and makes them watch other
    /// literals where possible.
    fn visit_watches(&mut self, falsified: u32, level: u32) -> Option<Conflict> {
        let mut list = std::mem::take(&mut self.watches[falsified as usize]);
        let (mut read, mut kept) = (0, 0);
        let mut conflict = None;
        'watches: while let Some(&Watch { clause, blocker }) = list.get(read) {
            read += 1;
            if self.truth[blocker as usize] == Truth::True {
                list[kept] = Watch { clause, blocker };
                kept += 1;
                continue;
            }
            let Span { start, len, .. } = self.spans[clause as usize];
            let lits = &mut self.lits[start as usize..(start + len) as usize];
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            let first = lits[0];
            if self.truth[first as usize] != Truth::True {
                for other in 2..lits.len() {
                    if self.truth[lits[other] as usize] != Truth::False {
                        lits.swap(1, other);
                        self.watches[lits[1] as usize].push(Watch { clause, blocker: first });
                        continue 'watches;
                    }
                }
            }
            list[kept] = Watch { clause, blocker: first };
            kept += 1;
            match self.truth[first as usize] {
                Truth::True => {}
                Truth::Open => self.enqueue(first, level, Reason::Clause(clause)),
                Truth::False => {
                    conflict = Some(Conflict::Clause(clause));
                    break;
                }
            }
        }
        list.drain(kept..read);
        self.watches[falsified as usize] = list;
        conflict
    }
}
