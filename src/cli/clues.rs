//! `gordian clues`: shows superfluous clues, or additional clues that leave only one solution.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::input;
use super::json::{to_line, write_json};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::clues::{Additions, Clues, CluesError, Superfluous, clues};
use crate::puzzle::FurtherClue;

/// Show which clues of a board are superfluous, or which additional clue leaves only one solution.
///
/// If the board has exactly one solution, the command lists the clues that can be left out individually, and a largest
/// set of clues that can be left out together. It also prints the board without this set of clues. If the board has
/// several solutions, the command lists each clue that leaves only one solution when it is added to the board. The
/// output shows a nurikabe clue whose size is left out as `?`, and a rooks clue whose number is left out as `#`. For
/// puzzle types that are stated by a rule sheet, clues are the entries of data that the rules use only at their own
/// places.
///
/// Exit code 0: the clues were examined; 1: no solution exists (see `gordian why`); 2: the board can't be read, or its
/// puzzle type has no clues that can be left out individually; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian clues board.txt
  gordian clues rooks.txt --json")]
pub(super) struct CluesCommand {
    #[command(flatten)]
    board: input::BoardArguments,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The object that `--json` prints.
#[derive(Default, Serialize)]
struct CluesJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<&'a str>,
    source: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    superfluous: Option<SuperfluousJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additions: Option<Vec<AdditionJson<'a>>>,
    complete: bool,
}

#[derive(Serialize)]
struct SuperfluousJson<'a> {
    clues: usize,
    alone: &'a [String],
    together: &'a [String],
    largest: bool,
    board: &'a str,
}

#[derive(Serialize)]
struct AdditionJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<[usize; 2]>,
    name: &'a str,
    clue: &'a str,
}

const STOPPED: &str = "stopped before the number of solutions was known";

impl Limited for CluesCommand {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        let source = self.board.name();
        let json = CluesJson { source, status: "stopped", ..CluesJson::default() };
        SoFar::out(if self.json { to_line(&json) } else { format!("{STOPPED}\n") })
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let config = self.config.chosen(&watch.limits())?;
        let puzzle = self.board.read(&watch.limits())?;
        let name = puzzle.puzzle_type().name;
        let found = clues(&*puzzle, &config, &config.limits()).map_err(|error| match error {
            CluesError::Backend(error) => Failure::Backend(error),
            CluesError::PuzzleType(_) => Failure::Usage(format!("{}: {error}", self.board.shown_name())),
        })?;
        let stopped = match &found {
            Clues::NoSolution => false,
            Clues::Unique(Superfluous { stopped, .. }) | Clues::Several(Additions { stopped, .. }) => {
                *stopped
            }
            Clues::Stopped => true,
        };
        let mut out = watch.out();
        watch.result(|| {
            if self.json {
                let head = CluesJson {
                    puzzle: Some(name),
                    source: self.board.name(),
                    complete: !stopped,
                    ..CluesJson::default()
                };
                return Ok(write_json(&mut out, &json(&found, head))?);
            }
            write_text(&mut out, &found, self.board.name())
        })?;
        Ok(watch.ended(match found {
            Clues::NoSolution => ExitStatus::NoSolution,
            _ if stopped => ExitStatus::Stopped,
            _ => ExitStatus::Answered,
        }))
    }
}

fn json<'a>(found: &'a Clues, head: CluesJson<'a>) -> CluesJson<'a> {
    match found {
        Clues::NoSolution => CluesJson { status: "none", ..head },
        Clues::Stopped => CluesJson { status: "stopped", ..head },
        Clues::Unique(Superfluous { clues, alone, together, largest, board, .. }) => {
            let superfluous = SuperfluousJson { clues: *clues, alone, together, largest: *largest, board };
            CluesJson { status: "unique", superfluous: Some(superfluous), ..head }
        }
        Clues::Several(Additions { clues, .. }) => {
            let addition = |clue: &'a FurtherClue| AdditionJson {
                cell: clue.cell.map(|place| [place.row + 1, place.column + 1]),
                name: &clue.name,
                clue: &clue.token,
            };
            CluesJson { status: "several", additions: Some(clues.iter().map(addition).collect()), ..head }
        }
    }
}

fn write_text(out: &mut dyn Write, found: &Clues, name: &str) -> Result<(), Failure> {
    match found {
        Clues::NoSolution => writeln!(out, "no solution: `gordian why {name}` shows the reason")?,
        Clues::Stopped => writeln!(out, "{STOPPED}")?,
        Clues::Unique(Superfluous { clues, alone, together, largest, board, stopped }) => {
            writeln!(out, "one solution; {} of {clues} clues can be left out alone", alone.len())?;
            for clue in alone {
                writeln!(out, "  {clue}")?;
            }
            if !together.is_empty() {
                let largest = if *largest { ", and no larger set" } else { "" };
                writeln!(out, "{} can be left out together{largest}", together.len())?;
                for clue in together {
                    writeln!(out, "  {clue}")?;
                }
                write!(out, "{board}")?;
            }
            if *stopped {
                writeln!(out, "stopped by a limit: further clues may be superfluous")?;
            }
        }
        Clues::Several(Additions { clues, stopped }) => {
            writeln!(out, "several solutions; {} further clues leave one", clues.len())?;
            for clue in clues {
                writeln!(out, "  {}", clue.name)?;
            }
            if *stopped {
                writeln!(out, "stopped by a limit: there may be more")?;
            }
        }
    }
    Ok(out.flush()?)
}
