//! `gordian solve`: finds solutions to boards.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::boards::{NamedBoard, boards};
use super::certificate::{self, CertifiedBoard, ProofFormat};
use super::config::{self, ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::found::Found;
use super::given::GivenArgs;
use super::input;
use super::look::{Look, Looks, Pictures};
use super::many::Many;
use super::objective::{NO_OBJECTIVE, objective};
use super::outcome::Printer;
use super::report::Failure;
use super::strategy::StrategyArgs;
use super::suggested::{self, Suggested};
use super::watch::{Limited, SoFar, Watch};
use crate::puzzle::{NamedQuery, Puzzle, PuzzleType, Query};
use crate::query::{self, Status, StepTimes, timed};
use crate::read::ReadOptions;
use crate::search::Config;

/// Solve boards: find one solution, all solutions, the best solution, or the number of solutions.
///
/// By default, finds one solution or proves that none exists. If the puzzle type has a default objective, finds an
/// optimal solution.
///
/// In a directory and among several files, files that do not look like boards are skipped. Outcomes are printed in the
/// order of the boards. If a board can't be read, the others are still solved.
///
/// Exit code 0: the query was answered; 1: no solution exists; 2: a board can't be read; 3: stopped by a limit (what
/// was found so far is printed). With several boards, 2 takes precedence over 3, and 3 over 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian solve board.txt
  gordian solve 'https://puzz.link/p?nurikabe/3/3/1g1i1g1'
  gordian solve board.txt --unique
  gordian solve board.txt --unique --proof certificate
  gordian solve rooks.txt --objective fewest --timeout 10
  gordian solve rooks.txt --all --symmetry break
  gordian solve board.txt --svg solution.svg
  gordian solve - --puzzle rooks --count < rooks.txt
  gordian solve rooks.txt --count --given r1c2=rook
  gordian solve boards/ addresses.txt --jobs 2 --json
  gordian solve formula.opb --timeout 60
  gordian solve board.txt --encode connectivity=layers --stats")]
pub(super) struct Solve {
    /// The boards: files, directories, puzz.link addresses, or `-` for standard input; a file or standard input may
    /// be a list of addresses, one per line, or a model in FlatZinc, XCSP3, OPB, CNF, KNF or WCNF
    #[arg(value_name = "BOARD", required = true)]
    boards: Vec<String>,
    #[command(flatten)]
    reading: input::ReadArguments,
    #[command(flatten)]
    given: GivenArgs,
    #[command(flatten)]
    query: QueryArgs,
    /// `break`: find only one solution of each set of symmetric solutions, and print the size of the set
    #[arg(long, value_name = "HOW", value_enum, conflicts_with_all = ["unique", "given"])]
    symmetry: Option<SymmetryUse>,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    looks: Looks,
    /// Write a certificate to this directory: the board, its solutions and, if the result is that there is no other
    /// solution, a formula and a proof for the checker VeriPB; for a single board
    #[arg(long, value_name = "DIR", conflicts_with_all = ["symmetry", "all", "limit", "count", "given"])]
    proof: Option<PathBuf>,
    /// The form of the certificate's formula and proof
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "veripb", requires = "proof")]
    proof_format: ProofFormat,
    /// Solve this many boards in parallel; 0 for one per processor core
    #[arg(short, long, value_name = "NUMBER", default_value = "1", value_parser = jobs)]
    jobs: NonZeroUsize,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Report each improvement of the objective's bounds on standard error, or with `--json` as additional lines before
    /// the last line. On a terminal, reports are printed even without this option
    #[arg(long)]
    progress: bool,
    /// Print formula sizes, conflicts and times to standard error
    #[arg(long)]
    stats: bool,
}

/// The options that select the query.
#[derive(Debug, Args)]
struct QueryArgs {
    /// Find every solution; each is printed as soon as it is found
    #[arg(long, group = "query")]
    all: bool,
    /// Find at most this many solutions
    #[arg(long, value_name = "NUMBER", group = "query", value_parser = config::whole::<usize>)]
    limit: Option<usize>,
    /// Count the solutions
    #[arg(long, group = "query")]
    count: bool,
    /// Decide whether there is exactly one solution; if not, show two solutions and where they differ
    #[arg(long, group = "query")]
    unique: bool,
    /// Find the best solution by this objective, as in `gordian puzzle NAME`; `none` for any solution
    #[arg(long, value_name = "NAME", value_parser = Suggested(suggested::objectives), hide_possible_values = true)]
    objective: Option<String>,
}

/// The handling of symmetric solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SymmetryUse {
    /// Find one solution of each set of symmetric solutions.
    Break,
    /// Find all symmetric solutions.
    Keep,
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number =
        text.parse::<usize>().map_err(|_| "expected a number of jobs, as in `4`, or `0`".to_owned())?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(NonZeroUsize::new(number).unwrap_or_else(cores))
}

impl QueryArgs {
    /// Returns whether the options select a query that counts solutions.
    fn counts(&self) -> bool {
        self.all || self.limit.is_some() || self.count
    }

    /// Returns the query that the options select, or `None` to select the default query of the puzzle type.
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
                "--objective {name}: `{option}` is about all solutions, not the best one; use only one of the two options"
            ))),
            _ => Ok(Some(query)),
        }
    }
}

/// Returns the query to run for boards of a puzzle type.
fn resolved(query: Option<&NamedQuery>, puzzle_type: &'static PuzzleType) -> Result<Query, Failure> {
    match query {
        None => Ok(puzzle_type.default_query()),
        Some(Query::Optimise(name)) => Ok(objective(puzzle_type, name.as_deref())?.into()),
        Some(query) => Ok(query.resolve(puzzle_type).expect("only an objective may be missing")),
    }
}

