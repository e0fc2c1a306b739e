//! `gordian why`: shows which rules make a board or a fact impossible.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use gordian_encodings::Lit;
use serde::Serialize;

use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::explain::{Ended, ExplanationOutput, plain, read_known};
use super::input;
use super::json::{to_line, write_json};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::explain::{Explainer, PageEnd, ReasonText, Size, StepText, Why, call_limits};
use crate::flatzinc::{self, Flat, NamedConstraints, WhyNone};
use crate::format::{InputError, Source, Spanned, Syntax};
use crate::puzzle::Plain;
use crate::read;
use crate::search::Config;

/// Show why a board has no solution, or why a fact is forced.
///
/// The command prints a smallest set of rules that contradict each other, and derives the contradiction step by step.
/// The rules of a constraint model are its constraints; constraints with the same `mzn_constraint_name` form one rule.
/// In a MiniZinc model, a constraint item without such a name has its place as its name, as in `model.mzn:8:1: x < y`.
/// Constraints without a name that define a Boolean part of another constraint are not listed.
/// With FACT, the reason shows why a fact, such as `r3c4=sea`, holds in every solution: its opposite contradicts the
/// rules. With `--answer`, it shows why a partly filled board can't be extended to a solution. STATE has the same forms
/// as that of `gordian hint`.
///
/// A reason is called `smallest` if no other reason has fewer rules, `minimal` if none of its rules and facts can be
/// left out, and `within the limit` if a limit ended the search before this was proven.
///
/// Exit code 0: the reason was found; 1: there is none, because a solution exists; 2: the board can't be read; 3:
/// stopped by a limit before the reason or its steps were found.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian why impossible.txt
  gordian why board.txt r1c2=sea
  gordian why board.txt --cell r1c2
  gordian why board.txt --answer r1c2=island
  gordian why board.txt --answer wrong.txt --json")]
pub(super) struct WhyCommand {
    #[command(flatten)]
    board: input::BoardArguments,
    /// Explain why this fact is forced, as in `r3c4=sea` or `r3c4`; `3,4` and `d3` are the same cell
    #[arg(conflicts_with_all = ["cell", "answer"])]
    fact: Option<String>,
    /// The same as FACT
    #[arg(long, value_name = "FACT")]
    cell: Option<String>,
    /// Explain why facts such as `r3c4=sea,r3c5=sea`, or the facts or the partly filled board in a file, can't be
    /// extended to a solution; `-` for standard input
    #[arg(long, value_name = "STATE", conflicts_with = "cell")]
    answer: Option<String>,
    /// Find a minimal set of rules, which is faster than finding a smallest set
    #[arg(long)]
    minimal: bool,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    output: ExplanationOutput,
}

const STOPPED: &str = "stopped before a reason was found";
const POSSIBLE: &str = "nothing to explain: a solution exists";

/// The object that `--json` prints.
#[derive(Serialize)]
struct WhyJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<&'a str>,
    source: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a ReasonText>,
    /// True if `steps` derive the contradiction, false if a limit ended the search for steps. `None` for constraint
    /// models and if there is no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<StepText>,
}

/// The text for a limit that is reached after the reason was printed.
const NO_STEPS: &str = "stopped by a limit: these rules contradict each other, but no steps that derive the contradiction were found";

