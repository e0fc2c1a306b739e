//! Raising the bound: asks for the best value that could be, then for the next one, until there is a solution.

use super::{OptimiseError, Reply, Search, Strategy};

/// From none to a solution: every call but the last fails.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "unsat-sat",
    summary: "asks for the best value that could be, then for the next best, until there is a solution",
    paper: "Morgado, Heras, Liffiton, Planes, Marques-Silva: Iterative and core-guided MaxSAT solving, Constraints 18, 2013",
    run,
};

fn run(search: &mut Search<'_>) -> Result<(), OptimiseError> {
    while !search.proven {
        let bound = search.bound;
        let assumptions = search.at_least_as_good_as(bound);
        match search.solve(&assumptions, None)? {
            Reply::Core(_) => search.none_better_than(search.worse(bound)),
            _ => return Ok(()),
        }
    }
    Ok(())
}
