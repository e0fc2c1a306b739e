//! `gordian prove-check`: checks a certificate against its board.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::certificate;
use super::config::{seconds, stop_on_interrupt};
use super::exit::ExitStatus;
use super::input;
use super::json::write_json;
use super::report::Failure;
use crate::certificate::StatedClaim;
use crate::format::{InputError, counted, json};
use crate::process::{self, ProcessLimits, Termination};
use crate::read;
use crate::rules::opb::{self, Opb, OpbRow};

/// Check a certificate that `solve --proof` or `backbone --proof` has written.
///
/// Gordian derives the formula from the board again, and compares it row by row with the formula of the certificate.
/// It checks the claimed solution against the rules, and runs the proof checker VeriPB on the proof.
///
/// Exit code 0: the certificate proves its claim about the board; 1: it does not, and the reason is printed; 2: a file
/// can't be read, or VeriPB is missing; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian prove-check certificate
  gordian prove-check certificate --board board.txt")]
pub(super) struct ProveCheck {
    /// The directory with the files of the certificate: board.txt, claim.json, formula.opb and proof.pbp
    certificate: PathBuf,
    /// The board to check against, instead of the board.txt of the certificate: a file, `-` for standard input, or a
    /// puzz.link address
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    #[command(flatten)]
    reading: input::ReadArguments,
    /// The program that checks the proof
    #[arg(long, value_name = "PROGRAM", default_value = "veripb")]
    checker: PathBuf,
    /// Stop after this time, as in `10`, `0.5` or `10s`
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The object that `--json` prints, described in `docs/prove-check.schema.json`.
#[derive(Serialize)]
struct Report<'a> {
    puzzle: &'a str,
    source: &'a str,
    status: &'static str,
    claim: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// The result of checking a certificate.
enum Verdict {
    Verified,
    Refused(String),
    Stopped,
}

/// The maximum size in bytes of the output of the proof checker. Normally, the checker prints only a few lines.
const MOST_OUTPUT: u64 = 1 << 20;

impl ProveCheck {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let file = |name: &str| self.certificate.join(name);
        let source = input::source(&file("claim.json").display().to_string())?;
        let record = json::read(&source)?;
        let claim = StatedClaim::read(&record)?;
        let name = record.optional_text("board")?;
        if let Some(name) = name.filter(|name| Path::new(name.value).file_name() != Some(name.value.as_ref()))
        {
            return Err(InputError::at(&record.source, &name, "the name of a file in the directory").into());
        }
        let own = file(name.map_or(certificate::BOARD, |name| name.value)).display().to_string();
        let board = self.board.as_deref().unwrap_or(&own);
        let options = self.reading.options_or(&record)?;
        let puzzle = read::board(&input::file_or_address(board, &self.reading.data)?, &options)?.puzzle;
        let verdict = match claim.check_solutions(&*puzzle) {
            Ok(()) if !claim.needs_proof() => Verdict::Verified,
            Ok(()) => match claim.formula(&*puzzle) {
                Err(reason) => Verdict::Refused(reason),
                Ok((rules, opposite)) => match compare(&rules, &opposite, &file("formula.opb"))? {
                    Some(difference) => Verdict::Refused(difference),
                    None => self.check_proof(deadline)?,
                },
            },
            Err(reason) => Verdict::Refused(reason),
        };
        let claim = claim.description();
        let (status, reason, ending) = match &verdict {
            Verdict::Verified => ("verified", None, ExitStatus::Answered),
            Verdict::Refused(reason) => ("refused", Some(reason.as_str()), ExitStatus::NoSolution),
            Verdict::Stopped => ("stopped", None, ExitStatus::Stopped),
        };
        if self.json {
            let puzzle = puzzle.puzzle_type().name;
            let report = Report { puzzle, source: board, status, claim: &claim, reason };
            write_json(&mut anstream::stdout(), &report)?;
        } else {
            match reason {
                Some(reason) => writeln!(anstream::stdout(), "{status}: {claim}: {reason}")?,
                None => writeln!(anstream::stdout(), "{status}: {claim}")?,
            }
        }
        Ok(ending)
    }

