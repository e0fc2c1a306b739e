//! Tests `--all`, `--limit`, `--count`, `--unique` and `--objective`, and the effect of limits on them.

use std::collections::BTreeSet;

use crate::support::{gordian, stderr, stdout};
use serde_json::Value;

/// A one-row board with three solutions: a rook on any of its three squares.
const THREE: &str = "rooks\n. . .\n";

fn ask(arguments: &[&str], text: &str) -> (String, Option<i32>) {
    let output = gordian(&[&["solve", "-"], arguments].concat(), text);
    assert!(!stderr(&output).contains("bug"), "{}", stderr(&output));
    (stdout(&output), output.status.code())
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_published_numbers_of_rooks() {
    let count = |text: &str| ask(&["--count"], text).0.trim().parse::<usize>().expect("a number");
    assert_eq!(count("rooks\n# # #\n# # #\n# # #\n"), 1, "everything blocked");
    assert_eq!(count("rooks\n# # #\n# . #\n# # #\n"), 1, "all but one blocked");
    assert_eq!(count("rooks\n4 . .\n. . .\n. . .\n"), 0, "impossible");
    assert_eq!(count(&format!("rooks\n{}", ". . . . .\n".repeat(5))), 120);
    assert_eq!(count(&format!("rooks\n{}", ". # . . .\n".repeat(5))), 300);
    let columns = ". . . . .\n# # # # #\n. . . . .\n. . . . .\n. . . . .\n";
    assert_eq!(count(&format!("rooks\n{columns}")), 300);
}

#[test]
fn all_solutions_are_printed_once_with_their_count() {
    let (text, code) = ask(&["--all"], THREE);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.pop(), Some("3"));
    assert_eq!(lines.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from([". . R", ". R .", "R . ."]));
    assert_eq!((lines.len(), code), (3, Some(0)));

    let (text, _) = ask(&["--all", "--json"], THREE);
    let mut objects = json(&text);
    let last = objects.pop().expect("a last line");
    assert_eq!((&last["count"], &last["status"]), (&Value::from(3), &Value::from("solved")));
    assert!(last["stats"]["ms"]["total"].is_number());
    let solutions: BTreeSet<String> =
        objects.iter().map(|object| object["solution"]["grid"].to_string()).collect();
    assert_eq!(solutions.len(), 3, "{text}");
    assert_eq!(
        objects.iter().map(|object| object["number"].as_u64()).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
}

#[test]
fn the_number_of_solutions_is_limited() {
    let boards =
        |limit: &str| ask(&["--limit", limit], THREE).0.lines().filter(|line| line.contains('R')).count();
    assert_eq!([boards("0"), boards("2"), boards("3"), boards("9")], [0, 2, 3, 3]);
    assert_eq!(ask(&["--limit", "2"], THREE).1, Some(0));
    assert_eq!(ask(&["--all"], "rooks\n4\n"), ("0\n".to_owned(), Some(1)));
    assert_eq!(ask(&["--count"], "rooks\n4\n"), ("0\n".to_owned(), Some(1)));
}

#[test]
fn unique_prints_two_solutions_and_their_differences() {
    assert_eq!(ask(&["--unique"], "rooks\n. #\n"), ("unique\nR #\n".to_owned(), Some(0)));
    let (text, code) = ask(&["--unique"], THREE);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("not unique; two solutions differ at r1c"), "{text}");
    assert_eq!((lines.len(), lines[2], code), (4, "", Some(0)));
    assert_ne!(lines[1], lines[3]);
    assert_eq!(
        ask(&["--unique"], "rooks\n4\n"),
        ("no solution: the board is contradictory\n".to_owned(), Some(1))
    );

    let objects = json(&ask(&["--unique", "--json"], THREE).0);
    assert_eq!(objects[0]["unique"], Value::Bool(false));
    assert_ne!(objects[0]["solution"], objects[0]["other"]);
    let objects = json(&ask(&["--unique", "--json"], "rooks\n4\n").0);
    assert_eq!(objects[0]["status"], "none");
    assert!(objects[0].get("unique").is_none());
}

