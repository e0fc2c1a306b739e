//! Tests that `gordian prove-check` accepts small certificates and rejects damaged certificates. The ignored tests need
//! veripb. The script `.ci/run --all` installs veripb, and then runs the tests with `--ignored`.
//!
//! This file has over 400 lines because its tests share the functions that write, damage and check certificates.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{board, gordian, last_row_follows, prove_check, refused, stderr, stdout};
use gordian::certificate::StatedClaim;
use gordian::rules::opb::{self, Opb};
use tempfile::TempDir;

/// Boards, each with options for `gordian solve` and the claim of the certificate.
const CERTIFICATES: [(&str, &[&str], &str); 13] = [
    ("rooks\n.\n", &[], "unique"),
    ("rooks\n. #\n", &["--objective", "fewest"], "optimal"),
    ("rooks\n. . .\n", &["--objective", "fewest"], "optimal"),
    (TRIANGLE, &["--objective", "shortest"], "optimal"),
    ("rooks\n4 .\n", &[], "no-solution"),
    ("nurikabe\n2 .\n", &[], "unique"),
    ("nurikabe\n1 1\n", &[], "no-solution"),
    ("nurikabe\n2 .\n", &[], "backbone"),
    ("rooks\n. 1\n", &[], "backbone"),
    ("rooks\n. .\n", &[], "solution"),
    ("numberlink\n1 1\n", &[], "unique"),
    ("amaze\n1 . 1\n", &["--objective", "sum"], "optimal"),
    ("labyrinth\nn = 2\nstart = 1\ntarget = 2\ngraph = [|1, 2|]\n", &[], "unique"),
];

/// Three nodes, each connected with the others.
const TRIANGLE: &str =
    "labyrinth\nn = 3\nstart = 1\ntarget = 3\ngraph = [|1, 2|2, 3|1, 3|]\nweights = [5, 5, 3]\n";

/// Writes a certificate whose proof is a single step of reverse unit propagation. Returns the formula.
fn write(directory: &Path, text: &str, query: &[&str], claim: &str) -> Opb {
    let puzzle = board(text);
    let solved = gordian(&[&["solve", "-", "--json"], query].concat(), text);
    let line: serde_json::Value =
        serde_json::from_str(stdout(&solved).lines().last().expect("a line")).expect("JSON");
    let solutions: Vec<&serde_json::Value> = match claim {
        "no-solution" => Vec::new(),
        "several" => vec![&line["solution"], &line["other"]],
        _ => vec![&line["solution"]],
    };
    let mut json = serde_json::json!({ "claim": claim, "solutions": solutions });
    if let [.., "--objective", objective] = query {
        json["objective"] = (*objective).into();
    }
    fs::write(directory.join("board.txt"), text).expect("a file");
    fs::write(directory.join("claim.json"), json.to_string()).expect("a file");
    let source = gordian::format::Source::new("claim.json", json.to_string());
    let claim = StatedClaim::read(&gordian::format::json::read(&source).expect("JSON")).expect("a claim");
    let (mut opb, opposite) = claim.formula(&*puzzle).expect("a formula");
    for row in opposite {
        opb.add(row);
    }
    fs::write(directory.join("formula.opb"), opb.to_string()).expect("a file");
    let rows = opb.rows().len();
    let proof = format!(
        "pseudo-Boolean proof version 3.0\nf {rows} ;\nrup >= 1 ;\noutput NONE ;\nconclusion UNSAT : {} ;\nend \
         pseudo-Boolean proof ;\n",
        rows + 1
    );
    fs::write(directory.join("proof.pbp"), proof).expect("a file");
    opb
}

