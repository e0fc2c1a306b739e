//! Alternates between core-guided search and linear search SAT-UNSAT.
//!
//! Core-guided search alone mainly improves the bound on the optimum. A call to core-guided search usually finishes
//! after a few conflicts. If a call exceeds its conflict budget, linear search tries to find a better solution with the
//! same budget. After the linear search, core-guided search continues with a larger budget. Core-guided search and
//! linear search use the same solver, so clauses learnt in one search also help the other.

use super::core_guided::Cores;
use super::{Reply, Search, SolveError, Strategy, sat_unsat};

/// The default strategy, which alternates between core-guided search and linear search.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "alternating",
    summary: "alternates `core-guided` and `sat-unsat`, with increasing conflict budgets",
    paper: "measured; see docs/optimisation.md",
    run,
};

/// The conflict budget of the first call. The budget of each later round is `GROWTH` percent of the previous budget.
const FIRST: u64 = 2_000;
const GROWTH: u64 = 150;

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
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
