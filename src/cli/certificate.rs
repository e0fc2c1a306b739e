//! Writes the files of a certificate, for `gordian solve --proof DIR` and `gordian backbone --proof DIR`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use gordian_proofs::{ClausalFiles, ProofError, Summary};
use serde_json::json;

use super::input::subject;
use super::report::Failure;
use crate::file;
use crate::format::{Source, Syntax};
use crate::puzzle::Puzzle;
use crate::query::certificate::Certificate;
use crate::query::{Outcome, Status};
use crate::read;
use crate::rules::Field;

/// The form of the formula and the proof in a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum ProofFormat {
    /// Linear inequalities, with a proof for VeriPB
    #[default]
    Veripb,
    /// Clauses, with a proof for a DRAT checker, and clauses about graphs that `prove-check` decides
    Clausal,
}

impl ProofFormat {
    /// Returns the name of the format in the file `claim.json`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Veripb => "veripb",
            Self::Clausal => CLAUSAL,
        }
    }

    /// Returns the names of the files with the formula and the proof. In clausal form, the graphs are in a third file.
    pub(super) fn files(self) -> &'static [&'static str] {
        match self {
            Self::Veripb => &[FORMULA, PROOF],
            Self::Clausal => &[CNF, GRAPHS, DRAT],
        }
    }
}

/// The board of a certificate, as given on the command line.
pub(super) struct CertifiedBoard<'a> {
    pub(super) puzzle: &'a dyn Puzzle,
    pub(super) source: &'a Source,
    /// The command-line options for reading the board.
    pub(super) arguments: Vec<String>,
}

/// Writes the files of a certificate to a directory, which is created if necessary. Without a proof, the certificate
/// claims only that its solutions are correct.
pub(super) fn write(
    (directory, format): (&Path, ProofFormat),
    board: &CertifiedBoard<'_>,
    outcome: &Outcome,
    certificate: Option<&Certificate>,
) -> Result<Option<Summary>, Failure> {
    if outcome.status == Status::Stopped {
        return Ok(None);
    }
    if format == ProofFormat::Clausal
        && let Some(Err(error)) = certificate.map(Certificate::check_clausal)
    {
        return Err(Failure::Usage(format!("--proof-format: {error}; use `veripb`")));
    }
    std::fs::create_dir_all(directory).map_err(Failure::file(directory))?;
    let put = |name: &str, text: &str| {
        let path = directory.join(name);
        file::write(&path, |out| out.write_all(text.as_bytes())).map_err(Failure::file(&path))
    };
    let claim = match certificate {
        Some(certificate) => certificate.claim.name(),
        None if outcome.other.is_some() => "several",
        None => "solution",
    };
    let solutions: Vec<_> = if claim == "backbone" {
        outcome.witnesses.iter().collect()
    } else {
        outcome.solution.iter().chain(&outcome.other).collect()
    };
    let name = board_name(board.source);
    let mut claimed = json!({
        "gordian": env!("CARGO_PKG_VERSION"),
        "puzzle": board.puzzle.puzzle_type().name,
        "board": name,
        "arguments": board.arguments,
        "claim": claim,
        "solutions": solutions,
    });
    if let Some((row, ..)) = outcome.objective.filter(|_| claim == "optimal") {
        claimed["objective"] = row.name.into();
    }
    // With the values of all variables, a solution of a constraint model can be checked without a search.
    let witnesses: Option<Vec<_>> = solutions.iter().map(|solution| solution.witness()).collect();
    if let Some(witnesses) = witnesses.filter(|witnesses| !witnesses.is_empty()) {
        let field = |values: &[i128]| Field::Numbers(values.to_vec());
        claimed["witnesses"] = witnesses.into_iter().map(|values| json!(field(values))).collect();
    }
    if certificate.is_some() && format != ProofFormat::Veripb {
        claimed["format"] = format.name().into();
    }
    // The claim is written last, so a failure leaves no certificate without a proof behind.
    let summary = match certificate {
        Some(certificate) => Some(write_proof(directory, format, certificate)?),
        None => None,
    };
    put(name, board.source.text())?;
    put("README.md", &readme(claim, subject(board.puzzle), name, certificate.map(|_| format)))?;
    put("claim.json", &format!("{claimed:#}\n"))?;
    Ok(summary)
}

/// Writes the formula and the proof. If this fails, no file is changed.
fn write_proof(directory: &Path, format: ProofFormat, certificate: &Certificate) -> Result<Summary, Failure> {
    let paths: Vec<_> = format.files().iter().map(|name| directory.join(name)).collect();
    // An error in the inner calls discards all files.
    let written = file::write(&paths[0], |formula| {
        file::write(&paths[1], |second| match paths.get(2) {
            None => certificate.write(formula, second).map_err(io::Error::other),
            Some(proof) => file::write(proof, |proof| {
                let files = ClausalFiles { formula, graphs: second, proof };
                certificate.write_clausal(files).map_err(io::Error::other)
            }),
        })
    });
    written.map_err(|error| match error.downcast::<ProofError>() {
        Ok(ProofError::Io(error)) | Err(error) => Failure::file(directory)(error),
        Ok(error) => Failure::Proof(error),
    })
}

