//! Checks the formula of a certificate for VeriPB.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::cli::certificate::{FORMULA, PROOF};
use crate::cli::report::Failure;
use crate::format::counted;
use crate::rules::opb::{self, Opb, OpbRow};

/// Checks that each row of the formula is a row of the rules or of the negated claim, and that the proof contains no
/// unchecked assumptions. If a check fails, returns the reason.
pub(super) fn refusal(rules: &Opb, opposite: &[OpbRow], directory: &Path) -> Result<Option<String>, Failure> {
    if let Some(difference) = compare(rules, opposite, &directory.join(FORMULA))? {
        return Ok(Some(difference));
    }
    let proof = directory.join(PROOF);
    let line = File::open(&proof).and_then(|file| unchecked_assumption(BufReader::new(file)));
    let line = line.map_err(Failure::file(&proof))?;
    Ok(line.map(|line| format!("proof.pbp, line {line}: an unchecked assumption")))
}

/// Compares the certificate's formula with the rules and the negated claim. Returns a reason for refusal if the formula
/// is malformed, has an objective, or contains a row that is neither a row of the rules nor of the negated claim.
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
fn unchecked_assumption(mut proof: impl BufRead) -> io::Result<Option<usize>> {
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        if proof.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if words.find(|word| !word.starts_with(b"@")) == Some(&b"a"[..]) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchecked_assumptions_are_found() {
        for (proof, line) in [
            ("f 2 ;\nrup 1 aa >= 1 ;\n* a\n", None),
            ("f 2 ;\n@name  a 1 aa >= 1 ;\n", Some(2)),
            ("\ta >= 1 ;", Some(1)),
        ] {
            assert_eq!(unchecked_assumption(proof.as_bytes()).expect("no error"), line, "{proof}");
        }
    }
}
