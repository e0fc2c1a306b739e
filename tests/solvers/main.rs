//! Tests that run over every built-in solver. With the feature `cadical`, they cover CaDiCaL too.
#![cfg(feature = "tool")]

mod backbone;
mod brute_force;
mod connectivity;
mod contract;
mod drat;
mod portfolio;
#[path = "../support/mod.rs"]
mod support;
