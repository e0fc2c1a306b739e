//! Alternates between core-guided search and linear search SAT-UNSAT.
//!
//! Core-guided search alone mainly improves the bound on the optimum. A call to core-guided search usually finishes
//! after a few conflicts. If a call exceeds its conflict budget, linear search tries to find a better solution with as
//! many conflicts as core-guided search has used. After the linear search, core-guided search continues with a larger
//! budget. Core-guided search and linear search use the same solver, so clauses learnt in one search also help the
//! other.
//!
//! If the objective is a single integer, a core raises the bound by one value only. In this case, binary search replaces
//! core-guided search. After each call that exceeds its budget, binary search asks for a solution in a smaller part of
//! the gap, which is easier to refute.

use gordian_encodings::Term;

use super::core_guided::Cores;
use super::{Reply, Search, SolveError, Strategy, binary, sat_unsat};

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
    let is_integer =
        matches!(search.objective.terms[..], [(_, Term::Int(_))]) && search.objective.equal.is_empty();
    // This raises the bound if the objective has a relaxation, also for binary search.
    let mut cores = Cores::new(search)?;
    let bisects = is_integer && search.budgets;
    let mut conflicts = FIRST;
    for halvings in 1.. {
        let before = search.session.conflicts();
        let reply = if bisects {
            bisect(search, halvings, conflicts)?
        } else {
            cores.step(search, Some(conflicts))?
        };
        if reply != Reply::Exhausted {
            return Ok(());
        }
        let now = search.session.conflicts();
        let enough = now + conflicts.max(now - before);
        loop {
            match sat_unsat::step(search, Some(enough - search.session.conflicts()))? {
                Reply::Found if search.session.conflicts() < enough => {}
                Reply::Found | Reply::Exhausted => break,
                Reply::Core(_) | Reply::Proven | Reply::Stopped => return Ok(()),
            }
        }
        conflicts = conflicts.saturating_mul(GROWTH) / 100;
    }
    Ok(())
}

/// Continues binary search until a call exceeds its conflict budget. The first call asks for a solution in a part of the
/// gap that shrinks with `halvings`, as in [`binary::step`]. After each call that finishes, this part doubles, up to half
/// of the gap.
fn bisect(search: &mut Search<'_>, mut halvings: u32, conflicts: u64) -> Result<Reply, SolveError> {
    loop {
        match binary::step(search, halvings, Some(conflicts))? {
            Reply::Found | Reply::Core(_) => halvings = 1.max(halvings - 1),
            reply => return Ok(reply),
        }
    }
}
