//! Benchmarks: compares encodings, solvers and search strategies over many runs of the program.
//!
//! [`instance`] describes the boards, [`settings`] the configuration of a run. [`run`] starts a process for each pair
//! of them, and `process` enforces its limits from outside. The outcome of a run is a [`record`], one line of a
//! [`results`] file. [`agreement`] detects records that contradict each other, [`summary`] computes statistics, and
//! [`report`] renders them as tables and as an HTML page.

pub mod agreement;
pub mod instance;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod settings;
pub mod summary;
