//! `gordian make`: generates boards with exactly one solution.
//!
//! This file has over 400 lines because the text and the JSON must contain the same results.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gordian_explain::Effort;
use serde::Serialize;

use super::config::{ConfigArgs, LimitArgs, from_one, whole};
use super::exit::ExitStatus;
use super::explain::DifficultyJson;
use super::input;
use super::json::{to_line, write_json};
use super::outcome::ProgressReports;
use super::report::Failure;
use super::suggested::{self, Suggested};
use super::watch::{Limited, SoFar, Watch};
use crate::explain::Difficulty;
use crate::format::pzpr::NoAddress;
use crate::format::{Syntax, counted};
use crate::make::{
    BestBoard, CONFLICTS, Generator, Made, MakeError, MakeOptions, MakeProgress, Outcome, Pattern, Spare,
    Symmetry, make,
};
use crate::puzzle::{self, Options, sheet};
use crate::rules::Solution;
use crate::search::Config;

/// Make boards that have exactly one solution.
///
/// The first board has the seed `--seed`, and each further board has the next seed. The same seed generates the same
/// board, unless a limit stops the command.
///
/// Exit code 0: all boards were made; 2: there are no such boards, or none was found; 3: stopped by a limit. If a
/// limit stops the command, the best board so far is printed, even if it has several solutions.
#[derive(Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("The seed of the first board")))]
#[command(mut_arg("conflicts", |conflicts| conflicts.help(conflicts_help())))]
#[command(after_help = "Examples:
  gordian make rooks --size 7x7 --symmetry half
  gordian make nurikabe --size 5x5 --seed 7 --url
  gordian make numberlink --size 5x5 --option cells=all --count 2 --json
  gordian make slitherlink --symmetry half
  gordian make slitherlink --pattern heart.txt
  gordian make --rules my.sheet --size 6x6")]
pub(super) struct Make {
    /// The puzzle type
    #[arg(value_name = "TYPE", value_parser = Suggested(suggested::made_types), required_unless_present = "rules")]
    puzzle_type: Option<String>,
    /// A rule sheet that states the puzzle type
    #[arg(long, value_name = "FILE", conflicts_with = "puzzle_type")]
    rules: Option<PathBuf>,
    /// The numbers of rows and columns. The default depends on the puzzle type
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = size)]
    size: Option<(usize, usize)>,
    /// The number of boards
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = from_one)]
    count: NonZero<u32>,
    /// The effort that an explanation of the board needs, as in `gordian explain`. Other boards are discarded
    #[arg(long, value_name = "EFFORT", value_parser = effort())]
    difficulty: Option<Effort>,
    /// The symmetry of the cells with clues, or of the blocks of rooks boards: a half turn, a quarter turn, or a
    /// reflection that swaps left and right, or top and bottom
    #[arg(long, value_name = "SYMMETRY", default_value = "none", value_parser = symmetry())]
    symmetry: Symmetry,
    /// A file with the cells that may have clues: a row of tokens for each row of cells, with `.` for a cell without a
    /// clue. It states the size, too
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pattern: Option<PathBuf>,
    /// The number of superfluous clues to keep, or `all` [default: all for nurikabe and with `--pattern`, otherwise 0]
    #[arg(long, value_name = "NUMBER", value_parser = spare)]
    spare: Option<Spare>,
    /// An option of the puzzle type, as in `gordian puzzle TYPE` [repeatable]
    #[arg(long, value_name = "NAME=VALUE", value_parser = Suggested(suggested::options), hide_possible_values = true)]
    option: Vec<String>,
    /// Print the puzz.link addresses of the boards
    #[arg(long, conflicts_with = "json")]
    url: bool,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print JSON: one object for each board
    #[arg(long)]
    json: bool,
}

const NONE_MADE: &str = "gordian: stopped before a board was found\n";

/// The object that `--json` prints for a board.
#[derive(Serialize)]
struct MadeJson<'a> {
    puzzle: &'a str,
    seed: u64,
    status: &'static str,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<&'a Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<DifficultyJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differing: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'static str>,
}

/// The numbers of discarded boards with one solution, by difficulty.
#[derive(Default)]
struct Discarded {
    /// One number for each of [`Effort::ALL`].
    by_effort: [usize; Effort::ALL.len()],
    /// The number of boards of an unknown effort above propagation.
    harder: usize,
}

impl Discarded {
    fn add(&mut self, effort: Option<Effort>) {
        match effort {
            Some(effort) => self.by_effort[effort as usize] += 1,
            None => self.harder += 1,
        }
    }

    fn total(&self) -> usize {
        self.by_effort.iter().sum::<usize>() + self.harder
    }
}

