//! `gordian export`: writes the formula of a board for other solvers.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

mod sidecar;

use super::config::LimitArgs;
use super::exit::ExitStatus;
use super::formula::{FormulaArgs, Made};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::export::About;
use crate::file;

/// Write the formula of a board as DIMACS CNF, WCNF, OPB or iCNF.
///
/// The formula is complete: encodings that add clauses during the search are replaced by other encodings. The comments
/// in the file contain the names of the variables that determine the solution. `gordian decode` turns the output of a
/// solver into a solution. docs/export.md describes the files.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian export board.txt -o board.cnf.xz
  gordian export rooks.txt --objective fewest -o rooks.wcnf
  gordian export board.txt --for counting --encode cardinality=sequential-counter -o board.cnf")]
pub(super) struct ExportArgs {
    #[command(flatten)]
    formula: FormulaArgs,
    /// The file to write, compressed if its name ends in .gz, .xz or .bz2 [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a description of the formula and its variables to this file, as JSON
    #[arg(long, value_name = "FILE")]
    sidecar: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Limited for ExportArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn nothing(&self) -> SoFar {
        let target = match &self.output {
            Some(path) if path != Path::new("-") => path.display().to_string(),
            _ => "the rest of the formula".to_owned(),
        };
        SoFar::err(format!("gordian: stopped: {target} was not written\n"))
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let puzzle = self.formula.read(&watch.limits())?;
        let output = self.output.as_deref().filter(|&path| path != Path::new("-"));
        let chosen = self.formula.chosen(&*puzzle, output.and_then(Path::to_str))?;
        let Made { export, objective, .. } = chosen.make(&*puzzle)?;
        let about = About {
            puzzle: puzzle.puzzle_type().name,
            source: self.formula.board.name(),
            objective: objective.map(|row| row.name),
        };
        for note in about.replaced(&export) {
            eprintln!("gordian: {note}");
        }
        if let Some(path) = output {
            file::write(path, |out| export.write(&about, out)).map_err(Failure::file(path))?;
        } else {
            let mut out = watch.plain();
            export.write(&about, &mut out)?;
            out.flush()?;
        }
        if let Some(path) = &self.sidecar {
            let sidecar = format!("{:#}\n", sidecar::sidecar(&about, &export));
            file::write(path, |out| out.write_all(sidecar.as_bytes())).map_err(Failure::file(path))?;
        }
        Ok(watch.ended(ExitStatus::Answered))
    }
}
