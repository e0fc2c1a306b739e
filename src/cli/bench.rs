//! `gordian bench`: which way of answering is best on given boards.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::exit::ExitStatus;
use super::report::Failure;

mod merge;
mod report;
mod start;

pub(super) use start::end_with_parent;

/// Compare encodings, solvers and searches on boards, and report what was found.
///
/// Every combination of what is given is a run: a process of its own, with its limits kept from outside. Results are
/// appended to a file as runs end, and runs that are in the file already are not done again: start the same command
/// again after an interruption. Runs whose solutions contradict each other end the bench; a script shows the contradiction.
///
/// A board that can't be read is told and left out; the others are run.
///
/// Exit code 0: all runs are done; 1: solutions contradict each other; 2: the command line or a board is wrong; 3:
/// interrupted. The gravest: 1 before 2 before 3.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  gordian bench boards/ --encode connectivity=layers,tree,cuts,propagator --timeout 10s -o results.jsonl
  gordian bench boards/ --solver batsat --seeds 3 -o results.jsonl
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

/// What is done with results.
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

/// Files of results, which are read as one.
#[derive(Debug, Args)]
struct Files {
    /// Files that `gordian bench` wrote
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
