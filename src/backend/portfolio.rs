//! What several threads do with one question: the table of the portfolio.

use super::{Solver, batsat, cadical, varisat};

/// What a further thread does.
#[derive(Debug)]
pub struct Entry {
    /// The solver it takes.
    pub solver: &'static Solver,
    /// The encodings, as `constraint=encoding`, where the user chose none.
    pub encode: &'static [&'static str],
    /// The strategy for the best solution, where it is another than the user's.
    pub strategy: Option<&'static str>,
    /// What it is good for.
    pub reason: &'static str,
}

/// What the threads after the first do, which goes by what the user chose: the second takes the first row, and so on.
/// Rows whose solver was not built in are passed over.
///
/// The order is that of `docs/questions.md`: rows first that were quicker than the default on some board.
pub static PORTFOLIO: &[Entry] = &[
    Entry {
        solver: &batsat::SOLVER,
        encode: &["connectivity=cuts", "cardinality=sequential-counter"],
        strategy: Some("sat-unsat"),
        reason: "lazy cuts instead of a propagator, smaller counters; solutions instead of bounds",
    },
    Entry {
        solver: &batsat::SOLVER,
        encode: &["connectivity=layers", "cardinality=totalizer", "at-most-one=pairwise"],
        strategy: Some("core-guided"),
        reason: "everything in clauses, which others leave to the search",
    },
    Entry {
        solver: &varisat::SOLVER,
        encode: &[],
        strategy: Some("binary"),
        reason: "another search: the quicker one on large formulas in one call",
    },
    Entry {
        solver: &cadical::SOLVER,
        encode: &[],
        strategy: Some("sat-unsat"),
        reason: "inprocessing, for what takes minutes",
    },
    Entry {
        solver: &varisat::SOLVER,
        encode: &["connectivity=layers", "cardinality=cardinality-network"],
        strategy: Some("unsat-sat"),
        reason: "the other search with everything in clauses",
    },
];
