//! `gordian solve`: an answer to a board.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use gordian_encodings::sink::SizeRow;
use gordian_encodings::{Encodings, Sizes};
use serde::{Serialize, Serializer};

use super::report::Failure;
use super::{Ending, input};
use crate::answer::Answer;
use crate::backend::{self, Statistics, Verdict};
use crate::puzzle::{Puzzle, Request};
use crate::search::Session;

/// Find an answer to a board, or prove that there is none.
///
/// Exit code 0: answered; 1: no answer exists; 2: the board can't be read.
#[derive(Debug, Args)]
pub(super) struct Solve {
    #[command(flatten)]
    board: input::Board,
    /// The SAT solver, one of `gordian list`
    #[arg(long, value_name = "NAME", default_value = backend::SOLVERS[0].name)]
    solver: String,
    /// The technique for a meaning, both as in `gordian list` [repeatable]
    #[arg(long, value_name = "MEANING=TECHNIQUE")]
    encode: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print sizes, conflicts and times to standard error
    #[arg(long)]
    stats: bool,
}

/// How long each step took.
#[derive(Debug, Default)]
struct Times {
    parse: Duration,
    model: Duration,
    encode: Duration,
    solve: Duration,
    decode: Duration,
    check: Duration,
}

impl Times {
    fn steps(&self) -> [(&'static str, Duration); 6] {
        [
            ("parse", self.parse),
            ("model", self.model),
            ("encode", self.encode),
            ("solve", self.solve),
            ("decode", self.decode),
            ("check", self.check),
        ]
    }

    fn total(&self) -> Duration {
        self.steps().iter().map(|(_, time)| *time).sum()
    }
}

/// Runs a step and notes how long it took.
fn timed<R>(time: &mut Duration, step: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = step();
    *time += start.elapsed();
    result
}

impl Solve {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let solver = backend::find(&self.solver)?;
        let mut encodings = Encodings::auto();
        for choice in &self.encode {
            encodings
                .choose_from(choice)
                .map_err(|error| Failure::Usage(format!("--encode {choice}: {error}")))?;
        }
        let mut times = Times::default();
        let puzzle = timed(&mut times.parse, || self.board.read())?;
        let formulation = timed(&mut times.model, || puzzle.formulate(&Request::default()));
        let mut session =
            timed(&mut times.encode, || Session::new(&formulation.model, &encodings, solver, None))?;
        let verdict = timed(&mut times.solve, || session.satisfy(&[]))?;
        let answer = match verdict {
            Verdict::Satisfiable => {
                Some(timed(&mut times.decode, || (formulation.decode)(&session.assignment())))
            }
            Verdict::Unsatisfiable | Verdict::Stopped => None,
        };
        if let Some(answer) = &answer {
            timed(&mut times.check, || puzzle.check(answer))
                .map_err(|violation| Failure::WrongAnswer(violation.to_string()))?;
        }
        let outcome = Outcome {
            puzzle: &*puzzle,
            source: self.board.name(),
            verdict,
            answer,
            sizes: session.sizes(),
            statistics: session.statistics(),
            times,
        };
        if self.json {
            outcome.print_json()?;
        } else {
            outcome.print_text()?;
        }
        if self.stats {
            outcome.print_statistics()?;
        }
        Ok(match verdict {
            Verdict::Satisfiable => Ending::Answered,
            Verdict::Unsatisfiable => Ending::NoAnswer,
            Verdict::Stopped => Ending::Stopped,
        })
    }
}

/// What came of a board.
struct Outcome<'a> {
    puzzle: &'a dyn Puzzle,
    source: &'a str,
    verdict: Verdict,
    answer: Option<Answer>,
    sizes: &'a Sizes,
    statistics: Statistics,
    times: Times,
}

/// The object that `--json` prints; `docs/json.md` describes it.
#[derive(Serialize)]
struct Json<'a> {
    puzzle: &'a str,
    source: &'a str,
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Answer>,
    stats: Stats,
}

#[derive(Serialize)]
struct Stats {
    variables: u64,
    clauses: u64,
    literals: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<u64>,
    meanings: Pairs<Size>,
    ms: Pairs<f64>,
}

#[derive(Serialize)]
struct Size {
    constraints: u64,
    variables: u64,
    clauses: u64,
    literals: u64,
}

impl From<&SizeRow> for Size {
    fn from(row: &SizeRow) -> Self {
        let &SizeRow { constraints, variables, clauses, literals, .. } = row;
        Self { constraints, variables, clauses, literals }
    }
}

/// An object whose keys keep their order.
struct Pairs<T>(Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Pairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

impl Outcome<'_> {
    fn status(&self) -> &'static str {
        match self.verdict {
            Verdict::Satisfiable => "solved",
            Verdict::Unsatisfiable => "none",
            Verdict::Stopped => "stopped",
        }
    }

    fn print_json(&self) -> Result<(), Failure> {
        let total = self.sizes.total();
        let steps = self.times.steps().into_iter().chain([("total", self.times.total())]);
        let json = Json {
            puzzle: self.puzzle.kind().name,
            source: self.source,
            status: self.status(),
            answer: self.answer.as_ref(),
            stats: Stats {
                variables: total.variables,
                clauses: total.clauses,
                literals: total.literals,
                conflicts: self.statistics.conflicts,
                meanings: Pairs(self.sizes.rows().iter().map(|row| (row.meaning, Size::from(row))).collect()),
                ms: Pairs(steps.map(|(step, time)| (step, milliseconds(time))).collect()),
            },
        };
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
        Ok(())
    }

    fn print_text(&self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        match &self.answer {
            Some(answer) => write!(out, "{}", self.puzzle.draw(Some(answer)).text(true))?,
            None if self.verdict == Verdict::Stopped => writeln!(out, "stopped before an answer was found")?,
            None => writeln!(out, "no answer: the board is contradictory")?,
        }
        Ok(())
    }

    fn print_statistics(&self) -> Result<(), Failure> {
        let mut out = anstream::stderr().lock();
        writeln!(
            out,
            "{:14} {:>11} {:>10} {:>10} {:>10}",
            "", "constraints", "variables", "clauses", "literals"
        )?;
        for row in self.sizes.rows().iter().chain([&self.sizes.total()]) {
            let (meaning, constraints, variables) = (row.meaning, row.constraints, row.variables);
            writeln!(
                out,
                "{meaning:14} {constraints:11} {variables:10} {:10} {:10}",
                row.clauses, row.literals
            )?;
        }
        if let Some(conflicts) = self.statistics.conflicts {
            writeln!(out, "conflicts      {conflicts:11}")?;
        }
        for (step, time) in self.times.steps().into_iter().chain([("total", self.times.total())]) {
            writeln!(out, "{:14} {:8.3} ms", step, milliseconds(time))?;
        }
        Ok(())
    }
}
