//! `gordian list`: what there is to choose from.

use std::io::Write;

use clap::Args;
use gordian_encodings::{MEANINGS, Sense};

use super::Ending;
use super::report::Failure;
use crate::backend::SOLVERS;
use crate::backend::external::PROGRAMS;
use crate::export::FORMATS;
use crate::puzzle::KINDS;
use crate::search::STRATEGIES;

/// List puzzles with their formats and options, encoding techniques, and solvers.
#[derive(Debug, Args)]
pub(super) struct List {}

impl List {
    #[expect(clippy::unused_self, reason = "a command like the others")]
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let mut out = anstream::stdout().lock();
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}PUZZLES{bold:#}")?;
        for kind in KINDS {
            let mut formats: Vec<_> = kind.readers.iter().map(crate::puzzle::Reader::format).collect();
            formats.dedup();
            let names: Vec<_> = std::iter::once(kind.name).chain(kind.aliases.iter().copied()).collect();
            writeln!(out, "  {bold}{}{bold:#}: {}", names.join(", "), formats.join(", "))?;
            writeln!(out, "      {}", kind.rules)?;
            for objective in kind.objectives {
                let sense = match objective.sense {
                    Sense::Minimise => "minimise",
                    Sense::Maximise => "maximise",
                };
                writeln!(out, "      --objective {}: {sense} {}", objective.name, objective.summary)?;
            }
            for option in kind.options {
                let values: Vec<_> =
                    option.values.iter().map(|value| format!("{}={value}", option.name)).collect();
                writeln!(
                    out,
                    "      --option {} [default: {}]: {}",
                    values.join(" | "),
                    values[0],
                    option.summary
                )?;
            }
        }
        writeln!(
            out,
            "\n{bold}TECHNIQUES{bold:#}, chosen with --encode MEANING=TECHNIQUE; `auto` decides from the size"
        )?;
        for meaning in MEANINGS {
            writeln!(out, "  {bold}{}{bold:#}: {}", meaning.name, meaning.summary)?;
            for technique in (meaning.techniques)() {
                let (name, strength, count) =
                    (technique.name, technique.strength.name(), technique.count.name());
                writeln!(out, "      {name:20} strength {strength:9} count {count:11} {}", technique.paper)?;
            }
        }
        writeln!(out, "\n{bold}SOLVERS{bold:#}, chosen with --solver NAME")?;
        for solver in SOLVERS {
            writeln!(out, "  {bold}{}{bold:#} {}: {}", solver.name, solver.version, solver.summary)?;
        }
        writeln!(out, "  {bold}external:'COMMAND {{cnf}}'{bold:#}: any solver of the SAT competitions")?;
        for program in PROGRAMS {
            writeln!(out, "  {bold}{}{bold:#}: {}", program.name, program.summary)?;
        }
        writeln!(out, "\n{bold}STRATEGIES{bold:#} to look for the best answer, chosen with --strategy NAME")?;
        for strategy in STRATEGIES {
            writeln!(out, "  {bold}{}{bold:#}: {}", strategy.name, strategy.summary)?;
            writeln!(out, "      {}", strategy.paper)?;
        }
        writeln!(out, "\n{bold}FORMATS{bold:#} of formulas, chosen with export --format NAME")?;
        for format in FORMATS {
            writeln!(out, "  {bold}{}{bold:#} (.{}): {}", format.name, format.extension, format.summary)?;
        }
        Ok(Ending::Answered)
    }
}
