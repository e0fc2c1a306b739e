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
    while let Reply::Found | Reply::Core(_) = step(search, 1, None)? {}
    Ok(())
}

/// Calls the solver once, with a conflict budget, to find a solution in the better part of the gap: the better half if
/// `halvings` is 1, the best quarter if it is 2, and so on.
pub(super) fn step(
    search: &mut Search<'_>,
    halvings: u32,
    conflicts: Option<u64>,
) -> Result<Reply, SolveError> {
    if search.proven {
        return Ok(Reply::Proven);
    }
    let (bound, best) = (search.bound, search.best());
    // The value is rounded towards the bound, because a solution with the best value so far is already known.
    let distance = (bound.abs_diff(best) - 1).checked_shr(halvings).unwrap_or(0);
    let value = match search.sense() {
        Sense::Minimise => bound.saturating_add_unsigned(distance),
        Sense::Maximise => bound.saturating_sub_unsigned(distance),
    };
    let assumptions = search.at_least_as_good_as(value);
    let reply = search.solve(&assumptions, conflicts)?;
    if let Reply::Core(_) = reply {
        search.none_better_than(search.worse(value));
    }
    Ok(reply)
}
