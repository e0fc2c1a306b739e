//! Linear search SAT-UNSAT: asks for a better solution until there is none.

use super::{OptimiseError, Reply, Search, Strategy};

/// Only the last call is unsatisfiable; it proves the last solution optimal.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "sat-unsat",
    summary: "asks for something better than the last solution until there is nothing; the bound moves at the end",
    paper: "Een, Sorensson: Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006",
    run,
};

fn run(search: &mut Search<'_>) -> Result<(), OptimiseError> {
    while step(search, None)? == Reply::Found {}
    Ok(())
}

/// Asks once for a better solution, within a conflict budget.
pub(super) fn step(search: &mut Search<'_>, conflicts: Option<u64>) -> Result<Reply, OptimiseError> {
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
