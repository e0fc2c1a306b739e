//! The command line: what is asked, and how the solution is shown.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod backbone;
mod bench;
mod boards;
mod check;
mod competition;
mod completions;
mod config;
mod decode;
mod export;
mod formula;
mod input;
mod json;
mod list;
mod look;
mod man;
mod many;
mod objective;
mod ordered;
mod outcome;
mod puzzle;
mod report;
mod show;
mod solve;
mod strategy;
mod suggested;
mod usage;

use report::Failure;

/// How a run ends. The numbers are the exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// What was asked was answered.
    Answered = 0,
    /// There is no solution; for `check`, the solution is wrong.
    NoSolution = 1,
    /// The command line or the input is wrong.
    BadInput = 2,
    /// A limit ended the search before a solution.
    Stopped = 3,
    /// `sat` and `opt`: the formula is satisfiable.
    Satisfiable = 10,
    /// `sat` and `opt`: the formula is unsatisfiable.
    Unsatisfiable = 20,
    /// `opt`: the best value is known.
    Optimum = 30,
    /// A bug of ours.
    Bug = 70,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(ending as u8)
    }
}

/// Solutions puzzles by encoding them into CNF for a SAT solver in the process.
#[derive(Debug, Parser)]
#[command(name = "gordian", version, max_term_width = 100)]
#[command(after_help = "Examples:
  gordian solve board.txt
  gordian puzzle nurikabe
  gordian help solve")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Solve),
    Backbone(backbone::Backbone),
    Check(check::Check),
    Show(show::Show),
    Export(export::Export),
    Decode(decode::Decode),
    Sat(competition::Sat),
    Opt(competition::Opt),
    Bench(bench::Bench),
    Puzzle(puzzle::PuzzlePage),
    List(list::List),
    Completions(completions::Completions),
    Man(man::Man),
}

/// The command line: what there is to type, and the help about it.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program on the arguments of the process.
#[must_use]
pub fn run() -> Ending {
    bench::end_with_parent();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are solutions; clap prints them to standard output.
            let ending = if error.use_stderr() { Ending::BadInput } else { Ending::Answered };
            return match error.print().and_then(|()| std::io::stdout().flush()) {
                // An error of the command line is one, whether it can be told or not.
                Err(failure) if ending == Ending::Answered => {
                    Failure::Output(failure).report(None, &mut anstream::stderr())
                }
                _ => ending,
            };
        }
    };
    let result = match arguments.command {
        Command::Solve(solve) => solve.run(),
        Command::Backbone(backbone) => backbone.run(),
        Command::Check(check) => check.run(),
        Command::Show(show) => show.run(),
        Command::Export(export) => export.run(),
        Command::Decode(decode) => decode.run(),
        Command::Sat(sat) => sat.run(),
        Command::Opt(opt) => opt.run(),
        Command::Bench(bench) => bench.run(),
        Command::Puzzle(puzzle) => puzzle.run(),
        Command::List(list) => list.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    result.unwrap_or_else(|failure| failure.report(None, &mut anstream::stderr()))
}
