//! Tests that every board in `instances/` has the result in the file `NAME.expected.json`. The file contains the
//! `status` of `solve`, the `objective` and the `count` if they are known, and the `solution` if it is unique.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{boards, gordian, stderr, stdout};
use gordian::puzzle::PUZZLES;
use serde_json::Value;

/// Returns the last line that `solve PATH ARGUMENTS --json` prints.
fn solve(path: &str, puzzle: &str, arguments: &[&str]) -> Value {
    let output = gordian(&[&["solve", path, "--puzzle", puzzle, "--json"], arguments].concat(), "");
    let text = stdout(&output);
    let last = text.lines().last().unwrap_or_else(|| panic!("{path} {arguments:?}: {}", stderr(&output)));
    serde_json::from_str(last).expect("JSON")
}

#[test]
fn every_board_has_its_expected_result() {
    let boards = boards();
    assert!(boards.len() >= 12, "{boards:?}");
    let directories: BTreeSet<_> = boards.iter().map(|(puzzle, _)| puzzle.as_str()).collect();
    let written: BTreeSet<_> = PUZZLES.iter().map(|puzzle| puzzle.name).collect();
    assert!(written.is_subset(&directories), "each puzzle type in Rust has boards");
    for (puzzle, board) in &boards {
        let name = Path::new(board).with_extension("expected.json");
        let text = fs::read_to_string(&name).unwrap_or_else(|error| panic!("{}: {error}", name.display()));
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        let known = ["status", "objective", "count", "solution"];
        let keys = expected.as_object().expect("an object").keys();
        assert!(keys.clone().all(|key| known.contains(&key.as_str())), "{}: {keys:?}", name.display());

        let found = solve(board, puzzle, &[]);
        assert_eq!(found["status"], expected["status"], "{board}");
        for key in ["objective", "solution"] {
            if let Some(value) = expected.get(key) {
                assert_eq!(&found[key], value, "{key} of {board}");
            }
        }
        if let Some(count) = expected.get("count") {
            assert_eq!(&solve(board, puzzle, &["--count"])["count"], count, "{board}");
        }
    }
}
