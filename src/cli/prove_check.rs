//! `gordian prove-check`: checks a certificate against its board.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde::Serialize;

use super::certificate::{self, INSTALL, INSTALL_DRAT, ProofFormat};
use super::config::LimitArgs;
use super::exit::ExitStatus;
use super::input::{self, ReadArguments};
use super::json::to_line;
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::backend::Limits;
use crate::certificate::StatedClaim;
use crate::format::{InputError, json, quote};
use crate::process::cleanup::TemporaryDirectory;
use crate::process::{self, ProcessLimits, Termination};
use crate::puzzle::Puzzle;
use crate::read;

mod clausal;
mod veripb;

/// Check a certificate that `solve --proof` or `backbone --proof` has written.
///
/// Gordian derives the formula from the board again, and compares it row by row with the formula of the certificate. It
/// checks the claimed solution against the rules, and runs the proof checker VeriPB on the proof. For a certificate in
/// clausal form, it checks that each clause follows from a row of the derived formula or from a graph in the
/// certificate, and runs a DRAT checker.
///
/// Exit code 0: the certificate proves its claim about the board; 1: it does not, and the reason is printed; 2: a file
/// can't be read, or the proof checker is missing; 3: stopped by a limit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian prove-check certificate
  gordian prove-check certificate --board board.txt")]
