//! `gordian man`: generates the manual pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man as Page;

use super::exit::ExitStatus;
use super::report::Failure;
use crate::file;

/// Print the manual page of gordian, or write all manual pages to a directory.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian man > gordian.1
  gordian man man1")]
pub(super) struct Man {
    /// The directory; it is created if missing
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let command = super::command();
        if let Some(directory) = &self.directory {
            fs::create_dir_all(directory).map_err(Failure::file(directory))?;
            let mut command = command.disable_help_subcommand(true);
            command.build();
            for page in pages(command) {
                let path = directory.join(page.get_filename());
                file::write(&path, |out| page.render(out)).map_err(Failure::file(&path))?;
            }
        } else {
            let mut page = Vec::new();
            Page::new(command).render(&mut page)?;
            let mut out = stdout().lock();
            out.write_all(&page)?;
            out.flush()?;
        }
        Ok(ExitStatus::Answered)
    }
}

/// Returns the manual pages of a command and its subcommands.
fn pages(command: clap::Command) -> Vec<Page> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set()).cloned();
    let mut all: Vec<Page> = below.flat_map(pages).collect();
    all.push(Page::new(command));
    all
}
