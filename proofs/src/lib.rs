//! Proofs of unsatisfiability for the checker [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB).
//!
//! A certificate consists of a *formula* and a *proof*. The [`Formula`] is a list of linear inequalities over Boolean
//! variables. The formula states the problem as plainly as possible, because readers of the certificate must trust it.
//! The proof shows that no assignment satisfies the formula. The checker verifies each line of the proof, so nobody
//! needs to trust the solver or its encodings.
//!
//! During the search, a [`Log`] records:
//!
//! * the clauses of the encodings and of the propagators, each with the constraint that implies it;
//! * the definitions of auxiliary variables, each as a [reified](Log::define) inequality;
//! * the clauses that the solver learns and deletes.
//!
//! The log derives nothing during the search. After the search, [`Log::write`] [trims](trim) the recorded clauses: it
//! finds the clauses that the contradiction depends on, and writes derivations only for them.
//!
//! This crate uses no encodings and no solvers.

mod block;
mod cores;
mod define;
mod derive;
mod error;
mod formula;
mod line;
mod log;
mod row;
mod substitution;
mod terms;
pub mod trim;
mod veripb;

pub use block::{Block, BlockPlace, RowWriter};
pub use define::{Definitions, Derived};
pub use derive::{ConnectedGraph, DefinedFrom, Derive, Rows};
pub use error::ProofError;
pub use formula::Formula;
pub use line::push_number;
pub use log::{ClausalFiles, Log, Summary};
pub use row::{Overflow, Row};
pub use rustsat::types::Lit;
pub use substitution::Substitution;
pub use terms::Prefix;
pub use veripb::{Id, Line, Writer};