pub(super) struct ProveCheck {
    /// The directory with the files of the certificate
    certificate: PathBuf,
    /// The board to check against, instead of the board.txt of the certificate: a file, `-` for standard input, or a
    /// puzz.link address
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    #[command(flatten)]
    reading: input::ReadArguments,
    /// The program that checks the proof: `veripb` by default, and `rate` for the clausal form, which `drat-trim` also
    /// checks
    #[arg(long, value_name = "PROGRAM")]
    checker: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
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
    /// The options for reading the board.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    arguments: &'a [String],
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
/// The maximum number of characters in a quotation from the proof checker's output: five full lines of an 80-column
/// terminal.
const MOST_MESSAGE: usize = 400;
/// A satisfiable formula, and a wrong proof that it is unsatisfiable. The last sum of the proof exceeds 64 bits, so
/// VeriPB 3.0.2 accepts the proof if VeriPB was compiled without overflow checks.
const SATISFIABLE: &str = "* a formula\n1 aa 1 bb >= 1 ;\n";
const WRONG_PROOF: &str = "pseudo-Boolean proof version 3.0
f 1 ;
rup >= -1 ;
pol -1 4611686018427387904 * 2 * aa + ;
pol -1 ~aa + ;
output NONE ;
conclusion UNSAT ;
end pseudo-Boolean proof ;
";

impl Limited for ProveCheck {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn nothing(&self) -> SoFar {
        let source = self.certificate.display().to_string();
        SoFar::of_board(&source, self.json, "stopped: the certificate was not checked")
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let limits = watch.limits();
        let file = |name: &str| self.certificate.join(name);
        check_regular(&file("claim.json"))?;
        let source = input::source(&file("claim.json").display().to_string())?;
        let record = json::read(&source)?;
        let claim = StatedClaim::read(&record)?;
        let format = match record.optional_text("format")? {
            Some(name) if name.value == ProofFormat::Clausal.name() => ProofFormat::Clausal,
            Some(name) if name.value != ProofFormat::Veripb.name() => {
                return Err(InputError::at(&record.source, &name, "`veripb` or `clausal`").into());
            }
            _ => ProofFormat::Veripb,
        };
        format.files().iter().try_for_each(|name| check_regular(&file(name)))?;
        let name = record.optional_text("board")?;
        if let Some(name) = name.filter(|name| Path::new(name.value).file_name() != Some(name.value.as_ref()))
        {
            return Err(InputError::at(&record.source, &name, "the name of a file in the directory").into());
        }
        let own = file(name.map_or(certificate::BOARD, |name| name.value)).display().to_string();
        check_regular(Path::new(&own))?;
        let board = self.board.as_deref().unwrap_or(&own);
        let stated = ReadArguments::of_certificate(&record)?;
        let own_board = self.board.is_none();
        let reading = if own_board && self.reading.words().is_empty() { &stated } else { &self.reading };
        let arguments = reading.words();
        // Options may change the rules. If the user specifies a board, the options in the certificate are therefore not
        // applied to the user's board.
        if !own_board
            && !stated.words().chunks(2).all(|stated| arguments.chunks(2).any(|given| given == stated))
        {
            return Err(Failure::Usage(format!(
                "--board: the certificate has the options `{0}`; if the rules of the board have them, too, add `{0}`",
                stated.words().join(" ")
            )));
        }
        let options = reading.options()?;
        let puzzle = read::board(&input::file_or_address(board, &reading.data, &limits)?, &options)?.puzzle;
        let puzzle_name = puzzle.puzzle_type().name;
        if let Some(name) = record.optional_text("puzzle")?.filter(|name| name.value != puzzle_name) {
            let expected = format!("{}, the type of the board", quote(puzzle_name));
            return Err(InputError::at(&record.source, &name, expected).into());
        }
        let (needs_proof, description) = (claim.needs_proof(), claim.description(input::subject(&*puzzle)));
        let temporary = TemporaryDirectory::new()?;
        let checked = temporary.path().join(certificate::CNF);
        let stopped = Report {
            puzzle: puzzle_name,
            source: board,
            status: "stopped",
            claim: &description,
            arguments: &arguments,
            reason: None,
        };
        let stopped = SoFar::out(self.text(&stopped));
        watch.keep(move || stopped.clone());
        if limits.expired() || limits.exceeds_memory() {
            return Err(Failure::Stopped);
        }
        let refused = refusal(&claim, &*puzzle, format, &self.certificate, &checked)?;
        let verdict = match (refused, format) {
            (Some(reason), _) => Verdict::Refused(reason),
            (None, _) if !needs_proof => Verdict::Verified,
            (None, ProofFormat::Veripb) => {
                self.check_proof(&file(certificate::FORMULA), &file(certificate::PROOF), &limits)?
            }
            (None, ProofFormat::Clausal) => {
                self.run_checker(format, &checked, &file(certificate::DRAT), &limits)?
            }
        };
        let (status, reason, ending) = match &verdict {
            Verdict::Verified => ("verified", None, ExitStatus::Answered),
            Verdict::Refused(reason) => ("refused", Some(reason.as_str()), ExitStatus::NoSolution),
            Verdict::Stopped => ("stopped", None, ExitStatus::Stopped),
        };
        let report = Report {
            puzzle: puzzle_name,
            source: board,
            status,
            claim: &description,
            arguments: &arguments,
            reason,
        };
        let mut out = watch.out();
        watch.result(|| out.write_all(self.text(&report).as_bytes()).and_then(|()| out.flush()))?;
        Ok(watch.ended(ending))
    }
}

impl ProveCheck {
    /// Returns the output.
    fn text(&self, report: &Report<'_>) -> String {
        if self.json {
            return to_line(report);
        }
        let Report { status, claim, arguments, reason, .. } = report;
        let with =
            if arguments.is_empty() { String::new() } else { format!(", with {}", arguments.join(" ")) };
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("{status}: {claim}{with}{reason}\n")
    }

    /// Runs the proof checker on the proof. Then tests that the proof checker rejects [`WRONG_PROOF`].
    fn check_proof(&self, formula: &Path, proof: &Path, limits: &Limits) -> Result<Verdict, Failure> {
        let verdict = self.run_checker(ProofFormat::Veripb, formula, proof, limits)?;
        if !matches!(verdict, Verdict::Verified) {
            return Ok(verdict);
        }
        let directory = TemporaryDirectory::new()?;
        let [formula, proof] = ["formula.opb", "proof.pbp"].map(|name| directory.path().join(name));
        fs::write(&formula, SATISFIABLE).and_then(|()| fs::write(&proof, WRONG_PROOF))?;
        match self.run_checker(ProofFormat::Veripb, &formula, &proof, limits)? {
            Verdict::Verified => Err(Failure::Usage(format!(
                "{}: accepts a wrong proof in which a number overflows; install VeriPB with `{INSTALL}`",
                self.checker(ProofFormat::Veripb).display()
            ))),
            Verdict::Refused(_) => Ok(Verdict::Verified),
            Verdict::Stopped => Ok(Verdict::Stopped),
        }
    }

