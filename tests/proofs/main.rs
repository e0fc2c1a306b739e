//! Tests of certificates: gordian writes them, and refuses changed ones. Ignored tests run a proof checker.
#![cfg(feature = "tool")]

mod certificates;
mod clausal;
mod model_certificates;
mod prove_check;
#[path = "../support/mod.rs"]
mod support;