impl fmt::Display for Discarded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let efforts = Effort::ALL.map(Effort::name).into_iter().zip(self.by_effort);
        let numbers = efforts.chain([("harder than propagation", self.harder)]);
        let numbers = numbers.filter(|&(_, number)| number > 0);
        let numbers: Vec<String> = numbers.map(|(name, number)| format!("{number} {name}")).collect();
        write!(out, "discarded because of their difficulty: {}", numbers.join(", "))
    }
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let expected = || "expected the numbers of rows and columns, as in `10x8`".to_owned();
    let (rows, columns) = text.split_once('x').ok_or_else(expected)?;
    Ok((rows.parse().map_err(|_| expected())?, columns.parse().map_err(|_| expected())?))
}

fn conflicts_help() -> String {
    format!("Stop each check of a board after this many conflicts [default: {CONFLICTS}]")
}

fn effort() -> impl TypedValueParser<Value = Effort> {
    PossibleValuesParser::new(Effort::ALL.map(Effort::name))
        .map(|name| Effort::find(&name).expect("one of the possible values"))
}

fn symmetry() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name))
        .map(|name| Symmetry::find(&name).expect("one of the possible values"))
}

fn spare(text: &str) -> Result<Spare, String> {
    if text == "all" {
        return Ok(Spare::All);
    }
    whole(text).map(Spare::Number).map_err(|error| format!("{error}, or `all`"))
}

impl From<MakeError> for Failure {
    fn from(error: MakeError) -> Self {
        match error {
            MakeError::Backend(error) => Self::Backend(error),
            MakeError::PuzzleOptions(error) => Self::Input(error),
            MakeError::Wrong(violation) => Self::WrongSolution(violation),
            MakeError::PuzzleType(..)
            | MakeError::Options(_)
            | MakeError::NotFound(_)
            | MakeError::Rules(_) => Self::Usage(error.to_string()),
        }
    }
}

impl Limited for Make {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        self.none_made(&self.name(), u64::from(self.config.seed()))
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let found = if let Some(path) = &self.rules {
            sheet::of_text(&input::source(&path.to_string_lossy())?)?
        } else {
            let name = self.name();
            puzzle::find(&name).ok_or_else(|| MakeError::PuzzleType(name, String::new()))?
        };
        let Generator { puzzle_type, size, .. } =
            Generator::of(found).ok_or_else(|| MakeError::puzzle_type(found))?;
        let pattern = self.pattern.as_ref().map(|path| -> Result<Pattern, Failure> {
            Ok(Pattern::read(&input::source(&path.to_string_lossy())?)?)
        });
        let pattern = pattern.transpose()?;
        let size = pattern.as_ref().map(Pattern::size).or(self.size).unwrap_or(size);
        let has_addresses = puzzle_type.readers.iter().any(|reader| reader.syntax() == Syntax::Address);
        if self.url && !has_addresses {
            return Err(Failure::Usage(format!("--url: {}", NoAddress::PuzzleType(puzzle_type.name))));
        }
        let chosen = self.config.chosen(&watch.limits())?;
        let (first, limits) = (u64::from(self.config.seed()), chosen.limits());
        if first + u64::from(self.count.get()) > u64::from(u32::MAX) + 1 {
            let message = format!("--seed {first} --count {}: expected seeds up to {}", self.count, u32::MAX);
            return Err(Failure::Usage(message));
        }
        // The option `--seed` sets the seed of the generator. The solver always uses the seed 0.
        let config = Config { seed: 0, ..chosen };
        let options = MakeOptions {
            symmetry: self.symmetry,
            pattern,
            difficulty: self.difficulty,
            spare: self.spare,
            puzzle: Options::from_words(&self.option)?,
        };
        let mut out = watch.out();
        let mut status = ExitStatus::Answered;
        let start = Instant::now();
        let mut reports = if std::io::stderr().is_terminal() {
            ProgressReports::for_person()
        } else {
            ProgressReports::Never
        };
        let mut discarded = Discarded::default();
        let mut report = |boards: u32, progress: Option<MakeProgress>| {
            if let Some(MakeProgress::Discarded(effort)) = progress {
                discarded.add(effort);
            }
            if reports.is_due() {
                let rate = f64::from(boards) * 60.0 / start.elapsed().as_secs_f64();
                let rest = match progress {
                    _ if discarded.total() > 0 => format!("; {discarded}"),
                    Some(MakeProgress::Draft(differing)) => {
                        format!("; the solutions of the next draft differ in {differing} cells")
                    }
                    _ => String::new(),
                };
                eprintln!("{boards} boards, {rate:.0} a minute{rest}");
            }
        };
        for number in 0..self.count.get() {
            let seed = first + u64::from(number);
            let none_made = self.none_made(puzzle_type.name, seed);
            watch.keep(move || none_made.clone());
            let mut progress = |progress| report(number, Some(progress));
            match make(puzzle_type, size, seed, &options, &config, &limits, &mut progress)? {
                Outcome::Made(made) => {
                    let expired = limits.expired() || limits.exceeds_memory();
                    // The conflict limit applies to each check of a board. If it was exceeded, the command continues
                    // with the next board.
                    let exceeded = (made.stopped && !expired).then(|| limits.conflicts.unwrap_or(CONFLICTS));
                    self.print(&mut out, puzzle_type.name, seed, &made, exceeded)?;
                    report(number + 1, None);
                    if made.stopped {
                        status = ExitStatus::Stopped;
                        if expired {
                            break;
                        }
                    }
                }
                Outcome::Stopped { best, conflicts } => {
                    if let Some(conflicts) = conflicts {
                        eprintln!(
                            "gordian: stopped before a board was found: checks of drafts exceeded the limit of \
                             {conflicts} conflicts; raise `--conflicts`, or choose a smaller size"
                        );
                    } else if best.is_none() && !self.json {
                        eprint!("{NONE_MADE}");
                    }
                    watch.result(|| self.print_stopped(&mut out, puzzle_type.name, seed, best))?;
                    return Ok(watch.ended(ExitStatus::Stopped));
                }
            }
        }
        Ok(watch.ended(status))
    }
}

