//! `gordian solve`: solutions to a board.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::boards::{NamedBoard, boards};
use super::config::{self, ConfigArgs};
use super::exit::ExitStatus;
use super::input;
use super::look::{Looks, Pictures};
use super::many::Many;
use super::objective::{NO_OBJECTIVE, objective};
use super::outcome::Printer;
use super::report::Failure;
use super::strategy::StrategyArgs;
use super::suggested::{self, Suggested};
use crate::puzzle::{NamedQuery, PuzzleType, Query};
use crate::query::{self, Status, Times, timed};
use crate::read::ReadOptions;
use crate::search::Config;

/// Find a solution to each board, all of them, the best one, or their number.
///
/// Without a question: one solution, or the best where the puzzle type asks for it, or the proof that there is none.
///
/// In a folder, files that don't look like boards are skipped. The outcomes come in the order of the boards; a bad board
/// does not stop the rest.
///
/// Exit code 0: answered; 1: no solution exists; 2: a board can't be read; 3: stopped by a limit (what was found so far is
/// printed). Of several boards, the gravest: 2 before 3 before 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian solve board.txt
  gordian solve 'https://puzz.link/p?nurikabe/3/3/1g1i1g1'
  gordian solve board.txt --unique
  gordian solve rooks.txt --objective fewest --timeout 10
  gordian solve rooks.txt --all --symmetry break
  gordian solve board.txt --svg solution.svg
  gordian solve - --puzzle rooks --count < rooks.txt
  gordian solve folder addresses.txt --jobs 2 --json
  gordian solve board.txt --encode connectivity=layers --stats")]
pub(super) struct Solve {
    /// The boards: files, folders, puzz.link addresses, or `-` for standard input; a file or standard input may be a list
    /// of addresses, one a line
    #[arg(value_name = "BOARD", required = true)]
    boards: Vec<String>,
    #[command(flatten)]
    reading: input::ReadArguments,
    #[command(flatten)]
    query: QueryArgs,
    /// `break`: of the solutions that a symmetry of the board turns into one another, only one each, with their number
    #[arg(long, value_name = "HOW", value_enum, conflicts_with = "unique")]
    symmetry: Option<SymmetryUse>,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    looks: Looks,
    /// Solve this many boards in parallel; 0 for one for each processor core
    #[arg(short, long, value_name = "NUMBER", default_value = "1", value_parser = jobs)]
    jobs: NonZeroUsize,
    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
    /// Say where the best value lies each time that is known better: on standard error, which a terminal gets in any case,
    /// or with `--json` as further lines before the last
    #[arg(long)]
    progress: bool,
    /// Print sizes, conflicts and times to standard error
    #[arg(long)]
    stats: bool,
}

/// The options that make the query.
#[derive(Debug, Args)]
struct QueryArgs {
    /// Every solution, each as soon as it is found
    #[arg(long, group = "query")]
    all: bool,
    /// At most this many solutions
    #[arg(long, value_name = "NUMBER", group = "query", value_parser = config::whole::<usize>)]
    limit: Option<usize>,
    /// The number of solutions
    #[arg(long, group = "query")]
    count: bool,
    /// Whether there is exactly one solution; if not, two of them and where they differ
    #[arg(long, group = "query")]
    unique: bool,
    /// The best solution by this objective of the puzzle, as in `gordian puzzle NAME`; `none` for any solution
    #[arg(long, value_name = "NAME", value_parser = Suggested(suggested::objectives), hide_possible_values = true)]
    objective: Option<String>,
}

/// What to do about symmetries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SymmetryUse {
    /// Break them.
    Break,
    /// Leave them.
    Keep,
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number =
        text.parse::<usize>().map_err(|_| "expected a number of jobs, as in `4`, or `0`".to_owned())?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(NonZeroUsize::new(number).unwrap_or_else(cores))
}

