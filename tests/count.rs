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

#[test]
fn samples_are_solutions_and_uniform() {
    // In each of four columns, a rook stands on one of two squares, so there are 16 solutions.
    let board = "rooks\n. # . # . # .\n. # . # . # .\n";
    let output = gordian(&["sample", "-", "-n", "1600", "--seed", "5", "--json"], board);
    let text = stdout(&output);
    let mut counts = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| line.contains(r#""number":"#)) {
        let grid = line.split_once(r#""solution":"#).expect("a solution").1;
        *counts.entry(grid.to_owned()).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 16, "{text}");
    // The 0.999999 quantile of the chi-square distribution with 15 degrees of freedom is 56.5.
    let chi_square: f64 = counts.values().map(|&count| (f64::from(count) - 100.0).powi(2) / 100.0).sum();
    assert!(chi_square < 56.5, "{chi_square}");
    let again = gordian(&["sample", "-", "-n", "3", "--seed", "5"], board);
    assert_eq!(again.stdout, gordian(&["sample", "-", "-n", "3", "--seed", "5"], board).stdout);
    let none = gordian(&["sample", "-"], "rooks\n. 4\n");
    assert_eq!((&*stdout(&none), none.status.code()), ("0\n", Some(1)));
}

#[test]
fn samples_of_models_are_solutions() {
    let model =
        "var 1..9: hidden;\nvar 1..9: x :: output_var;\nconstraint int_lt(hidden, x);\nsolve satisfy;\n";
    let output = gordian(&["sample", "-", "-n", "20"], model);
    assert!(output.status.success(), "{}", stderr(&output));
    let labyrinth = "labyrinth\nn = 4\nstart = 1\ntarget = 4\ngraph = [| 1, 2 | 2, 4 | 1, 3 | 3, 4 |]\n";
    let output = gordian(&["sample", "-", "-n", "20"], labyrinth);
    assert!(output.status.success(), "{}", stderr(&output));
}
