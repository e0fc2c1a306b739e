//! `gordian man`: the manual pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man as Page;

use super::Ending;
use super::report::Failure;

/// Print the manual page of gordian, or write it and those of its commands into a folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian man > gordian.1
  gordian man man1")]
pub(super) struct Man {
    /// The folder, made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let command = super::command();
        if let Some(folder) = &self.folder {
            let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
            written.map_err(|error| Failure::File { path: folder.display().to_string(), error })?;
        } else {
            let mut page = Vec::new();
            Page::new(command).render(&mut page)?;
            let mut out = stdout().lock();
            out.write_all(&page)?;
            out.flush()?;
        }
        Ok(Ending::Answered)
    }
}