impl QueryArgs {
    /// Returns the query to boards of any type; `None` for the default of the puzzle type.
    fn parsed(&self) -> Result<Option<NamedQuery>, Failure> {
        let Self { all, limit, count, unique, objective } = self;
        let (option, query) = match (all, limit, count, unique) {
            (true, ..) => ("--all", Query::Enumerate { limit: None }),
            (_, &Some(limit), ..) => ("--limit", Query::Enumerate { limit: Some(limit) }),
            (_, _, true, _) => ("--count", Query::Count),
            (.., true) => ("--unique", Query::Unique),
            _ => {
                return Ok(objective.as_ref().map(|name| match &name[..] {
                    NO_OBJECTIVE => Query::Satisfy,
                    _ => Query::Optimise(Some(name.clone())),
                }));
            }
        };
        match objective {
            Some(name) if name != NO_OBJECTIVE => Err(Failure::Usage(format!(
                "--objective {name}: `{option}` is about all solutions, not the best one; leave out one of the two"
            ))),
            _ => Ok(Some(query)),
        }
    }
}

/// Returns the query for boards of this type.
fn resolved(query: Option<&NamedQuery>, puzzle_type: &'static PuzzleType) -> Result<Query, Failure> {
    match query {
        None => Ok(puzzle_type.default_query()),
        Some(Query::Optimise(name)) => Ok(objective(puzzle_type, name.as_deref())?.into()),
        Some(query) => Ok(query.resolve(puzzle_type).expect("only an objective may be missing")),
    }
}

impl Solve {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let query = self.query.parsed()?;
        let config = Config { strategy: self.strategy.chosen()?, ..self.config.chosen()? };
        let options = self.reading.options()?;
        let boards = boards(&self.boards);
        let many = Many {
            jobs: self.jobs,
            config: &config,
            json: self.json,
            progress: self.progress,
            look: self.looks.on_stdout(),
            pictures: self.pictures(boards.len())?,
        };
        let (out, err) = (anstream::stdout(), anstream::stderr());
        // One warning about ambiguous data is enough.
        let warned = AtomicBool::new(false);
        many.run(boards, out, err, |board, printer| {
            self.solution(board, query.as_ref(), &options, &config, &warned, printer)
        })
    }

    /// Where pictures go, if anywhere, of so many boards.
    fn pictures(&self, boards: usize) -> Result<Option<Pictures<'_>>, Failure> {
        let Some(pictures) = self.looks.pictures() else { return Ok(None) };
        let QueryArgs { all, limit, count, .. } = &self.query;
        if *count {
            return Err(Failure::Usage("--svg: nothing to draw with `--count`".to_owned()));
        }
        let pictures = pictures.beside_output()?;
        match (boards, *all || limit.is_some()) {
            (1, false) => Ok(Some(pictures)),
            (1, true) => pictures.for_several("several solutions").map(Some),
            _ => pictures.for_several("several boards").map(Some),
        }
    }

    /// Solves a board; `None` if it turns out to be none.
    fn solution(
        &self,
        board: NamedBoard,
        query: Option<&NamedQuery>,
        options: &ReadOptions,
        config: &Config,
        warned: &AtomicBool,
        printer: &mut Printer<'_>,
    ) -> Result<Option<Status>, Failure> {
        let mut times = Times::default();
        let name = board.name.clone();
        let Some(board) = timed(&mut times.parse, || board.read(options))? else { return Ok(None) };
        let warning = input::ambiguity(&name, &board, options);
        if let Some(warning) = warning.filter(|_| !warned.swap(true, Ordering::Relaxed)) {
            // A warning that can't be written is not a failure.
            let _ = writeln!(printer.err, "gordian: {warning}");
        }
        let puzzle = board.puzzle;
        let query = resolved(query, puzzle.puzzle_type())?;
        let symmetry = if self.symmetry == Some(SymmetryUse::Break) {
            let symmetry = puzzle.symmetry().ok_or_else(|| {
                let name = puzzle.puzzle_type().name;
                Failure::Usage(format!("--symmetry break: no symmetries are known of `{name}`"))
            })?;
            printer.symmetries(&symmetry.names());
            Some(symmetry)
        } else {
            None
        };
        let result = query::run_up_to(&*puzzle, query, symmetry.as_deref(), config, printer);
        if let Some(failure) = printer.shown.failed.take() {
            return Err(failure);
        }
        let mut outcome = result?;
        outcome.times.parse = times.parse;
        printer.outcome(&*puzzle, &outcome)?;
        let drawn = printer.picture(&*puzzle, &outcome);
        if self.stats {
            printer.statistics(&outcome)?;
        }
        drawn?;
        Ok(Some(outcome.status))
    }
}
