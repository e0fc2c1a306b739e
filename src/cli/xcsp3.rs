//! `gordian xcsp3`: solves an XCSP3 instance, and prints the result in the format of the XCSP3 competitions.

use std::io::Write;

use clap::Args;
use gordian_encodings::Value;
use gordian_flatzinc::xcsp3::competition::{self, Status as Answer};

use super::competition::model;
use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::input;
use super::report::Failure;
use super::strategy::StrategyArgs;
use super::watch::{Limited, SoFar, Watch};
use crate::flatzinc::{self, Flat};
use crate::format::Syntax;
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
    /// The instance: a file, decompressed if its name ends in .gz, .xz, .bz2 or .lzma, or `-` for
    /// standard input
    file: String,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Returns the line with a solution.
fn solution_lines(flat: &Flat, solution: &Solution, cost: Option<Value>, is_optimal: bool) -> String {
    let values = solution.witness().unwrap_or_default();
    competition::solution_line(flat.instance(), values, cost, is_optimal) + "\n"
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
            Ok(flat) => flat,
            Err(error) => {
                watch
                    .result(|| writeln!(out, "{}", Answer::Unsupported.line()).and_then(|()| out.flush()))?;
                return Err(error.into());
            }
        };
        model::solve(flat, &config, watch, solution_lines)
    }
}
