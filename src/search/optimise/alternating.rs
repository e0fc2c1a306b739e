//! Core-guided search, with attempts at something better wherever it gets stuck.
//!
//! Core-guided search alone closes the gap from the side of the bound, and most often it is done before its first call of
//! more than a few conflicts. Where a call takes more, it is left for an attempt at a better solution with as many conflicts,
//! then taken up again with more. Both work on one solver, so each profits from what the other has learnt.

use super::core_guided::Cores;
use super::{OptimiseError, Reply, Search, Strategy, sat_unsat};

/// The default.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "auto",
    summary: "`core-guided`, with attempts of `sat-unsat` in between where it takes long",
    paper: "measured; see docs/optimisation.md",
    run,
};

/// Conflicts of the first attempts, and by how many percent they grow.
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
