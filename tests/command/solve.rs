//! Tests `solve` on published data and on each format, and tests its output.

use crate::support::{gordian, shell, stderr, stdout};

const PUBLISHED: &str = "0 0 0 0 3\n1 0 4 0 3\n0 0 4 0 3\n2 0 4 4 0\n2 0 0 0 0\n";

#[test]
fn the_published_nurikabe_from_both_documents() {
    for file in ["instances/nurikabe/document-000.dzn", "instances/nurikabe/document-001.dzn"] {
        let output = gordian(&["solve", file], "");
        assert_eq!(stdout(&output), PUBLISHED, "{file}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn serial_clues_need_an_option() {
    let data = "length = 3;\ninit = [|11,0,12|0,0,0|13,0,14|];\n";
    let plain = gordian(&["solve", "-"], data);
    assert_eq!(plain.status.code(), Some(1), "islands of 11 to 14 cells");
    let serial = gordian(&["solve", "-", "--option", "clues=size-serial"], data);
    assert_eq!(stdout(&serial), "1 0 1\n0 0 0\n1 0 1\n");
}

#[test]
fn rooks_from_essence_prime() {
    let data = "language ESSENCE' 1.0\n$ 3x3\nletting n be 3\n\
                letting squareType be [[0,0,0],[0,2,0],[0,0,1]]\nletting clues be [[0,0,0],[0,4,0],[0,0,0]]\n";
    let output = gordian(&["solve", "-"], data);
    assert_eq!(stdout(&output), ". R .\nR 4 R\n. R #\n", "{}", stderr(&output));
}

#[test]
fn addresses_of_every_type_and_host() {
    // The two boards are a 3x3 board with the clue 1 in each corner, and the board of the test above.
    for address in [
        "https://puzz.link/p?nurikabe/3/3/1g1i1g1",
        "http://pzv.jp/p.html?nurikabe/3/3/1g1i1g1",
        "https://pzprxs.vercel.app/p?nurikabe/3/3/1g1i1g1",
        "puzz.link/p?nurikabe/3/3/1g1i1g1/",
        "nurikabe/3/3/1g1i1g1",
        "nurikabe_edit//3/3/1g1i1g1/",
    ] {
        let output = gordian(&["solve", address], "");
        assert_eq!(stdout(&output), "1 0 1\n0 0 0\n1 0 1\n", "{address}: {}", stderr(&output));
        let piped = gordian(&["solve", "-"], &format!("{address}\n"));
        assert_eq!(stdout(&piped), "1 0 1\n0 0 0\n1 0 1\n", "{address}: {}", stderr(&piped));
    }
    for puzzle_type in ["lightup", "akari"] {
        let output = gordian(&["solve", &format!("https://puzz.link/p?{puzzle_type}/3/3/j4i.")], "");
        assert_eq!(stdout(&output), ". R .\nR 4 R\n. R #\n", "{puzzle_type}: {}", stderr(&output));
    }
}

#[test]
fn a_file_takes_precedence_over_an_address_without_a_host() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = directory.path().join("nurikabe/3/3/1g1i1g1");
    std::fs::create_dir_all(board.parent().expect("a directory above")).expect("directories");
    std::fs::write(&board, "rooks\n.\n").expect("a file");
    let output = shell("gordian solve nurikabe/3/3/1g1i1g1", directory.path());
    assert_eq!(stdout(&output), "R\n", "{}", stderr(&output));
}

#[test]
fn small_and_odd_boards() {
    let solution = |text: &str| {
        let output = gordian(&["solve", "-"], text);
        (stdout(&output), output.status.code())
    };
    let none = ("no solution: the board is contradictory\n".to_owned(), Some(1));
    assert_eq!(solution("nurikabe\n1\n"), ("1\n".to_owned(), Some(0)), "one cell of island");
    assert_eq!(solution("nurikabe\n.\n"), ("0\n".to_owned(), Some(0)), "one cell of sea");
    assert_eq!(solution("nurikabe\n. .\n. .\n"), none, "a block of sea");
    assert_eq!(solution("nurikabe\n4 .\n. .\n"), ("4 4\n4 4\n".to_owned(), Some(0)), "no sea at all");
    assert_eq!(solution("nurikabe\n? ?\n? ?\n"), none, "islands that touch");
    assert_eq!(solution("nurikabe\n? . ?\n"), ("1 0 1\n".to_owned(), Some(0)));
    assert_eq!(solution("nurikabe\n. 2 . . 1\n").0.lines().count(), 1, "a single row");
    assert_eq!(solution("nurikabe\n1 . . 1\n. . . .\n1 . . 1\n"), none);
    assert_eq!(solution("nurikabe\n9 .\n. .\n"), none, "a clue greater than the board");
    assert_eq!(solution("rooks\n#\n"), ("#\n".to_owned(), Some(0)), "nowhere to stand");
    assert_eq!(solution("rooks\n4\n"), none);
    assert_eq!(solution("rooks\n.\n"), ("R\n".to_owned(), Some(0)));
}

#[test]
fn one_json_object_per_board() {
    let output = gordian(&["solve", "instances/nurikabe/document-000.dzn", "--json"], "");
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["puzzle"], "nurikabe");
    assert_eq!(json["source"], "instances/nurikabe/document-000.dzn");
    assert_eq!(json["status"], "solved");
    assert_eq!(json["solution"]["grid"][1], serde_json::json!([1, 0, 4, 0, 3]));
    for step in ["parse", "model", "encode", "solve", "decode", "check", "total"] {
        assert!(json["stats"]["ms"][step].is_number(), "{step} in {text}");
    }
    let by_constraint: u64 = json["stats"]["constraints"]
        .as_object()
        .expect("an object")
        .values()
        .map(|row| row["literals"].as_u64().expect("a number"))
        .sum();
    assert_eq!(json["stats"]["literals"], by_constraint);

    let none = gordian(&["solve", "-", "--json"], "rooks\n4\n");
    let json: serde_json::Value = serde_json::from_str(&stdout(&none)).expect("JSON");
    assert_eq!(json["status"], "none");
    assert!(json.get("solution").is_none(), "absent keys are left out");
    assert_eq!(none.status.code(), Some(1));
}

