//! Core-guided search that alternates with attempts of linear search SAT-UNSAT.
//!
//! Core-guided search alone improves only the bound, and it usually finishes before any call takes more than a few
//! conflicts. A call that exceeds its conflict budget is suspended for an attempt to find a better solution with the
//! same budget, and then resumed with a larger one. Both use one solver, so each profits from the clauses that the
//! other has learnt.

use super::core_guided::Cores;
use super::{OptimiseError, Reply, Search, Strategy, sat_unsat};

/// The default strategy.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "alternating",
    summary: "`core-guided`, with attempts of `sat-unsat` in between where it takes long",
    paper: "measured; see docs/optimisation.md",
    run,
};

/// The conflict budget of the first attempt, and the growth of the budget in percent.
const FIRST: u64 = 2_000;
const GROWTH: u64 = 150;

fn run(search: &mut Search<'_>) -> Result<(), OptimiseError> {
    let mut cores = Cores::new(search)?;
    let mut conflicts = FIRST;
    loop {
        if cores.step(search, Some(conflicts))? != Reply::Exhausted {
            return Ok(());
        }
        let enough = search.session.conflicts() + conflicts;
        loop {
            match sat_unsat::step(search, Some(conflicts))? {
                Reply::Found if search.session.conflicts() < enough => {}
                Reply::Found | Reply::Exhausted => break,
                Reply::Core(_) | Reply::Proven | Reply::Stopped => return Ok(()),
            }
        }
        conflicts = conflicts.saturating_mul(GROWTH) / 100;
    }
}
