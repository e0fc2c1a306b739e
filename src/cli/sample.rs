//! `gordian sample`: draws solutions at random.

use std::num::NonZero;
use std::sync::Arc;

use clap::Args;

use super::config::{ConfigArgs, LimitArgs, from_one};
use super::exit::ExitStatus;
use super::found::Found;
use super::given::GivenArgs;
use super::input;
use super::look::{Look, Looks, Pictures, Shown};
use super::outcome::{Printer, ProgressReports};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::puzzle::Puzzle;
use crate::query::{self, StepTimes, timed};

/// Draw solutions to a board at random, all equally likely.
///
/// The solutions are drawn independently, so a solution may occur several times. Use `--seed` to draw other
/// solutions. Even if there are too many solutions to list, all of them are equally likely, because their number is
/// counted exactly.
///
/// Exit code 0: the solutions were drawn; 1: no solution exists; 2: the board can't be read; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian sample board.txt
  gordian sample rooks.txt -n 3 --seed 7
  gordian sample board.txt -n 100 --json")]
pub(super) struct Sample {
    #[command(flatten)]
    board: input::BoardArguments,
    #[command(flatten)]
    given: GivenArgs,
    /// The number of solutions to draw
    #[arg(short, long, value_name = "NUMBER", default_value = "1", value_parser = from_one)]
    number: NonZero<u32>,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    looks: Looks,
    /// Print JSON: one object for each solution, and one at the end
    #[arg(long)]
    json: bool,
}

impl Limited for Sample {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        Found::new(true).so_far(self.board.name(), self.json, Look::Plain)
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let config = self.config.chosen(&watch.limits())?;
        let mut times = StepTimes::default();
        let puzzle: Arc<dyn Puzzle> =
            timed(&mut times.parse, || self.given.add_to(self.board.read(&watch.limits())?))?.into();
        let pictures = self.looks.pictures().map(Pictures::beside_output).transpose()?;
        let pictures = pictures.map(|pictures| pictures.for_several("several solutions")).transpose()?;
        let source = self.board.name();
        let (mut out, mut err) = (watch.out(), anstream::stderr());
        let look = self.looks.on_stdout();
        let found = Found::new(true);
        found.board(&puzzle);
        found.keep(watch, source, self.json, look);
        let mut printer = Printer {
            source,
            json: self.json,
            progress: ProgressReports::Never,
            among_others: false,
            shown: Shown::of(look, pictures, source, None),
            found,
            out: &mut out,
            err: &mut err,
        };
        let number = usize::try_from(self.number.get()).unwrap_or(usize::MAX);
        let result = query::sample(&*puzzle, number, &config, &mut printer);
        if let Some(failure) = printer.shown.failed.take() {
            return Err(failure);
        }
        let mut outcome = result?;
        outcome.times.parse = times.parse;
        watch.result(|| printer.outcome(&*puzzle, &outcome))?;
        Ok(watch.ended(outcome.status.ending()))
    }
}
