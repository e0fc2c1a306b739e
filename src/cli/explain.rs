//! `gordian explain`: derives a whole solution in steps that a person can follow.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use gordian_encodings::Lit;
use serde::Serialize;

use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::input;
use super::json::{to_line, write_json};
use super::look::{Pictures, file_name};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::explain::{
    ArgumentText, Difficulty, Explainer, Next, Order, PageEnd, Step, StepText, call_limits, page, strip,
};
use crate::format::{Source, counted};
use crate::puzzle::{Known, Plain, Puzzle};

/// Explain the solution of a board step by step.
///
/// Each step derives facts, such as `r3c4=sea`, from rules and from facts that are already known. The easiest steps come
/// first: by unit propagation, by assumption, then by search; among equals, those with few rules (see `--order`). Steps
/// are minimal unless a limit was reached: if a rule or a known fact is left out, the same method no longer derives all
/// facts of the step. If the board has several solutions, the explanation ends when it has derived all facts that they
/// share.
///
/// Exit code 0: the explanation is complete; 1: no solution exists (see `gordian why`); 2: the board can't be read;
/// 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian explain board.txt
  gordian explain board.txt --html steps.html
  gordian explain board.txt --order size
  gordian explain board.txt --json --timeout 60")]
pub(super) struct Explain {
    #[command(flatten)]
    board: input::BoardArguments,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    output: ExplanationOutput,
}

/// The options that control which steps come first.
#[derive(Debug, Args)]
pub(super) struct OrderArgs {
    /// Which steps come first
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Order::Effort)]
    pub(super) order: Order,
}

/// The options that control how explanations are shown.
#[derive(Debug, Args)]
pub(super) struct ExplanationOutput {
    /// Draw all steps as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write an HTML page that shows one step at a time
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// The status of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// All facts that the solutions share have been derived.
    Complete,
    NoSolution,
    Stopped,
}

impl Ended {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::NoSolution => "none",
            Self::Stopped => "stopped",
        }
    }

    pub(super) fn status(self) -> ExitStatus {
        match self {
            Self::Complete => ExitStatus::Answered,
            Self::NoSolution => ExitStatus::NoSolution,
            Self::Stopped => ExitStatus::Stopped,
        }
    }
}

/// The object that `--json` prints for a step.
#[derive(Serialize)]
pub(super) struct StepJson<'a> {
    pub(super) puzzle: &'a str,
    pub(super) source: &'a str,
    pub(super) step: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) open: Option<usize>,
    pub(super) arguments: &'a [ArgumentText],
}

/// The object that `--json` prints at the end of an explanation.
#[derive(Serialize)]
struct EndJson<'a> {
    puzzle: &'a str,
    source: &'a str,
    status: &'static str,
    derived: usize,
    facts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<DifficultyJson>,
}

#[derive(Serialize)]
pub(super) struct DifficultyJson {
    effort: &'static str,
    hardest: usize,
    rules: usize,
    steps: usize,
    open: usize,
}

impl DifficultyJson {
    pub(super) fn of(of: Difficulty) -> Self {
        let Difficulty { effort, hardest, rules, steps, open } = of;
        Self { effort: effort.name(), hardest, rules, steps, open }
    }
}

impl Limited for Explain {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        SoFar::of_board(self.board.name(), self.output.json, "stopped before a step was found")
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let (config, conflicts) = call_limits(self.config.chosen(&watch.limits())?);
        self.output.check()?;
        let puzzle = self.board.read(&watch.limits())?;
        let plain = plain(&*puzzle)?;
        let name = self.board.name();
        let mut out = watch.out();
        let mut explainer = Explainer::new(&plain, &config, Some(conflicts))?;
        explainer.set_puzzle(&*puzzle);
        explainer.set_order(self.order.order);
        let mut steps = Vec::new();
        let ended = loop {
            // The steps so far are known even if a limit unwinds the search for the next one.
            let next = watch.limits().within(|| explainer.next_step());
            match next.unwrap_or(Ok(Next::Stopped))? {
                Next::Done => break Ended::Complete,
                Next::Contradiction => break Ended::NoSolution,
                Next::Stopped => break Ended::Stopped,
                Next::Step(step) => {
                    steps.push(step);
                    let text = StepText::of(&plain, &steps[steps.len() - 1]);
                    self.output.step(&mut out, &*puzzle, name, Some(steps.len()), &text)?;
                    let stopped = self.stopped(&*puzzle, &plain, &explainer);
                    watch.keep(move || stopped.clone());
                }
            }
        };
        let (derived, facts) = (explainer.known().len(), plain.facts.len());
        let difficulty = (ended == Ended::Complete).then(|| Difficulty::of(&steps));
        let is_known = |lit: Lit| explainer.known().contains(&lit);
        let is_determined = plain.facts.iter().all(|fact| is_known(fact.lit) || is_known(!fact.lit));
        let (mut heading, mut lines) = ("result", Vec::new());
        match (ended, difficulty) {
            (Ended::NoSolution, _) => {
                lines.push(format!("no solution: `gordian why {name}` shows the reason"));
            }
            (_, Some(of)) => {
                lines.push(format!(
                    "{derived} of {facts} facts; difficulty: {} in {} of {}, at most {}, at least {} open",
                    of.effort.name(),
                    of.hardest,
                    counted(of.steps, "step"),
                    counted(of.rules, "rule"),
                    counted(of.open, "fact")
                ));
                if is_determined {
                    heading = "solved";
                } else {
                    lines.push("the board has several solutions: they differ in the other facts".to_owned());
                }
            }
            _ => lines.push(stopped_text(derived, facts)),
        }
        watch.result(|| {
            if self.output.json {
                let json = EndJson {
                    puzzle: puzzle.puzzle_type().name,
                    source: name,
                    status: ended.word(),
                    derived,
                    facts,
                    difficulty: difficulty.map(DifficultyJson::of),
                };
                return write_json(&mut out, &json);
            }
            for line in &lines {
                writeln!(out, "{line}")?;
            }
            out.flush()
        })?;
        let end = PageEnd { heading: heading.to_owned(), lines };
        self.output.pictures(&*puzzle, name, &plain, &[], &steps, &end)?;
        Ok(watch.ended(ended.status()))
    }
}