#[test]
#[ignore = "needs veripb"]
fn certificates_are_verified() {
    for (text, query, claim) in CERTIFICATES {
        let directory = TempDir::new().expect("a directory");
        let opb = write(directory.path(), text, query, claim);
        let output = prove_check(directory.path(), &[], "");
        assert!(stdout(&output).starts_with("verified: "), "{}{}{opb}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(0));
    }
}

/// Solves a board and writes a certificate.
fn solve(directory: &Path, board: &str, command: &[&str]) {
    let board = format!("instances/{board}");
    let path = directory.display().to_string();
    let output = gordian(&[&[command[0], &board], &command[1..], &["--proof", &path]].concat(), "");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
}

#[test]
#[ignore = "needs veripb"]
fn certificates_of_the_solver_are_verified() {
    let nurikabe: &[&[&str]] = &[&["solve", "--unique"], &["backbone"], &["solve"]];
    let rooks: &[&[&str]] = &[
        &["solve", "--unique"],
        &["backbone"],
        &["solve", "--objective", "fewest"],
        &["solve", "--objective", "most"],
    ];
    let labyrinth: &[&[&str]] =
        &[&["solve", "--objective", "shortest"], &["solve", "--objective", "longest"], &["backbone"]];
    for (board, commands) in [
        ("nurikabe/generated-7x7.txt", nurikabe),
        ("nurikabe/generated-10x10.txt", nurikabe),
        ("nurikabe/generated-12x12.txt", nurikabe),
        ("nurikabe/impossible.txt", nurikabe),
        ("rooks/generated-14x14-unique.txt", rooks),
        ("rooks/empty-5x5.param", rooks),
        ("numberlink/generated-8x8-unique.txt", &[&["solve", "--unique"], &["backbone"]]),
        ("numberlink/impossible.txt", &[&["solve"], &["backbone"]]),
        (
            "amaze/generated-8x8.txt",
            &[&["solve", "--objective", "sum"], &["solve", "--objective", "cells"], &["backbone"]],
        ),
        ("labyrinth/grid-6x6.dzn", labyrinth),
        ("magic-triangle/impossible.dzn", &[&["solve"]]),
        ("magic-triangle/corners.dzn", &[&["backbone"]]),
        ("max-triangle/document-001.txt", &[&["solve", "--objective", "sum"]]),
        ("age/impossible.dzn", &[&["solve"]]),
        ("cards/large.txt", &[&["solve", "--unique"]]),
        ("nines/document-001.dzn", &[&["solve", "--unique"]]),
        ("nines/impossible.dzn", &[&["solve"]]),
        ("smallest/five-digits.dzn", &[&["solve", "--objective", "number"]]),
        ("smallest/base-16.txt", &[&["solve", "--objective", "number"]]),
        ("powers/document-000.dzn", &[&["solve"], &["solve", "--unique", "--objective", "none"]]),
        ("powers/at-least.dzn", &[&["solve"]]),
        ("powers/one-power.dzn", &[&["solve"]]),
        ("powers/impossible.dzn", &[&["solve"]]),
        ("numcross/document-003-1.dzn", &[&["backbone"]]),
        ("numcross/impossible.dzn", &[&["solve"]]),
    ] {
        for command in commands {
            let directory = TempDir::new().expect("a directory");
            solve(directory.path(), board, command);
            let output = prove_check(directory.path(), &[], "");
            assert!(
                stdout(&output).starts_with("verified: "),
                "{board}: {}{}",
                stdout(&output),
                stderr(&output)
            );
        }
    }
}

#[test]
#[ignore = "needs veripb"]
fn a_damaged_certificate_of_the_solver_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, "nurikabe/generated-10x10.txt", &["solve", "--unique"]);
    let file = directory.join("formula.opb");
    let formula = fs::read_to_string(&file).expect("a file");
    let rows: Vec<&str> = formula.lines().filter(|line| !line.starts_with('*')).collect();
    // Some of the damaged rows still follow from the rules, such as those with a literal that a clue requires. The
    // certificate then proves its claim. The last row states the opposite of the claim.
    let (opposite, rules) = rows.split_last().expect("a row");
    assert!(opposite.matches('~').count() > 1, "{opposite}");
    let (mut refused_rows, mut all) = (0, 0);
    for at in (0..rules.len()).step_by(23) {
        // Each tested row is damaged in two ways: once by removing its first term, and once by negating its first
        // literal.
        let (_, shorter) =
            rows[at].split_once(' ').and_then(|(_, rest)| rest.split_once(' ')).expect("a term");
        let negated = if rows[at].contains('~') {
            rows[at].replacen('~', "", 1)
        } else {
            rows[at].replacen(' ', " ~", 1)
        };
        for damaged in [shorter, &negated] {
            let text = [&rows[..at], &[damaged], &rows[at + 1..]].concat().join("\n");
            fs::write(&file, text).expect("a file");
            let output = prove_check(directory, &[], "");
            let is_refused = stdout(&output).starts_with("refused: ") && output.status.code() == Some(1);
            let stated = [rules, &[damaged]].concat().join("\n");
            let follows = || last_row_follows(&opb::read(&stated).expect("a formula"));
            assert!(is_refused || follows(), "{damaged}\n{}", stdout(&output));
            refused_rows += usize::from(is_refused);
            all += 1;
        }
    }
    assert!(refused_rows * 2 > all, "{refused_rows} of {all} are refused");
    // If a row of the formula is missing, later constraints have other numbers than in the proof.
    fs::write(&file, rows[1..].join("\n")).expect("a file");
    refused(directory, "does not accept");
    // Comments do not matter.
    fs::write(&file, rows.join("\n")).expect("a file");
    let output = prove_check(directory, &[], "");
    assert!(stdout(&output).starts_with("verified: "), "{}", stdout(&output));
}

