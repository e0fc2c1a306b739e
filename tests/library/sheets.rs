//! Tests of the puzzle types that are stated by rule sheets, on the sample board of each sheet.

use crate::support::{self, gordian, stderr, stdout};
use gordian::format::Source;
use gordian::puzzle;
use gordian::read::{self, ReadOptions};
use gordian_rules::sheet::{SHEETS, SheetRow};

/// Returns the output of a command on the sample board of a sheet.
fn run(row: &SheetRow, arguments: &[&str]) -> String {
    let output = gordian(arguments, row.sample);
    assert_eq!(output.status.code(), Some(0), "{} {arguments:?}: {}", row.name, stderr(&output));
    stdout(&output)
}

/// Returns the number of solutions that the first line of a sample states.
fn solutions(row: &SheetRow) -> usize {
    let first = row.sample.lines().next().and_then(|line| line.strip_prefix("% solutions: "));
    first
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("{}: no number of solutions", row.name))
}

#[test]
fn every_sample_has_the_stated_number_of_solutions() {
    for row in SHEETS {
        let count = run(row, &["solve", "-", "--count"]);
        assert_eq!(count.trim(), solutions(row).to_string(), "{}", row.name);
        let unique = run(row, &["solve", "-", "--unique"]);
        assert_eq!(unique.starts_with("unique"), solutions(row) == 1, "{}: {unique}", row.name);
    }
}

#[test]
fn a_printed_solution_is_accepted_and_the_board_alone_is_not() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = directory.path().join("board.txt");
    let board = board.to_str().expect("a path");
    for row in support::drawn(SHEETS) {
        std::fs::write(board, row.sample).expect("a file");
        let solution = stdout(&gordian(&["solve", board], ""));
        let checked = gordian(&["check", board, "-"], &solution);
        assert_eq!(checked.status.code(), Some(0), "{}: {}\n{solution}", row.name, stderr(&checked));
        let json = stdout(&gordian(&["solve", board, "--json"], ""));
        let checked = gordian(&["check", board, "-"], &json);
        assert_eq!(checked.status.code(), Some(0), "{}: {}\n{json}", row.name, stderr(&checked));
        let drawn = stdout(&gordian(&["show", board], ""));
        let checked = gordian(&["check", board, "-"], &drawn);
        assert_ne!(checked.status.code(), Some(0), "{}: {drawn}", row.name);
    }
}

#[test]
fn every_unique_sample_is_explained_step_by_step() {
    for row in support::drawn(SHEETS.iter().filter(|row| solutions(row) == 1)) {
        let text = run(row, &["explain", "-"]);
        // On a small board, a rule can leave no choice from the start.
        assert!(text.lines().count() > 2 || text.contains("0 of 0 facts"), "{}: {text}", row.name);
    }
}

#[test]
fn a_sheet_of_the_user_states_a_puzzle_type() {
    let directory = tempfile::tempdir().expect("a directory");
    let sheet = directory.path().join("my.sheet");
    let path = sheet.to_str().expect("a path");
    let text = "puzzle coins\ndata columns clue\ndata rows clue\nvar coin on cells\nsolution coin mark \"o\"\n\
                rule \"clue\" for l in clue: count(c in l: coin(c)) = clue(l)\n";
    std::fs::write(&sheet, text).expect("a file");
    let board = "coins\n2 1\n1 2\n";
    let solved = gordian(&["solve", "-", "--rules", path, "--unique"], board);
    assert_eq!(stdout(&solved), "unique\no .\no o\n", "{}", stderr(&solved));
    std::fs::write(&sheet, text.replace("cells", "cels")).expect("a file");
    let refused = gordian(&["solve", "-", "--rules", path], board);
    assert_eq!(refused.status.code(), Some(2));
    let message = stderr(&refused);
    assert!(message.contains("my.sheet:4:13") && message.contains("did you mean `cells`?"), "{message}");
}

/// Solutions show the cells of a piece, not their order.
#[test]
fn pieces_with_the_same_cells_in_another_order_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let sheet = directory.path().join("my.sheet");
    let path = sheet.to_str().expect("a path");
    let text = "puzzle pushes\ndata grid stone: {'o'}\n\
                let pushes = set(c in cells, x in neighbours(c): {c, x})\nvar push on pushes\n\
                solution push pieces\n\
                rule \"from a stone\" for p in pushes: push(p) => at(p, 1) in stone and not at(p, 2) in stone\n\
                rule \"once\" for c in cells: count(p in containing(pushes, c): push(p)) <= 1\n\
                rule \"each stone\" for c in stone: any(p in pushes where at(p, 1) = c: push(p))\n";
    std::fs::write(&sheet, text).expect("a file");
    let refused = gordian(&["solve", "-", "--rules", path], "pushes\no . .\n");
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    let message = stderr(&refused);
    let found = "a board on which the sets of `push` have different cells, found two sets with r1c1, r1c2";
    assert!(message.contains(found) && message.contains("sorted"), "{message}");
    // On a board with a single cell, there is no such set.
    let solved = gordian(&["solve", "-", "--rules", path], "pushes\n.\n");
    assert_eq!(solved.status.code(), Some(0), "{}", stderr(&solved));
}

#[test]
fn a_board_that_does_not_fit_its_sheet_is_refused_with_its_place() {
    for (board, place) in [
        ("slitherlink\n3 . 5\n", "2:5"),
        ("slitherlink\n3 .\n. . .\n", "3:1"),
        ("heyawake\na a\n1 .\n. .\n", "4:1"),
        ("starbattle\na a\nb b\n", ""),
    ] {
        let refused = gordian(&["solve", "-"], board);
        assert_eq!(refused.status.code(), Some(2), "{board}");
        assert!(stderr(&refused).contains(place), "{board}: {}", stderr(&refused));
    }
}

/// The page of `gordian web` edits a board as lines before the cells and the tokens of the cells. Together, they must be
/// the board.
#[test]
fn an_editor_shows_the_whole_board() {
    let mut with_blocks_before = 0;
    for puzzle_type in puzzle::all() {
        let name = puzzle_type.name;
        let board = |text: &str| {
            let read = read::board(&Source::new(name, text), &ReadOptions::of_type(puzzle_type));
            read.unwrap_or_else(|error| panic!("{error}: {text}")).puzzle
        };
        let sample = board(puzzle_type.readers[0].sample());
        let Some(editor) = sample.editor() else { continue };
        let tokens = sample.draw(None).tokens().expect("cells");
        let rows: Vec<String> = tokens.iter().map(|row| row.join(" ")).collect();
        let again = board(&format!("{}\n{}\n", editor.header, rows.join("\n")));
        assert_eq!(again.draw(None).text(false), sample.draw(None).text(false), "{name}");
        with_blocks_before += usize::from(editor.header.lines().count() > tokens.len());
        for token in tokens.iter().flatten() {
            let is_number = editor.clues.numbers && token.parse::<u32>().is_ok();
            assert!(is_number || editor.clues.words.contains(token), "{name}: {token}: {:?}", editor.clues);
        }
    }
    assert!(with_blocks_before > 3, "{with_blocks_before}");
}
