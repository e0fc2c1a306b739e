//! Tests that the checker VeriPB accepts the certificates of `gordian solve --proof`, and rejects damaged certificates.
//! The script `.ci/run --all` installs the checker, and then runs the tests with `--ignored`.

use std::fs;
use std::path::Path;

use crate::support::{board, checker, gordian, nurikabe_token, pairs, refused, rows, stderr, stdout, text};
use gordian::backend;
use gordian::puzzle::Query;
use gordian::puzzle::labyrinth::PUZZLE as LABYRINTH;
use gordian::puzzle::numberlink::{AMAZE, PUZZLE as NUMBERLINK};
use gordian::puzzle::rooks::PUZZLE as ROOKS;
use gordian::query::certificate::{self, Claim};
use gordian::query::{Silent, Status};
use gordian::rules::sheet::SHEETS;
use gordian::search::Config;
use gordian_encodings::Encodings;
use gordian_encodings::encoding::linear_propagator;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
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

/// Runs a query on a board, and returns its certificate: the claim, the formula and the proof. Returns `None` if the
/// result needs no proof.
fn certificate(text: &str, query: Query) -> Option<(Claim, Vec<u8>, Vec<u8>)> {
    certificate_with(text, query, &Config::default())
}

/// Works like [`certificate`], with the given configuration of the search.
fn certificate_with(text: &str, query: Query, config: &Config) -> Option<(Claim, Vec<u8>, Vec<u8>)> {
    let puzzle = board(text);
    let (outcome, certificate) = certificate::run(&*puzzle, query, config, &mut Silent)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let Some(certificate) = certificate else {
        let solved = query == Query::Satisfy && outcome.status == Status::Solved;
        assert!(outcome.other.is_some() || solved, "{text}");
        return None;
    };
    let (mut formula, mut proof) = (Vec::new(), Vec::new());
    let written = certificate.write(&mut formula, &mut proof);
    written.unwrap_or_else(|error| panic!("{error}\n{text}"));
    Some((certificate.claim, formula, proof))
}

/// A board on which proving each optimum requires several cores.
const ROOKS_6X6: &str =
    "rooks\n. . # . . .\n. . . . # .\n# . . . . .\n. . # . . .\n. . . # . #\n. # . . . .\n";

const UNIQUE: &str = "nurikabe\n. . 2 .\n1 . . .\n. . . .\n. 2 . 1\n";

