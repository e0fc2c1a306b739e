//! What several threads do with one question: the table of the portfolio.

use super::{Solver, batsat, cadical, varisat};

/// What a further thread does.
#[derive(Debug)]
pub struct Entry {
    /// The solver it takes.
    pub solver: &'static Solver,
    /// The techniques, as `meaning=technique`, where the user chose none.
    pub encode: &'static [&'static str],
    /// The strategy for the best answer, where it is another than the user's.
    pub strategy: Option<&'static str>,
    /// What it is good for.
    pub reason: &'static str,
}

/// What the threads after the first do, which goes by what the user chose: the second takes the first row, and so on.
/// Rows whose solver was not built in are passed over.
pub static PORTFOLIO: &[Entry] = &[
    Entry {
        solver: &varisat::SOLVER,
        encode: &[],
        strategy: Some("improving"),
        reason: "another search: the quicker one on large formulas in one call",
    },
    Entry {
        solver: &batsat::SOLVER,
        encode: &["connectivity=cuts", "cardinality=sequential-counter"],
        strategy: Some("core"),
        reason: "lazy cuts instead of a propagator, smaller counters",
    },
    Entry {
        solver: &cadical::SOLVER,
        encode: &[],
        strategy: Some("improving"),
        reason: "inprocessing, for what takes minutes",
    },
    Entry {
        solver: &batsat::SOLVER,
        encode: &["connectivity=layers", "cardinality=totalizer", "at-most-one=pairwise"],
        strategy: Some("binary"),
        reason: "everything in clauses, which others leave to the search",
    },
    Entry {
        solver: &varisat::SOLVER,
        encode: &["connectivity=layers", "cardinality=cardinality-network"],
        strategy: Some("raising"),
        reason: "the same for the other solver",
    },
];
