//! Decisions, restarts, the two modes of the search, and periods of programmed search.
//!
//! Papers: Biere, Froehlich: *Evaluating CDCL restart schemes*, POS 2015; Oh: *Between SAT and UNSAT: the fundamental
//! difference in CDCL SAT*, SAT 2015; Biere, Fleury: *Chasing target phases*, POS 2020; Chu: *Improving combinatorial optimization*, thesis,
//! University of Melbourne, 2011 (alternation of programmed and conflict-driven search).

use crate::average::Luby;
use crate::state::Solver;
use crate::theory::Theory;

/// The minimum number of conflicts between two restarts in the focused mode.
const RESTART_INTERVAL: u64 = 2;
/// The search restarts if the average LBD of recent conflicts exceeds the long-term average by this factor.
const RESTART_MARGIN: f64 = 1.10;
/// The number of conflicts before the first reset of the saved phases.
const REPHASE_INTERVAL: u64 = 1000;

/// The number of conflicts of the first period of programmed search. The n-th period has n times as many.
const PROGRAMMED: u64 = 100;
/// The other modes follow the n-th period of programmed search for `n * UNPROGRAMMED` times its conflicts.
const UNPROGRAMMED: u64 = 3;

/// The maximum number of levels of assumptions. With a level for each of thousands of assumptions, a conflict that
/// backtracks to one of the first levels would be followed by thousands of fixpoints of the theory (compare Hickey,
/// Bacchus: *Speeding up assumption-based SAT*, SAT 2019).
const MOST_ASSUMED_LEVELS: usize = 1_000;

impl Solver {
    /// Returns the number of assumptions that are decided on one level. The last of their levels may have fewer.
    pub(crate) fn assumed_together(&self) -> usize {
        self.assumptions.len().div_ceil(MOST_ASSUMED_LEVELS).max(1)
    }

    /// Returns the number of levels of assumptions.
    pub(crate) fn assumed_levels(&self) -> usize {
        self.assumptions.len().div_ceil(self.assumed_together())
    }

    /// Updates the target phases. Call this method after a conflict, before backtracking. The literals of the current
    /// level are ignored, because they lead to the conflict.
    pub(crate) fn update_phases(&mut self) {
        if self.stable
            && !self.is_programmed()
            && let Some(&start) = self.starts.last()
        {
            self.phases.update(&self.trail[..start]);
        }
    }

    /// Returns the unassigned variable on which to branch.
    pub(crate) fn next_variable(&mut self) -> Option<usize> {
        if self.stable {
            while let Some(variable) = self.heap.first() {
                if self.values[2 * variable] == 0 && !self.temporaries.member[variable] {
                    return Some(variable);
                }
                self.heap.pop();
            }
            return None;
        }
        let Self { queue, values, temporaries, .. } = self;
        queue.next(|variable| values[2 * variable] != 0 || temporaries.member[variable])
    }

    /// Restarts the search, switches between the two modes, and resets the phases, if these steps are due.
    pub(crate) fn restart(&mut self, theory: &mut dyn Theory) {
        let conflicts = self.statistics.conflicts;
        if conflicts >= self.next.alternate {
            self.alternate(theory);
        }
        if self.is_programmed() {
            return;
        }
        if conflicts < self.next.restart || self.current_level() <= self.assumed_levels() {
            return;
        }
        let due = if self.stable {
            self.luby.is_due()
        } else {
            self.fast.value() > RESTART_MARGIN * self.slow.value()
        };
        if due {
            self.statistics.restarts += 1;
            let level = self.reusable_level();
            self.backtrack(level, theory);
        }
        self.next.restart = conflicts + RESTART_INTERVAL;
        self.switch_mode();
        if conflicts >= self.next.rephase {
            self.next.rephased += 1;
            self.next.rephase = conflicts + REPHASE_INTERVAL * (self.next.rephased + 1);
            self.backtrack(self.assumed_levels(), theory);
            self.phases.reset(self.next.rephased % 2 == 1);
        }
    }

    /// Starts the next period of programmed search, or ends it.
    fn alternate(&mut self, theory: &mut dyn Theory) {
        self.backtrack(self.assumed_levels(), theory);
        let next = &mut self.next;
        let round = next.alternations / 2 + 1;
        let factor = if next.alternations.is_multiple_of(2) { 1 } else { UNPROGRAMMED * round };
        next.alternate = self.statistics.conflicts + PROGRAMMED * round * factor;
        next.alternations += 1;
    }

    /// Returns the highest level that a restart can keep, because the search would repeat the decisions up to this
    /// level (van der Tak, Ramos, Heule: *Reusing the assignment trail in CDCL solvers*, JSAT 7, 2011).
    fn reusable_level(&mut self) -> usize {
        let mut level = self.assumed_levels();
        let Some(next) = self.next_variable() else { return level };
        while let Some(&start) = self.starts.get(level) {
            let Some(decision) = self.trail.get(start) else { break };
            let var = decision.var();
            let earlier = if self.stable {
                self.heap.activity(var) > self.heap.activity(next)
            } else {
                self.queue.time(var) > self.queue.time(next)
            };
            if !earlier {
                break;
            }
            level += 1;
        }
        level
    }

    /// Switches between the two modes when the period of the current mode ends. The first focused period lasts for 1000
    /// conflicts. The lengths of all later periods are multiples of the number of ticks in this period.
    fn switch_mode(&mut self) {
        let Self { next, ticks, stable, .. } = self;
        if next.switches == 0 {
            if self.statistics.conflicts < next.switch {
                return;
            }
            next.phase_ticks = *ticks;
        } else if *ticks < next.switch {
            return;
        }
        next.switches += 1;
        let round = next.switches.div_ceil(2);
        next.switch = *ticks + next.phase_ticks * round * round;
        *stable = !*stable;
        if *stable {
            self.luby = Luby::default();
            self.phases.forget_targets();
        }
    }
}
