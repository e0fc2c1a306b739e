//! Unit propagation with two watched literals, propagators and conflict analysis.

use gordian_encodings::theory::{Event, Findings, Propagator};
use gordian_encodings::{Cnf, Lit, tick};

/// The origin of a literal on the trail.
#[derive(Debug, Clone, Copy)]
enum Reason {
    Decision,
    Clause(u32),
    Propagator { who: u32, event: Event },
}

/// The state of unit propagation: the clauses, the propagators and the trail. Each assumption starts a level, even if
/// it is already true.
#[derive(Debug)]
pub(super) struct Engine {
    /// The literals of all clauses, one clause after the other. The first two literals of a clause are watched.
    lits: Vec<Lit>,
    /// The range of each clause in `lits`.
    clauses: Vec<(u32, u32)>,
    /// The clauses that watch each literal.
    watches: Vec<Vec<u32>>,
    /// The value of each literal, or `None` if it is not assigned.
    values: Vec<Option<bool>>,
    /// The origin of each variable's value, and the position of the variable on the trail.
    reasons: Vec<(Reason, u32)>,
    trail: Vec<Lit>,
    /// The length of the processed part of the trail. For each literal in this part, the clauses that watch its
    /// negation have been visited.
    visited: usize,
    /// The assumption of each level, with the lengths of `trail` and `log` at the start of the level.
    levels: Vec<(Lit, usize, usize)>,
    propagators: Vec<Box<dyn Propagator>>,
    /// The propagators that watch each literal.
    events: Vec<Vec<(u32, Event)>>,
    awake: Vec<bool>,
    /// For each notification, in chronological order, the index of the notified propagator. Propagators have been
    /// notified of the first `reported` literals on the trail.
    log: Vec<u32>,
    reported: usize,
    /// The last conflict: a clause whose literals are all false.
    conflict: Vec<Lit>,
    /// The derivation of the last contradiction, see [`Engine::refutation`].
    refutation: Vec<(Option<Lit>, Vec<Lit>)>,
    /// True if the clauses are contradictory without assumptions.
    contradictory: bool,
}

impl Engine {
    pub(super) fn new(cnf: &Cnf, propagators: Vec<Box<dyn Propagator>>, variables: usize) -> Self {
        let mut events = vec![Vec::new(); 2 * variables];
        for (who, propagator) in propagators.iter().enumerate() {
            for (lit, event) in propagator.events() {
                events[lit.lidx()].push((who as u32, event));
            }
        }
        let mut engine = Self {
            lits: Vec::new(),
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            values: vec![None; 2 * variables],
            reasons: vec![(Reason::Decision, 0); variables],
            trail: Vec::new(),
            visited: 0,
            levels: Vec::new(),
            awake: vec![true; propagators.len()],
            propagators,
            events,
            log: Vec::new(),
            reported: 0,
            conflict: Vec::new(),
            refutation: Vec::new(),
            contradictory: false,
        };
        let mut units = Vec::new();
        for clause in cnf.iter() {
            tick(clause.len() as u64);
            let index = engine.clauses.len() as u32;
            let start = engine.lits.len() as u32;
            engine.lits.extend_from_slice(clause);
            engine.clauses.push((start, engine.lits.len() as u32));
            match clause {
                [] => engine.contradictory = true,
                [unit] => units.push((*unit, index)),
                [a, b, ..] => {
                    engine.watches[a.lidx()].push(index);
                    engine.watches[b.lidx()].push(index);
                }
            }
        }
        for (unit, index) in units {
            match engine.value(unit) {
                None => engine.set(unit, Reason::Clause(index)),
                Some(value) => engine.contradictory |= !value,
            }
        }
        engine.contradictory = engine.contradictory || !engine.propagate();
        engine
    }

