//! The command line: parses the arguments, runs a command and prints its result.

use std::io::Write;

use clap::{CommandFactory, Parser, Subcommand};

mod backbone;
mod bench;
mod boards;
mod certificate;
mod check;
mod clues;
mod competition;
mod completions;
mod config;
mod counts;
mod decode;
mod exit;
mod explain;
mod export;
mod formula;
mod found;
mod fzn;
mod given;
mod hint;
mod input;
mod json;
mod list;
mod look;
mod make;
mod man;
mod many;
mod minizinc;
mod objective;
mod ordered;
mod outcome;
mod prove_check;
mod puzzle;
mod report;
mod sample;
mod show;
mod solve;
mod strategy;
mod suggested;
mod watch;
mod web;
mod why;
mod xcsp3;

pub use exit::ExitStatus;
use report::Failure;

/// Solve logic puzzles and constraint models with a built-in SAT solver.
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
    Backbone(backbone::BackboneCommand),
    Sample(sample::Sample),
    Why(why::WhyCommand),
    Hint(hint::Hint),
    Explain(explain::Explain),
    Clues(clues::CluesCommand),
    Make(make::Make),
    Check(check::CheckArgs),
    ProveCheck(prove_check::ProveCheck),
    Show(show::Show),
    Export(export::ExportArgs),
    Decode(decode::Decode),
    Sat(competition::Sat),
    Opt(competition::Opt),
    Bench(bench::BenchArgs),
    Fzn(fzn::Fzn),
    #[command(name = "xcsp3")]
    Xcsp3(xcsp3::Xcsp3),
    #[command(name = "minizinc")]
    MiniZinc(minizinc::MiniZinc),
    Web(web::Web),
    Puzzle(puzzle::PuzzlePage),
    List(list::List),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Returns the clap definition of the command line, for help, completions and manual pages.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program with the command-line arguments of the process.
#[must_use]
pub fn run() -> ExitStatus {
    bench::end_with_parent();
    let arguments = match Arguments::try_parse_from(fzn::arguments(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Clap prints help and the version to standard output, and both are treated as success.
            let ending = if error.use_stderr() { ExitStatus::BadInput } else { ExitStatus::Answered };
            return match error.print().and_then(|()| std::io::stdout().flush()) {
                // A usage error has the same exit code even if its message can't be printed.
                Err(failure) if ending == ExitStatus::Answered => {
                    Failure::Output(failure).report(None, &mut anstream::stderr())
                }
                _ => ending,
            };
        }
    };
    let result = match arguments.command {
        Command::Solve(solve) => watch::run(&solve),
        Command::Backbone(backbone) => watch::run(&backbone),
        Command::Sample(sample) => watch::run(&sample),
        Command::Why(why) => watch::run(&why),
        Command::Hint(hint) => watch::run(&hint),
        Command::Explain(explain) => watch::run(&explain),
        Command::Clues(clues) => watch::run(&clues),
        Command::Make(make) => watch::run(&make),
        Command::Check(check) => watch::run(&check),
        Command::ProveCheck(check) => watch::run(&check),
        Command::Show(show) => watch::run(&show),
        Command::Export(export) => watch::run(&export),
        Command::Decode(decode) => watch::run(&decode),
        Command::Sat(sat) => watch::run(&sat),
        Command::Opt(opt) => watch::run(&opt),
        Command::Bench(bench) => bench.run(),
        Command::Fzn(fzn) => watch::run(&fzn),
        Command::Xcsp3(xcsp3) => watch::run(&xcsp3),
        Command::MiniZinc(minizinc) => minizinc.run(),
        Command::Web(web) => web.run(),
        Command::Puzzle(puzzle) => puzzle.run(),
        Command::List(list) => list.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    result.unwrap_or_else(|failure| failure.report(None, &mut anstream::stderr()))
}
