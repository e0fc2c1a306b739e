//! `gordian bench merge`: several files of results as one.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::super::exit::ExitStatus;
use super::super::report::Failure;
use super::Files;
use crate::bench::results::line;

/// Join files of results, each run once.
#[derive(Debug, Args)]
pub(super) struct Merge {
    #[command(flatten)]
    files: Files,
    /// The file to write; it may be one of those that are read
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Merge {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let records = self.files.read()?;
        let lines: String = records.iter().map(line).collect();
        let failed = |error| Failure::File { path: self.output.display().to_string(), error };
        // At once or not at all: it may be one of the files.
        let folder = self.output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(std::path::Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(lines.as_bytes()).map_err(failed)?;
        file.persist(&self.output).map_err(|error| failed(error.error))?;
        eprintln!("{} results", records.len());
        Ok(ExitStatus::Answered)
    }
}