    /// Runs the proof checker.
    fn check_proof(&self, deadline: Option<Instant>) -> Result<Verdict, Failure> {
        let [formula, proof] = ["formula.opb", "proof.pbp"].map(|name| self.certificate.join(name));
        let text = fs::read(&proof).map_err(Failure::file(&proof))?;
        if let Some(line) = unchecked_assumption(&text) {
            return Ok(Verdict::Refused(format!("proof.pbp, line {line}: an unchecked assumption")));
        }
        let mut command = Command::new(&self.checker);
        command.arg("--opb").args([&formula, &proof]);
        let cancel = stop_on_interrupt();
        let limits =
            ProcessLimits { cancelled: cancel.as_deref(), deadline, memory: None, output: MOST_OUTPUT };
        let finished = process::run(command, None, &limits).map_err(|error| {
            let checker = self.checker.display();
            Failure::Usage(format!(
                "{checker}: {error}; install VeriPB with `cargo install veripb --locked`, or give its path with \
                 --checker"
            ))
        })?;
        let output = String::from_utf8_lossy(&finished.output);
        let verified = output.lines().any(|line| line == "s VERIFIED UNSATISFIABLE");
        Ok(match finished.termination {
            Termination::Cancelled | Termination::Timeout => Verdict::Stopped,
            Termination::Exited(status) if status.success() && verified => {
                match [&output, &*finished.errors]
                    .into_iter()
                    .flat_map(str::lines)
                    .find(|line| line.contains("unchecked"))
                {
                    Some(warning) => Verdict::Refused(warning.to_owned()),
                    None => Verdict::Verified,
                }
            }
            _ => {
                let lines = [&*finished.errors, &output].into_iter().flat_map(str::lines);
                let message: Vec<&str> = lines
                    .map(str::trim)
                    .filter(|line| !line.is_empty())
                    .take_while(|line| !line.starts_with("Stack"))
                    .collect();
                Verdict::Refused(format!(
                    "the proof checker does not accept the proof: {}",
                    message.join(" ")
                ))
            }
        })
    }
}

/// Returns a description of the first row of the certificate's formula that belongs neither to the rules nor to the
/// negated claim.
fn compare(rules: &Opb, opposite: &[OpbRow], path: &Path) -> Result<Option<String>, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::file(path))?;
    let formula = match opb::read(&text) {
        Ok(formula) => formula,
        Err(error) => return Ok(Some(format!("formula.opb, {error}"))),
    };
    if formula.objective().is_some() {
        return Ok(Some(
            "formula.opb has an objective; expected a row for the opposite of the claim".to_owned(),
        ));
    }
    let differences = opb::unstated(rules, opposite, &formula);
    Ok(differences.first().map(|first| {
        let more = match differences.len() - 1 {
            0 => String::new(),
            more => format!(" and {} more", counted(more, "row")),
        };
        format!("the rules do not state the row `{}`{more}", first.text)
    }))
}

/// Returns the number of the first line with an unchecked assumption (rule `a`), counted from 1.
fn unchecked_assumption(proof: &[u8]) -> Option<usize> {
    let rule = |line: &&[u8]| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.find(|word| !word.starts_with(b"@")) == Some(&b"a"[..])
    };
    proof.split(|&byte| byte == b'\n').position(|line| rule(&line)).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchecked_assumptions_are_found() {
        assert_eq!(unchecked_assumption(b"f 2 ;\nrup 1 aa >= 1 ;\n* a\n"), None);
        assert_eq!(unchecked_assumption(b"f 2 ;\n@name  a 1 aa >= 1 ;\n"), Some(2));
        assert_eq!(unchecked_assumption(b"\ta >= 1 ;"), Some(1));
    }
}
