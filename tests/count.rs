//! Compares counts by model counters with published numbers and with lists of all solutions.

mod support;

use std::process::Output;

use support::{gordian, stderr, stdout};

fn count(board: &str, arguments: &[&str]) -> Output {
    gordian(&[&["solve", "-", "--count"], arguments].concat(), board)
}

/// A board of rooks with empty squares only. Its solutions are the placements of `size` rooks, one in each row and
/// column.
fn empty_rooks(size: usize) -> String {
    format!("rooks\n{}", format!("{}\n", ". ".repeat(size)).repeat(size))
}

#[test]
fn many_solutions_are_counted_without_a_list() {
    let output = count(&empty_rooks(10), &[]);
    assert_eq!((&*stdout(&output), output.status.code()), ("3628800\n", Some(0)), "{}", stderr(&output));
    // Four empty boards of size 5, separated by blocks, have (5!)^4 solutions, of which only a part can be listed.
    let half = format!("{}# {}", ". ".repeat(5), ". ".repeat(5));
    let rows = [vec![half.clone(); 5], vec!["# ".repeat(11)], vec![half; 5]].concat();
    let board = format!("rooks\n{}\n", rows.join("\n"));
    let output = count(&board, &["--json"]);
    assert!(stdout(&output).contains(r#""status":"solved","count":207360000,"#), "{}", stdout(&output));
}

#[test]
fn a_count_may_exceed_the_integers_of_json() {
    let row = ". # ".repeat(12);
    let pair = format!("{row}\n{row}\n{}\n", "# ".repeat(24));
    // In each of 72 columns of two squares, one of two squares has a rook.
    let board = format!("rooks\n{}", pair.repeat(6));
    let output = count(&board, &["--json"]);
    assert!(stdout(&output).contains(r#""count":"4722366482869645213696""#), "{}", stdout(&output));
    let output = count(&board, &[]);
    assert_eq!(stdout(&output), "4722366482869645213696\n");
}

#[test]
fn output_variables_are_counted_once() {
    // The solutions are the values of `x`, each with several values of `hidden`.
    let model = "var 1..200: hidden;\nvar 1..60000: x :: output_var;\nconstraint \
                 int_le(hidden, x);\nsolve satisfy;\n";
    let output = count(model, &[]);
    assert_eq!(stdout(&output), "60000\n", "{}", stderr(&output));
}

#[test]
fn a_limit_leaves_a_lower_bound() {
    let output = count(&empty_rooks(40), &["--timeout", "2"]);
    let found: u128 = stdout(&output).trim().parse().expect("a number");
    assert!(found > 0 && output.status.code() == Some(3), "{}", stderr(&output));
}
