//! Tests that run the program as a process, and compare its output and its exit code.
#![cfg(feature = "tool")]

mod addresses;
mod bench;
mod bench_models;
mod check;
mod count;
mod errors;
mod export;
mod external;
mod flatzinc;
mod formulas;
mod fpuzzles;
mod fzn;
mod help;
mod instances;
mod limits;
mod many;
mod minizinc;
mod optimisation;
mod output;
mod pictures;
mod published_numbers;
mod questions;
mod schema;
mod schemas;
mod solve;
mod stopped;
#[path = "../support/mod.rs"]
mod support;
