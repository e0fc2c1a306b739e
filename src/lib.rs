//! Gordian solves puzzles and finite-domain models by encoding them into CNF for a CDCL SAT solver.
//!
//! A puzzle passes through the following modules in order: `format` parses the input, `puzzle` builds a board and a
//! constraint model from it, `gordian_encodings` encodes the model into clauses, [`search`] runs a solver of
//! [`backend`] on them, and the puzzle decodes the assignment into a solution. `rules` checks the solution before it
//! is reported. `query` runs all steps after parsing in one call.
//!
//! All cargo features below are enabled by default:
//!
//! - `tool`: the command line and the benchmarks. The feature requires all features below.
//! - `web`: the web interface. The feature requires `puzzles`.
//! - `puzzles`: the puzzle types with their formats, formulations, rules and renderers.
//! - `flatzinc`: instances of constraint models in FlatZinc and XCSP3. Requires `puzzles`.
//! - `external`: SAT solvers that run as external programs.
//!
//! Without any of the features, the crate provides built-in solvers ([`backend`]), queries on models ([`search`]),
//! and readers and writers of formulas ([`dimacs`], [`export`]). The optional feature `cadical` adds the solver
//! CaDiCaL, which is written in C++.
//!
//! Programs that build their own models use the [`prelude`] and the queries of [`solve`].

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub mod backend;
#[cfg(feature = "tool")]
pub mod bench;
#[cfg(feature = "puzzles")]
pub mod certificate;
#[cfg(feature = "tool")]
pub mod cli;
#[cfg(feature = "puzzles")]
pub mod clues;
pub mod dimacs;
#[cfg(feature = "puzzles")]
pub mod drawing;
#[cfg(feature = "puzzles")]
pub mod explain;
pub mod export;
#[cfg(feature = "tool")]
mod file;
#[cfg(feature = "flatzinc")]
pub mod flatzinc;
#[cfg(feature = "puzzles")]
pub mod format;
#[cfg(feature = "puzzles")]
pub mod make;
#[cfg(feature = "tool")]
pub mod minizinc;
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
#[cfg(feature = "web")]
pub mod web;

#[cfg(feature = "puzzles")]
pub use gordian_rules as rules;

/// Includes the examples of `docs/library.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
