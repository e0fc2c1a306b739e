//! Fresh periods: short periods in which the search starts again, with the initial phases and the order of the variables.
//!
//! If a solver starts often, the shortest of its searches is short even when the time of a search has a heavy tail
//! ([`opening`](crate::opening)). From the end of the first period on, a fresh period therefore interrupts the two modes
//! again and again. Afterwards, the interrupted mode continues with its phases and activities, so that a fresh period
//! costs no more than its conflicts. Learnt clauses remain. Since the intervals between fresh periods grow with the
//! search, their number grows only as the logarithm of its length. After 1000 conflicts, a third of the conflicts are in
//! fresh periods, and after 100,000 conflicts a hundredth.
//!
//! The table shows numbers of conflicts on 17 Numberlink boards from 12x12 to 25x42 and a Nurikabe board, which needed more
//! than 1000 conflicts with at least one of the seeds 1 to 3: the sum and the maximum over the seeds 1 to 4, with a limit
//! of 20,000. An interval consists of a constant and a fraction of the conflicts so far. Without fresh periods, three of
//! these boards reach the limit with at least two of the seeds 1 to 3. With random orders in place of the order of the
//! variables, they still do.
//!
//! | length | interval | sum | maximum |
//! | --- | --- | --- | --- |
//! | 250 | 250 + 1/8 | 76,324 | 8,817 |
//! | 180 | 180 + 1/8 | 71,553 | 6,583 |
//! | 120 | 120 + 1/4 | 75,471 | 20,001 |
//! | 120 | 120 + 1/8 | 52,775 | 3,281 |
//! | 120 | 120 + 1/16 | 54,676 | 4,801 |
//! | 120 | 240 + 1/8 | 62,356 | 5,378 |
//! | 60 | 120 + 1/8 | 67,885 | 4,976 |

use crate::average::Luby;
use crate::opening;
use crate::state::{Interrupted, Solver};
use crate::theory::Theory;

/// The number of conflicts of a fresh period.
const LENGTH: u64 = 120;
/// The next fresh period follows after `LENGTH` conflicts and this fraction of all conflicts so far.
const FRACTION: u64 = 8;

impl Solver {
    /// Starts or ends a fresh period if it is due. Returns whether the search is in a fresh period.
    pub(crate) fn refresh(&mut self, theory: &mut dyn Theory) -> bool {
        if self.next.switches > 0 && self.statistics.conflicts >= self.next.fresh {
            self.backtrack(self.assumed_levels(), theory);
            if self.interrupted.is_some() {
                self.end_fresh_period();
            } else {
                self.start_fresh_period();
            }
        }
        self.interrupted.is_some()
    }

    fn start_fresh_period(&mut self) {
        self.interrupted = Some(Box::new(Interrupted {
            stable: self.stable,
            phases: self.phases.clone(),
            activities: self.heap.activities().clone(),
            luby: self.luby,
            statistics: self.statistics,
            ticks: self.ticks,
        }));
        self.next.fresh = self.statistics.conflicts + LENGTH;
        self.stable = true;
        self.luby = Luby::new(opening::RESTARTS);
        self.phases.reset(false);
        self.heap.forget();
    }

    /// Ends the current fresh period, if any. The mode that it interrupted continues, and its period is prolonged.
    pub(crate) fn end_fresh_period(&mut self) {
        let Some(interrupted) = self.interrupted.take() else { return };
        let Interrupted { stable, phases, activities, luby, statistics, ticks } = *interrupted;
        let (conflicts, ticks) = (self.statistics.conflicts - statistics.conflicts, self.ticks - ticks);
        self.stable = stable;
        self.phases.restore(phases);
        self.heap.restore(activities);
        self.luby = luby;
        self.next.prolong(conflicts, ticks);
        self.plan_fresh_period();
    }

    /// Ends the current fresh period, if any, after it has found a model. The search continues from its state.
    pub(crate) fn keep_fresh_period(&mut self) {
        if self.interrupted.take().is_some() {
            self.plan_fresh_period();
        }
    }

    fn plan_fresh_period(&mut self) {
        let conflicts = self.statistics.conflicts;
        self.next.fresh = conflicts + LENGTH + conflicts / FRACTION;
    }
}

#[cfg(test)]
mod tests {
    use crate::lit::Lit;
    use crate::state::Solver;

    /// Counts conflicts until a fresh period starts or ends. Returns their number.
    fn until_change(solver: &mut Solver) -> u64 {
        let (start, before) = (solver.statistics.conflicts, solver.interrupted.is_some());
        while solver.interrupted.is_some() == before {
            solver.statistics.conflicts += 1;
            solver.restart(&mut ());
        }
        solver.statistics.conflicts - start
    }

    #[test]
    fn an_interrupted_mode_continues_with_its_state() {
        let mut solver = Solver::default();
        solver.reserve(3);
        // The focused mode, which does not end.
        (solver.stable, solver.next.switches) = (false, 1);
        (solver.next.switch, solver.next.rephase) = (1 << 60, 1 << 60);
        solver.phases.save(Lit::new(1, true));
        solver.heap.bump(2);
        assert_eq!(until_change(&mut solver), 1, "the first fresh period is due");
        for variables in 3..20 {
            assert!(solver.stable);
            assert!(solver.phases.are_initial());
            assert_eq!(solver.heap.first(), Some(0));
            // The search changes phases and activities. It can add variables.
            solver.phases.save(Lit::new(0, true));
            solver.heap.bump(1);
            solver.reserve(variables + 1);
            assert_eq!(until_change(&mut solver), 120);
            assert!(!solver.stable);
            assert!(!solver.phases.choose(0, false).is_positive());
            assert!(solver.phases.choose(1, false).is_positive());
            assert_eq!(solver.heap.first(), Some(2));
            let conflicts = solver.statistics.conflicts;
            assert_eq!(until_change(&mut solver), 120 + conflicts / 8);
        }
    }
}
