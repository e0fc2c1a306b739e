//! `gordian xcsp3`: solves an XCSP3 instance, and prints the result in the format of the XCSP3 competitions.

use std::io::{self, Write};

use clap::Args;
use gordian_flatzinc::xcsp3::competition::{self, Status as Answer};

use super::config::ConfigArgs;
use super::exit::ExitStatus;
use super::input;
use super::report::Failure;
use super::strategy::StrategyArgs;
use crate::flatzinc::{self, Flat};
use crate::format::Syntax;
use crate::puzzle::Puzzle;
use crate::query::{self, Improvement, Observer, Status};
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
struct Values;

impl Observer for Values {
    fn wants_better(&self) -> bool {
        true
    }

    fn better(&mut self, Improvement { value, .. }: Improvement<'_>) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", competition::objective_line(value))?;
        out.flush()
    }
}

impl Xcsp3 {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let config = Config { strategy: self.strategy.chosen()?, ..self.config.chosen()? };
        let source = input::source(&self.file)?;
        let mut out = io::stdout().lock();
        let flat = flatzinc::read(&source, Syntax::Xcsp3).and_then(|instance| {
            Flat::new(instance.into()).map_err(|error| flatzinc::input_error(&source, &error))
        });
        let flat = match flat {
            Ok(flat) => flat,
            Err(error) => {
                writeln!(out, "{}", Answer::Unsupported.line())?;
                return Err(error.into());
            }
        };
        drop(out);
        let outcome = query::run(&flat, flat.puzzle_type().default_query(), &config, &mut Values)?;
        let (answer, exit) = match (outcome.status, &outcome.solution) {
            (Status::Optimal, _) => (Answer::OptimumFound, ExitStatus::Optimum),
            (Status::None, _) => (Answer::Unsatisfiable, ExitStatus::Unsatisfiable),
            (_, Some(_)) => (Answer::Satisfiable, ExitStatus::Satisfiable),
            (_, None) => (Answer::Unknown, ExitStatus::Answered),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", answer.line())?;
        if let Some(values) = outcome.solution.as_ref().and_then(Solution::witness) {
            let cost = outcome.objective.map(|(_, value, _)| value);
            let optimal = outcome.status == Status::Optimal;
            writeln!(out, "{}", competition::solution_line(flat.instance(), values, cost, optimal))?;
        }
        out.flush()?;
        Ok(exit)
    }
}
