//! Tests of certificates in clausal form. The ignored tests need the DRAT checker `rate`. The script `.ci/run --all` installs
//! `rate`, and then runs the tests with `--ignored`.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{checker, gordian, nurikabe_token, pairs, rooks_token, rows, stderr, stdout, text};
use fastrand::Rng;
use gordian::rules::opb::{Clauses, Opb, OpbRow};
use gordian_lemmas::{Formula, Graph, graphs, refusal};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tempfile::TempDir;

const BOARD: &str = "instances/nurikabe/generated-10x10.txt";

/// Writes a certificate in clausal form. `command` contains the name of the command, followed by its options.
fn solve(directory: &Path, board: &str, command: &[&str], input: &str) -> Output {
    let path = directory.display().to_string();
    let proof = ["--proof", &path, "--proof-format", "clausal"];
    gordian(&[&[command[0], board], &command[1..], &proof].concat(), input)
}

fn check(directory: &Path, checker: &str, arguments: &[&str], input: &str) -> Output {
    let directory = directory.display().to_string();
    gordian(&[&["prove-check", &directory, "--checker", checker], arguments].concat(), input)
}

fn rate() -> String {
    checker("rate").get_program().to_str().expect("UTF-8").to_owned()
}

/// Reads the formula and the graphs of a certificate.
fn read(directory: &Path) -> (Vec<Graph>, Formula) {
    let read = |name| fs::read_to_string(directory.join(name)).expect("a file");
    (graphs(&read("graphs")).expect("graphs"), read("formula.cnf").parse().expect("a formula"))
}

