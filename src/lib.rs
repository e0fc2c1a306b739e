//! Gordian answers puzzles and finite-domain models by encoding them into CNF for a CDCL SAT solver.

pub mod backend;
pub mod format;
