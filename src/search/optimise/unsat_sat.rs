//! Linear search UNSAT-SAT: asks for the best conceivable value, then for the next, until a solution exists.

use super::{OptimiseError, Reply, Search, Strategy};

/// Every call but the last is unsatisfiable.
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
