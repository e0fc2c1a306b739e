//! Tests that `check` accepts the output of `solve` and detects every error.

use std::path::PathBuf;

use crate::support::{board, gordian, stderr, stdout};

use gordian::rules::{Grid, Solution};

const NURIKABE: &str = "instances/nurikabe/document-000.dzn";

/// Creates a temporary file with the given text.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gordian-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file in the temporary directory");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn accepts_the_output_of_solve() {
    let rooks = Temporary::new("rooks.txt", "rooks\n. . .\n. 4 .\n. . #\n");
    for path in [NURIKABE, rooks.path()] {
        for form in [&["solve", path][..], &["solve", path, "--json"]] {
            let solution = stdout(&gordian(form, ""));
            let output = gordian(&["check", path, "-"], &solution);
            assert_eq!(stdout(&output), "correct\n", "{solution}{}", stderr(&output));
            assert_eq!(output.status.code(), Some(0));
        }
    }
}

#[test]
fn reports_the_violated_rule_and_its_position() {
    let output =
        gordian(&["check", NURIKABE, "-"], "0 0 0 0 3\n1 0 4 0 3\n0 0 4 0 3\n2 0 4 4 0\n2 0 0 0 1\n");
    assert_eq!(stdout(&output), "wrong: clue at r5c5\n");
    assert_eq!(output.status.code(), Some(1));
    let output = gordian(&["check", NURIKABE, "-"], "{\"grid\": [[1, 0], [0, 1]]}");
    assert_eq!(stdout(&output), "wrong: `grid` has 2 rows and 2 columns, the board 5 and 5\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn rejects_input_that_is_not_a_solution() {
    let refused = |solution: &str, message: &str| {
        let output = gordian(&["check", NURIKABE, "-"], solution);
        assert!(stderr(&output).contains(message), "expected {message} in {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    };
    refused("0 0 0\n", "standard input:2:1: expected 5 rows, as on the board, found 1 row\n");
    refused(
        "0 0 0 0 3\n1 0\n0\n0\n0\n",
        "standard input:2:1: expected 5 cells, as on the board, found 2 cells\n",
    );
    refused(
        "0 0 0 0 x\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n",
        "standard input:1:9: expected `0`, the size of the island, or `+` for an island of any size, found `x`",
    );
    refused("{\"grid\": [[0], [0, 1]]}", "expected rows of numbers of one length");
    refused("{\"grid\": null}", "found `null`");
}

/// Asserts that the check rejects the solution if any single cell is changed to another number from -1 to `most`.
fn every_change_fails(text: &str, solution: &[&[i128]], most: i128) {
    let puzzle = board(text);
    let (rows, columns) = (solution.len(), solution[0].len());
    let cells: Vec<i128> = solution.iter().copied().flatten().copied().collect();
    let checked = |cells: &[i128]| {
        let grid = Grid::new(rows, columns, cells.to_vec());
        puzzle.check(&Solution::from_grid(grid))
    };
    assert_eq!(checked(&cells), Ok(()));
    for cell in 0..cells.len() {
        for value in (-1..=most).filter(|&value| value != cells[cell]) {
            let mut changed = cells.clone();
            changed[cell] = value;
            assert!(checked(&changed).is_err(), "cell {cell} = {value} passes");
        }
    }
}

#[test]
fn every_change_of_one_cell_is_rejected() {
    every_change_fails(
        "nurikabe\n. . . . .\n1 . . . .\n. . . . 3\n. . . 4 .\n2 . . . .\n",
        &[&[0, 0, 0, 0, 3], &[1, 0, 4, 0, 3], &[0, 0, 4, 0, 3], &[2, 0, 4, 4, 0], &[2, 0, 0, 0, 0]],
        6,
    );
    every_change_fails("nurikabe\n? . . ?\n", &[&[1, 0, 0, 1]], 0);
    every_change_fails("rooks\n. . .\n. 4 .\n. . #\n", &[&[0, 1, 0], &[1, 0, 1], &[0, 1, 0]], 2);
}