impl Make {
    /// Returns the name of the puzzle type or, before it is read, the file with its rule sheet.
    fn name(&self) -> String {
        let file = || self.rules.as_ref().map(|path| path.to_string_lossy().into_owned());
        self.puzzle_type.clone().or_else(file).unwrap_or_default()
    }

    /// Returns the output if a limit ends the process before the board with the given seed is made.
    fn none_made(&self, puzzle: &str, seed: u64) -> SoFar {
        if !self.json {
            return SoFar::err(NONE_MADE);
        }
        SoFar::out(to_line(&MadeJson {
            puzzle,
            seed,
            status: "stopped",
            complete: false,
            board: None,
            address: None,
            solution: None,
            difficulty: None,
            differing: None,
            effort: None,
        }))
    }

    /// Prints a board. `exceeded` is the conflict limit if checks of the board have exceeded it.
    fn print(
        &self,
        out: &mut dyn Write,
        puzzle: &str,
        seed: u64,
        made: &Made,
        exceeded: Option<u64>,
    ) -> Result<(), Failure> {
        let address = made.board.address();
        if self.json {
            let json = MadeJson {
                puzzle,
                seed,
                status: "made",
                complete: !made.stopped,
                board: Some(&made.text),
                address: address.ok().map(|written| written.address),
                solution: Some(&made.solution),
                difficulty: made.difficulty.map(DifficultyJson::of),
                differing: None,
                effort: None,
            };
            return Ok(write_json(out, &json)?);
        }
        if self.url {
            let written = address.map_err(|error| Failure::Usage(format!("--url: {error}")))?;
            writeln!(out, "{}", written.address)?;
        } else {
            writeln!(out, "% seed {seed}{}\n{}", Self::remark(made.difficulty), made.text)?;
        }
        if made.stopped {
            let unknown = if made.difficulty.is_none() && self.difficulty.is_some() {
                ", and its difficulty is not known"
            } else {
                ""
            };
            let limit = match exceeded {
                Some(conflicts) => format!(
                    "checks of the board with seed {seed} exceeded the limit of {conflicts} conflicts (`--conflicts`)"
                ),
                None => format!("stopped by a limit at the board with seed {seed}"),
            };
            eprintln!("gordian: {limit}: some of its clues may be superfluous{unknown}");
        }
        Ok(out.flush()?)
    }

    fn remark(difficulty: Option<Difficulty>) -> String {
        difficulty.map_or(String::new(), |of| {
            format!(
                ", {} in {} of {}, at most {}",
                of.effort.name(),
                of.hardest,
                counted(of.steps, "step"),
                counted(of.rules, "rule")
            )
        })
    }

    /// Prints the best draft if a limit has stopped the generator.
    fn print_stopped(
        &self,
        out: &mut dyn Write,
        puzzle: &str,
        seed: u64,
        best: Option<BestBoard>,
    ) -> Result<(), Failure> {
        if self.json {
            let json = MadeJson {
                puzzle,
                seed,
                status: "stopped",
                complete: false,
                board: best.as_ref().map(|best| &*best.text),
                address: None,
                solution: None,
                difficulty: None,
                differing: best.as_ref().map(|best| best.differing),
                effort: best.as_ref().and_then(|best| best.effort).map(Effort::name),
            };
            return Ok(write_json(out, &json)?);
        }
        let Some(BestBoard { text, differing, effort }) = best else { return Ok(()) };
        let what = match (differing, effort) {
            (0, Some(effort)) => format!("one solution, but the difficulty is {}", effort.name()),
            (0, None) => "one solution, but another difficulty".to_owned(),
            _ => format!("the solutions differ in {differing} cells"),
        };
        let text = format!("% seed {seed}, stopped: {what}\n{text}");
        if self.url {
            // Only the addresses of boards with one solution are written to standard output.
            eprintln!("{text}");
        } else {
            writeln!(out, "{text}")?;
        }
        Ok(out.flush()?)
    }
}