impl Limited for WhyCommand {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        SoFar::of_board(self.board.name(), self.output.json, STOPPED)
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        if self.board.name() == "-" && self.answer.as_deref() == Some("-") {
            return Err(Failure::Usage("board and facts can't both be standard input".to_owned()));
        }
        let (config, conflicts) = call_limits(self.config.chosen(&watch.limits())?);
        self.output.check()?;
        let board = self.board.source_with_places(&watch.limits())?;
        let syntax = read::syntax(&board);
        if syntax.is_model() {
            return self.run_model(&board, syntax, &config, watch);
        }
        let puzzle = self.board.read_from(&board)?;
        let plain = plain(&*puzzle)?;
        let name = self.board.name();
        let mut explainer = Explainer::new(&plain, &config, Some(conflicts))?;
        let mut out = watch.out();
        let mut violation = None;
        let (fact, assumed) = match (self.fact(), &self.answer) {
            (Some(cell), _) => {
                let fact = forced(&plain, &mut explainer, cell)?;
                (Some(fact), vec![!fact])
            }
            (None, Some(answer)) => {
                let known = read_known(&*puzzle, &plain, answer)?;
                violation = known.violation;
                (None, known.lits)
            }
            (None, None) => (None, Vec::new()),
        };
        let why = explainer.why(&assumed, !self.minimal)?;
        let (ended, reason) = match why {
            Why::Possible => (Ended::NoSolution, None),
            Why::Stopped => (Ended::Stopped, None),
            Why::Reason(reason) => (Ended::Complete, Some(reason)),
        };
        let text = reason.as_ref().map(|reason| ReasonText::of(&plain, reason));
        let fact = fact.and_then(|lit| plain.fact_of(lit)).map(|(fact, holds)| fact.text(holds));
        if let Some(text) = &text {
            if !self.output.json {
                // Finding the steps takes longer than finding the reason, so the reason is printed first.
                write_reason(&mut out, fact.as_deref(), text)?;
            }
            let stopped = self.without_steps(puzzle.puzzle_type().name, fact.as_ref(), text);
            watch.keep(move || stopped.clone());
        }
        let steps = match &reason {
            // The reason is known even if a limit unwinds the search for the steps.
            Some(reason) => {
                let steps = watch.limits().within(|| explainer.steps_to_contradiction(reason));
                steps.unwrap_or(Ok(None))?
            }
            None => None,
        };
        let given = reason.as_ref().map(|reason| reason.because.clone()).unwrap_or_default();
        let steps_of = |steps: &Vec<_>| steps.iter().map(|step| StepText::of(&plain, step)).collect();
        let texts: Option<Vec<StepText>> = steps.as_ref().map(steps_of);
        let complete = reason.as_ref().map(|_| steps.is_some());
        let status = match ended {
            Ended::Complete => "reason",
            Ended::NoSolution => "possible",
            Ended::Stopped => "stopped",
        };
        watch.result(|| {
            if self.output.json {
                let json = WhyJson {
                    puzzle: Some(puzzle.puzzle_type().name),
                    source: name,
                    status,
                    fact,
                    reason: text.as_ref(),
                    complete,
                    steps: texts.unwrap_or_default(),
                };
                return write_json(&mut out, &json);
            }
            match text {
                Some(_) => write_steps(&mut out, texts.as_deref())?,
                None if ended == Ended::Stopped => writeln!(out, "{STOPPED}")?,
                None => match (&fact, violation) {
                    (Some(fact), _) => writeln!(out, "{fact} is not forced: a solution without it exists")?,
                    (None, Some(violation)) => writeln!(out, "the solution is wrong: {violation}")?,
                    (None, None) => writeln!(out, "{POSSIBLE}")?,
                },
            }
            out.flush()
        })?;
        if reason.is_some() {
            self.output.pictures(
                &*puzzle,
                name,
                &plain,
                &given,
                &steps.unwrap_or_default(),
                &PageEnd::of("contradiction"),
            )?;
        }
        Ok(watch.ended(if complete == Some(false) { ExitStatus::Stopped } else { ended.status() }))
    }
}

impl WhyCommand {
    fn fact(&self) -> Option<&String> {
        self.fact.as_ref().or(self.cell.as_ref())
    }

    /// Returns the output if a limit ends the search for the steps. The reason has been printed, except as JSON.
    fn without_steps(&self, puzzle: &str, fact: Option<&String>, reason: &ReasonText) -> SoFar {
        SoFar::out(if self.output.json {
            to_line(&WhyJson {
                puzzle: Some(puzzle),
                source: self.board.name(),
                status: "reason",
                fact: fact.cloned(),
                reason: Some(reason),
                complete: Some(false),
                steps: Vec::new(),
            })
        } else {
            format!("{NO_STEPS}\n")
        })
    }

