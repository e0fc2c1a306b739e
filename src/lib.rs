//! Gordian solves puzzles and finite-domain models by encoding them into CNF for a CDCL SAT solver.
//!
//! One way through: a [`format`](mod@format) reads bytes into data, a [`puzzle`] makes a board of the data and a constraint model of
//! the board, `gordian_encodings` puts the model into clauses, a [`search`] asks a [`backend`] for an assignment, the
//! puzzle decodes it and checks the [`solution`] against the rules before anyone sees it. [`ask`](mod@ask) is that way as
//! one call.

pub mod ask;
pub mod backend;
pub mod bench;
pub mod cli;
pub mod export;
pub mod format;
pub mod grid;
mod leftovers;
mod nearest;
pub mod puzzle;
pub mod render;
pub mod search;
pub mod solution;
