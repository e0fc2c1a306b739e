//! `gordian xcsp3`: solves an XCSP3 instance, and prints the result in the format of the XCSP3 competitions.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use gordian_encodings::Value;
use gordian_flatzinc::xcsp3::competition::{self, Status as Answer};

use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::input;
use super::report::Failure;
use super::strategy::StrategyArgs;
use super::watch::{Limited, SoFar, Watch};
use crate::flatzinc::{self, Flat};
use crate::format::Syntax;
use crate::puzzle::Puzzle;
use crate::query::{self, Improvement, Observer, Status};
use crate::read;
use crate::rules::Solution;
use crate::search::Config;

/// Solve an XCSP3 instance, using the output format and the exit codes of the XCSP3 competitions.
///
/// Exit code 30: optimum found; 10: satisfiable, optimum unknown; 20: unsatisfiable; 0: stopped by a limit; 2: the
/// file can't be read or is not supported.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian xcsp3 model.xml
  gordian xcsp3 model.xml --timeout 60")]
pub(super) struct Xcsp3 {
    /// The instance: a file, decompressed if its name ends in .lzma, or `-` for standard input
    file: String,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Prints the objective value of each better solution.
struct Values<'w> {
    watch: &'w Watch,
    flat: &'w Arc<Flat>,
}

/// Returns the status line and, if there is a solution, the solution.
fn lines(flat: &Flat, answer: Answer, solution: Option<&Solution>, cost: Option<Value>) -> String {
    let mut text = answer.line().to_string() + "\n";
    if let Some(values) = solution.and_then(Solution::witness) {
        let optimal = answer == Answer::OptimumFound;
        text += &competition::solution_line(flat.instance(), values, cost, optimal);
        text.push('\n');
    }
    text
}

impl Observer for Values<'_> {
    fn wants_better(&self) -> bool {
        true
    }

    fn better(&mut self, Improvement { solution, value, .. }: Improvement<'_>) -> io::Result<()> {
        let (flat, solution) = (Arc::clone(self.flat), solution.clone());
        self.watch.keep(move || {
            let text = lines(&flat, Answer::Satisfiable, Some(&solution), Some(value));
            SoFar { status: ExitStatus::Satisfiable, ..SoFar::out(text) }
        });
        let mut out = self.watch.plain();
        writeln!(out, "{}", competition::objective_line(value))?;
        out.flush()
    }
}

impl Limited for Xcsp3 {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        let line = Answer::Unknown.line();
        SoFar { status: ExitStatus::Answered, ..SoFar::out(format!("{line}\n")) }
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let config = Config { strategy: self.strategy.chosen()?, ..self.config.chosen(&watch.limits())? };
        let source = input::source(&self.file)?;
        if let Some(error) = read::formula(&source) {
            return Err(error.into());
        }
        let mut out = watch.plain();
        let flat = flatzinc::read(&source, Syntax::Xcsp3).and_then(|instance| {
            Flat::new(instance.into()).map_err(|error| flatzinc::input_error(&source, &error))
        });
        let flat = match flat {
            Ok(flat) => Arc::new(flat),
            Err(error) => {
                watch
                    .result(|| writeln!(out, "{}", Answer::Unsupported.line()).and_then(|()| out.flush()))?;
                return Err(error.into());
            }
        };
        let mut values = Values { watch, flat: &flat };
        let outcome = query::run(&*flat, flat.puzzle_type().default_query(), &config, &mut values)?;
        let (answer, exit) = match (outcome.status, &outcome.solution) {
            (Status::Optimal, _) => (Answer::OptimumFound, ExitStatus::Optimum),
            (Status::None, _) => (Answer::Unsatisfiable, ExitStatus::Unsatisfiable),
            (_, Some(_)) => (Answer::Satisfiable, ExitStatus::Satisfiable),
            (_, None) => (Answer::Unknown, ExitStatus::Answered),
        };
        let cost = outcome.objective.map(|(_, value, _)| value);
        watch.result(|| {
            out.write_all(lines(&flat, answer, outcome.solution.as_ref(), cost).as_bytes())?;
            out.flush()
        })?;
        Ok(watch.ended(exit))
    }
}