    /// Explains why a constraint model has no solution.
    fn run_model(
        &self,
        source: &Source,
        syntax: Syntax,
        config: &Config,
        watch: &Watch,
    ) -> Result<ExitStatus, Failure> {
        if self.fact().is_some() || self.answer.is_some() {
            let message = "a fact and `--answer`: expected a board, found a constraint model";
            return Err(Failure::Usage(message.to_owned()));
        }
        let instance = flatzinc::read(source, syntax)?;
        // The whole instance is translated first, to report unsupported constraints.
        Flat::new(Arc::new(instance.clone())).map_err(|error| flatzinc::input_error(source, &error))?;
        let mut constraints = NamedConstraints::of(&instance, source);
        let (ended, status, text) = match constraints.why(config, !self.minimal)? {
            WhyNone::Possible => (Ended::NoSolution, "possible", None),
            WhyNone::Stopped => (Ended::Stopped, "stopped", None),
            WhyNone::Contradiction(subset) => {
                let size = match (subset.smallest, subset.minimal) {
                    (true, _) => Size::Smallest,
                    (false, true) => Size::Minimal,
                    (false, false) => Size::Limited,
                };
                let rules = subset.groups.iter().map(|group| constraints.names[group].clone()).collect();
                let text = ReasonText { rules, because: Vec::new(), size: size.name(), effort: None };
                (Ended::Complete, "reason", Some(text))
            }
        };
        let mut out = watch.out();
        let name = self.board.name();
        watch.result(|| {
            if self.output.json {
                let puzzle = Some(flatzinc::NAME);
                let (reason, steps) = (text.as_ref(), Vec::new());
                let json =
                    WhyJson { puzzle, source: name, status, fact: None, reason, complete: None, steps };
                return write_json(&mut out, &json);
            }
            match text {
                Some(text) => write_reason(&mut out, None, &text)?,
                None if ended == Ended::Stopped => writeln!(out, "{STOPPED}")?,
                None => writeln!(out, "{POSSIBLE}")?,
            }
            out.flush()
        })?;
        Ok(watch.ended(ended.status()))
    }
}

/// Parses `text`, and returns the literal of the fact. If `text` is only the name of a place with a single fact, such
/// as `r3c4`, returns the fact's literal if the fact holds in every solution, and the negated literal otherwise.
fn forced(plain: &Plain, explainer: &mut Explainer<'_>, text: &str) -> Result<Lit, Failure> {
    let wrong = |expected: String| {
        let source = Source::word("fact", text);
        Failure::Input(InputError::at(&source, &Spanned::new(text.to_owned(), source.all()), expected))
    };
    if text.contains('=') {
        return plain.parse(text).map_err(wrong);
    }
    let [fact] = plain.facts_at(text)[..] else {
        return Err(wrong(plain.parse(text).err().unwrap_or_default()));
    };
    Ok(match explainer.why(&[!fact.lit], false)? {
        Why::Reason(_) => fact.lit,
        Why::Possible | Why::Stopped => !fact.lit,
    })
}

fn write_reason(out: &mut dyn Write, fact: Option<&str>, reason: &ReasonText) -> io::Result<()> {
    let ReasonText { rules, because, size, effort } = reason;
    let number = match rules.len() {
        1 => "1 rule".to_owned(),
        number => format!("{number} rules"),
    };
    let effort = effort.map(|effort| format!(", {effort}")).unwrap_or_default();
    match fact {
        Some(fact) => writeln!(out, "{fact} is forced by {number} ({size}{effort}):")?,
        None if rules.is_empty() && because.is_empty() => writeln!(out, "the data alone has no solution")?,
        None if rules.len() < 2 => writeln!(out, "{number} is contradictory ({size}{effort}):")?,
        None => writeln!(out, "{number} contradict each other ({size}{effort}):")?,
    }
    for rule in rules {
        writeln!(out, "  {rule}")?;
    }
    if !because.is_empty() {
        writeln!(out, "assumed: {}", because.join(", "))?;
    }
    out.flush()
}

/// Prints the steps that derive a contradiction. `None` means that a limit was reached.
fn write_steps(out: &mut dyn Write, steps: Option<&[StepText]>) -> io::Result<()> {
    let Some(steps) = steps else { return writeln!(out, "{NO_STEPS}") };
    for (number, step) in (1..).zip(steps) {
        writeln!(out, "step {number}")?;
        for line in step.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}