#[test]
fn a_formula_with_a_wrong_row_is_refused() {
    // Propagation does not solve these boards.
    for (text, query) in
        [("rooks\n. . .\n", &["--objective", "fewest"]), (TRIANGLE, &["--objective", "shortest"])]
    {
        let directory = TempDir::new().expect("a directory");
        let directory = directory.path();
        let opb = write(directory, text, query, "optimal");
        let file = directory.join("formula.opb");
        // Every assignment violates the row.
        fs::write(&file, format!("{opb}>= 1 ;\n")).expect("a file");
        refused(directory, "do not state the row `>= 1 ;`");
        for (at, row) in opb.rows().iter().enumerate() {
            // The bound exceeds the sum of the coefficients, so the row is violated by every assignment.
            let mut rows: Vec<String> = opb.rows().iter().map(|row| opb.row_text(row)).collect();
            let most: i128 = row.terms.iter().map(|&(weight, _)| weight).sum();
            rows[at] = rows[at].replace(&format!(">= {} ;", row.bound), &format!(">= {} ;", most + 1));
            fs::write(&file, rows.join("\n")).expect("a file");
            refused(directory, "do not state the row");
        }
        fs::write(&file, opb.to_string().replace(" ;", " 1 ;")).expect("a file");
        refused(directory, "expected `;`");
        fs::write(&file, format!("min: ;\n{opb}")).expect("a file");
        refused(directory, "has an objective");
    }
}

#[test]
fn a_certificate_of_another_board_is_refused() {
    for (text, claim, other, message) in [
        ("rooks\n.\n", "unique", "rooks\n. .\n", "a solution is wrong"),
        ("nurikabe\n2 .\n", "unique", "nurikabe\n1 .\n", "a solution is wrong"),
        ("numberlink\n1 1\n", "backbone", "numberlink\n2 2\n", "a solution is wrong"),
        ("nurikabe\n2 . 3\n. . .\n", "no-solution", "nurikabe\n? . .\n. . .\n", "do not state the row"),
        ("rooks\n. .\n", "solution", "age\nage = 1\n", ""),
    ] {
        let directory = TempDir::new().expect("a directory");
        let directory = directory.path();
        write(directory, text, &[], claim);
        let output = prove_check(directory, &["--board", "-"], other);
        if message.is_empty() {
            assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        } else {
            assert!(stdout(&output).contains(message), "{}{}", stdout(&output), stderr(&output));
            assert_eq!(output.status.code(), Some(1));
        }
    }
}

