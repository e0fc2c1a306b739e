//! Linear search SAT-UNSAT: each call searches for a better solution, until there is none.

use gordian_encodings::{Lit, Sense, Value};

use super::{Reply, Search, SolveError, Strategy};

/// Only the last call is unsatisfiable. The last call proves that the last solution is optimal.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "sat-unsat",
    summary: "linear search SAT-UNSAT: asks for a better solution until none exists",
    paper: "Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
    run,
};

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
    while step(search, 1, None)? == Reply::Found {}
    Ok(())
}

/// Calls the solver once, with a conflict budget, to find a solution that is better than the best one by at least
/// `improvement`, or as good as the bound.
pub(super) fn step(
    search: &mut Search<'_>,
    improvement: u128,
    conflicts: Option<u64>,
) -> Result<Reply, SolveError> {
    step_near(search, improvement, &[], conflicts)
}

/// Works like [`step`], but only searches for solutions that satisfy the literals in `near`.
pub(super) fn step_near(
    search: &mut Search<'_>,
    improvement: u128,
    near: &[Lit],
    conflicts: Option<u64>,
) -> Result<Reply, SolveError> {
    if search.proven {
        return Ok(Reply::Proven);
    }
    let value = wanted(search, improvement);
    let mut assumptions = search.at_least_as_good_as(value);
    let bounds = assumptions.len();
    assumptions.extend(near);
    let reply = search.solve(&assumptions, conflicts)?;
    if let Reply::Core(core) = &reply
        && core.iter().all(|lit| assumptions[..bounds].contains(lit))
    {
        search.none_better_than(search.worse(value));
        return Ok(if search.proven { Reply::Proven } else { reply });
    }
    Ok(reply)
}

/// Returns the value that is better than the best one by `improvement`, but at most as good as the bound.
fn wanted(search: &Search<'_>, improvement: u128) -> Value {
    let (bound, best) = (search.bound, search.best());
    let improvement = improvement.min(bound.abs_diff(best));
    match search.sense() {
        Sense::Minimise => best.saturating_sub_unsigned(improvement),
        Sense::Maximise => best.saturating_add_unsigned(improvement),
    }
}
