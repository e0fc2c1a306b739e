//! Linear search SAT-UNSAT: each call searches for a better solution, until there is none.

use gordian_encodings::Sense;

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
    if search.proven {
        return Ok(Reply::Proven);
    }
    let (bound, best) = (search.bound, search.best());
    let improvement = improvement.min(bound.abs_diff(best));
    let value = match search.sense() {
        Sense::Minimise => best.saturating_sub_unsigned(improvement),
        Sense::Maximise => best.saturating_add_unsigned(improvement),
    };
    let assumptions = search.at_least_as_good_as(value);
    let reply = search.solve(&assumptions, conflicts)?;
    if let Reply::Core(_) = reply {
        search.none_better_than(search.worse(value));
        return Ok(if search.proven { Reply::Proven } else { reply });
    }
    Ok(reply)
}
