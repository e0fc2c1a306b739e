//! Benchmarks that compare encodings, solvers and search strategies on many boards and constraint models.
//!
//! [`instance`] describes a board or a model, and [`settings`] describes the configuration of a run. [`run`] starts a
//! process for each combination of instance and settings: this program, or one of the solvers of [`flatzinc_solver`].
//! The module `process` enforces the limits on time and memory. The outcome of a run is a [`record`], which is one line
//! of a [`results`] file. [`agreement`] detects records that contradict each
//! other, [`summary`] computes statistics, and [`report`] shows the statistics as tables and as an HTML page.

pub mod agreement;
pub mod flatzinc_solver;
pub mod instance;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod settings;
pub mod summary;
