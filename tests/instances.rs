//! Every board in `instances/` has the result that stands beside it in `NAME.expected.json`: `status` of `solve`,
//! `objective` and `count` where they are known, `solution` where it is the only one.
#![cfg(feature = "tool")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{gordian, stderr, stdout};

/// All boards, in the order of their names.
fn boards() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances");
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut entries: Vec<PathBuf> = entries.collect();
        entries.sort();
        entries
    };
    let kinds = entries(&folder).into_iter().filter(|path| path.is_dir());
    let files = kinds.flat_map(|kind| entries(&kind));
    files
        .filter(|path| !path.to_string_lossy().ends_with(".expected.json") && !path.ends_with("NOTICE"))
        .collect()
}

/// The last line of `solve PATH ARGUMENTS --json`.
fn solve(path: &Path, arguments: &[&str]) -> Value {
    let path = path.to_str().expect("a path in UTF-8");
    let kind =
        Path::new(path).parent().and_then(Path::file_name).and_then(|name| name.to_str()).expect("a folder");
    let output = gordian(&[&["solve", path, "--puzzle", kind, "--json"], arguments].concat(), "");
    let text = stdout(&output);
    let last = text.lines().last().unwrap_or_else(|| panic!("{path} {arguments:?}: {}", stderr(&output)));
    serde_json::from_str(last).expect("JSON")
}

#[test]
fn every_board_has_its_expected_result() {
    let boards = boards();
    assert!(boards.len() >= 12, "{boards:?}");
    for board in boards {
        let name = board.with_extension("expected.json");
        let text = fs::read_to_string(&name).unwrap_or_else(|error| panic!("{}: {error}", name.display()));
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        let known = ["status", "objective", "count", "solution"];
        let keys = expected.as_object().expect("an object").keys();
        assert!(keys.clone().all(|key| known.contains(&key.as_str())), "{}: {keys:?}", name.display());

        let found = solve(&board, &[]);
        assert_eq!(found["status"], expected["status"], "{}", board.display());
        for key in ["objective", "solution"] {
            if let Some(value) = expected.get(key) {
                assert_eq!(&found[key], value, "{key} of {}", board.display());
            }
        }
        if let Some(count) = expected.get("count") {
            assert_eq!(&solve(&board, &["--count"])["count"], count, "{}", board.display());
        }
    }
}
