//! Alternates between core-guided search and linear search SAT-UNSAT.
//!
//! Core-guided search alone mainly improves the bound on the optimum. It pauses if a call exceeds its conflict budget, if
//! it finds no core within a tenth of this budget, or if its calls need many propagations but hardly any conflicts. Then
//! the strategy searches for better solutions, with the same budget or, if core-guided search has used more conflicts,
//! with as many as these. After that, core-guided search continues with a larger budget. Both searches use the same
//! solver, so clauses learnt in one search also help the other.
//!
//! Each solution doubles the improvement that the next call asks for (*progression*). Without this rule, a bad first
//! solution would be improved in many small steps.
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
    summary: "alternates `core-guided` and the search for better solutions, with increasing budgets",
    paper: "measured; see docs/optimisation.md",
    run,
};

/// The conflict budget of the first call. The budget of each later round is `GROWTH` percent of the previous budget.
const FIRST: u64 = 2_000;
const GROWTH: u64 = 150;
/// The conflict budget of a call that asks for a larger improvement than necessary.
const PROGRESSION_CONFLICTS: u64 = 200;

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
    let is_integer =
        matches!(search.objective.terms[..], [(_, Term::Int(_))]) && search.objective.equal.is_empty();
    let bisects = is_integer && search.budgets;
    // Binary search uses the cores only for the bound of the relaxation.
    let needs_cores = !bisects || search.objective.relaxation.is_some();
    let mut cores = if needs_cores { Some(Cores::new(search)?) } else { None };
    let mut budget = FIRST;
    for halvings in 1.. {
        let before = search.session.conflicts();
        let reply = match &mut cores {
            Some(cores) if !bisects => cores.step(search, Some(budget))?,
            _ => bisect(search, halvings, budget)?,
        };
        if reply != Reply::Exhausted {
            return Ok(());
        }
        let now = search.session.conflicts();
        if !improve(search, now + budget.max(now - before))? {
            return Ok(());
        }
        budget = budget.saturating_mul(GROWTH) / 100;
    }
    Ok(())
}

/// Searches for better solutions until the number of conflicts reaches `enough`. Each solution doubles the improvement
/// that the next call asks for. Returns `false` if the search is finished.
fn improve(search: &mut Search<'_>, enough: u64) -> Result<bool, SolveError> {
    let mut improvement = 1;
    loop {
        let left = enough.saturating_sub(search.session.conflicts());
        let most = if improvement > 1 { PROGRESSION_CONFLICTS } else { u64::MAX };
        match sat_unsat::step(search, improvement, Some(left.min(most)))? {
            Reply::Found if search.session.conflicts() < enough => improvement *= 2,
            Reply::Core(_) => improvement = 1,
            Reply::Exhausted if improvement > 1 => improvement = 1,
            Reply::Found | Reply::Exhausted => return Ok(true),
            Reply::Proven | Reply::Stopped => return Ok(false),
        }
    }
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
