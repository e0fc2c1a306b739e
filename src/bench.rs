//! Benchmarks that compare encodings, solvers and search strategies on many boards.
//!
//! [`instance`] describes a board, and [`settings`] describes the configuration of a run. [`run`] starts a process for
//! each combination of board and settings. The module `process` enforces the limits on time and memory. The outcome of
//! a run is a [`record`], which is one line of a [`results`] file. [`agreement`] detects records that contradict each
//! other, [`summary`] computes statistics, and [`report`] shows the statistics as tables and as an HTML page.

pub mod agreement;
pub mod instance;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod settings;
pub mod summary;