#[test]
#[ignore = "needs veripb"]
fn certificates_of_random_boards_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    let mut claims = [0; 2];
    let runner = || TestRunner::new(ProptestConfig::with_cases(300));
    let boards = rows(nurikabe_token());
    let result = runner().run(&(boards, any::<bool>()), |((_, columns, tokens), unique)| {
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
    // In half of the cases, sums are propagated instead of encoded.
    let propagated =
        Config { encodings: Encodings::auto().with(&linear_propagator::CARDINALITY), ..Config::default() };
    let configs = [Config::default(), propagated];
    let result =
        runner().run(&(rows(square), 0..4_usize, 0..2_usize), |((_, columns, tokens), query, config)| {
            let text = text("rooks", columns, &tokens);
            let optimise = |row: usize| Query::Optimise(&ROOKS.objectives[row]);
            let query = [Query::Unique, Query::Backbone, optimise(0), optimise(1)][query];
            if let Some((_, formula, proof)) = certificate_with(&text, query, &configs[config]) {
                prop_assert!(accepted(directory.path(), &formula, &proof), "{}", text);
            }
            Ok(())
        });
    result.unwrap_or_else(|error| panic!("{error}"));
    // All column segments together allow more rooks than the row segments, so a single inequality is a contradiction.
    let text = "rooks\n. #\n. .\n. .\n. 1\n";
    let (_, formula, proof) = certificate(text, Query::Optimise(&ROOKS.objectives[1])).expect("an optimum");
    assert!(accepted(directory.path(), &formula, &proof), "{text}");
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
fn certificates_of_rule_sheets_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    let mut proofs = 0;
    for row in SHEETS {
        if let Some((_, formula, proof)) = certificate(row.sample, Query::Unique) {
            assert!(accepted(directory.path(), &formula, &proof), "{}", row.name);
            proofs += 1;
        }
    }
    assert!(proofs > SHEETS.len() / 2, "{proofs} of {} sample boards have one solution", SHEETS.len());
}

#[test]
#[ignore = "needs veripb"]
fn certificates_of_paths_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    let mut claims = [0; 4];
    let headers = ["numberlink", "numberlink cells=all", "numberlink touch=no", "amaze"];
    let mut runner = TestRunner::new(ProptestConfig::with_cases(225));
    let claims_of = std::cell::RefCell::new(&mut claims);
    let result =
        runner.run(&(pairs(3, 4, 2), 0..headers.len(), 0..3_usize), |((columns, cells), header, query)| {
            let text = text(headers[header], columns, &cells);
            let objective = if header == 3 { &AMAZE.objectives[0] } else { &NUMBERLINK.objectives[0] };
            let query = [Query::Unique, Query::Backbone, Query::Optimise(objective)][query];
            if let Some((claim, formula, proof)) = certificate(&text, query) {
                let index = [Claim::NoSolution, Claim::Unique, Claim::Backbone, Claim::Optimal];
                let index = index.iter().position(|&of| of == claim);
                claims_of.borrow_mut()[index.expect("a claim")] += 1;
                prop_assert!(accepted(directory.path(), &formula, &proof), "{}", text);
            }
            Ok(())
        });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(claims.iter().all(|&count| count > 0), "{claims:?}");
    // Apart from semicolons and the number of edges, the MiniZinc data of a labyrinth is the same as its native text.
    let data = fs::read_to_string("instances/labyrinth/grid-6x6.dzn").expect("a board").replace(';', "");
    let lines: Vec<&str> = data.lines().filter(|line| !line.starts_with("num_edges")).collect();
    let text = format!("labyrinth\n{}\n", lines.join("\n"));
    for row in LABYRINTH.objectives {
        let (claim, formula, proof) = certificate(&text, Query::Optimise(row)).expect("an optimum");
        assert!(claim == Claim::Optimal && accepted(directory.path(), &formula, &proof), "{}", row.name);
    }
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
    // Each round removes one line from the proof. Later lines then refer to constraints by wrong numbers, or the
    // final contradiction is missing.
    let text = String::from_utf8(proof.clone()).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let derived = (2..lines.len() - 3).filter(|&line| !lines[line].starts_with("del"));
    for removed in derived.step_by(7) {
        let left: Vec<&str> =
            lines.iter().enumerate().filter(|(line, _)| *line != removed).map(|(_, text)| *text).collect();
        let damaged = left.join("\n");
        assert!(!accepted(directory.path(), &formula, damaged.as_bytes()), "without `{}`", lines[removed]);
    }
    // The last row of the formula states the negated claim. Without the row, the formula is satisfiable.
    let text = String::from_utf8(formula).expect("UTF-8");
    let (without, _) = text.trim_end().rsplit_once('\n').expect("several rows");
    let rows = without.lines().filter(|line| line.ends_with(';')).count();
    let claimless = String::from_utf8(proof.clone()).expect("UTF-8").replacen(
        &format!("f {};", rows + 1),
        &format!("f {rows};"),
        1,
    );
    assert!(!accepted(directory.path(), without.as_bytes(), claimless.as_bytes()));
    // The proof for one board is not valid for the formula of another board.
    let moved = UNIQUE.replace(". . 2 .", ". 2 . .");
    if let Some((_, other, _)) = certificate(&moved, Query::Unique) {
        assert!(!accepted(directory.path(), &other, &proof));
    }
}

