//! Gordian solves puzzles and finite-domain models by encoding them into CNF for a CDCL SAT solver.
//!
//! Data flows one way: `format` reads bytes into data, a `puzzle` turns the data into a board and a constraint model,
//! `gordian_encodings` encodes the model into clauses, [`search`] queries a [`backend`] for an assignment, and the puzzle
//! decodes it. The `rules` check the solution before anyone sees it. `query` does all of this in one call.
//!
//! Cargo features, all in `default`:
//!
//! - `tool`: the command line and the bench; needs `puzzles` and `external`.
//! - `puzzles`: boards with their formats, formulations, rules and pictures.
//! - `external`: SAT solvers that run as programs.
//!
//! Without them the crate has solvers in the process ([`backend`]), queries on models ([`search`]), and readers and
//! writers of formulas ([`dimacs`], [`export`]). The feature `cadical` adds a solver in C++.
//!
//! Programs that have a model of their own use the [`prelude`] and the queries of [`solve`].

pub mod backend;
#[cfg(feature = "tool")]
pub mod bench;
#[cfg(feature = "tool")]
pub mod cli;
pub mod dimacs;
pub mod export;
#[cfg(feature = "tool")]
mod file;
#[cfg(feature = "puzzles")]
pub mod format;
mod nearest;
pub mod prelude;
pub mod process;
#[cfg(feature = "puzzles")]
pub mod puzzle;
#[cfg(feature = "puzzles")]
pub mod query;
#[cfg(feature = "puzzles")]
pub mod read;
#[cfg(feature = "puzzles")]
pub mod render;
pub mod search;
#[cfg(feature = "puzzles")]
pub mod solution;
pub mod solve;
pub mod source;

#[cfg(feature = "puzzles")]
pub use gordian_rules as rules;

/// The examples of the page on the library.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
