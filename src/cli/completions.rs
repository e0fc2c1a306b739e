//! `gordian completions`: prints completion scripts for shells.

use std::io::{Write, stdout};

use clap::Args;
use clap_complete::Shell;

use super::exit::ExitStatus;
use super::report::Failure;

/// Print the completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian completions bash > gordian.bash
  gordian completions zsh > _gordian
  gordian completions fish > gordian.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        // The script is first generated in memory, because clap's generator panics if writing fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "gordian", &mut script);
        let mut out = stdout().lock();
        out.write_all(&script)?;
        out.flush()?;
        Ok(ExitStatus::Answered)
    }
}
