//! `gordian hint`: shows the easiest next step.

use std::io::Write;

use clap::Args;

use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::explain::{Ended, ExplanationOutput, OrderArgs, plain, read_known};
use super::input;
use super::json::{Json, write_json};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::explain::{Explainer, Next, PageEnd, StepText, call_limits};

/// Show the easiest next step on a board.
///
/// The step derives facts, such as `r3c4=sea`, from a few rules and from the facts in STATE. Without STATE, nothing is
/// filled in yet. STATE contains one of the following: facts in the same form, separated by blanks or commas,
/// in a file or on the command line; a solution printed by `solve`, with or without `--json`; or, for nurikabe, rooks and numcross, such a solution with
/// `?` for each unknown cell, as printed by `backbone`. `.` is also an unknown cell on nurikabe and numcross boards, and on
/// rooks boards whose first line is the name of the puzzle type. `%` starts a comment.
/// The cell `r3c4` may also be written `3,4` or, as in spreadsheets, `d3`.
///
/// Exit code 0: there is a step, or nothing else follows; 1: no solution has the facts in STATE (see `gordian why`);
/// 2: the board or the state can't be read; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian hint board.txt
  gordian hint board.txt r1c2=sea r2c2=sea
  gordian hint board.txt state.txt
  gordian hint board.txt --all --json")]
pub(super) struct Hint {
    #[command(flatten)]
    board: input::BoardArguments,
    /// What is already filled in: facts such as `r3c4=sea`, a file, or `-` for standard input
    state: Vec<String>,
    /// Show all equally easy steps, instead of the step with the fewest known facts
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    output: ExplanationOutput,
}

const STOPPED: &str = "stopped before a step was found";

impl Limited for Hint {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        SoFar::of_board(self.board.name(), self.output.json, STOPPED)
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let state = (!self.state.is_empty()).then(|| self.state.join(","));
        if self.board.name() == "-" && state.as_deref() == Some("-") {
            return Err(Failure::Usage("board and state can't both be standard input".to_owned()));
        }
        let (config, conflicts) = call_limits(self.config.chosen(&watch.limits())?);
        self.output.check()?;
        let puzzle = self.board.read(&watch.limits())?;
        let plain = plain(&*puzzle)?;
        let name = self.board.name();
        let known = state.as_deref().map(|state| read_known(&*puzzle, &plain, state)).transpose()?;
        let (given, violation) = known.map_or_else(Default::default, |state| (state.lits, state.violation));
        let mut explainer = Explainer::new(&plain, &config, Some(conflicts))?;
        explainer.set_puzzle(&*puzzle);
        explainer.set_order(self.order.order);
        explainer.know(given.iter().copied());
        let mut out = watch.out();
        let (ended, message) = match (explainer.next_step()?, violation) {
            (Next::Contradiction, _) => (
                Ended::NoSolution,
                match &state {
                    Some(state) => format!(
                        "no solution has the filled-in facts: `gordian why {name} --answer {state}` shows the reason"
                    ),
                    None => format!("no solution: `gordian why {name}` shows the reason"),
                },
            ),
            (_, Some(violation)) => {
                (Ended::NoSolution, format!("the filled-in solution is wrong: {violation}"))
            }
            (Next::Step(mut step), None) => {
                if !self.all {
                    step.arguments.truncate(1);
                }
                watch.result(|| {
                    self.output.step(&mut out, &*puzzle, name, None, &StepText::of(&plain, &step))
                })?;
                self.output.pictures(
                    &*puzzle,
                    name,
                    &plain,
                    &given,
                    &[step],
                    &PageEnd::of("after the step"),
                )?;
                return Ok(watch.ended(ExitStatus::Answered));
            }
            (Next::Done, None) => {
                (Ended::Complete, "nothing else follows from the rules and the filled-in facts".to_owned())
            }
            (Next::Stopped, None) => (Ended::Stopped, STOPPED.to_owned()),
        };
        watch.result(|| {
            if self.output.json {
                let puzzle = Some(puzzle.puzzle_type().name);
                return write_json(
                    &mut out,
                    &Json { puzzle, source: name, status: ended.word(), ..Json::default() },
                );
            }
            writeln!(out, "{message}").and_then(|()| out.flush())
        })?;
        Ok(watch.ended(ended.status()))
    }
}
