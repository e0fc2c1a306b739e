//! The command-line tool.

use std::process::ExitCode;

use gordian::cli::{self, ExitStatus};

fn main() -> ExitCode {
    // A panic is a bug of ours, whatever was typed: the default hook has said where, this says so.
    let ending = std::panic::catch_unwind(cli::run).unwrap_or_else(|_| {
        eprintln!("gordian: this is a bug in gordian; please report it with the board and the command line");
        ExitStatus::Bug
    });
    ending.into()
}
