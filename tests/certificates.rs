//! Tests that the checker VeriPB accepts the certificates of `gordian solve --proof`, and refuses damaged ones. The script
//! `.ci/run` installs the checker, and then runs the tests with `--include-ignored`.
#![cfg(feature = "tool")]

mod support;

use std::fs;
use std::path::Path;

use gordian::puzzle::Query;
use gordian::query::certificate::{self, Claim};
use gordian::query::{Silent, Status};
use gordian::search::Config;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use support::{board, checker, gordian, nurikabe_token, rows, stderr, stdout, text};
use tempfile::TempDir;

/// Returns whether VeriPB accepts a proof that a formula has no solution.
fn accepted(directory: &Path, formula: &[u8], proof: &[u8]) -> bool {
    let [opb, pbp] = ["checked.opb", "checked.pbp"].map(|name| directory.join(name));
    fs::write(&opb, formula).expect("a file");
    fs::write(&pbp, proof).expect("a file");
    let output = checker("veripb").args([&opb, &pbp]).output().expect("veripb runs");
    let verified = stdout(&output).lines().any(|line| line == "s VERIFIED UNSATISFIABLE");
    assert_eq!(output.status.success(), verified, "{}{}", stdout(&output), stderr(&output));
    verified
}

/// Returns the claim about a board, with its formula and proof, or `None` if its result needs no proof.
fn certificate(text: &str, query: Query) -> Option<(Claim, Vec<u8>, Vec<u8>)> {
    let puzzle = board(text);
    let (outcome, certificate) = certificate::run(&*puzzle, query, &Config::default(), &mut Silent)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let Some(certificate) = certificate else {
        assert!(outcome.other.is_some() || query == Query::Satisfy && outcome.status == Status::Solved);
        return None;
    };
    let (mut formula, mut proof) = (Vec::new(), Vec::new());
    let written = certificate.write(&mut formula, &mut proof);
    written.unwrap_or_else(|error| panic!("{error}\n{text}"));
    Some((certificate.claim, formula, proof))
}

const UNIQUE: &str = "nurikabe\n. . 2 .\n1 . . .\n. . . .\n. 2 . 1\n";

#[test]
#[ignore = "needs veripb"]
fn certificates_of_random_boards_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    let mut claims = [0; 2];
    let mut runner = TestRunner::new(ProptestConfig::with_cases(300));
    let boards = rows(nurikabe_token());
    let result = runner.run(&(boards, any::<bool>()), |((_, columns, tokens), unique)| {
        let text = text("nurikabe", columns, &tokens);
        let query = if unique { Query::Unique } else { Query::Satisfy };
        if let Some((_, formula, proof)) = certificate(&text, query) {
            prop_assert!(accepted(directory.path(), &formula, &proof), "{}", text);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let square = prop_oneof![
        12 => Just(".".to_owned()),
        3 => Just("#".to_owned()),
        4 => (0..5_u32).prop_map(|clue| clue.to_string()),
    ];
    let result = runner.run(&(rows(square), any::<bool>()), |((_, columns, tokens), backbone)| {
        let text = text("rooks", columns, &tokens);
        let query = if backbone { Query::Backbone } else { Query::Unique };
        if let Some((_, formula, proof)) = certificate(&text, query) {
            prop_assert!(accepted(directory.path(), &formula, &proof), "{}", text);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let small = ["nurikabe\n1 . 1\n. . .\n1 . 1\n", UNIQUE, "nurikabe\n1 1\n"];
    for text in small {
        let found = certificate(text, Query::Unique);
        let (claim, formula, proof) = found.unwrap_or_else(|| panic!("no certificate\n{text}"));
        claims[usize::from(claim == Claim::Unique)] += 1;
        assert!(accepted(directory.path(), &formula, &proof), "{text}");
    }
    assert!(claims.iter().all(|&count| count > 0), "{claims:?}");
}

#[test]
#[ignore = "needs veripb"]
fn certificates_of_larger_boards_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    for name in ["generated-7x7.txt", "generated-10x10.txt", "generated-12x12.txt", "impossible.txt"] {
        let path = Path::new("instances/nurikabe").join(name);
        let target = directory.path().join("certificate");
        let output = gordian(
            &["solve", path.to_str().expect("UTF-8"), "--unique", "--proof", target.to_str().expect("UTF-8")],
            "",
        );
        let read = |file: &str| fs::read(target.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(accepted(directory.path(), &read("formula.opb"), &read("proof.pbp")), "{}", stderr(&output));
        assert_eq!(fs::read(&path).expect("a board"), read("board.txt"));
        let claim: serde_json::Value = serde_json::from_slice(&read("claim.json")).expect("JSON");
        let expected = if name == "impossible.txt" { "no-solution" } else { "unique" };
        assert_eq!(
            (&claim["claim"], output.status.code()),
            (&expected.into(), Some(i32::from(expected != "unique")))
        );
    }
}

#[test]
#[ignore = "needs veripb"]
fn damaged_certificates_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let (_, formula, proof) = certificate(UNIQUE, Query::Unique).expect("a certificate");
    assert!(accepted(directory.path(), &formula, &proof));
    // Without any of its lines, the proof has wrong references or no contradiction.
    let text = String::from_utf8(proof.clone()).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let derived = (2..lines.len() - 3).filter(|&line| !lines[line].starts_with("del"));
    for removed in derived.step_by(7) {
        let left: Vec<&str> =
            lines.iter().enumerate().filter(|(line, _)| *line != removed).map(|(_, text)| *text).collect();
        let damaged = left.join("\n");
        assert!(!accepted(directory.path(), &formula, damaged.as_bytes()), "without `{}`", lines[removed]);
    }
    // Without the claim, which is the last row, the formula is satisfiable.
    let text = String::from_utf8(formula).expect("UTF-8");
    let (without, _) = text.trim_end().rsplit_once('\n').expect("several rows");
    let rows = without.lines().filter(|line| line.ends_with(';')).count();
    let claimless = String::from_utf8(proof.clone()).expect("UTF-8").replacen(
        &format!("f {};", rows + 1),
        &format!("f {rows};"),
        1,
    );
    assert!(!accepted(directory.path(), without.as_bytes(), claimless.as_bytes()));
    // The proof of another board with a formula of this size does not fit.
    let moved = UNIQUE.replace(". . 2 .", ". 2 . .");
    if let Some((_, other, _)) = certificate(&moved, Query::Unique) {
        assert!(!accepted(directory.path(), &other, &proof));
    }
}

#[test]
fn proofs_that_are_not_possible_are_refused() {
    let cases: &[(&[&str], &str)] = &[
        (&["--count"], "cannot be used with"),
        (&["--threads", "2", "--unique"], "proofs are written with one thread only"),
        (&["--solver", "varisat", "--unique"], ""),
    ];
    for (arguments, message) in cases {
        let directory = TempDir::new().expect("a directory");
        let target = directory.path().join("certificate");
        let target = target.to_str().expect("UTF-8");
        let output = gordian(&[&["solve", "-", "--proof", target], *arguments].concat(), UNIQUE);
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        if !message.is_empty() {
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        }
    }
    let output = gordian(&["solve", "-", "--proof", "unused", "--unique"], "age\n1 2 3\n");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
