//! Compares the number of solutions of boards of f-puzzles.com with numbers from a program without Gordian: it filters
//! all Latin squares of size 4, and reads the JSON by itself.

use crate::support::{gordian, stderr, stdout};

/// One board a line: the number of its solutions, and its JSON. The rules are those of the solver that the editor calls.
const BOARDS: &str = include_str!("fpuzzles.txt");

#[test]
fn boards_have_as_many_solutions_as_a_filter_of_all_latin_squares_finds() {
    for line in BOARDS.lines() {
        let (expected, json) = line.split_once(' ').expect("a number and a board");
        let output = gordian(&["solve", "-", "--count"], json);
        assert_eq!(stdout(&output).trim(), expected, "{json}\n{}", stderr(&output));
    }
}