#[test]
#[ignore = "needs veripb"]
fn damaged_derivations_of_rules_for_paths_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let board = "numberlink\n. . . 1 .\n. 2 . . 3\n. . . 1 .\n3 . . . .\n. . . 2 .\n";
    let (_, formula, proof) = certificate(board, Query::Unique).expect("a certificate");
    assert!(accepted(directory.path(), &formula, &proof));
    let text = String::from_utf8(proof).expect("UTF-8");
    let refused = |damaged: &str, damage: &str| {
        assert_ne!(damaged, text, "{damage}");
        assert!(!accepted(directory.path(), &formula, damaged.as_bytes()), "{damage}");
    };
    let steps: Vec<&str> = text.lines().filter(|line| line.starts_with("dom")).collect();
    assert!(steps.len() > 10, "{text}");
    // The first damage removes a literal of the clause. After the second one, the first cell of the detour is still used,
    // but is on no path. Some of the clauses follow by unit propagation, so the checker accepts any change for them.
    let mut counts = [0; 2];
    for line in &steps {
        let (_, rest) = line.split_once(" 1 ~step").expect("a step");
        let (_, rest) = rest.split_once(' ').expect("further terms");
        let (clause, change) = line.split_once(" : ").expect("a change");
        let (before, after) = change.split_once("used_").expect("a used cell");
        let (_, after) = after.split_once(" -> 0 ").expect("an empty cell");
        for (count, damaged) in
            counts.iter_mut().zip([format!("dom {rest}"), format!("{clause} : {before}{after}")])
        {
            let damaged = text.replacen(line, &damaged, 1);
            *count += usize::from(!accepted(directory.path(), &formula, damaged.as_bytes()));
        }
    }
    assert!(counts.iter().all(|&count| 2 * count >= steps.len()), "{counts:?} of {}", steps.len());
    let (order, steps) = text.split_once("load_order").expect("an order");
    refused(&format!("{order}load_order{}", steps.replace("proofgoal ", "proofgoal 1")), "other goals");
    let (_, order) = text.split_once("def\n").expect("an order");
    let (order, _) = order.split_once(" >=").expect("an inequality");
    refused(&text.replace(order, &order.replace('~', "")), "an order that is not transitive");
    let (_, loaded) = text.split_once("load_order rank ").expect("an order");
    let (first, _) = loaded.split_once(' ').expect("several variables");
    let all_the_same = format!("load_order rank{};", format!(" {first}").repeat(order.matches('~').count()));
    let (line, _) = text[text.find("load_order").expect("an order")..].split_once('\n').expect("a line");
    refused(&text.replace(line, &all_the_same), "an order over one repeated variable");

    // Three steps around a block are excluded without dominance.
    let board = fs::read_to_string("instances/numberlink/generated-8x8-unique.txt").expect("a board");
    let (_, formula, proof) = certificate(&board, Query::Unique).expect("a certificate");
    let text = String::from_utf8(proof).expect("UTF-8");
    let is_rule = |line: &&str| {
        line.matches("1 ~step_").count() == 3 && line.matches("1 ").count() == 4 && line.starts_with("rup")
    };
    let rules: Vec<&str> = text.lines().filter(is_rule).collect();
    assert!(!rules.is_empty(), "{text}");
    for line in rules {
        // The first hint is the clause that three steps around a block imply the fourth step.
        let (clause, hints) = line.split_once(" : ~ ").expect("hints");
        let (_, others) = hints.split_once(' ').expect("several hints");
        let damaged = text.replacen(line, &format!("{clause} : ~ {others}"), 1);
        assert!(!accepted(directory.path(), &formula, damaged.as_bytes()), "{line}");
    }
}

#[test]
fn a_limit_that_stops_only_the_second_search_is_reported() {
    let board = "numberlink\n1 . . . 2\n. . . 1 .\n. 3 . . .\n. . . . .\n. . . 2 3\n";
    let directory = TempDir::new().expect("a directory");
    let target = directory.path().join("certificate");
    let messages = (1..60).map(|conflicts: u32| {
        let limit = conflicts.to_string();
        let target = target.to_str().expect("UTF-8");
        let output = gordian(&["solve", "-", "--unique", "--conflicts", &limit, "--proof", target], board);
        let message = stderr(&output);
        assert!(!message.contains("which need no proof"), "{conflicts}: {message}");
        message
    });
    assert!(messages.into_iter().any(|message| message.contains("without a proof that it is the only one")));
}

/// Writes the certificate of a board to the directory, and returns its claim.
fn claim(directory: &Path, command: &[&str], board: &str) -> serde_json::Value {
    let output = gordian(&[command, &["-", "--proof", directory.to_str().expect("UTF-8")]].concat(), board);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
    let claim = fs::read_to_string(directory.join("claim.json")).expect("a file");
    serde_json::from_str(&claim).expect("JSON")
}

#[test]
fn backbones_of_paths_that_lack_a_value_are_refused() {
    for header in ["numberlink", "numberlink touch=no", "amaze"] {
        let directory = TempDir::new().expect("a directory");
        let directory = directory.path();
        let mut claim = claim(directory, &["backbone"], &format!("{header}\n1 . .\n. . .\n. . 1\n"));
        assert_eq!(claim["claim"], "backbone");
        // Each solution that the search finds has a new value.
        claim["solutions"].as_array_mut().expect("a list").pop().expect("a solution");
        fs::write(directory.join("claim.json"), claim.to_string()).expect("a file");
        refused(directory, "do not state the row");
    }
}