    fn checker(&self, format: ProofFormat) -> &Path {
        let installed = Path::new(if format == ProofFormat::Veripb { "veripb" } else { "rate" });
        self.checker.as_deref().unwrap_or(installed)
    }

    /// Runs the proof checker.
    fn run_checker(
        &self,
        format: ProofFormat,
        formula: &Path,
        proof: &Path,
        limits: &Limits,
    ) -> Result<Verdict, Failure> {
        let (options, verdict, name, install) = match format {
            ProofFormat::Veripb => (&["--opb"][..], "s VERIFIED UNSATISFIABLE", "VeriPB", INSTALL),
            ProofFormat::Clausal => (&[][..], "s VERIFIED", "rate", INSTALL_DRAT),
        };
        let checker = self.checker(format);
        let mut command = Command::new(checker);
        command.args(options).args([formula, proof]);
        let limits = ProcessLimits {
            cancelled: limits.cancel.as_deref(),
            deadline: limits.deadline,
            cpu: None,
            memory: limits.memory,
            output: MOST_OUTPUT,
        };
        let finished = process::run(command, None, &limits).map_err(|error| {
            let checker = checker.display();
            Failure::Usage(format!(
                "{checker}: {error}; install {name} with `{install}`, or give its path with --checker"
            ))
        })?;
        let output = String::from_utf8_lossy(&finished.output);
        let verified = output.lines().any(|line| line.trim() == verdict);
        Ok(match finished.termination {
            Termination::Cancelled | Termination::Timeout | Termination::MemoryLimit => Verdict::Stopped,
            Termination::OutputLimit => {
                Verdict::Refused(format!("the proof checker printed more than {MOST_OUTPUT} bytes"))
            }
            Termination::Exited(status) if status.success() && verified => {
                match [&output, &*finished.errors]
                    .into_iter()
                    .flat_map(str::lines)
                    .find(|line| line.contains("unchecked"))
                {
                    Some(warning) => Verdict::Refused(shortened(warning)),
                    None => Verdict::Verified,
                }
            }
            Termination::Exited(_) => {
                let lines = [&*finished.errors, &output].into_iter().flat_map(str::lines);
                let message: Vec<&str> = lines
                    .map(str::trim)
                    .filter(|line| !line.is_empty())
                    .take_while(|line| !line.starts_with("Stack"))
                    .collect();
                Verdict::Refused(format!(
                    "the proof checker does not accept the proof: {}",
                    shortened(&message.join(" "))
                ))
            }
        })
    }
}

/// Returns an error if the path exists, but is not a regular file. Opening a named pipe could block forever.
fn check_regular(path: &Path) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Usage(format!("{}: expected a regular file", path.display())));
    }
    Ok(())
}

/// Returns the text, truncated to [`MOST_MESSAGE`] characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_MESSAGE) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Checks everything except the steps of the proof. Returns the reason if a check fails.
fn refusal(
    claim: &StatedClaim,
    puzzle: &dyn Puzzle,
    format: ProofFormat,
    directory: &Path,
    checked: &Path,
) -> Result<Option<String>, Failure> {
    if let Err(reason) = claim.check_solutions(puzzle) {
        return Ok(Some(reason));
    }
    if !claim.needs_proof() {
        return Ok(None);
    }
    match (claim.formula(puzzle), format) {
        (Err(reason), _) => Ok(Some(reason)),
        (Ok((rules, opposite)), ProofFormat::Veripb) => veripb::refusal(&rules, &opposite, directory),
        (Ok((rules, opposite)), ProofFormat::Clausal) => {
            clausal::refusal(&rules, &opposite, directory, checked)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_shortened() {
        assert_eq!(shortened("é"), "é");
        assert_eq!(shortened(&"é".repeat(MOST_MESSAGE)), "é".repeat(MOST_MESSAGE));
        assert_eq!(shortened(&"é".repeat(MOST_MESSAGE + 1)), "é".repeat(MOST_MESSAGE) + " ...");
    }
}
