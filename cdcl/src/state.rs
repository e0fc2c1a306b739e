//! The state of the solver.

use crate::arena::{Arena, ClauseRef};
use crate::average::{Average, Luby};
use crate::heap::{Activities, Heap};
use crate::lit::Lit;
use crate::opening;
use crate::phases::Phases;
use crate::proof::{ClauseId, Log};
use crate::queue::Queue;
use crate::watch::Watch;

/// The options of a solver.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The seed of the initial variable order, or 0 for the default order.
    pub seed: u64,
    /// The number of conflicts before the first reduction of the clause database. Learnt clauses are vivified and
    /// literals are probed after each reduction. The interval between two reductions grows with the square root of the
    /// number of reductions.
    pub reduce_interval: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, reduce_interval: 1000 }
    }
}

/// The numbers of conflicts, decisions, propagated literals and restarts in all calls to the solver.
#[derive(Debug, Clone, Copy, Default)]
pub struct Statistics {
    /// The number of conflicts.
    pub conflicts: u64,
    /// The number of decisions, including assumptions.
    pub decisions: u64,
    /// The number of literals that were propagated.
    pub propagations: u64,
    /// The number of restarts.
    pub restarts: u64,
}

/// The cause of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A decision or an assumption, or a literal that is true at level 0.
    None,
    /// A binary clause. The stored literal is the clause's other literal, which is false.
    Binary(Lit),
    Clause(ClauseRef),
    /// The theory, which explains the literal on request.
    Theory,
}

/// A clause whose literals are all false.
#[derive(Debug)]
pub(crate) enum Conflict {
    /// A binary clause with its number in the proof.
    Binary(Lit, Lit, ClauseId),
    Clause(ClauseRef),
    /// A clause of the theory with its number in the proof.
    Theory(Vec<Lit>, ClauseId),
}

/// A SAT solver.
#[derive(Debug)]
pub struct Solver {
    pub(crate) arena: Arena,
    /// The clauses that watch each literal.
    pub(crate) watches: Vec<Vec<Watch>>,
    /// The value of each literal: 1 for true, -1 for false, and 0 for unassigned.
    pub(crate) values: Vec<i8>,
    /// The level of each assigned variable, and the cause of its value.
    pub(crate) level: Vec<u32>,
    pub(crate) reason: Vec<Reason>,
    /// The true literals, in the order in which they became true. The first `head` literals have been propagated.
    pub(crate) trail: Vec<Lit>,
    pub(crate) head: usize,
    /// For each level from level 1 on, the length of the trail just before its first decision.
    pub(crate) starts: Vec<usize>,
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) core: Vec<Lit>,
    pub(crate) model: Vec<i8>,
    /// True if the clauses are unsatisfiable without assumptions.
    pub(crate) inconsistent: bool,
    /// True if the memory for clauses is used up, so that some clauses are missing.
    pub(crate) full: bool,

    pub(crate) heap: Heap,
    pub(crate) queue: Queue,
    pub(crate) phases: Phases,
    /// True in the stable mode.
    pub(crate) stable: bool,
    pub(crate) fast: Average,
    pub(crate) slow: Average,
    pub(crate) luby: Luby,
    /// In a fresh period, the state of the mode that it interrupts.
    pub(crate) interrupted: Option<Box<Interrupted>>,
    /// The schedule of restarts, reductions and other events.
    pub(crate) next: Events,
    /// The number of visited clauses, as a measure of time.
    pub(crate) ticks: u64,
    pub(crate) vivify_ticks: u64,
    pub(crate) probe_ticks: u64,
    pub(crate) statistics: Statistics,
    pub(crate) scratch: Scratch,
    pub(crate) log: Option<Box<Log>>,
    pub(crate) temporaries: Temporaries,
    random: u64,
    pub(crate) reduce_interval: u64,
}

/// The temporary variables, which a theory creates during the search ([`Search::fresh`](crate::Search::fresh)). A
/// temporary variable has a value only while its literal is on the trail of the theory. The search does not branch on
/// temporary variables. A temporary variable that occurs in a learnt clause becomes an ordinary variable.
#[derive(Debug, Default)]
pub(crate) struct Temporaries {
    /// For each variable of the solver, whether it is temporary.
    pub(crate) member: Vec<bool>,
    /// The number of temporary variables.
    pub(crate) total: usize,
    /// The number of temporary variables that have a value.
    pub(crate) assigned: usize,
}