#[test]
fn options_of_a_certificate_do_not_apply_to_another_board() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let (board, option) = ("numberlink\n1 1\n. .\n", ["--option", "cells=all"]);
    let solved = gordian(&[&["solve", "-", "--json"], &option[..]].concat(), board);
    let line: serde_json::Value = serde_json::from_str(&stdout(&solved)).expect("JSON");
    let claim =
        serde_json::json!({ "arguments": option, "claim": "solution", "solutions": [line["solution"]] });
    fs::write(directory.join("board.txt"), board).expect("a file");
    fs::write(directory.join("claim.json"), claim.to_string()).expect("a file");
    let output = prove_check(directory, &[], "");
    let report = stdout(&output);
    assert!(report.ends_with(", with --option cells=all\n"), "{report}{}", stderr(&output));
    let output = prove_check(directory, &["--board", "-"], board);
    assert!(stderr(&output).contains("add `--option cells=all`"), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    let output = prove_check(directory, &["--board", "-", "--option", "cells=all", "--json"], board);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(report["status"], "verified");
    assert_eq!(report["arguments"], serde_json::json!(["--option", "cells=all"]));
    let more = ["--board", "-", "--puzzle", "numberlink", "--option", "cells=all"];
    let output = prove_check(directory, &more, board);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_checker_that_accepts_a_wrong_proof_is_an_error() {
    let output = check_by("echo s VERIFIED UNSATISFIABLE", &[]);
    assert!(stderr(&output).contains("accepts a wrong proof"), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn named_pipes_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    write(directory, "rooks\n.\n", &[], "unique");
    for name in ["claim.json", "board.txt", "formula.opb", "proof.pbp"] {
        let file = directory.join(name);
        let content = fs::read(&file).expect("a file");
        fs::remove_file(&file).expect("the file was written");
        nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).expect("a named pipe");
        let output = prove_check(directory, &[], "");
        assert!(stderr(&output).contains(&format!("{name}: expected a regular file")), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
        fs::remove_file(&file).expect("the pipe was made");
        fs::write(&file, content).expect("a file");
    }
}

#[test]
fn a_solution_in_two_forms_is_one_solution() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let board = "numberlink\n1 1\n";
    let solved = gordian(&["solve", "-", "--json"], board);
    let line: serde_json::Value = serde_json::from_str(&stdout(&solved)).expect("JSON");
    let full = line["solution"].clone();
    let short = serde_json::json!({ "grid": full["grid"] });
    assert!(full != short, "{full}");
    fs::write(directory.join("board.txt"), board).expect("a file");
    let claim = serde_json::json!({ "claim": "several", "solutions": [full, short] });
    fs::write(directory.join("claim.json"), claim.to_string()).expect("a file");
    refused(directory, "two solutions are equal");
    // The form of a list does not count, either.
    let model = "var 0..1: x;\nvar 0..1: y;\n\
        array [1..2] of var 0..1: a :: output_array([1..2]) = [x, y];\nsolve satisfy;\n";
    let directory = directory.join("model");
    let arguments = ["solve", "-", "--unique", "--proof", directory.to_str().expect("a Unicode path")];
    assert!(stdout(&gordian(&arguments, model)).starts_with("not unique"));
    let file = directory.join("claim.json");
    let claim: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).expect("a file")).expect("JSON");
    let mut wrong = claim.clone();
    let list = claim["solutions"][0]["a"].clone();
    wrong["solutions"][1]["a"] = serde_json::json!([list]);
    wrong["witnesses"][1] = claim["witnesses"][0].clone();
    fs::write(&file, wrong.to_string()).expect("a file");
    refused(&directory, "two solutions are equal");
}

#[test]
fn a_backbone_of_a_number_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let age = fs::read_to_string("instances/age/document-001.dzn").expect("a board");
    let solved = gordian(&["solve", "--puzzle", "age", "-", "--json"], &age);
    let line: serde_json::Value = serde_json::from_str(&stdout(&solved)).expect("JSON");
    fs::write(directory.join("board.dzn"), age).expect("a file");
    let claim = serde_json::json!({ "puzzle": "age", "board": "board.dzn", "claim": "backbone", "solutions": [line["solution"]] });
    fs::write(directory.join("claim.json"), claim.to_string()).expect("a file");
    for name in ["formula.opb", "proof.pbp"] {
        fs::write(directory.join(name), "").expect("a file");
    }
    refused(directory, "no parts");
}

#[test]
fn solutions_prove_that_there_are_several() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    write(directory, "rooks\n. .\n", &["--unique"], "several");
    let output = prove_check(directory, &["--json"], "");
    assert!(stdout(&output).contains("\"status\":\"verified\""), "{}{}", stdout(&output), stderr(&output));
    let file = directory.join("claim.json");
    let claim = fs::read_to_string(&file).expect("a file");
    fs::write(&file, claim.replace("[0,1]", "[1,0]")).expect("a file");
    refused(directory, "two solutions are equal");
}

#[test]
#[ignore = "needs veripb"]
fn damaged_proofs_are_refused() {
    let text = "nurikabe\n2 .\n";
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    write(directory, text, &[], "unique");
    let file = directory.join("proof.pbp");
    let proof = fs::read_to_string(&file).expect("a file");
    for (old, new, message) in [
        ("rup >= 1 ;", "a >= 1 ;", "line 3: an unchecked assumption"),
        ("rup >= 1 ;", "@a a >= 1 ;", "line 3: an unchecked assumption"),
        ("rup >= 1 ;", "rup >= 0 ;", "does not accept"),
        ("rup >= 1 ;\n", "", "does not accept"),
        ("conclusion UNSAT", "conclusion SAT", "does not accept"),
        ("end pseudo-Boolean proof ;\n", "", "does not accept"),
    ] {
        fs::write(&file, proof.replace(old, new)).expect("a file");
        refused(directory, message);
    }
    let none = proof.lines().map(|line| if line.starts_with("concl") { "conclusion NONE ;" } else { line });
    fs::write(&file, none.collect::<Vec<_>>().join("\n") + "\n").expect("a file");
    refused(directory, "does not accept");
}

