//! `gordian completions`: what shells need to complete command lines.

use std::io::{Write, stdout};

use clap::Args;
use clap_complete::Shell;

use super::exit::ExitStatus;
use super::report::Failure;

/// Print what a shell needs to complete command lines of gordian.
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
        // In memory first: the generator does not return errors of writing.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "gordian", &mut script);
        let mut out = stdout().lock();
        out.write_all(&script)?;
        out.flush()?;
        Ok(ExitStatus::Answered)
    }
}
