//! Solution-improving search: asks for something better until there is nothing.

use super::{OptimiseError, Reply, Search, Strategy};

/// From solutions to none: the last one found is proven by the one call that fails.
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

/// Asks for something better once, giving up after so many conflicts.
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
