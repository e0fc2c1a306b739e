//! Linear search SAT-UNSAT: each call searches for a better solution, until there is none.

use super::{Reply, Search, SolveError, Strategy};

/// Only the last call is unsatisfiable. The last call proves that the last solution is optimal.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "sat-unsat",
    summary: "linear search SAT-UNSAT: asks for a better solution until none exists",
    paper: "Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
    run,
};

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
    while step(search, None)? == Reply::Found {}
    Ok(())
}

/// Calls the solver once, with a conflict budget, to find a better solution.
pub(super) fn step(search: &mut Search<'_>, conflicts: Option<u64>) -> Result<Reply, SolveError> {
    if search.proven {
        return Ok(Reply::Proven);
    }
    let assumptions = search.at_least_as_good_as(search.better(search.best()));
    let reply = search.solve(&assumptions, conflicts)?;
    if let Reply::Core(_) = reply {
        search.no_better();
        return Ok(Reply::Proven);
    }
    Ok(reply)
}
