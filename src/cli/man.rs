//! `gordian man`: the manual pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man as Page;

use super::exit::ExitStatus;
use super::report::Failure;
use crate::file;

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
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let command = super::command();
        if let Some(folder) = &self.folder {
            let failure = |path: &Path, error| Failure::File { path: path.display().to_string(), error };
            fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
            let mut command = command.disable_help_subcommand(true);
            command.build();
            for page in pages(command) {
                let path = folder.join(page.get_filename());
                file::write(&path, |out| page.render(out)).map_err(|error| failure(&path, error))?;
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

/// The pages of a command and of those below it.
fn pages(command: clap::Command) -> Vec<Page> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set()).cloned();
    let mut all: Vec<Page> = below.flat_map(pages).collect();
    all.push(Page::new(command));
    all
}