    pub(super) fn trail(&self) -> &[Lit] {
        &self.trail
    }

    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.lidx()]
    }

    fn set(&mut self, lit: Lit, reason: Reason) {
        self.values[lit.lidx()] = Some(true);
        self.values[(!lit).lidx()] = Some(false);
        self.reasons[lit.vidx()] = (reason, self.trail.len() as u32);
        self.trail.push(lit);
    }

    /// Removes a level and all levels after it.
    fn backtrack(&mut self, level: usize) {
        let Some(&(_, length, logged)) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        for lit in self.trail.drain(length..) {
            self.values[lit.lidx()] = None;
            self.values[(!lit).lidx()] = None;
        }
        for who in self.log.drain(logged..).rev() {
            self.propagators[who as usize].undo();
        }
        (self.visited, self.reported) = (length, length);
        self.awake.fill(false);
    }

    /// Adds a level with an assumption, and propagates. On a conflict, removes the level and returns the core.
    pub(super) fn push(&mut self, lit: Lit) -> Result<(), Vec<Lit>> {
        if self.value(lit) == Some(false) {
            self.conflict = vec![lit];
            let mut core = self.analyse();
            core.push(lit);
            if let Some((_, causes)) = self.refutation.last_mut() {
                causes.push(lit);
            }
            return Err(core);
        }
        if !self.decide(lit) {
            let core = self.analyse();
            self.pop();
            return Err(core);
        }
        Ok(())
    }

    /// Works like [`Engine::push`], but returns `false` on a conflict, without a core.
    pub(super) fn push_if_consistent(&mut self, lit: Lit) -> bool {
        if self.value(lit) == Some(false) {
            return false;
        }
        let is_consistent = self.decide(lit);
        if !is_consistent {
            self.pop();
        }
        is_consistent
    }

    /// Adds a level with an assumption that is not false, and propagates. Returns `false` if there is a conflict.
    fn decide(&mut self, lit: Lit) -> bool {
        self.levels.push((lit, self.trail.len(), self.log.len()));
        if self.value(lit).is_some() {
            return true;
        }
        self.set(lit, Reason::Decision);
        self.propagate()
    }

    /// Removes the last level.
    pub(super) fn pop(&mut self) {
        self.backtrack(self.levels.len().saturating_sub(1));
    }

    /// Replaces all assumptions by `lits`. If there is a conflict, returns a contradictory subset of `lits`.
    pub(super) fn assume(&mut self, lits: &[Lit]) -> Result<(), Vec<Lit>> {
        if self.contradictory {
            self.refutation = vec![(None, Vec::new())];
            return Err(Vec::new());
        }
        let common = self.levels.iter().zip(lits).take_while(|((assumed, ..), lit)| assumed == *lit).count();
        self.backtrack(common);
        lits[common..].iter().try_for_each(|&lit| self.push(lit))
    }

    /// Propagates to a fixpoint. Returns `false` and sets `conflict` if there is a conflict.
    fn propagate(&mut self) -> bool {
        loop {
            if !self.visit_clauses() {
                return false;
            }
            for index in self.reported..self.trail.len() {
                for &(who, event) in &self.events[self.trail[index].lidx()] {
                    self.propagators[who as usize].assign(event);
                    self.log.push(who);
                    self.awake[who as usize] = true;
                }
            }
            self.reported = self.trail.len();
            let Some(who) = self.awake.iter().position(|&awake| awake) else { return true };
            let mut findings = Findings::default();
            self.propagators[who].propagate(&mut findings);
            if let Some(conflict) = findings.conflict {
                self.conflict = conflict;
                return false;
            }
            self.awake[who] = false;
            for (lit, event) in findings.implied {
                let who = who as u32;
                match self.value(lit) {
                    Some(true) => {}
                    None => {
                        self.set(lit, Reason::Propagator { who, event });
                        self.awake[who as usize] = true;
                    }
                    Some(false) => {
                        self.conflict = vec![lit];
                        let mut reason = Vec::new();
                        self.propagators[who as usize].explain(event, &mut reason);
                        self.conflict.extend(reason.into_iter().map(|lit| !lit));
                        return false;
                    }
                }
            }
        }
    }

    /// Visits the clauses that watch newly falsified literals.
    fn visit_clauses(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.visited) {
            self.visited += 1;
            let falsified = !lit;
            let mut watching = std::mem::take(&mut self.watches[falsified.lidx()]);
            let mut kept = 0;
            let mut conflict = None;
            for index in 0..watching.len() {
                let clause = watching[index];
                let (start, end) = self.clauses[clause as usize];
                let (start, end) = (start as usize, end as usize);
                if self.lits[start] == falsified {
                    self.lits.swap(start, start + 1);
                }
                let other = self.lits[start];
                let free = if self.value(other) == Some(true) {
                    None
                } else {
                    (start + 2..end).find(|&at| self.value(self.lits[at]) != Some(false))
                };
                if let Some(at) = free {
                    self.lits.swap(start + 1, at);
                    self.watches[self.lits[start + 1].lidx()].push(clause);
                    continue;
                }
                watching[kept] = clause;
                kept += 1;
                match self.value(other) {
                    Some(true) => {}
                    None => self.set(other, Reason::Clause(clause)),
                    Some(false) => {
                        watching.copy_within(index + 1.., kept);
                        kept += watching.len() - index - 1;
                        conflict = Some(start..end);
                        break;
                    }
                }
            }
            watching.truncate(kept);
            self.watches[falsified.lidx()] = watching;
            if let Some(lits) = conflict {
                self.conflict.clear();
                self.conflict.extend_from_slice(&self.lits[lits]);
                return false;
            }
        }
        true
    }

    /// Returns the assumptions that imply the conflict, and stores the derivation in `refutation`.
    fn analyse(&mut self) -> Vec<Lit> {
        let base = self.levels.first().map_or(self.trail.len(), |&(_, length, _)| length);
        let mut marked = vec![false; self.trail.len()];
        let mut core = Vec::new();
        let causes: Vec<Lit> = self.conflict.iter().map(|&lit| !lit).collect();
        let mark = |causes: &[Lit], reasons: &[(Reason, u32)], marked: &mut [bool]| {
            for lit in causes {
                marked[reasons[lit.vidx()].1 as usize] = true;
            }
        };
        mark(&causes, &self.reasons, &mut marked);
        let mut derivation = vec![(None, causes)];
        for position in (base..self.trail.len()).rev() {
            if !marked[position] {
                continue;
            }
            let lit = self.trail[position];
            if let Some(causes) = self.causes(lit) {
                mark(&causes, &self.reasons, &mut marked);
                derivation.push((Some(lit), causes));
            } else {
                core.push(lit);
            }
        }
        derivation.reverse();
        self.refutation = derivation;
        core
    }

    /// Returns the true literals that imply a literal on the trail, or `None` for an assumption.
    fn causes(&mut self, lit: Lit) -> Option<Vec<Lit>> {
        match self.reasons[lit.vidx()].0 {
            Reason::Decision => None,
            Reason::Clause(clause) => {
                let (start, end) = self.clauses[clause as usize];
                let clause = &self.lits[start as usize..end as usize];
                Some(clause.iter().filter(|&&other| other != lit).map(|&other| !other).collect())
            }
            Reason::Propagator { who, event } => {
                let mut reason = Vec::new();
                self.propagators[who as usize].explain(event, &mut reason);
                Some(reason)
            }
        }
    }

    /// Returns the literals that the assumptions imply, in order, each with the true literals that imply it.
    pub(super) fn derivation(&mut self) -> Vec<(Option<Lit>, Vec<Lit>)> {
        let base = self.levels.first().map_or(self.trail.len(), |&(_, length, _)| length);
        let implied: Vec<Lit> = self.trail[base..].to_vec();
        implied.into_iter().filter_map(|lit| Some((Some(lit), self.causes(lit)?))).collect()
    }

    /// Returns the literals from which the last contradiction was derived, in order, each with the true literals that
    /// imply it. The last entry has no literal and stands for the contradiction.
    pub(super) fn refutation(&self) -> &[(Option<Lit>, Vec<Lit>)] {
        &self.refutation
    }
}
