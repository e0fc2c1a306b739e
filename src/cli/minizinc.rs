//! `gordian minizinc`: lets `MiniZinc` use this program as a solver.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::exit::ExitStatus;
use super::report::Failure;
use crate::minizinc::Installation;

/// Install gordian as a solver of MiniZinc, for `minizinc --solver gordian`.
///
/// Writes the solver's configuration, gordian.msc, and its library into the first directory of `MZN_SOLVER_PATH`, or
/// else into .minizinc/solvers in the home directory.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian minizinc install
  gordian minizinc path")]
pub(super) struct MiniZinc {
    #[command(subcommand)]
    action: Action,
    /// The directory of the solver's configuration
    #[arg(long, value_name = "DIRECTORY", global = true)]
    directory: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Subcommand)]
enum Action {
    /// Write the configuration and the library, and replace earlier versions
    Install,
    /// Remove the configuration and the library
    Uninstall,
    /// Print the path of the configuration
    Path,
}

impl MiniZinc {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let installation = match &self.directory {
            Some(directory) => Installation::at(directory),
            None => Installation::of_user().ok_or_else(|| {
                Failure::Usage("there is no home directory; name one with `--directory`".to_owned())
            })?,
        };
        let path = installation.configuration();
        let mut out = anstream::stdout();
        match self.action {
            Action::Install => {
                let executable = std::env::current_exe().map_err(Failure::file(&path))?;
                installation.write(&executable).map_err(Failure::file(&path))?;
                writeln!(out, "{}", path.display())?;
                eprintln!("installed; to use it: minizinc --solver gordian MODEL.mzn");
            }
            Action::Uninstall if installation.remove().map_err(Failure::file(&path))? => {
                eprintln!("removed {}", path.display());
            }
            Action::Path if path.exists() => writeln!(out, "{}", path.display())?,
            Action::Uninstall | Action::Path => {
                return Err(Failure::Usage(format!(
                    "not installed: {} does not exist; `gordian minizinc install` creates it",
                    path.display()
                )));
            }
        }
        Ok(ExitStatus::Answered)
    }
}
