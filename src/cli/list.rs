//! `gordian list`: lists the puzzle types, encodings, solvers, strategies and formats.

use std::io::{IsTerminal, Write, stdout};

use clap::Args;
use gordian_encodings::encode::EncodingRow;
use gordian_encodings::registry::choosable;

use super::exit::ExitStatus;
use super::puzzle::{wrapped, write_puzzle_types};
use super::report::Failure;
use crate::backend::SOLVERS;
use crate::backend::external::PROGRAMS;
use crate::export::FORMATS;
use crate::search::STRATEGIES;

/// List puzzle types, encodings, solvers, strategies, and formula formats.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian list")]
pub(super) struct List {}

impl List {
    #[expect(clippy::unused_self, reason = "a command like the others")]
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut out = anstream::stdout().lock();
        let terminal = stdout().is_terminal();
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}PUZZLES{bold:#}, explained by `gordian puzzle NAME`")?;
        write_puzzle_types(&mut out)?;
        writeln!(
            out,
            "\n{bold}ENCODINGS{bold:#}, chosen with --encode CONSTRAINT=ENCODING; `auto` chooses by size"
        )?;
        let legend = "strength: how much unit propagation derives; count: whether the encoding keeps the number of \
                      solutions";
        writeln!(out, "{}", wrapped(legend, "  ", "  "))?;
        let rows: Vec<EncodingRow> = choosable().flat_map(|constraint| (constraint.encodings)()).collect();
        let widest = |name: fn(&EncodingRow) -> &'static str| rows.iter().map(|row| name(row).len()).max();
        let [names, strengths, counts] =
            [widest(|row| row.name), widest(|row| row.strength.name()), widest(|row| row.count.name())]
                .map(Option::unwrap_or_default);
        for constraint in choosable() {
            writeln!(out, "  {bold}{}{bold:#}: {}", constraint.name, constraint.summary)?;
            for encoding in (constraint.encodings)() {
                let (name, strength, count) =
                    (encoding.name, encoding.strength.name(), encoding.count.name());
                write!(out, "      {name:names$} strength {strength:strengths$} count {count:counts$}")?;
                // If the output is not a terminal, each encoding is printed on one line for `grep`.
                let (before, indent) = if terminal { ("\n", " ".repeat(10)) } else { ("  ", String::new()) };
                writeln!(out, "{before}{}", wrapped(encoding.paper, &indent, &indent))?;
            }
        }
        writeln!(out, "\n{bold}SOLVERS{bold:#}, chosen with --solver NAME")?;
        for solver in SOLVERS {
            writeln!(out, "{}", entry(&solver.name, &format!(" {}: {}", solver.version, solver.summary)))?;
        }
        writeln!(out, "  {bold}external:'COMMAND {{cnf}}'{bold:#}: any solver of the SAT competitions")?;
        for program in PROGRAMS {
            writeln!(out, "{}", entry(program.name, &format!(": {}", program.summary)))?;
        }
        writeln!(out, "\n{bold}STRATEGIES{bold:#} for optimisation, chosen with --strategy NAME")?;
        for strategy in STRATEGIES {
            writeln!(out, "{}", entry(strategy.name, &format!(": {}", strategy.summary)))?;
            writeln!(out, "{}", wrapped(strategy.paper, "      ", "      "))?;
        }
        writeln!(out, "\n{bold}FORMATS{bold:#} of formulas, chosen with export --format NAME")?;
        for format in FORMATS {
            let about = format!(" (.{}): {}", format.extension, format.summary);
            writeln!(out, "{}", entry(format.name, &about))?;
        }
        Ok(ExitStatus::Answered)
    }
}

/// Formats a name in bold with its description.
fn entry(name: &str, about: &str) -> String {
    let bold = anstyle::Style::new().bold();
    let lines = wrapped(&format!("{name}{about}"), "  ", "      ");
    lines.replacen(name, &format!("{bold}{name}{bold:#}"), 1)
}