#[test]
fn statistics_go_to_standard_error() {
    let output = gordian(&["solve", "instances/nurikabe/document-000.dzn", "--stats"], "");
    assert_eq!(stdout(&output), PUBLISHED);
    let report = stderr(&output);
    for word in
        ["variables", "clauses", "literals", "connectivity", "cardinality", "conflicts", "encode", "check"]
    {
        assert!(report.contains(word), "{word} in\n{report}");
    }
}

#[test]
fn every_solver_and_encoding_gives_the_solution() {
    for choice in [
        &["--solver", "varisat"][..],
        &["--encode", "connectivity=layers"],
        &["--encode", "cardinality=totalizer", "--encode", "at-most-one=pairwise"],
        &["--encode", "cardinality=sequential-counter", "--encode", "at-most-one=ladder"],
        &["--encode", "cardinality=binomial", "--encode", "at-most-one=product"],
    ] {
        let output = gordian(&[&["solve", "instances/nurikabe/document-001.dzn"], choice].concat(), "");
        assert_eq!(stdout(&output), PUBLISHED, "{choice:?}: {}", stderr(&output));
    }
}

#[test]
fn an_encoding_that_does_not_apply_is_reported() {
    let board = "instances/nurikabe/generated-7x7.txt";
    let solution = stdout(&gordian(&["solve", board], ""));
    let solve = |choice: &str| {
        let output = gordian(&["solve", board, "--encode", choice], "");
        assert_eq!(stdout(&output), solution, "{choice}: {}", stderr(&output));
        stderr(&output)
    };
    let said = solve("cardinality=binomial");
    assert_eq!(said, "gordian: cardinality=binomial does not apply here; totalizer is used\n");
    assert_eq!(solve("cardinality=totalizer"), "");
}