/// The schedule of the search. All times are numbers of conflicts unless stated otherwise.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) restart: u64,
    pub(crate) reduce: u64,
    pub(crate) reductions: u64,
    pub(crate) rephase: u64,
    pub(crate) rephased: u64,
    /// The end of the current period of the focused or stable mode. It is a number of conflicts in the opening, and a
    /// number of ticks later.
    pub(crate) switch: u64,
    /// The number of the current period.
    pub(crate) switches: u64,
    /// The number of ticks in the last period of the opening, which is in the focused mode. During this period, the
    /// number of ticks before it.
    pub(crate) phase_ticks: u64,
    /// The end of the current period of programmed search, or of the period after it. `u64::MAX` without such periods.
    pub(crate) alternate: u64,
    /// The number of periods so far, with or without programmed search.
    pub(crate) alternations: u64,
    /// The start of the next fresh period, or the end of the current one.
    pub(crate) fresh: u64,
    /// The number of literals at level 0 when satisfied clauses were last removed.
    pub(crate) cleaned: usize,
    /// True if vivification and probing are due.
    pub(crate) inprocess: bool,
    /// The variable that was probed last.
    pub(crate) probe: usize,
    /// The number of literals that have been replaced by their representatives.
    pub(crate) replaced: usize,
}

/// The state of the mode that a fresh period interrupts.
#[derive(Debug)]
pub(crate) struct Interrupted {
    pub(crate) stable: bool,
    pub(crate) phases: Phases,
    pub(crate) activities: Activities,
    pub(crate) luby: Luby,
    /// The statistics and the ticks when the fresh period started.
    pub(crate) statistics: Statistics,
    pub(crate) ticks: u64,
}

impl Events {
    /// Prolongs the period of the current mode by a fresh period with the given numbers of conflicts and ticks.
    pub(crate) fn prolong(&mut self, conflicts: u64, ticks: u64) {
        self.rephase += conflicts;
        let periods = opening::PERIODS.len() as u64;
        self.switch += if self.switches < periods { conflicts } else { ticks };
        if self.switches + 1 == periods {
            self.phase_ticks += ticks;
        }
    }
}

