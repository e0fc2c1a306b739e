//! The command-line tool.

use std::process::ExitCode;

use gordian::cli::{self, ExitStatus};

fn main() -> ExitCode {
    // A panic is always a bug in gordian. The default panic hook has already printed where the panic occurred.
    let ending = std::panic::catch_unwind(cli::run).unwrap_or_else(|_| {
        eprintln!("gordian: this is a bug in gordian; please report it with the board and the command line");
        ExitStatus::Bug
    });
    ending.into()
}
