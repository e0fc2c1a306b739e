//! Known facts about the solution of a board: lists of facts, solutions, and partly filled boards.

use std::collections::BTreeSet;

use crate::support::{self, board};
use gordian::format::Source;
use gordian::puzzle::Puzzle;
use gordian_encodings::Lit;

/// Returns the facts in a state, as text.
fn state(board: &dyn Puzzle, text: &str) -> Result<BTreeSet<String>, String> {
    let plain = board.plain();
    let known = plain.read_known(board, &Source::new("state", text)).map_err(|error| error.to_string())?;
    let text = |lit: &Lit| plain.fact_of(*lit).map(|(fact, holds)| fact.text(holds)).expect("a fact");
    Ok(known.lits.iter().map(text).collect())
}

#[test]
fn partly_filled_boards_are_states() {
    let facts = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect::<BTreeSet<_>>());
    let nurikabe = board("nurikabe\n3 . .\n. . .\n. . ?\n");
    let known = facts(&["r1c2=island", "r2c2=sea", "r3c1=island"]);
    for text in [
        "% a comment\n3 3 ?\n* 0 .\n+ ? ?\n",
        "nurikabe\n3 + .\n. 0 . % a comment\n1 . ?\n",
        "r1c2=island, r2c2=sea % a comment\nr3c1=island",
        "1,2=island,2,2=sea,3,1=island",
        "b1=island B2=sea,3,1=island",
    ] {
        assert_eq!(state(&*nurikabe, text), known, "{text}");
    }
    assert_eq!(state(&*nurikabe, "% a comment\n"), facts(&[]));
    let rooks = board("rooks\n. #\n1 .\n");
    assert_eq!(state(&*rooks, "R #\n1 ?\n"), facts(&["r1c1=rook"]));
    assert_eq!(state(&*rooks, "R #\n1 .\n"), facts(&["r1c1=rook", "r2c2=empty"]));
    assert_eq!(state(&*rooks, "rooks\nR #\n1 .\n"), facts(&["r1c1=rook"]));
    let numcross = board("numcross\nr = 2\ns = 4\nS = {6}\n. .\n# #\n");
    let three = facts(&["r1c1=3", "r1c1=not-2", "r1c1=not-4"]);
    assert_eq!(state(&*numcross, "3 ?\n# #\n"), three);
    assert_eq!(state(&*numcross, "numcross\nr = 2\ns = 4\nS = {6}\n3 .\n# #\n"), three);
    let numberlink = board("numberlink\n1 . 1\n");
    let lines = facts(&["r1c1-r1c2=line", "r1c2-r1c3=line"]);
    assert_eq!(state(&*numberlink, "1 1 1\n╶ ─ ╴\n"), lines);
    assert_eq!(state(&*numberlink, "{\"grid\":[[1,1,1]]}"), lines);
    assert_eq!(state(&*numberlink, "r1c2-r1c1=line r1c2-r1c3=line"), lines);
    assert_eq!(state(&*numberlink, "1,2-1,1=line,b1-c1=line"), lines);
}

#[test]
fn the_output_of_solve_is_a_state() {
    let mut types = BTreeSet::new();
    for (puzzle_type, path) in support::boards() {
        if path.contains("impossible") || types.contains(&puzzle_type) {
            continue;
        }
        for json in [&[][..], &["--json"]] {
            let read = ["--puzzle", &puzzle_type, "--timeout", "20"];
            let solved = support::gordian(&[&["solve", &path], &read[..], json].concat(), "");
            let shown = support::stdout(&support::gordian(
                &[&["hint", &path, "-"], &read[..]].concat(),
                &support::stdout(&solved),
            ));
            assert_eq!(
                shown, "nothing else follows from the rules and the filled-in facts\n",
                "{path} {json:?}"
            );
        }
        types.insert(puzzle_type);
    }
    let all: BTreeSet<String> = support::boards().into_iter().map(|(puzzle_type, _)| puzzle_type).collect();
    assert_eq!(types, all);
}

