//! Compares the results of model counters with published numbers and with lists of all solutions.

use std::collections::BTreeSet;
use std::process::Output;

use crate::support::{gordian, stderr, stdout};

fn count(board: &str, arguments: &[&str]) -> Output {
    gordian(&[&["solve", "-", "--count"], arguments].concat(), board)
}

/// A rooks board that has only empty squares. Its solutions are the placements of `size` rooks, one in each row and
/// column.
fn empty_rooks(size: usize) -> String {
    format!("rooks\n{}", format!("{}\n", ". ".repeat(size)).repeat(size))
}

#[test]
fn many_solutions_are_counted_without_a_list() {
    let output = count(&empty_rooks(10), &[]);
    assert_eq!((&*stdout(&output), output.status.code()), ("3628800\n", Some(0)), "{}", stderr(&output));
    // Four empty boards of size 5, separated by blocks, have (5!)^4 solutions. These are too many solutions to list.
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
    // The board consists of 72 separate columns of two squares. In each column, one of the two squares has a rook.
    let board = format!("rooks\n{}", pair.repeat(6));
    let output = count(&board, &["--json"]);
    assert!(stdout(&output).contains(r#""count":"4722366482869645213696""#), "{}", stdout(&output));
    let output = count(&board, &[]);
    assert_eq!(stdout(&output), "4722366482869645213696\n");
}

#[test]
fn output_variables_are_counted_once() {
    // Each value of `x` counts as one solution, although it occurs with several values of `hidden`.
    let model = "var 1..200: hidden;\nvar 1..60000: x :: output_var;\nconstraint \
                 int_le(hidden, x);\nsolve satisfy;\n";
    let output = count(model, &[]);
    assert_eq!(stdout(&output), "60000\n", "{}", stderr(&output));
}

#[test]
fn a_limit_leaves_a_lower_bound() {
    let output = count(&empty_rooks(40), &["--timeout", "2"]);
    let text = stdout(&output);
    let number = text.trim().strip_prefix("at least ").expect("a lower bound");
    assert!(number.parse::<u128>().expect("a number") > 0, "{text}");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

/// Listing the solutions would take hours, but the sweep has few states.
#[test]
fn rooks_on_an_empty_board_are_permutations() {
    let output = count(&empty_rooks(12), &[]);
    assert_eq!(stdout(&output), "479001600\n", "{}", stderr(&output));
}

#[test]
fn threads_count_by_several_methods() {
    for threads in ["2", "3", "8"] {
        let output = count(&empty_rooks(9), &["--threads", threads]);
        assert_eq!(stdout(&output), "362880\n", "{}", stderr(&output));
        let output = count("rooks\n. 4\n", &["--threads", threads]);
        assert_eq!((&*stdout(&output), output.status.code()), ("0\n", Some(1)));
        let values = gordian(&["backbone", "-", "--counts", "--threads", threads], "rooks\n. . #\n. . .\n");
        let text = stdout(&values);
        assert!(text.starts_with("4 solutions\n") && text.contains("r2c3      0          2"), "{text}");
    }
}

/// In each of 40 columns, a rook stands on one of two squares, so there are 2^40 solutions. Of these solutions, the
/// left-right mirror and the half turn each map 2^20 to themselves, and the top-bottom mirror maps none to itself. By
/// Burnside's lemma, there are (2^40 + 2^20 + 2^20) / 4 orbits.
#[test]
fn orbits_are_counted_without_a_list() {
    let row = format!("{}.", ". # ".repeat(39));
    let output = count(&format!("rooks\n{row}\n{row}\n"), &["--symmetry", "break"]);
    assert_eq!(stdout(&output), "274878431232\n", "{}", stderr(&output));
    assert!(
        stderr(&output).contains("1099511627776 including their symmetric images"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn counts_of_values_are_a_table() {
    let output = gordian(&["facts", "-", "--counts"], "rooks\n. .\n. .\n");
    let expected = "2 solutions\ncell  value  solutions   share\nr1c1      0          1  50.0 %\n";
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    // The shares of a cell add up to 100 %: 2/3 and 1/3 are not both rounded down.
    let three = stdout(&gordian(&["backbone", "-", "--counts"], "rooks\n. . .\n"));
    assert!(three.contains("r1c1      0          2  66.7 %\nr1c1      1          1  33.3 %\n"), "{three}");
    let seven = "var 1..7: x :: output_var;\nsolve satisfy;\n";
    let seven = stdout(&gordian(&["backbone", "-", "--counts"], seven));
    assert_eq!((seven.matches("14.3 %").count(), seven.matches("14.2 %").count()), (6, 1), "{seven}");
    let none = gordian(&["backbone", "-", "--counts"], "rooks\n. 4\n");
    assert_eq!(
        (stdout(&none).as_str(), none.status.code()),
        ("no solution: the board is contradictory\n", Some(1))
    );
    // After a timeout, the output contains only a lower bound on the number of solutions.
    let stopped = gordian(&["backbone", "-", "--counts", "--timeout", "1"], &empty_rooks(40));
    assert_eq!(stopped.status.code(), Some(3));
    let text = stdout(&stopped);
    assert!(text.starts_with("at least ") && text.lines().count() == 1, "{text}");
}

/// By symmetry, each square of an empty board has a rook in the same number of solutions.
#[test]
fn values_of_many_solutions_are_counted() {
    let output = gordian(&["backbone", "-", "--counts", "--json"], &empty_rooks(10));
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(json["count"], 3_628_800);
    let rows = json["counts"]["grid"].as_array().expect("rows");
    for cell in rows.iter().flat_map(|row| row.as_array().expect("a row")) {
        assert_eq!(cell[0], serde_json::json!({"value": 0, "count": 3_265_920}));
        assert_eq!(cell[1], serde_json::json!({"value": 1, "count": 362_880}));
    }
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

/// The models of a formula are counted, onto the listed variables if there are any.
#[test]
fn models_of_formulas_are_counted() {
    let clauses = "p cnf 6 3\n1 2 0\n-1 3 4 0\n-2 -3 0\n";
    let models = (0..64_u32).filter(|bits| {
        let holds = |lit: i32| (bits >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
        [&[1, 2][..], &[-1, 3, 4], &[-2, -3]].iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
    });
    let models: Vec<u32> = models.collect();
    let projected = |mask: u32| models.iter().map(|bits| bits & mask).collect::<BTreeSet<_>>().len();
    for (lines, kind, count) in [
        ("", "mc", models.len()),
        ("c comment p show 1\nc individual\n", "mc", models.len()),
        ("c p show 1 2\nc p show 5 0\n", "pmc", projected(0b10011)),
        ("c ind 3 0\n", "pmc", projected(0b100)),
        ("c p show 0\n", "pmc", 1),
    ] {
        for text in [format!("{lines}{clauses}"), format!("{clauses}{lines}")] {
            let output = gordian(&["sat", "-", "--count"], &text);
            let expected = format!("s SATISFIABLE\nc s type {kind}\nc s exact arb int {count}\n");
            assert!(stdout(&output).ends_with(&expected), "{text}{}{}", stdout(&output), stderr(&output));
            assert_eq!(output.status.code(), Some(10));
        }
    }
    let output = gordian(&["sat", "-", "--count"], "p cnf 2 2\n1 0\n-1 0\n");
    assert!(stdout(&output).contains("s UNSATISFIABLE\nc s type mc\nc s exact arb int 0\n"));
    assert_eq!(output.status.code(), Some(20));
    let output = gordian(&["sat", "-", "--count"], "c p show 7 0\np cnf 6 0\n");
    assert!(
        stderr(&output).contains("-:1:10: expected a variable from 1 to 6, or 0, found `7`"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(2));
}

/// The counter agrees with the counts of boards.
#[test]
fn exported_formulas_have_as_many_models_as_boards_have_solutions() {
    for board in [empty_rooks(4), "heyawake\n1 1 2\n1 1 2\n1 1 2\n\n. . .\n. . .\n. . .\n".to_owned()] {
        let solutions = stdout(&count(&board, &[]));
        let exported = gordian(&["export", "-", "--for", "counting"], &board);
        let models = gordian(&["sat", "-", "--count"], &stdout(&exported));
        let expected = format!("c s exact arb int {solutions}");
        assert!(stdout(&models).ends_with(&expected), "{board}{solutions}{}", stdout(&models));
    }
}
