//! `gordian bench merge`: merges result files.

use std::path::PathBuf;

use clap::Args;

use super::super::exit::ExitStatus;
use super::super::report::Failure;
use super::Files;
use crate::bench::record::RunRecord;
use crate::file;

/// Merge result files, with one result for each run.
#[derive(Debug, Args)]
pub(super) struct Merge {
    #[command(flatten)]
    files: Files,
    /// The file to write; it may be one of the input files
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Merge {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let records = self.files.read()?;
        let lines: String = records.iter().map(RunRecord::line).collect();
        file::write(&self.output, |out| out.write_all(lines.as_bytes()))
            .map_err(Failure::file(&self.output))?;
        eprintln!("{} results", records.len());
        Ok(ExitStatus::Answered)
    }
}
