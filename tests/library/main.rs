//! Tests that call the library: queries, explanations, generated boards, known facts and limits.
#![cfg(feature = "tool")]

mod cancelled;
mod decision_strategies;
mod encoding_limits;
mod explain;
mod explain_models;
mod explain_order;
mod formula_formats;
mod formulas;
mod given;
mod known;
mod lazy_order;
mod library;
mod make;
mod numbers;
mod nurikabe;
mod sheets;
#[path = "../support/mod.rs"]
mod support;
mod sweep;
