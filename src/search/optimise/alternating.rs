//! Alternates between core-guided search, linear search SAT-UNSAT and large neighbourhood search.
//!
//! Core-guided search alone mainly improves the bound on the optimum. It pauses if a call exceeds its conflict budget, if
//! it finds no core within a tenth of this budget, or if its calls need many propagations but hardly any conflicts. Then
//! the strategy searches for better solutions, with the same budget or, if core-guided search has used more conflicts,
//! with as many as these. After that, core-guided search continues with a larger budget. Both searches use the same
//! solver, so clauses learnt in one search also help the other.
//!
//! If the model has decision variables, each round begins with large neighbourhood search, which gets as much work as the rest
//! of the last round, or less if it improved the solution less than the search for better solutions did.
//!
//! Each solution doubles the improvement that the next call asks for (*progression*). Without this rule, a bad first
//! solution would be improved in many small steps.
//!
//! If the objective is a single integer, a core raises the bound by one value only. In this case, binary search replaces
//! core-guided search. After each call that exceeds its budget, binary search asks for a solution in a smaller part of
//! the gap, which is easier to refute.

use gordian_encodings::Term;

use super::core_guided::Cores;
use super::large_neighbourhood::LargeNeighbourhoodSearch;
use super::{Reply, Search, SolveError, Strategy, binary, sat_unsat};

/// The default strategy, which alternates between core-guided search and linear search.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "alternating",
    summary: "alternates `core-guided`, linear search and large neighbourhood search, with increasing budgets",
    paper: "measured; see docs/optimisation.md",
    run,
};

/// The conflict budget of the first call. The budget of each later round is `GROWTH` percent of the previous budget.
const FIRST: u64 = 2_000;
const GROWTH: u64 = 150;
/// The number of propagations that the first call should need if large neighbourhood search is used, and its smallest
/// conflict budget.
const FIRST_PROPAGATIONS: u64 = 500_000;
const LEAST_FIRST: u64 = 50;
/// The conflict budget of a call that asks for a larger improvement than necessary.
const PROGRESSION_CONFLICTS: u64 = 200;

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
    let is_integer =
        matches!(search.objective.terms[..], [(_, Term::Int(_))]) && search.objective.equal.is_empty();
    let bisects = is_integer && search.budgets;
    // Binary search uses the cores only for the bound of the relaxation.
    let needs_cores = !bisects || search.objective.relaxation.is_some();
    let mut cores = if needs_cores { Some(Cores::new(search)?) } else { None };
    let neighbourhoods = search.session.neighbourhoods.take();
    // In a proof, each call would add a clause with all fixed literals.
    let neighbourhoods = neighbourhoods.filter(|_| search.budgets && search.session.recorder.is_none());
    let mut near = neighbourhoods.map(LargeNeighbourhoodSearch::new);
    let mut budget = if near.is_some() { first_budget(search) } else { FIRST };
    let mut work = search.session.propagations();
    for halvings in 1.. {
        let value = search.best();
        if let Some(near) = &mut near
            && !near.run(search, work)?
        {
            return Ok(());
        }
        let before = (search.session.conflicts(), search.session.propagations(), search.best());
        let reply = match &mut cores {
            Some(cores) if !bisects => cores.step(search, Some(budget))?,
            _ => bisect(search, halvings, budget)?,
        };
        if reply != Reply::Exhausted {
            return Ok(());
        }
        let now = search.session.conflicts();
        if !improve(search, now + budget.max(now - before.0))? {
            return Ok(());
        }
        work = search.session.propagations() - before.1;
        if let Some(near) = &mut near {
            near.compare(value.abs_diff(before.2), search.best().abs_diff(before.2), work);
        }
        budget = budget.saturating_mul(GROWTH) / 100;
    }
    Ok(())
}

/// Returns the conflict budget of the first call of a search with neighbourhoods. If conflicts are expensive, the budget is
/// smaller, so that large neighbourhood search soon continues.
fn first_budget(search: &Search<'_>) -> u64 {
    let for_each_conflict = search.session.propagations() / search.session.conflicts().max(1);
    (FIRST_PROPAGATIONS / for_each_conflict.max(1)).clamp(LEAST_FIRST, FIRST)
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