#[test]
fn wrong_certificates_of_powers_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let board = "powers\nexponents = [1, 2]\n";
    assert_eq!(claim(directory, &["solve"], board)["claim"], "no-solution");
    for (other, message) in [
        ("exponents = [1, 3]", "do not state the row"),
        ("exponents = [1, 2]\nbase = 9", "do not state the row"),
        ("exponents = [1, 2]\nmode = \"at-least\"\nmax_n = 9999", "do not state the row"),
        ("exponents = [1, 2]\nmode = \"at-least\"", "n has no upper bound"),
        (
            "exponents = [64]\nbase = 25\nmode = \"at-least\"\nmax_n = 99999999999999999999999999999999999999",
            "the formula would have about 5927040784 terms, and the maximum is 50000000",
        ),
    ] {
        fs::write(directory.join("board.txt"), format!("powers\n{other}\n")).expect("a file");
        refused(directory, message);
    }
    fs::write(directory.join("board.txt"), board).expect("a file");
    let formula = fs::read_to_string(directory.join("formula.opb")).expect("a file");
    let rows: Vec<&str> = formula.lines().filter(|line| !line.starts_with('*')).collect();
    for at in (0..rows.len()).step_by(29) {
        let row = rows[at];
        let negated = if row.contains('~') { row.replacen('~', "", 1) } else { row.replacen(' ', " ~", 1) };
        let text = [&rows[..at], &[&negated], &rows[at + 1..]].concat().join("\n");
        fs::write(directory.join("formula.opb"), text).expect("a file");
        refused(directory, "do not state the row");
    }
    // The formula states that n is less than the number in the certificate.
    let board = "powers\nexponents = [3, 4]\nmode = \"at-least\"\n";
    let mut claim = claim(directory, &["solve"], board);
    assert_eq!(claim["solutions"][0]["n"], 18);
    claim["solutions"][0] = serde_json::json!({ "n": 84, "powers": [592_704, 49_787_136] });
    fs::write(directory.join("claim.json"), claim.to_string()).expect("a file");
    refused(directory, "do not state the row");
}

#[test]
fn proofs_that_are_not_possible_are_refused() {
    let large = "numcross\nr = 1\ns = 50000\nS = {6, 12}\n. .\n# .\n. #\n";
    let powers = fs::read_to_string("instances/powers/one-power.dzn").expect("a board");
    let cases: &[(&[&str], &str, &str)] = &[
        (&["--count"], UNIQUE, "cannot be used with"),
        (&["--threads", "2", "--unique"], UNIQUE, "proofs are written with one thread only"),
        (&["--solver", "external:true", "--unique"], UNIQUE, "does not log proofs"),
        (&["--unique"], large, "proofs do not support integers with more than 10000 values"),
        (&["--unique"], &powers, "without `max_n`, proofs support only the smallest number"),
    ];
    for (arguments, board, message) in cases {
        let directory = TempDir::new().expect("a directory");
        let target = directory.path().join("certificate");
        let target = target.to_str().expect("UTF-8");
        let output = gordian(&[&["solve", "-", "--proof", target], *arguments].concat(), board);
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!Path::new(target).exists(), "{arguments:?}");
    }
}

#[test]
#[ignore = "needs veripb"]
fn certificates_of_each_solver_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    for solver in backend::SOLVERS.iter().filter(|solver| solver.proofs && solver.make().is_ok()) {
        let config = Config { solver: (*solver).clone(), ..Config::default() };
        let optimise = |objective| Query::Optimise(&ROOKS.objectives[objective]);
        for (text, query) in [(UNIQUE, Query::Unique), (ROOKS_6X6, optimise(0)), (ROOKS_6X6, optimise(1))] {
            let (_, certificate) =
                certificate::run(&*board(text), query, &config, &mut Silent).expect("a result");
            let (mut formula, mut proof) = (Vec::new(), Vec::new());
            let certificate = certificate.expect("a certificate");
            certificate
                .write(&mut formula, &mut proof)
                .unwrap_or_else(|error| panic!("{}: {error}", solver.name));
            assert!(accepted(directory.path(), &formula, &proof), "{}", solver.name);
        }
    }
}
