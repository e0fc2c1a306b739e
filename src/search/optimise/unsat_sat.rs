//! Linear search UNSAT-SAT: each call searches for a solution that is as good as the bound. If there is no such
//! solution, the next worse value becomes the bound.

use super::{Reply, Search, SolveError, Strategy};

/// Only the last call is satisfiable, and its solution is optimal.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "unsat-sat",
    summary: "linear search UNSAT-SAT: asks for the best possible value, then for the next one, until a solution exists",
    paper: "Morgado, Heras, Liffiton, Planes, Marques-Silva: Iterative and core-guided MaxSAT solving, Constraints 18, 2013",
    run,
};

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
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