/// The default name of the board file in a certificate. Boards in some syntaxes have other extensions ([`board_name`]).
pub(super) const BOARD: &str = "board.txt";
/// The command that installs the proof checker. Without overflow checks, VeriPB 3.0.2 is not sound.
pub(super) const INSTALL: &str = "CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true cargo install veripb --locked";
pub(super) const FORMULA: &str = "formula.opb";
pub(super) const PROOF: &str = "proof.pbp";
/// The name of the clausal form in the file `claim.json`.
const CLAUSAL: &str = "clausal";
pub(super) const CNF: &str = "formula.cnf";
pub(super) const GRAPHS: &str = "graphs";
pub(super) const DRAT: &str = "proof.drat";
/// The command that installs the checker of clausal proofs.
pub(super) const INSTALL_DRAT: &str = "cargo install rate --locked";

/// Returns the name of the board file in a certificate. The extension of the file determines the syntax.
fn board_name(source: &Source) -> &'static str {
    match read::syntax(source) {
        Syntax::Dzn => "board.dzn",
        Syntax::Param => "board.param",
        Syntax::Json => "board.json",
        Syntax::FlatZinc => "board.fzn",
        Syntax::FlatZincJson => "board.fzn.json",
        Syntax::Xcsp3 => "board.xml",
        Syntax::Opb => "board.opb",
        Syntax::Cnf => "board.cnf",
        Syntax::Knf => "board.knf",
        Syntax::Wcnf => "board.wcnf",
        Syntax::Text | Syntax::Address => BOARD,
    }
}

/// Returns the text that explains the files of a certificate.
fn readme(claim: &str, subject: &str, board: &str, proven: Option<ProofFormat>) -> String {
    let claimed = match claim {
        "no-solution" => format!("The {subject} has no solution."),
        "unique" => format!("The {subject} has exactly one solution."),
        "backbone" => {
            "Each part of a solution has only the values that it has in one of the given solutions."
                .to_owned()
        }
        "optimal" => "No solution has a better value of the objective than the given one.".to_owned(),
        "several" => format!("The {subject} has more than one solution."),
        _ => format!("The {subject} has a solution."),
    };
    let rules = if subject == "model" { "constraints" } else { "rules" };
    let mut text = format!(
        "# Certificate\n\n{claimed}\n\n* `{board}`: the {subject}\n* `claim.json`: the claim, and the solutions in the \
         format of `gordian solve --json`\n"
    );
    if let Some(format) = proven {
        let another = match claim {
            "unique" => ", and that another solution exists",
            "optimal" => ", and that the value of the objective is better",
            "backbone" => ", and that some part of the solution has another value",
            _ => "",
        };
        let _ = match format {
            ProofFormat::Veripb => write!(
                text,
                "* `{FORMULA}`: linear inequalities which state the {rules}{another}\n* `{PROOF}`: a proof that they have no \
                 solution\n\nThe checker [VeriPB](https://crates.io/crates/veripb) verifies the proof. It must print `s \
                 VERIFIED UNSATISFIABLE`:\n\n    {INSTALL}\n    veripb {FORMULA} {PROOF}\n\nWithout the overflow checks, \
                 VeriPB 3.0.2 accepts some wrong proofs with numbers beyond 64 bits.\n\nThe command `gordian \
                 prove-check` runs VeriPB, and compares the formula with another one that it builds from the \
                 {subject}.\n\nThe reader has to trust the checker, and that the formula states the {rules} of the \
                 {subject}. \
                 The page `docs/proofs.md` of gordian describes the formula.\n"
            ),
            ProofFormat::Clausal => write!(
                text,
                "* `{CNF}`: clauses which state the rules{another}. The last ones are lemmas about graphs: they follow \
                 because a set of vertices is connected\n* `{GRAPHS}`: these graphs\n* `{DRAT}`: a proof that the \
                 clauses have no solution\n\nThe program `gordian-lemmas` checks the lemmas. In a clone of gordian, `cargo \
                 install --path lemmas --locked` installs it. A DRAT checker such as \
                 [rate](https://crates.io/crates/rate) verifies the proof. Both must print a line that starts with `s \
                 VERIFIED`:\n\n    gordian-lemmas {GRAPHS} {CNF}\n    {INSTALL_DRAT}\n    rate {CNF} {DRAT}\n\nThe \
                 command `gordian prove-check` does both. It also checks that the clauses and the graphs follow from a \
                 formula that it builds from the board. The page `docs/proofs.md` of gordian describes the files.\n"
            ),
        };
    } else {
        text.push_str("\nEverybody can check the solutions, so this claim needs no proof.\n");
    }
    text
}

/// Reports the size of a certificate.
pub(super) fn report(
    directory: &Path,
    outcome: &Outcome,
    summary: Option<Summary>,
    err: &mut dyn Write,
) -> io::Result<()> {
    let directory = directory.display();
    match summary {
        Some(Summary { rows, formula_bytes, proof_bytes, learnt, needed, .. }) => writeln!(
            err,
            "gordian: {directory}: a formula of {rows} rows ({formula_bytes} bytes) and a proof with {needed} of {learnt} \
             learnt clauses ({proof_bytes} bytes)"
        ),
        None if outcome.status == Status::Stopped => {
            writeln!(err, "gordian: {directory}: nothing written, because a limit stopped the search")
        }
        None if outcome.status == Status::Optimal => writeln!(
            err,
            "gordian: {directory}: the solution without a proof that it is optimal, because a limit stopped the search \
             for the proof"
        ),
        None if outcome.unique == Some(true) => writeln!(
            err,
            "gordian: {directory}: the solution without a proof that it is the only one, because a limit stopped the \
             search for the proof"
        ),
        None => writeln!(err, "gordian: {directory}: the solutions, which need no proof"),
    }
}