/// Buffers of the conflict analysis.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The state of each variable during the analysis.
    pub(crate) seen: Vec<u8>,
    /// The variables whose state must be reset.
    pub(crate) touched: Vec<u32>,
    pub(crate) learnt: Vec<Lit>,
    pub(crate) lits: Vec<Lit>,
    pub(crate) stack: Vec<Lit>,
    /// For each level, the value of `stamp` when the level was last counted.
    pub(crate) stamps: Vec<u64>,
    pub(crate) stamp: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Solver {
    /// The maximum number of variables.
    pub const MOST_VARIABLES: u32 = 1 << 31;

    /// Creates a solver without variables and clauses.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            arena: Arena::default(),
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            trail: Vec::new(),
            head: 0,
            starts: Vec::new(),
            assumptions: Vec::new(),
            core: Vec::new(),
            model: Vec::new(),
            inconsistent: false,
            full: false,
            heap: Heap::default(),
            queue: Queue::default(),
            phases: Phases::default(),
            stable: true,
            fast: Average::new(33.0),
            slow: Average::new(1e5),
            luby: Luby::new(opening::RESTARTS),
            interrupted: None,
            next: Events {
                reduce: options.reduce_interval,
                rephase: opening::PERIODS.iter().sum(),
                switch: opening::PERIODS[0],
                alternate: u64::MAX,
                ..Events::default()
            },
            ticks: 0,
            vivify_ticks: 0,
            probe_ticks: 0,
            statistics: Statistics::default(),
            scratch: Scratch::default(),
            log: None,
            temporaries: Temporaries::default(),
            random: options.seed,
            reduce_interval: options.reduce_interval,
        }
    }

    /// Sets whether periods of *programmed* search alternate with the other modes of the search. In a programmed period,
    /// [`Theory::branch`](crate::Theory::branch) chooses the decisions, and the search does not restart.
    pub fn set_programmed(&mut self, programmed: bool) {
        if programmed != (self.next.alternate < u64::MAX) {
            self.next.alternate = if programmed { self.statistics.conflicts } else { u64::MAX };
            self.next.alternations = 0;
        }
    }

    /// Returns whether the search is in a period of programmed search.
    pub(crate) fn is_programmed(&self) -> bool {
        self.next.alternate < u64::MAX && !self.next.alternations.is_multiple_of(2)
    }

    /// Returns the number of variables.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.level.len() as u32
    }

    /// Adds variables until the solver has at least the given number of variables.
    pub fn reserve(&mut self, variables: u32) {
        while self.level.len() < variables as usize {
            let random = if self.random == 0 { 0.0 } else { self.random_fraction() };
            self.values.extend([0; 2]);
            self.watches.extend([Vec::new(), Vec::new()]);
            self.level.push(0);
            self.reason.push(Reason::None);
            self.heap.add(random * 1e-5);
            self.queue.add(random > 0.5);
            self.phases.add();
            self.scratch.seen.push(0);
            self.temporaries.member.push(false);
        }
        if let Some(log) = &mut self.log {
            log.reserve(self.level.len());
        }
    }

    /// Returns a random number between 0 and 1 (xorshift; Marsaglia 2003).
    fn random_fraction(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Sets the value that the search tries first for a variable.
    pub fn set_phase(&mut self, lit: Lit) {
        self.reserve(lit.variable() + 1);
        self.phases.set(lit);
    }

    /// Adds a binary clause with the number `id` in the proof.
    pub(crate) fn add_binary(&mut self, a: Lit, b: Lit, id: ClauseId) {
        self.watches[a.index()].push(Watch::binary(b, id));
        self.watches[b.index()].push(Watch::binary(a, id));
    }

    /// Stores a clause, but does not watch it. The clause has the number `id` in the proof. If the memory is full,
    /// returns `None`.
    pub(crate) fn add_long(
        &mut self,
        lits: &[Lit],
        learnt: bool,
        lbd: u32,
        id: ClauseId,
    ) -> Option<ClauseRef> {
        let clause = self.arena.add(lits, learnt, lbd);
        self.full |= clause.is_none();
        if let Some(clause) = clause.filter(|_| id > 0) {
            self.arena.set_id(clause, id);
        }
        clause
    }

    /// Returns 1 if the literal is true, -1 if it is false, and 0 otherwise.
    #[inline]
    pub(crate) fn assigned(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    pub(crate) fn current_level(&self) -> usize {
        self.starts.len()
    }

    /// Returns whether all variables, except the temporary variables, have values.
    pub(crate) fn is_complete(&self) -> bool {
        let Temporaries { total, assigned, .. } = self.temporaries;
        self.trail.len() - assigned == self.level.len() - total
    }

    /// Records that the clauses are unsatisfiable without assumptions, because of a conflict at level 0.
    pub(crate) fn refute(&mut self, conflict: &Conflict) {
        if !self.inconsistent {
            self.inconsistent = true;
            self.log_conflict(&[], conflict);
        }
    }

    /// Makes a literal true.
    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        let level = self.starts.len() as u32;
        // The literal is logged as a unit clause, because the clauses that imply it may be deleted later.
        if level == 0 && self.log.is_some() {
            self.log_unit(lit, reason);
        }
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.level[lit.var()] = level;
        self.reason[lit.var()] = if level == 0 { Reason::None } else { reason };
        self.trail.push(lit);
    }

    /// Makes a literal true at level 0. The unit clause has the number `id` in the proof.
    pub(crate) fn assign_unit(&mut self, lit: Lit, id: ClauseId) {
        self.set_cause(lit, id);
        self.assign(lit, Reason::None);
    }

    /// Starts a new level with the literal as its decision.
    pub(crate) fn decide(&mut self, lit: Lit) {
        self.starts.push(self.trail.len());
        self.set_decision(lit);
    }

    /// Makes a literal true as a decision or an assumption, that is, without a reason.
    pub(crate) fn set_decision(&mut self, lit: Lit) {
        self.temporaries.assigned += usize::from(self.temporaries.member[lit.var()]);
        self.assign(lit, Reason::None);
    }

    /// Backtracks to a level without saving phases and without notifying the theory.
    pub(crate) fn undo(&mut self, level: usize) {
        let Some(&start) = self.starts.get(level) else { return };
        for &lit in &self.trail[start..] {
            let var = lit.var();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            if self.temporaries.assigned > 0 && self.temporaries.member[var] {
                self.temporaries.assigned -= 1;
                continue;
            }
            self.heap.insert(var);
            self.queue.unassign(var);
        }
        self.trail.truncate(start);
        self.starts.truncate(level);
        self.head = self.head.min(start);
    }

    /// Returns the value of a literal in the last model.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit.index()).filter(|&&value| value != 0).map(|&value| value > 0)
    }

    /// Returns the value that a literal has in every model, or `None` if the solver has not derived such a value.
    #[must_use]
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        self.values.get(lit.index()).filter(|&&value| value != 0).map(|&value| value > 0)
    }

    /// Returns the core of the last unsatisfiable call: a subset of its assumptions that is contradictory together
    /// with the clauses. The core is empty if the clauses are unsatisfiable without assumptions.
    #[must_use]
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Returns the statistics of all calls.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}