impl Limited for Solve {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        match &self.boards[..] {
            [board] => Found::new(self.query.counts()).so_far(board, self.json, Look::Plain),
            _ => not_finished(),
        }
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let query = self.query.parsed()?;
        let config = Config {
            strategy: self.strategy.chosen()?,
            clausal_proofs: self.proof_format == ProofFormat::Clausal,
            ..self.config.chosen(&watch.limits())?
        };
        let options = self.reading.options()?;
        let boards = boards(&self.boards);
        let single = boards.len() == 1;
        let config = if single {
            config
        } else {
            watch.time_each_board();
            watch.keep(not_finished);
            Config { timeout: self.config.limits.timeout, deadline: None, ..config }
        };
        if self.proof.is_some() && !single {
            return Err(Failure::Usage("--proof: expected a single board".to_owned()));
        }
        let many = Many {
            jobs: self.jobs,
            config: &config,
            json: self.json,
            progress: self.progress,
            look: self.looks.on_stdout(),
            pictures: self.pictures(boards.len())?,
        };
        let (out, err) = (watch.out(), anstream::stderr());
        // Only the first warning about ambiguous data is printed.
        let warned = AtomicBool::new(false);
        let status = many.run(boards, out, err, |board, config, printer| {
            let task = Task { query: query.as_ref(), options: &options, config, warned: &warned };
            self.solution(board, &task, single.then_some(watch), printer)
        })?;
        Ok(watch.ended(status))
    }
}

/// Returns the output if a limit ends the process while it solves several boards.
fn not_finished() -> SoFar {
    SoFar::err("gordian: stopped by a limit: some boards were not finished\n")
}

/// The options for solving a board.
struct Task<'a> {
    query: Option<&'a NamedQuery>,
    options: &'a ReadOptions,
    config: &'a Config,
    /// True if a warning about ambiguous data was printed.
    warned: &'a AtomicBool,
}

impl Solve {
    /// Returns the destination of pictures, or `None` if the option `--svg` is not given. The argument `boards` is the
    /// number of boards.
    fn pictures(&self, boards: usize) -> Result<Option<Pictures<'_>>, Failure> {
        let Some(pictures) = self.looks.pictures() else { return Ok(None) };
        let QueryArgs { all, limit, count, .. } = &self.query;
        if *count {
            return Err(Failure::Usage("--svg: `--count` has no solution to draw".to_owned()));
        }
        let pictures = pictures.beside_output()?;
        match (boards, *all || limit.is_some()) {
            (1, false) => Ok(Some(pictures)),
            (1, true) => pictures.for_several("several solutions").map(Some),
            _ => pictures.for_several("several boards").map(Some),
        }
    }

    /// Solves a board. If there are no other boards, `watch` ends the process at a limit. Returns `None` if the file is
    /// not a board.
    fn solution(
        &self,
        board: NamedBoard,
        &Task { query, options, config, warned }: &Task<'_>,
        watch: Option<&Watch>,
        printer: &mut Printer<'_>,
    ) -> Result<Option<Status>, Failure> {
        printer.found = Found::new(self.query.counts());
        let mut times = StepTimes::default();
        let name = board.name.clone();
        let source = match &self.proof {
            Some(_) => Some(board.source(&self.reading.data, &config.limits())?),
            None => None,
        };
        let Some(board) =
            timed(&mut times.parse, || board.read(options, &self.reading.data, &config.limits()))?
        else {
            return Ok(None);
        };
        let warning = input::ambiguity(&name, &board, options);
        if let Some(warning) = warning.filter(|_| !warned.swap(true, Ordering::Relaxed)) {
            // An error while writing a warning is ignored.
            let _ = writeln!(printer.err, "gordian: {warning}");
        }
        let puzzle: Arc<dyn Puzzle> = timed(&mut times.parse, || self.given.add_to(board.puzzle))?.into();
        let query = resolved(query, puzzle.puzzle_type())?;
        printer.found.board(&puzzle);
        if let Some(watch) = watch {
            printer.found.keep(watch, &name, self.json, printer.shown.look);
        }
        let symmetry = if self.symmetry == Some(SymmetryUse::Break) {
            let symmetry = puzzle.symmetry().ok_or_else(|| {
                let name = puzzle.puzzle_type().name;
                Failure::Usage(format!("--symmetry break: not supported for `{name}`"))
            })?;
            printer.symmetries(&symmetry.names());
            Some(symmetry)
        } else {
            None
        };
        let mut certificate = None;
        let result = if self.proof.is_some() {
            query::certificate::run(&*puzzle, query, config, printer).map(|(outcome, proof)| {
                certificate = proof;
                outcome
            })
        } else {
            query::run_up_to(&*puzzle, query, symmetry.as_deref(), config, printer)
        };
        if let Some(failure) = printer.shown.failed.take() {
            return Err(failure);
        }
        let mut outcome = result?;
        outcome.times.parse = times.parse;
        match watch {
            Some(watch) => watch.result(|| printer.outcome(&*puzzle, &outcome))?,
            None => printer.outcome(&*puzzle, &outcome)?,
        }
        if let Some((directory, source)) = self.proof.as_ref().zip(source.as_ref()) {
            let board = CertifiedBoard { puzzle: &*puzzle, source, arguments: self.reading.words() };
            let summary =
                certificate::write((directory, self.proof_format), &board, &outcome, certificate.as_ref())?;
            // An error while writing a message is ignored.
            let _ = certificate::report(directory, &outcome, summary, &mut printer.err);
        }
        let drawn = printer.picture(&*puzzle, &outcome);
        if self.stats {
            printer.statistics(&outcome)?;
        }
        drawn?;
        Ok(Some(outcome.status))
    }
}
