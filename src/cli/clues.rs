//! `gordian clues`: shows superfluous clues, or additional clues that leave only one solution.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::config::ConfigArgs;
use super::exit::ExitStatus;
use super::input;
use super::json::write_json;
use super::report::Failure;
use crate::clues::{Additions, Clues, Superfluous, clues};
use crate::puzzle::Puzzle;
use crate::puzzle::plain::at;
use crate::rules::Place;

/// Show which clues of a board are superfluous, or which additional clue leaves only one solution.
///
/// If the board has exactly one solution, the command lists the clues that can be left out, each of them alone, and a
/// largest set of clues that can be left out together. It prints the board without this set. If the board has several
/// solutions, the command lists each clue that leaves only one solution when it is added to the board. A nurikabe
/// clue without its size is `?`, a rooks clue without its number is `#`.
///
/// Exit code 0: the clues were examined; 1: no solution exists (see `gordian why`); 2: the board can't be read, or its
/// clues can't be left out one by one; 3: stopped by a limit.
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
    puzzle: &'a str,
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
    cell: [usize; 2],
    clue: &'a str,
}

/// Returns the row and the column of a cell.
fn place(puzzle: &dyn Puzzle, cell: usize) -> Place {
    let columns = puzzle.draw(None).columns().unwrap_or(1).max(1);
    Place { row: cell / columns, column: cell % columns }
}

impl CluesCommand {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let config = self.config.chosen()?;
        let puzzle = self.board.read()?;
        let name = puzzle.puzzle_type().name;
        let Some(found) = clues(&*puzzle, &config, &config.limits())? else {
            let message =
                format!("the clues of `{name}` can't be left out one by one; use rooks or nurikabe");
            return Err(Failure::Usage(message));
        };
        let stopped = match &found {
            Clues::NoSolution => false,
            Clues::Unique(Superfluous { stopped, .. }) | Clues::Several(Additions { stopped, .. }) => {
                *stopped
            }
            Clues::Stopped => true,
        };
        let mut out = anstream::stdout();
        if self.json {
            let head = CluesJson {
                puzzle: name,
                source: self.board.name(),
                complete: !stopped,
                ..CluesJson::default()
            };
            write_json(&mut out, &json(&*puzzle, &found, head))?;
        } else {
            write_text(&mut out, &*puzzle, &found)?;
        }
        Ok(match found {
            Clues::NoSolution => ExitStatus::NoSolution,
            _ if stopped => ExitStatus::Stopped,
            _ => ExitStatus::Answered,
        })
    }
}

fn json<'a>(puzzle: &dyn Puzzle, found: &'a Clues, head: CluesJson<'a>) -> CluesJson<'a> {
    match found {
        Clues::NoSolution => CluesJson { status: "none", ..head },
        Clues::Stopped => CluesJson { status: "stopped", ..head },
        Clues::Unique(Superfluous { clues, alone, together, largest, board, .. }) => {
            let superfluous = SuperfluousJson { clues: *clues, alone, together, largest: *largest, board };
            CluesJson { status: "unique", superfluous: Some(superfluous), ..head }
        }
        Clues::Several(Additions { clues, .. }) => {
            let addition = |(cell, clue): &'a (usize, String)| {
                let Place { row, column } = place(puzzle, *cell);
                AdditionJson { cell: [row + 1, column + 1], clue }
            };
            CluesJson { status: "several", additions: Some(clues.iter().map(addition).collect()), ..head }
        }
    }
}

fn write_text(out: &mut dyn Write, puzzle: &dyn Puzzle, found: &Clues) -> Result<(), Failure> {
    match found {
        Clues::NoSolution => writeln!(out, "no solution: `gordian why` shows the reason")?,
        Clues::Stopped => writeln!(out, "stopped before the number of solutions was known")?,
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
            for (cell, clue) in clues {
                writeln!(out, "  {clue} at {}", at(place(puzzle, *cell)))?;
            }
            if *stopped {
                writeln!(out, "stopped by a limit: there may be more")?;
            }
        }
    }
    Ok(())
}