#[test]
fn errors_in_states_name_the_place_and_what_is_expected() {
    let nurikabe = "nurikabe\n3 . .\n. . .\n. . ?\n";
    let rooks = "rooks\n. #\n1 .\n";
    let numberlink = "numberlink\n1 . 1\n. . .\n";
    for (text, wrong, expected) in [
        (
            nurikabe,
            "r1c2=sea\nr4c1=sea",
            "state:2:1: expected a cell of the board, which has 3 rows and 3 columns, found `r4c1=sea`",
        ),
        (
            nurikabe,
            "r1c1=sea",
            "state:1:1: expected a fact about another cell, because the board gives the value of r1c1, found `r1c1=sea`",
        ),
        (nurikabe, "r1c2=water", "state:1:1: expected `r1c2=sea` or `r1c2=island`, found `r1c2=water`"),
        (nurikabe, "2,1=sea,b1=wet", "state:1:9: expected `r1c2=sea` or `r1c2=island`, found `b1=wet`"),
        (
            nurikabe,
            "a4=sea",
            "state:1:1: expected a cell of the board, which has 3 rows and 3 columns, found `a4=sea`",
        ),
        (
            nurikabe,
            "1,1=sea",
            "state:1:1: expected a fact about another cell, because the board gives the value of r1c1, found `1,1=sea`",
        ),
        (
            nurikabe,
            "r1c2=sea, r1c2=island",
            "state:1:11: expected no opposite of an earlier fact, found `r1c2=island`",
        ),
        (
            nurikabe,
            "0 ? ?\n? ? ?\n? ? ?",
            "state:1:1: expected `3`, the clue of the cell, or `?` for an unknown cell, found `0`",
        ),
        (
            nurikabe,
            "? ? ?\n? ? ?\n? ? 0",
            "state:3:5: expected `+` or the size of the island, because the cell has a clue, or `?` for an unknown cell, found `0`",
        ),
        (nurikabe, "nurikabe\n3 . .\n. . .\n", "state:4:1: expected 3 rows, as on the board, found 2 rows"),
        (
            nurikabe,
            "{\"grid\":[[1]]}",
            "state:1:1: expected a solution with 3 rows and 3 columns, found 1 row and 1 column",
        ),
        (
            nurikabe,
            "{\"path\":[1]}",
            "state:1:1: expected a solution of `nurikabe`, found no field of such a solution",
        ),
        (
            rooks,
            "r1c2=rook",
            "state:1:1: expected a fact about another cell, because the board gives the value of r1c2, found `r1c2=rook`",
        ),
        (rooks, "R .\n1 ?", "state:1:3: expected `#`, or `?` for an unknown cell, found `.`"),
        (
            numberlink,
            "r1c1-r2c2=line",
            "state:1:1: expected two adjacent cells, as in `r1c1-r1c2=line`, found `r1c1-r2c2=line`",
        ),
        (
            numberlink,
            "r1c1=line",
            "state:1:1: expected a fact about the side between two cells, such as `r1c1-r1c2=line`, found `r1c1=line`",
        ),
        (
            numberlink,
            "r2c3-r2c4=line",
            "state:1:1: expected a cell of the board, which has 2 rows and 3 columns, found `r2c3-r2c4=line`",
        ),
        (
            nurikabe,
            "nurikabe\nr1c2 = sea\n",
            "state:2:1: expected `3`, the clue of the cell, or `?` for an unknown cell, found `r1c2`",
        ),
        (
            nurikabe,
            "r1c2=island\nlater:\nr1c2=sea",
            "state:2:1: expected a fact such as `r1c2=sea`, found `later:`",
        ),
        (rooks, "nurikabe\nR #\n1 .\n", "state:1:1: expected a board of the type `rooks`, found `nurikabe`"),
        (rooks, "R #\n1 .\nknown: 1\n", "state:3:1: expected 2 rows, as on the board, found 3 rows"),
        (
            rooks,
            "{\"status\":\"none\"}",
            "state:1:1: expected a solution in the key `solution`, found a result without a solution",
        ),
    ] {
        assert_eq!(state(&*board(text), wrong), Err(expected.to_owned()), "{wrong}");
    }
    let help = board(numberlink);
    let error = help.plain().read_known(&*help, &Source::new("state", "numberlink\n1 . 1\n. . .\n"));
    let error = error.expect_err("a board is not a solution");
    let expected =
        "`numberlink` has no text for partly filled boards: list the known facts, such as `r1c1-r1c2=line`";
    assert_eq!(error.help(), Some(expected));
}

