//! The portfolio: the configurations of the threads that solve one query in parallel.

use super::{Solver, cadical, cdcl, varisat};

/// The configuration of one thread.
#[derive(Debug)]
pub struct PortfolioEntry {
    /// The name of the solver.
    pub solver: &'static Solver,
    /// The encodings, as `constraint=encoding`. If the user chose encodings, the encodings of the portfolio are
    /// ignored.
    pub encode: &'static [&'static str],
    /// The optimisation strategy, or `None` for the strategy that the user chose.
    pub strategy: Option<&'static str>,
    /// The reason why the configuration is in the portfolio.
    pub reason: &'static str,
}

/// The configurations of all threads except the first one. The first thread uses the user's configuration, the second
/// thread uses the first entry of the portfolio, and so on. Entries are skipped if their solver is not built in.
///
/// The order follows from the measurements in `docs/questions.md`: configurations that were faster than the default
/// on some board are listed first.
pub static PORTFOLIO: &[PortfolioEntry] = &[
    PortfolioEntry {
        solver: &cdcl::SOLVER,
        encode: &["connectivity=cuts", "cardinality=sequential-counter"],
        strategy: Some("sat-unsat"),
        reason: "lazy clauses for connectivity, smaller counters, linear search SAT-UNSAT",
    },
    PortfolioEntry {
        solver: &cdcl::SOLVER,
        encode: &["connectivity=layers", "cardinality=totalizer", "at-most-one=pairwise"],
        strategy: Some("core-guided"),
        reason: "complete encodings in place of propagators and lazy clauses",
    },
    PortfolioEntry {
        solver: &varisat::SOLVER,
        encode: &[],
        strategy: Some("binary"),
        reason: "a different solver, faster on a single large formula",
    },
    PortfolioEntry {
        solver: &cadical::SOLVER,
        encode: &[],
        strategy: Some("sat-unsat"),
        reason: "inprocessing, which pays off on hard formulas",
    },
    PortfolioEntry {
        solver: &varisat::SOLVER,
        encode: &["connectivity=layers", "cardinality=cardinality-network"],
        strategy: Some("unsat-sat"),
        reason: "a different solver with complete encodings",
    },
];