#[test]
#[ignore = "needs rate"]
fn certificates_of_random_boards_are_verified() {
    let (rate, mut claims) = (rate(), [0; 4]);
    let verified = |text: &str, command: &[&str], claims: &mut [u32; 4]| {
        let directory = TempDir::new().expect("a directory");
        let directory = directory.path();
        let output = solve(directory, "-", command, text);
        let report = check(directory, &rate, &[], "");
        assert!(stdout(&report).starts_with("verified: "), "{text}{}{}", stdout(&report), stderr(&output));
        let claim = fs::read_to_string(directory.join("claim.json")).expect("a file");
        for (claimed, count) in ["unique", "no-solution", "backbone", "optimal"].into_iter().zip(claims) {
            *count += u32::from(claim.contains(&format!("\"{claimed}\"")) && claim.contains("\"clausal\""));
        }
    };
    let runner = || TestRunner::new(ProptestConfig::with_cases(150));
    let claims_of = std::cell::RefCell::new(&mut claims);
    let command = |unique| if unique { &["solve", "--unique"][..] } else { &["backbone"] };
    let result = runner().run(&(rows(nurikabe_token()), any::<bool>()), |((_, columns, tokens), unique)| {
        verified(&text("nurikabe", columns, &tokens), command(unique), *claims_of.borrow_mut());
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let optima: [&[&str]; 2] = [&["solve", "--objective", "fewest"], &["solve", "--objective", "most"]];
    let result = runner().run(&(rows(rooks_token()), 0..4_usize), |((_, columns, tokens), query)| {
        let command = [command(true), command(false), optima[0], optima[1]][query];
        verified(&text("rooks", columns, &tokens), command, *claims_of.borrow_mut());
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let paths: [&[&str]; 3] =
        [&["backbone"], &["solve", "--objective", "sum"], &["solve", "--objective", "cells"]];
    let result = runner().run(&(pairs(3, 4, 2), 0..3_usize), |((columns, cells), query)| {
        verified(&text("amaze", columns, &cells), paths[query], *claims_of.borrow_mut());
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    for board in
        ["1 . 1\n. . .\n? . 1\n", ". . 2 .\n1 . . .\n. . . .\n. 2 . 1\n", "2 .\n", "1 1\n", "? . ?\n"]
    {
        for unique in [false, true] {
            verified(&format!("nurikabe\n{board}"), command(unique), &mut claims);
        }
    }
    assert!(claims.iter().all(|&count| count > 2), "{claims:?}");
}

#[test]
#[ignore = "needs rate"]
fn certificates_of_larger_boards_are_verified() {
    let paths: &[&[&str]] =
        &[&["solve", "--unique", "--objective", "none"], &["backbone"], &["solve", "--objective", "cells"]];
    let labyrinth: &[&[&str]] =
        &[&["solve", "--objective", "shortest"], &["solve", "--objective", "longest"]];
    let both: &[&[&str]] = &[&["solve", "--unique"], &["backbone"]];
    for (board, commands) in [
        (BOARD, both),
        ("instances/nurikabe/generated-12x12.txt", both),
        ("instances/nurikabe/impossible.txt", both),
        ("instances/rooks/generated-14x14-unique.txt", both),
        ("instances/numberlink/generated-8x8-unique.txt", paths),
        ("instances/amaze/generated-8x8.txt", paths),
        ("instances/labyrinth/grid-6x6.dzn", labyrinth),
    ] {
        for command in commands {
            let directory = TempDir::new().expect("a directory");
            let directory = directory.path();
            let output = solve(directory, board, command, "");
            let report = check(directory, &rate(), &[], "");
            assert!(
                stdout(&report).starts_with("verified: "),
                "{board}: {}{}",
                stdout(&report),
                stderr(&output)
            );
            let (graphs, formula) = read(directory);
            assert_eq!(refusal(&graphs, &formula), None);
        }
    }
    // The checker does not accept a proof that consists only of the empty clause.
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, BOARD, &["solve", "--unique"], "");
    fs::write(directory.join("proof.drat"), "0\n").expect("a file");
    let report = check(directory, &rate(), &["--json"], "");
    assert!(stdout(&report).contains("does not accept the proof"), "{}", stdout(&report));
}

/// Replaces `old` with `new` in a file of a certificate, and asserts that the certificate is refused before its proof
/// is checked, unless the message is empty. Returns what the program prints.
#[track_caller]
fn refused(directory: &Path, file: &str, old: &str, new: &str, message: &str) -> String {
    let path = directory.join(file);
    let content = fs::read_to_string(&path).expect("a file");
    assert!(content.contains(old), "{old}");
    fs::write(&path, content.replacen(old, new, 1)).expect("a file");
    let report = check(directory, "true", &[], "");
    let shown = stdout(&report);
    assert!(shown.starts_with("refused: ") && shown.contains(message), "{shown}{}", stderr(&report));
    assert_eq!(report.status.code(), Some(1));
    fs::write(&path, content).expect("a file");
    shown
}

#[test]
fn damaged_certificates_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, BOARD, &["solve", "--unique"], "");
    refused(directory, "proof.drat", "", "", "the proof checker does not accept the proof");
    let files =
        ["graphs", "formula.cnf"].map(|name| fs::read_to_string(directory.join(name)).expect("a file"));
    let line = |file: usize, start: &str| {
        let mut lines = files[file].lines().filter(|line| line.starts_with(start));
        lines.next_back().map(|line| format!("{line}\n")).expect("a line")
    };

    let (graph, edge) = (line(0, "graph"), line(0, "edge"));
    let [number, least] = [1, 2].map(|word| graph.split(' ').nth(word).expect("a number"));
    for (old, new, message) in [
        (&edge, "", "expected the edge"),
        (&graph, &*format!("graph {number} {least} 3\n"), "expected a size from"),
        (&graph, &*format!("graph 99 {least} 100\n"), "the rules have no graph 99"),
        (&graph, &*format!("{graph}vertex 999 always\n"), "the rules have no vertex 999"),
        (&line(0, "vertex"), &*line(0, "vertex").replace(' ', " 0"), "expected the end of the line"),
    ] {
        refused(directory, "graphs", old, new, if message.contains("end of") { "" } else { message });
    }
    let vertex = line(0, "vertex");
    let other = format!("{} always\n", vertex.rsplit_once(' ').expect("a literal").0);
    refused(directory, "graphs", &vertex, &other, "is not that of the rules");

    let name = line(1, "c name");
    let define = line(1, "c define");
    let other = format!("{}x\n", name.trim_end());
    refused(directory, "formula.cnf", &name, &other, "expected a variable of the rules");
    refused(directory, "formula.cnf", &name, &format!("{name}{name}"), "expected the name of a new variable");
    let variable = name.split(' ').nth(2).expect("a number");
    for defined in [&format!("{define}{define}"), &format!("c define {variable} 1 1 1\n")] {
        refused(directory, "formula.cnf", &define, defined, "expected a definition of a new variable");
    }
    refused(directory, "formula.cnf", "p cnf", "c name 0 sea_1_1\np cnf", "");

    let lines: Vec<&str> = files[1].lines().collect();
    let first = lines.iter().position(|line| line.starts_with("p cnf")).expect("a header") + 1;
    let lemmas = lines.iter().position(|line| line.starts_with("c lemmas")).expect("lemmas");
    // Some of the shorter clauses still follow from one row, such as those with a literal that a clue requires.
    let (mut wrong, mut all) = (0, 0);
    for at in (first..lemmas).step_by(37) {
        let (_, shorter) = lines[at].split_once(' ').expect("a literal");
        let damaged = [&lines[..at], &[shorter], &lines[at + 1..]].concat().join("\n");
        let shown = refused(directory, "formula.cnf", &files[1], &damaged, "");
        wrong += usize::from(shown.contains(&format!("line {}: expected a clause", at + 1)));
        all += 1;
    }
    assert!(wrong * 4 > all * 3, "{wrong} of {all}");
    let (graphs, formula) = read(directory);
    let (mut refused, mut all) = (0, 0);
    for (number, lemma) in &formula.lemmas {
        let graph = graphs.iter().find(|graph| graph.number == *number).expect("a graph");
        for at in 0..lemma.lits.len() {
            let shorter = [&lemma.lits[..at], &lemma.lits[at + 1..]].concat();
            refused += usize::from(graph.implies(&shorter).is_err());
            all += 1;
        }
    }
    assert!(refused * 10 > all * 9, "{refused} of {all}");
}

#[test]
fn a_certificate_of_another_board_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let board = "nurikabe\n. . 2 .\n1 . . .\n. . . .\n. 2 . 1\n";
    solve(directory, "-", &["backbone"], board);
    let other = board.replace('1', "?");
    let report = check(directory, "true", &["--board", "-"], &other);
    assert!(stdout(&report).starts_with("refused: "), "{}{}", stdout(&report), stderr(&report));
    let claim = directory.join("claim.json");
    let content = fs::read_to_string(&claim).expect("a file");
    fs::write(&claim, content.replace("\"clausal\"", "\"clauses\"")).expect("a file");
    let report = check(directory, "true", &[], "");
    assert!(stderr(&report).contains("`veripb` or `clausal`"), "{}", stderr(&report));
    assert_eq!(report.status.code(), Some(2));
}

#[test]
fn integers_have_no_clausal_form() {
    let directory = TempDir::new().expect("a directory");
    let output = solve(directory.path(), "-", &["solve"], "max-triangle\n");
    let message = "certificates in clausal form do not support integers; use `veripb`";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn certificates_of_other_optima_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, "-", &["solve", "--objective", "fewest"], "rooks\n. . . .\n. . # .\n. . . .\n");
    let file = directory.join("claim.json");
    let claim = fs::read_to_string(&file).expect("a file");
    let mut claim: serde_json::Value = serde_json::from_str(&claim).expect("JSON");
    assert_eq!((&claim["claim"], &claim["format"]), (&"optimal".into(), &"clausal".into()));
    // The formula states that there are fewer than three rooks.
    for grid in [[[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]], [[0, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0]]] {
        let rooks: usize = grid.iter().flatten().sum();
        claim["solutions"][0]["grid"] = serde_json::json!(grid);
        fs::write(&file, claim.to_string()).expect("a file");
        let report = stdout(&check(directory, "true", &[], ""));
        let expected = "expected a clause that follows from one row of the rules";
        assert_eq!(report.contains(expected), rooks > 3, "{report}");
    }
}

/// Tests that every accepted clause follows from the formula, by brute force over all assignments of the named
/// variables 1 to 4. Variables 5 and 6 are defined by linear inequalities over variables with lower numbers.
#[test]
fn clauses_that_are_accepted_follow() {
    let mut rng = Rng::with_seed(1);
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let mut opb = Opb::new();
        let variables: Vec<_> = (1..=4).map(|number| opb.variable(format!("x{number}"))).collect();
        let mut row = || {
            let mut terms = Vec::new();
            for &variable in &variables {
                terms.push((
                    rng.i128(-2..=2) * i128::from(rng.bool()),
                    if rng.bool() { variable } else { !variable },
                ));
            }
            OpbRow::at_least(terms, rng.i128(-2..=3)).expect("small numbers")
        };
        let mut rows = [row(), row(), row()];
        // Often, a variable is defined as a disjunction. Mostly, a row states that at most one of its literals is true.
        let disjunction: Option<Vec<i32>> = rng
            .bool()
            .then(|| (1..=3).map(|variable| if rng.bool() { variable } else { -variable }).collect());
        if let Some(lits) = disjunction.as_ref().filter(|_| rng.u8(0..4) > 0) {
            let negated = lits.iter().map(|&lit| {
                let variable = variables[lit.unsigned_abs() as usize - 1];
                (1, if lit > 0 { !variable } else { variable })
            });
            rows[0] = OpbRow::at_least(negated, 2).expect("small numbers");
        }
        rows[..2].iter().for_each(|row| opb.add(row.clone()));
        let mut clauses = Clauses::new(&opb, &rows[2..]);
        for number in 1..=4 {
            clauses.name(number, &format!("x{number}")).expect("a variable");
        }
        let lit = |rng: &mut Rng, variables: i32| rng.i32(1..=variables) * if rng.bool() { 1 } else { -1 };
        let mut definitions = Vec::new();
        for variable in [5, 6] {
            let mut terms: Vec<(i128, i32)> =
                (0..3).map(|_| (rng.i128(-1..=2), lit(&mut rng, variable - 1))).collect();
            let defined = if rng.bool() { variable } else { -variable };
            let mut bound = rng.i128(0..=3);
            if let Some(lits) = disjunction.as_ref().filter(|_| variable == 5) {
                terms = lits.iter().map(|&lit| (1, lit)).collect();
                bound = 1;
            }
            clauses.define(defined, terms.clone(), bound).expect("a new variable");
            definitions.push((defined, terms, bound));
        }
        for variable in [4, 5] {
            assert!(clauses.name(variable, "x1").is_err(), "{variable} is not new");
        }
        let models: Vec<i32> = (0..16)
            .map(|assignment| {
                let mut assignment = assignment << 1;
                for (defined, terms, bound) in &definitions {
                    let holds = |lit: i32| (assignment >> lit.unsigned_abs() & 1 == 1) == (lit > 0);
                    let sum: i128 = terms.iter().filter(|term| holds(term.1)).map(|term| term.0).sum();
                    let is_true = (sum >= *bound) == (*defined > 0);
                    assignment |= i32::from(is_true) << defined.unsigned_abs();
                }
                assignment
            })
            .filter(|assignment| {
                rows.iter().all(|row| {
                    let holds = |(_, literal): &&(i128, gordian::rules::opb::Literal)| {
                        (assignment >> (literal.variable + 1) & 1 == 1) != literal.negated
                    };
                    row.terms.iter().filter(holds).map(|term| term.0).sum::<i128>() >= row.bound
                })
            })
            .collect();
        for _ in 0..10 {
            let clause: Vec<i32> = (0..rng.usize(0..4)).map(|_| lit(&mut rng, 6)).collect();
            let holds = |model: i32, lit: i32| (model >> lit.unsigned_abs() & 1 == 1) == (lit > 0);
            let follows = models.iter().all(|&model| clause.iter().any(|&lit| holds(model, lit)));
            let accepted = clauses.follows(&clause);
            assert!(follows || !accepted, "{clause:?} {definitions:?}\n{opb}{}", opb.row_text(&rows[2]));
            counts[usize::from(accepted)] += usize::from(follows && !models.is_empty());
        }
    }
    assert!(counts[1] > 2 * counts[0] && counts[0] > 0, "{counts:?}");
}
