//! Tests that the documents, the tables and the sources of the repository agree with each other and with the program.
#![cfg(feature = "tool")]

mod architecture;
mod docs;
mod generated;
mod rules_crate;
#[path = "../support/mod.rs"]
mod support;
mod tables;
