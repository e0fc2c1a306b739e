//! The command line: parses the arguments, runs a command and prints its result.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

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

use crate::format::Source;
use crate::puzzle::Puzzle;
use crate::query::Outcome;
use crate::query::certificate::Certificate;

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

/// Defines the commands: the name, the variant, the type of the arguments, and how the command runs.
macro_rules! commands {
    ($($name:literal => $variant:ident($arguments:ty): |$command:ident| $run:expr,)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $(#[command(name = $name)] $variant($arguments),)+
        }

        impl Command {
            fn run(self) -> Result<ExitStatus, Failure> {
                match self {
                    $(Self::$variant($command) => $run,)+
                }
            }
        }

        /// Returns the definition of the command line with commands whose arguments are defined only if they are used. It
        /// has no descriptions of the commands.
        fn deferred() -> clap::Command {
            clap::Command::new("gordian").subcommand_required(true)
                $(.subcommand(clap::Command::new($name).defer(<$arguments>::augment_args)))+
        }
    };
}

commands! {
    "solve" => Solve(solve::Solve): |command| watch::run(&command),
    "backbone" => Backbone(backbone::BackboneCommand): |command| watch::run(&command),
    "sample" => Sample(sample::Sample): |command| watch::run(&command),
    "why" => Why(why::WhyCommand): |command| watch::run(&command),
    "hint" => Hint(hint::Hint): |command| watch::run(&command),
    "explain" => Explain(explain::Explain): |command| watch::run(&command),
    "clues" => Clues(clues::CluesCommand): |command| watch::run(&command),
    "make" => Make(make::Make): |command| watch::run(&command),
    "check" => Check(check::CheckArgs): |command| watch::run(&command),
    "prove-check" => ProveCheck(prove_check::ProveCheck): |command| watch::run(&command),
    "show" => Show(show::Show): |command| watch::run(&command),
    "export" => Export(export::ExportArgs): |command| watch::run(&command),
    "decode" => Decode(decode::Decode): |command| watch::run(&command),
    "sat" => Sat(competition::Sat): |command| watch::run(&command),
    "opt" => Opt(competition::Opt): |command| watch::run(&command),
    "bench" => Bench(bench::BenchArgs): |command| command.run(),
    "fzn" => Fzn(fzn::Fzn): |command| watch::run(&command),
    "xcsp3" => Xcsp3(xcsp3::Xcsp3): |command| watch::run(&command),
    "minizinc" => MiniZinc(minizinc::MiniZinc): |command| command.run(),
    "web" => Web(web::Web): |command| command.run(),
    "puzzle" => Puzzle(puzzle::PuzzlePage): |command| command.run(),
    "list" => List(list::List): |command| command.run(),
    "completions" => Completions(completions::Completions): |command| command.run(),
    "man" => Man(man::Man): |command| command.run(),
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
    run_with(std::env::args_os())
}

/// Runs the program with the given arguments. The first one is the name of the program.
#[must_use]
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> ExitStatus {
    let words = fzn::arguments(arguments);
    // The definition of all commands takes longer than a small board.
    let parsed = deferred()
        .try_get_matches_from(&words)
        .and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches));
    let arguments = match parsed.or_else(|_| Arguments::try_parse_from(words)) {
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
    arguments.command.run().unwrap_or_else(|failure| failure.report(None, &mut anstream::stderr()))
}

/// Writes a certificate to a directory, as `gordian solve --proof DIRECTORY` does. The source is the text of the puzzle,
/// from which [`read::board`](crate::read::board) must read it without options. Without a `certificate`, the directory
/// contains only the solutions of the outcome. If a limit stopped the query, nothing is written.
///
/// # Errors
/// Returns a message if a file can't be written, or if the recorded search is not a proof (a bug in gordian).
pub fn write_certificate(
    directory: &Path,
    (puzzle, source): (&dyn Puzzle, &Source),
    outcome: &Outcome,
    certificate: Option<&Certificate>,
) -> Result<(), String> {
    let board = certificate::CertifiedBoard { puzzle, source, arguments: Vec::new() };
    let format = certificate::ProofFormat::Veripb;
    let written = certificate::write((directory, format), &board, outcome, certificate);
    written.map(drop).map_err(|failure| failure.to_string())
}
