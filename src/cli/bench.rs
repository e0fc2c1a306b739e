//! `gordian bench`: compares encodings, solvers and strategies on given boards and constraint models.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::exit::ExitStatus;
use super::report::Failure;

mod merge;
mod report;
mod start;

pub(super) use start::end_with_parent;

/// Compare encodings, solvers and strategies on boards and constraint models.
///
/// Every combination of the given options is a run: a separate process with enforced limits. When a run ends, its
/// result is appended to the output file. Runs whose results are already in the file are skipped, so an interrupted
/// benchmark continues when the same command is started again. If two results contradict each other, the benchmark
/// stops and writes a script that reproduces the contradiction.
///
/// Boards that can't be read are reported and skipped.
///
/// Exit code 0: all runs are done; 1: results contradict each other; 2: the command line or a board is invalid; 3:
/// interrupted. If several exit codes apply, 1 takes precedence over 2, and 2 over 3.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  gordian bench boards/ --encode connectivity=layers,tree,cuts,propagator --timeout 10s -o results.jsonl
  gordian bench boards/ --solver batsat --seeds 3 -o results.jsonl
  gordian bench models/ --strategy all --timeout 20 -o results.jsonl
  gordian bench boards/ --encode cardinality=all --query unique --shard 2/8 -o results-2.jsonl
  gordian bench merge results-*.jsonl -o results.jsonl
  gordian bench report results.jsonl -o report.html"
)]
pub(super) struct BenchArgs {
    #[command(subcommand)]
    then: Option<Then>,
    #[command(flatten)]
    start: start::Start,
}

/// The subcommands that process results.
#[derive(Debug, Subcommand)]
enum Then {
    Merge(merge::Merge),
    Report(report::Report),
}

impl BenchArgs {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.then {
            Some(Then::Merge(merge)) => merge.run(),
            Some(Then::Report(report)) => report.run(),
            None => self.start.run(),
        }
    }
}

/// Result files that a subcommand reads together.
#[derive(Debug, Args)]
struct Files {
    /// Result files of `gordian bench`
    #[arg(value_name = "RESULTS", required = true)]
    files: Vec<PathBuf>,
}

impl Files {
    fn read(&self) -> Result<Vec<crate::bench::record::RunRecord>, Failure> {
        let files: Result<Vec<_>, _> =
            self.files.iter().map(|path| crate::bench::results::read(path)).collect();
        Ok(crate::bench::results::merge(files?)?)
    }
}
