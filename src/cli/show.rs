//! `gordian show`: shows a board without solving it.

use std::io::Write;

use clap::Args;

use super::config::LimitArgs;
use super::exit::ExitStatus;
use super::look::{Looks, drawn, file_name};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use super::{check, input};

/// Show a board without solving it, draw it, or print its puzz.link address.
///
/// Exit code 0: the board was shown; 2: it can't be read; 3: stopped by a limit.
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
    #[command(flatten)]
    limits: LimitArgs,
}

impl Limited for Show {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn nothing(&self) -> SoFar {
        SoFar::err("gordian: stopped before the board was shown\n")
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        if self.board.name() == "-" && self.solution.as_deref() == Some("-") {
            return Err(Failure::Usage("board and solution can't both be standard input".to_owned()));
        }
        let puzzle = self.board.read(&watch.limits())?;
        let mut out = watch.out();
        if self.url {
            let written = puzzle.address().map_err(|error| Failure::Usage(format!("--url: {error}")))?;
            for option in &written.left_out {
                eprintln!(
                    "gordian: the address can't express `{option}`; to read it, add `--option {option}`"
                );
            }
            watch.result(|| writeln!(out, "{}", written.address).and_then(|()| out.flush()))?;
            return Ok(watch.ended(ExitStatus::Answered));
        }
        let solution =
            self.solution.as_deref().map(|name| check::read_solution(&*puzzle, name)).transpose()?;
        let scene = puzzle.draw(solution.as_ref());
        if let Some(pictures) = self.looks.pictures() {
            let name = self.board.name();
            pictures.write(&file_name(name), &drawn(&*puzzle, name, &[(&scene, "")]))?;
        } else {
            let look = self.looks.on_stdout();
            let text = look.show(&scene);
            watch.result(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
            if let Some(note) = look.too_wide(&scene) {
                eprintln!("{note}");
            }
        }
        Ok(watch.ended(ExitStatus::Answered))
    }
}