fn stopped_text(derived: usize, facts: usize) -> String {
    format!("stopped: {derived} of {facts} facts are derived")
}

impl Explain {
    /// Returns the result if a limit ends the explanation now.
    fn stopped(&self, puzzle: &dyn Puzzle, plain: &Plain, explainer: &Explainer<'_>) -> SoFar {
        let (derived, facts) = (explainer.known().len(), plain.facts.len());
        SoFar::out(if self.output.json {
            to_line(&EndJson {
                puzzle: puzzle.puzzle_type().name,
                source: self.board.name(),
                status: Ended::Stopped.word(),
                derived,
                facts,
                difficulty: None,
            })
        } else {
            stopped_text(derived, facts) + "\n"
        })
    }
}

/// Returns the [`Plain`] formulation of a board, or an error if the board is a model with unbounded variables.
pub(super) fn plain(puzzle: &dyn Puzzle) -> Result<Plain, Failure> {
    let unbounded = puzzle.unbounded();
    if unbounded.is_empty() {
        Ok(puzzle.plain())
    } else {
        Err(Failure::Usage(super::report::unbounded(&unbounded)))
    }
}

impl ExplanationOutput {
    /// Returns an error if a picture would go to standard output.
    pub(super) fn check(&self) -> Result<(), Failure> {
        for path in [&self.svg, &self.html].into_iter().flatten() {
            Pictures::at(path).beside_output()?;
        }
        Ok(())
    }

    /// Prints a step. A hint has no number.
    pub(super) fn step(
        &self,
        out: &mut dyn Write,
        puzzle: &dyn Puzzle,
        source: &str,
        number: Option<usize>,
        text: &StepText,
    ) -> Result<(), Failure> {
        if self.json {
            let StepText { arguments, open } = text;
            let puzzle = puzzle.puzzle_type().name;
            write_json(out, &StepJson { puzzle, source, step: number.unwrap_or(1), open: *open, arguments })?;
            return Ok(());
        }
        match number {
            Some(number) => writeln!(out, "step {number}")?,
            None => writeln!(out, "next step")?,
        }
        for line in text.lines() {
            writeln!(out, "  {line}")?;
        }
        Ok(out.flush()?)
    }

    /// Writes the pictures of the steps.
    pub(super) fn pictures(
        &self,
        puzzle: &dyn Puzzle,
        source: &str,
        plain: &Plain,
        given: &[Lit],
        steps: &[Step],
        end: &PageEnd,
    ) -> Result<(), Failure> {
        let title = format!("{}: {}", puzzle.puzzle_type().name, file_name(source));
        let missing = || {
            let name = puzzle.puzzle_type().name;
            Failure::Usage(format!("`{name}` has no drawings of steps; leave out `--svg` and `--html`"))
        };
        if let Some(path) = &self.svg {
            let picture = strip(&title, plain, given, steps).ok_or_else(missing)?;
            Pictures::at(path).write(&file_name(source), &picture)?;
        }
        if let Some(path) = &self.html {
            let page = page(&title, plain, given, steps, end).ok_or_else(missing)?;
            crate::file::write(path, |out| out.write_all(page.as_bytes())).map_err(Failure::file(path))?;
        }
        Ok(())
    }
}

/// Reads known facts from a file, or from standard input if `argument` is `-`, see [`Plain::read_known`]. If `argument`
/// contains `=` and is no file, it is itself a list of facts.
pub(super) fn read_known(puzzle: &dyn Puzzle, plain: &Plain, argument: &str) -> Result<Known, Failure> {
    let is_list = argument.contains('=') && !Path::new(argument).exists();
    let source = if is_list { Source::new("facts", argument) } else { input::source(argument)? };
    Ok(plain.read_known(puzzle, &source)?)
}