#[test]
fn wrong_claims_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let text = "rooks\n. . .\n";
    write(directory, text, &["--objective", "fewest"], "optimal");
    let file = directory.join("claim.json");
    let claim = fs::read_to_string(&file).expect("a file");
    let rewrite = |old: &str, new: &str| fs::write(&file, claim.replace(old, new)).expect("a file");
    rewrite("1", "0");
    refused(directory, "a solution is wrong: an empty square that no rook attacks");
    rewrite("fewest", "few");
    refused(directory, "rooks has no objective `few`");
    rewrite("fewest", "most");
    refused(directory, "do not state the row");
    rewrite("\"grid\"", "\"rooks\":1,\"grid\"");
    refused(directory, "a solution has the unknown field `rooks`");
    for (old, new, message) in [
        ("{\"claim\"", "{\"arguments\":5,\"claim\"", "a list of options for `arguments`"),
        ("{\"claim\"", "{\"arguments\":[5],\"claim\"", "`--puzzle`, `--rules` or `--option`"),
        ("{\"claim\"", "{\"puzzle\":\"amaze\",\"claim\"", "`rooks`, the type of the board"),
        ("{\"claim\"", "{\"claims\":1,\"claim\"", "did you mean `claim`?"),
        ("{\"grid\"", "{\"solution\":{\"grid\":[]},\"grid\"", "a number, numbers or rows"),
    ] {
        rewrite(old, new);
        let output = prove_check(directory, &[], "");
        assert!(stderr(&output).contains(message), "{new}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{new}");
    }
    rewrite("optimal", "best");
    assert!(stderr(&prove_check(directory, &[], "")).contains("`no-solution`, `solution`"));
    rewrite("optimal", "several");
    assert!(stderr(&prove_check(directory, &[], "")).contains("a list with 2 solutions"));
    rewrite("solutions", "answers");
    assert_eq!(prove_check(directory, &[], "").status.code(), Some(2));
    fs::remove_file(&file).expect("the file was written");
    let output = prove_check(directory, &[], "");
    assert!(stderr(&output).contains("claim.json: No such file"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_missing_checker_is_an_error() {
    let directory = TempDir::new().expect("a directory");
    write(directory.path(), "rooks\n.\n", &[], "unique");
    let run = |arguments: &[&str]| {
        let path = directory.path().display().to_string();
        gordian(&[&["prove-check", &path], arguments].concat(), "")
    };
    let output = run(&["--checker", "no-such-checker"]);
    assert!(stderr(&output).contains("install VeriPB with `CARGO_PROFILE_"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["--checker", "true", "--json"]);
    assert!(stdout(&output).contains("\"status\":\"refused\""), "{}", stdout(&output));
}

/// Runs `prove-check` with a shell script as the proof checker.
#[cfg(unix)]
fn check_by(script: &str, arguments: &[&str]) -> Output {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    write(directory, "rooks\n.\n", &[], "unique");
    let file = directory.join("checker");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the file was written");
    let (path, file) = (directory.display().to_string(), file.display().to_string());
    gordian(&[&["prove-check", &path, "--checker", &file], arguments].concat(), "")
}

#[cfg(unix)]
#[test]
fn limits_stop_the_check() {
    let output = check_by("sleep 600", &["--timeout", "0.5"]);
    assert!(stdout(&output).starts_with("stopped: "), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(3));
    // These limits are reached before the formula is built.
    for limits in [["--timeout", "0"], ["--memory", "1"]] {
        let output = check_by("echo s VERIFIED UNSATISFIABLE", &limits);
        assert!(stdout(&output).starts_with("stopped: "), "{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(3));
    }
}

#[cfg(unix)]
#[test]
fn long_output_of_the_checker_is_shortened() {
    for (script, message) in [("yes", "printed more than"), ("yes | head -c 200000; exit 1", "y y y ...")] {
        let output = check_by(script, &[]);
        let report = stdout(&output);
        assert!(report.starts_with("refused: ") && report.contains(message), "{report}");
        assert!(report.len() < 1000, "{} bytes", report.len());
        assert_eq!(output.status.code(), Some(1));
    }
}