/// A complete solution may be wrong although its facts are possible, for example because of a wrong size of an island.
#[test]
fn wrong_solutions_are_reported() {
    let directory = tempfile::tempdir().expect("a directory");
    let [file, state] = ["board", "state"].map(|name| directory.path().join(name).display().to_string());
    for (board, solution, rule) in [
        ("nurikabe\n3 . .\n. . .\n. . ?\n", "3 3 3\n0 0 0\n1 1 1\n", "the number 1 on an island"),
        (
            "nurikabe\n3 . .\n. . .\n. . ?\n",
            "{\"grid\":[[1,9,9],[0,0,0],[9,9,9]]}",
            "the number 1 on an island",
        ),
        ("numberlink\n1 . 1\n", "{\"grid\":[[2,2,2]]}", "2 at an end of 1"),
        ("rooks\n. #\n", "{\"grid\":[[1,1]]}", "a rook on a block"),
    ] {
        std::fs::write(&file, board).expect("a file");
        std::fs::write(&state, solution).expect("a file");
        for (command, start) in [
            (&["hint", &file, &state][..], "the filled-in solution is wrong: "),
            (&["why", &file, "--answer", &state], "the solution is wrong: "),
        ] {
            let done = support::gordian(command, "");
            let text = support::stdout(&done);
            assert!(text.starts_with(start) && text.contains(rule), "{board}{solution}: {text}");
            assert_eq!(done.status.code(), Some(1));
        }
        let checked = support::stdout(&support::gordian(&["check", &file, &state], ""));
        assert!(checked.starts_with("wrong: "), "{checked}");
    }
    // The facts themselves contradict the rules.
    std::fs::write(&file, "rooks\n. .\n").expect("a file");
    std::fs::write(&state, "R R\n").expect("a file");
    let hint = support::stdout(&support::gordian(&["hint", &file, &state], ""));
    assert!(hint.starts_with("no solution has the filled-in facts"), "{hint}");
}

#[test]
fn facts_on_the_command_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = directory.path().join("board").display().to_string();
    std::fs::write(&board, "nurikabe\n3 . .\n. . .\n. . ?\n").expect("a file");
    let run = |arguments: &[&str]| {
        let done = support::gordian(&[&[arguments[0], &board], &arguments[1..]].concat(), "");
        (support::stdout(&done) + &support::stderr(&done), done.status.code())
    };
    let (step, code) = run(&["hint", "r1c2=island", "r2c2=sea"]);
    assert!(step.starts_with("next step\n") && code == Some(0), "{step}");
    assert_ne!(step, run(&["hint"]).0, "the facts matter");
    for facts in [&["1,2=island", "b2=sea"][..], &["r1c2=island,2,2=sea"], &["r1c2=island r2c2=sea"]] {
        assert_eq!(run(&[&["hint"], facts].concat()), (step.clone(), Some(0)), "{facts:?}");
    }
    let impossible = ["r1c2=sea", "r1c3=sea", "r2c2=sea", "r2c3=sea"];
    let (text, code) = run(&[&["hint"], &impossible[..]].concat());
    let why = format!("`gordian why {board} --answer {}` shows the reason", impossible.join(","));
    assert!(text.contains(&why) && code == Some(1), "{text}");
    let (text, code) = run(&["why", "--answer", &impossible.join(",")]);
    assert!(text.contains("no 2x2 sea at r1c2") && code == Some(0), "{text}");
    let forced = run(&["why", "--cell", "r2c2=sea"]);
    assert!(forced.0.starts_with("r2c2=sea is forced by ") && forced.1 == Some(0), "{}", forced.0);
    for fact in ["r2c2=sea", "r2c2", "2,2=sea", "B2"] {
        assert_eq!(run(&["why", fact]), forced, "{fact}");
    }
    let (text, code) = run(&["why", "r9c9"]);
    assert!(
        text.contains("fact r9c9: expected a cell of the board, which has 3 rows") && code == Some(2),
        "{text}"
    );
    let (text, code) = run(&["hint", "r1c2=sea", "b1=island"]);
    let message = "facts:1:10: expected no opposite of an earlier fact, found `b1=island`";
    assert!(text.contains(message) && code == Some(2), "{text}");
    // A file whose name contains `=` is a file.
    let file = directory.path().join("r1c2=sea").display().to_string();
    std::fs::write(&file, "r1c2=island r2c2=sea\n").expect("a file");
    assert_eq!(run(&["hint", &file]), (step, Some(0)));
}
