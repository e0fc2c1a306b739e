//! Binary search: each call searches for a solution in the better half of the gap, and either result halves the gap.

use gordian_encodings::Sense;

use super::{Reply, Search, SolveError, Strategy};

/// The number of calls is at most the bit length of the gap. On average, half of the solver calls are unsatisfiable.
pub(super) static STRATEGY: Strategy = Strategy {
    name: "binary",
    summary: "binary search: asks for a solution in the better half of the gap",
    paper: "Morgado, Heras, Liffiton, Planes, Marques-Silva: Iterative and core-guided MaxSAT solving, Constraints 18, 2013",
    run,
};

fn run(search: &mut Search<'_>) -> Result<(), SolveError> {
    while !search.proven {
        let (bound, best) = (search.bound, search.best());
        // The midpoint is rounded towards the bound, because a solution with the best value so far is already known.
        let half = (bound.abs_diff(best) - 1) / 2;
        let middle = match search.sense() {
            Sense::Minimise => bound.saturating_add_unsigned(half),
            Sense::Maximise => bound.saturating_sub_unsigned(half),
        };
        let assumptions = search.at_least_as_good_as(middle);
        match search.solve(&assumptions, None)? {
            Reply::Found => {}
            Reply::Core(_) => search.none_better_than(search.worse(middle)),
            Reply::Proven | Reply::Exhausted | Reply::Stopped => return Ok(()),
        }
    }
    Ok(())
}