#[test]
fn optima_are_proven() {
    let board = "rooks\n. . . .\n. # . .\n. . 1 .\n. . . .\n";
    let all = json(&ask(&["--all", "--json"], board).0);
    let rooks = |object: &Value| {
        let rows = object["solution"]["grid"].as_array().expect("rows");
        rows.iter().flat_map(|row| row.as_array().expect("cells")).filter(|&cell| cell == 1).count() as i64
    };
    let numbers: Vec<i64> = all.iter().filter(|object| object.get("solution").is_some()).map(rooks).collect();
    for (name, expected) in [("fewest", numbers.iter().min()), ("most", numbers.iter().max())] {
        let found = &json(&ask(&["--objective", name, "--json"], board).0)[0];
        let expected = *expected.expect("solutions");
        assert_eq!(found["status"], "optimal");
        assert_eq!(found["objective"], expected, "{name}");
        assert_eq!(found["bounds"], serde_json::json!([expected, expected]));
        assert_eq!(rooks(found), expected);
        let (text, code) = ask(&["--objective", name], board);
        assert!(text.ends_with(&format!("{name}: {expected}, proven optimal\n")), "{text}");
        assert_eq!(code, Some(0));
    }
    let (_, code) = ask(&["--objective", "none"], board);
    assert_eq!(code, Some(0));
    assert_eq!(ask(&["--objective", "least"], board).1, Some(2));
    assert_eq!(ask(&["--objective", "fewest"], "rooks\n4\n").1, Some(1));
}

#[test]
fn a_limit_keeps_the_solutions_found() {
    let empty = format!("rooks\n{}", ". . . . . . . . . . . .\n".repeat(12));
    for solver in ["cdcl", "batsat", "varisat"] {
        let (text, code) = ask(&["--count", "--timeout", "0.2", "--json", "--solver", solver], &empty);
        let last = json(&text).pop().expect("a line");
        assert_eq!((&last["status"], code), (&Value::from("stopped"), Some(3)), "{solver}");
        assert!(
            last["count"].as_u64().is_some_and(|count| count < 479_001_600),
            "12! solutions are too many"
        );
    }
    let (text, code) = ask(&["--timeout", "0"], &empty);
    assert_eq!((text.as_str(), code), ("stopped before a solution was found\n", Some(3)));
    assert_eq!(ask(&["--timeout", "soon"], THREE).1, Some(2));
    assert_eq!(ask(&["--all", "--count"], THREE).1, Some(2), "two queries at once are rejected");
}

#[test]
fn symmetry_breaking_keeps_one_solution_per_orbit() {
    let kept = |text: &str| {
        let whole = json(&ask(&["--count", "--json"], text).0)[0]["count"].clone();
        let objects = json(&ask(&["--all", "--json", "--symmetry", "break"], text).0);
        let (last, solutions) = objects.split_last().expect("a last line");
        let orbits: u64 = solutions.iter().map(|object| object["orbit"].as_u64().expect("a number")).sum();
        assert_eq!(last["orbits"], orbits, "the orbits of the solutions add up");
        assert_eq!(last["orbits"], whole, "to the number without breaking, for {text}");
        assert_eq!(last["count"], solutions.len());
        (whole.as_u64().expect("a number") as usize, solutions.len())
    };
    assert_eq!(kept(&format!("rooks\n{}", ". . . . .\n".repeat(5))), (120, 1), "published");
    assert_eq!(kept(&format!("rooks\n{}", ". # . . .\n".repeat(5))), (300, 4), "published");
    let columns = ". . . . .\n# # # # #\n. . . . .\n. . . . .\n. . . . .\n";
    assert_eq!(kept(&format!("rooks\n{columns}")), (300, 4), "published");
    // The board has a mirror axis, so the mirror image of each solution is a solution. Only symmetric solutions are
    // their own mirror images.
    let (all, half) = kept("rooks\n. . # . .\n. # . # .\n. . 1 . .\n. . . . .\n");
    assert!(half < all && 2 * half >= all, "{half} of {all}");
    let (all, kept) = kept("rooks\n# . .\n. . .\n. 1 .\n");
    assert_eq!(all, kept, "no symmetry");
    let (_, code) = ask(&["--symmetry", "break"], "nurikabe\n1\n");
    assert_eq!(code, Some(2), "this puzzle type does not support symmetries");
}
