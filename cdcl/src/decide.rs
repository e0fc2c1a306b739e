//! Decisions, restarts, the two modes of the search, and periods of programmed search.
//!
//! Papers: Biere, Froehlich: *Evaluating CDCL restart schemes*, POS 2015; Oh: *Between SAT and UNSAT: the fundamental
//! difference in CDCL SAT*, SAT 2015; Biere, Fleury: *Chasing target phases*, POS 2020; Chu: *Improving combinatorial optimization*, thesis,
//! University of Melbourne, 2011 (alternation of programmed and conflict-driven search).

use crate::average::Luby;
use crate::opening;
use crate::state::Solver;
use crate::theory::Theory;

/// The minimum number of conflicts between two restarts in the focused mode.
const RESTART_INTERVAL: u64 = 2;
/// The search restarts if the average LBD of recent conflicts exceeds the long-term average by this factor.
const RESTART_MARGIN: f64 = 1.10;
/// The number of conflicts before the first restart in each stable period after the opening.
const RESTARTS: u64 = 1024;
/// The n-th interval between two resets of the saved phases has n times as many conflicts.
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

    /// Restarts the search, starts or ends a fresh period, switches between the two modes, and resets the phases, if these
    /// steps are due.
    pub(crate) fn restart(&mut self, theory: &mut dyn Theory) {
        let conflicts = self.statistics.conflicts;
        if conflicts >= self.next.alternate {
            self.alternate(theory);
        }
        if self.is_programmed() {
            return;
        }
        let is_fresh = self.refresh(theory);
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
        if is_fresh {
            return;
        }
        self.switch_mode(theory);
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

    /// Switches between the two modes when the period of the current mode ends. The lengths of the periods after the
    /// opening are multiples of the number of ticks in its last period.
    fn switch_mode(&mut self, theory: &mut dyn Theory) {
        let Self { next, ticks, statistics, .. } = self;
        let current = next.switches as usize;
        let now = if current < opening::PERIODS.len() { statistics.conflicts } else { *ticks };
        if now < next.switch {
            return;
        }
        next.switches += 1;
        self.stable = next.switches.is_multiple_of(2);
        if let Some(conflicts) = opening::PERIODS.get(current + 1) {
            next.switch = now + conflicts;
            next.phase_ticks = *ticks;
            self.luby = Luby::new(opening::RESTARTS);
            self.start_again(theory);
            return;
        }
        if current + 1 == opening::PERIODS.len() {
            next.phase_ticks = *ticks - next.phase_ticks;
        }
        let round = (current + 1 - opening::PERIODS.len()) as u64 / 2 + 1;
        next.switch = *ticks + next.phase_ticks * round * round;
        if self.stable {
            self.luby = Luby::new(RESTARTS);
            self.phases.forget_targets();
        }
    }

    /// Forgets the phases and activities, so that the next period of the opening starts like a new search. The learnt
    /// clauses remain.
    fn start_again(&mut self, theory: &mut dyn Theory) {
        self.backtrack(self.assumed_levels(), theory);
        self.phases.reset(false);
        self.heap.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Lit;

    /// The ticks between two conflicts of the test below.
    const TICKS: u64 = 3;

    /// Returns the numbers of conflicts before `most` at which the mode changes, and checks how each period begins. The
    /// conflicts in fresh periods are not counted.
    fn changes(solver: &mut Solver, most: u64) -> Vec<u64> {
        let (mut changes, mut conflicts, mut before) = (Vec::new(), 0, solver.stable);
        while conflicts < most {
            solver.decide(Lit::new(2, true));
            solver.statistics.conflicts += 1;
            solver.ticks += TICKS;
            let was_fresh = solver.interrupted.is_some();
            solver.restart(&mut ());
            conflicts += u64::from(!was_fresh);
            if solver.interrupted.is_none() && solver.stable != before {
                before = solver.stable;
                changes.push(conflicts);
                if changes.len() < opening::PERIODS.len() {
                    assert_eq!(solver.current_level(), 0);
                    assert!(solver.phases.are_initial());
                    assert_eq!(solver.heap.first(), Some(0));
                }
            }
            solver.backtrack(0, &mut ());
            // The search changes phases and activities.
            solver.phases.save(Lit::new(1, false));
            solver.heap.bump(2);
        }
        changes
    }

    #[test]
    fn the_opening_starts_again_in_each_period() {
        for seed in [0, 7] {
            let mut solver = Solver::new(crate::state::Options { seed, ..Default::default() });
            solver.reserve(3);
            solver.set_phase(Lit::new(1, true));
            assert!(solver.stable, "the first period is stable");
            // The periods of the opening have 250, 250, 500 and 1000 conflicts. Two periods follow for each square number,
            // with this number of times the ticks of the last period of the opening.
            let expected = [250, 500, 1000, 2000, 3000, 4000, 8000, 12000, 21000];
            let changes = changes(&mut solver, 22_000);
            assert_eq!(changes.len(), expected.len(), "{changes:?}");
            // A period ends at the first possible restart, and the ticks of late ends add up.
            for (change, expected) in changes.iter().zip(expected) {
                assert!(change.abs_diff(expected) <= 40, "{changes:?}");
            }
        }
    }
}
