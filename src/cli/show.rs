//! `gordian show`: shows a board without solving it.

use std::io::Write;

use clap::Args;

use super::exit::ExitStatus;
use super::look::{Looks, drawn, file_name};
use super::report::Failure;
use super::{check, input};

/// Show a board without solving it, draw it, or print its puzz.link address.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian show board.txt
  gordian show board.txt --svg board.svg
  gordian show board.txt --solution solution.json --svg solution.svg
  gordian show rooks.txt --url")]
pub(super) struct Show {
    #[command(flatten)]
    board: input::BoardArguments,
    /// Show this solution on the board, even if it is wrong; the format is the same as for `gordian check`
    #[arg(long, value_name = "FILE")]
    solution: Option<String>,
    /// Print the puzz.link address of the board
    #[arg(long, conflicts_with_all = ["svg", "solution", "ascii"])]
    url: bool,
    #[command(flatten)]
    looks: Looks,
}

impl Show {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        if self.board.name() == "-" && self.solution.as_deref() == Some("-") {
            return Err(Failure::Usage("board and solution can't both be standard input".to_owned()));
        }
        let puzzle = self.board.read()?;
        let mut out = anstream::stdout();
        if self.url {
            let written = puzzle.address().map_err(|error| Failure::Usage(format!("--url: {error}")))?;
            for option in &written.left_out {
                eprintln!(
                    "gordian: the address can't express `{option}`; to read it, add `--option {option}`"
                );
            }
            writeln!(out, "{}", written.address)?;
            return Ok(ExitStatus::Answered);
        }
        let solution =
            self.solution.as_deref().map(|name| check::read_solution(&*puzzle, name)).transpose()?;
        let scene = puzzle.draw(solution.as_ref());
        if let Some(pictures) = self.looks.pictures() {
            let name = self.board.name();
            pictures.write(&file_name(name), &drawn(&*puzzle, name, &[(&scene, "")]))?;
        } else {
            let look = self.looks.on_stdout();
            write!(out, "{}", look.show(&scene))?;
            if let Some(note) = look.too_wide(&scene) {
                eprintln!("{note}");
            }
        }
        Ok(ExitStatus::Answered)
    }
}
