//! Tests that the program reproduces published results of the number puzzles and rejects wrong data.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{gordian, stderr, stdout};
use serde_json::{Value, json};

/// Returns the JSON objects that `solve PATH ARGUMENTS --json` prints.
#[track_caller]
fn ask(path: &str, arguments: &[&str]) -> Vec<Value> {
    let path = format!("instances/{path}");
    let output = gordian(&[&["solve", &path, "--json"], arguments].concat(), "");
    let text = stdout(&output);
    assert!(!text.is_empty(), "{path}: {}", stderr(&output));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Solves the board in a file and returns its solution. Asserts that the solution is proven optimal.
#[track_caller]
fn optimum(path: &str) -> Value {
    let result = ask(path, &[]).remove(0);
    assert_eq!(result["status"], "optimal");
    assert_eq!(result["bounds"], json!([result["objective"], result["objective"]]));
    result["solution"].clone()
}

/// Returns the values of a field in all given solutions.
fn all(path: &str, field: &str) -> BTreeSet<i64> {
    let objects = ask(path, &["--all"]);
    let values = objects.iter().filter_map(|object| object["solution"][field].as_i64());
    let values: Vec<i64> = values.collect();
    let set: BTreeSet<i64> = values.iter().copied().collect();
    assert_eq!(set.len(), values.len(), "a solution came twice");
    assert_eq!(objects.last().expect("a last line")["count"], values.len());
    set
}

#[test]
fn powers() {
    assert_eq!(optimum("powers/document-000.dzn"), json!({"n": 18, "powers": [5832, 104_976]}));
    let at_least = [18, 84, 108, 112, 128, 139, 156, 169, 174, 180];
    assert_eq!(all("powers/at-least.dzn", "n"), BTreeSet::from(at_least));
    let output = gordian(&["solve", "-"], "powers\n");
    assert_eq!(stdout(&output), "n = 18\npowers = 5832 104976\nnumber: 18, proven optimal\n");
    // Without a bound on the number, there are infinitely many solutions, which are enumerated in stages.
    let output = gordian(&["solve", "-", "--limit", "9"], "powers\nmode = \"at-least\"\n");
    let found: BTreeSet<String> =
        stdout(&output).lines().filter(|line| line.starts_with("n =")).map(str::to_owned).collect();
    assert_eq!(found.len(), 9);
    assert!(found.contains("n = 18") && found.contains("n = 84"), "{found:?}");
}

#[test]
fn cards() {
    let [result] = &ask("cards/document-001.dzn", &[])[..] else { panic!("one object") };
    let expected = json!({
        "n_red_left_split": 12, "n_black_left_split": 13, "n_red_right_split": 14, "n_black_right_split": 13,
    });
    assert_eq!(result["solution"], expected);
    // If any one of the four numbers of cards is given, the solution is unique.
    for (name, count) in expected.as_object().expect("an object") {
        let text = format!("cards\nn_cards = 52\nn_red = 26\nleft_split = 25\n{name} = {count}\n");
        let output = gordian(&["solve", "-", "--unique", "--json"], &text);
        let result: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!((&result["unique"], &result["solution"]), (&json!(true), &expected), "{name}");
    }
}

#[test]
fn smallest() {
    assert_eq!(optimum("smallest/document-001.dzn"), json!({"number": 2046}));
}

#[test]
fn triangles() {
    let result = &ask("magic-triangle/document-001.txt", &[])[0];
    assert_eq!(result["solution"]["sums"], json!([20, 20, 20]));
    assert_eq!(ask("magic-triangle/document-001.txt", &["--count"])[0]["count"], 288);
    let solution = optimum("max-triangle/document-001.txt");
    let sums = solution["sums"].as_array().expect("sums").iter().map(|sum| sum.as_i64().expect("a number"));
    assert_eq!(sums.sum::<i64>(), 69);
    let published = r#"{"digits": [7, 2, 1, 9, 5, 4, 8, 6, 3]}"#;
    let output = gordian(&["check", "instances/max-triangle/document-001.txt", "-"], published);
    assert_eq!(stdout(&output), "correct\n");
}

#[test]
fn nines() {
    assert_eq!(all("nines/document-001.dzn", "number"), BTreeSet::from([99]));
}

#[test]
fn age() {
    assert_eq!(all("age/document-001.dzn", "year"), BTreeSet::from([2020, 2065]));
}

const CROSSWORDS: [&str; 3] = [
    "8 0 1 2 3 7 0\n6 5 3 0 1 5 6\n2 0 4 8 1 2 0\n0 0 7 1 4 0 6\n9 6 1 0 3 8 1\n",
    "0 1 5 6 0\n6 1 9 2 1\n1 7 0 5 5\n2 6 0 0 4\n1 0 4 8 6\n1 4 5 1 6\n5 8 1 1 1\n3 1 1 1 0\n2 1 0 1 1\n",
    "0 1 7 6 0 9 2 2 6 0\n1 1 3 2 1 2 5 1 2 1\n4 7 0 9 3 0 5 1 6 8\n5 5 0 0 4 5 5 5 0 6\n1 0 7 5 1 1 1 1 4 1\n\
     1 7 2 2 5 2 0 8 3 4\n4 1 1 1 1 1 4 1 1 1\n6 1 1 1 0 5 1 0 2 1\n1 1 0 1 6 1 1 9 1 1\n",
];

#[test]
fn number_crosswords() {
    for (number, published) in (1..).zip(CROSSWORDS) {
        let path = format!("numcross/document-003-{number}.dzn");
        // The program has already checked the solution that it found. The published solution must satisfy the rules
        // as well.
        let result = &ask(&path, &[])[0];
        assert_eq!(result["status"], "solved");
        let file = format!("instances/{path}");
        assert_eq!(stdout(&gordian(&["check", &file, "-"], published)), "correct\n");
        let line = stdout(&gordian(&["solve", &file, "--json"], ""));
        assert_eq!(stdout(&gordian(&["check", &file, "-"], &line)), "correct\n", "{line}");
        let drawn = stdout(&gordian(&["solve", &file], ""));
        assert_eq!(stdout(&gordian(&["check", &file, "-"], &drawn)), "correct\n", "{drawn}");
        // The file also lists the entries, which follow from the grid and can be omitted.
        let data = fs::read_to_string(&file).expect("a file");
        let end = data.find("no=").expect("tables behind the schema");
        let output =
            gordian(&["check", &file, "-"], &stdout(&gordian(&["solve", "-", "--json"], &data[..end])));
        assert_eq!(stdout(&output), "correct\n");
    }
    let first = fs::read_to_string("instances/numcross/document-003-1.dzn").expect("a file");
    assert!(first.contains("| 5,2,1,3"), "entry 5 across as the document shows it");
}

/// Runs `solve -` on the given data, and expects the error `standard input:PLACE: expected EXPECTED, found FOUND`.
#[track_caller]
fn refused(data: &str, place: &str, expected: &str, found: &str) {
    let output = gordian(&["solve", "-"], data);
    let error = stderr(&output);
    let message = format!("standard input:{place}: expected {expected}, found {found}\n");
    assert!(error.contains(&message), "expected {message}in\n{error}");
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(stdout(&output), "", "nothing is printed as a solution");
}

#[test]
fn wrong_powers() {
    refused("powers\nexponents = []\n", "2:13", "1 to 64 exponents", "0");
    refused("powers\nexponents = [0]\n", "2:14", "exponents from 1 to 64", "`0`");
    refused("powers\nexponents = [65]\n", "2:14", "exponents from 1 to 64", "`65`");
    refused("powers\nbase = 1\n", "2:8", "a base from 2 to 25", "`1`");
    refused("exponents = [3];\nmode = \"once\";\n", "2:8", "\"exactly\" or \"at-least\"", "`once`");
    refused("exponents = [3];\nmode = 1;\n", "2:8", "a text for `mode`", "`1`");
    refused("powers\nmax_n = 0\n", "2:9", &format!("a number from 1 to {}", i128::MAX), "`0`");
    refused("powers\n. .\n", "2:1", "a line `name = value`", "`. .`");
    refused("powers\nmax = 3\n", "2:1", "one of `exponents`, `base`, `mode`, `max_n`", "`max`");
}

#[test]
fn wrong_cards() {
    let data = |cards: i128, red: i128, left: i128| {
        format!("n_cards = {cards};\nn_red = {red};\nleft_split = {left};\n")
    };
    refused(&data(-1, 0, 0), "1:11", &format!("a number of cards from 0 to {}", 10_i128.pow(30)), "`-1`");
    refused(&data(52, 53, 25), "2:9", "a number of red cards from 0 to 52", "`53`");
    refused(&data(52, 26, 60), "3:14", "a number of cards on the left from 0 to 52", "`60`");
    let given = data(52, 26, 25) + "n_red_left_split = -2;\n";
    refused(&given, "4:20", "a number of cards from 0 to 52", "`-2`");
    refused("cards\nn_cards = 3\n", "3:1", "`n_red = ...`", "the end of the file");
}

#[test]
fn wrong_numbers() {
    let multipliers = format!("a multiplier from 1 to {}", 10_i128.pow(30));
    refused("num_digits = 4;\nmultiplier = 0;\n", "2:14", &multipliers, "`0`");
    refused("num_digits = 0;\nmultiplier = 3;\n", "1:14", "a number of digits from 1 to 1000", "`0`");
    refused("smallest\nnum_digits = 2\nmultiplier = 3\ndigits = {}\n", "4:10", "a digit", "none");
    refused(
        "smallest\nnum_digits = 2\nmultiplier = 3\ndigits = 5..10\n",
        "4:10",
        "digits from 0 to 9",
        "`10`",
    );
    let nines = |range: &str, digit: i32| {
        format!(
            "n_digits = 2;\nmax_digits_after_mult = 4;\nmultiplicator_range = {range};\nnum_to_check = {digit};\n"
        )
    };
    refused(&nines("11..2", 9), "3:23", "a range of numbers", "an empty one");
    refused(&nines("0..2", 9), "3:23", &format!("factors from 1 to {}", 10_i128.pow(18)), "`0`");
    refused(&nines("1..10001", 9), "3:23", "a range of at most 10000 numbers", "`1..10001`");
    let long = nines("1..2000", 9).replace("n_digits = 2", "n_digits = 1000");
    refused(&long, "3:23", "at most 1000 factors for 1000 digits", "2000");
    refused(&nines("2..11", 10), "4:16", "a digit from 0 to 9", "`10`");
    let age = |born: &str, fraction: &str| {
        format!("born_year = {born};\nlen_born_year = 4;\nfraction = {fraction};\n")
    };
    let greatest = 10_i128.pow(30);
    refused(&age("2000", "0"), "3:12", &format!("a number from 1 to {greatest}"), "`0`");
    refused(&age("-1", "5"), "1:13", &format!("a year from 0 to {greatest}"), "`-1`");
}

#[test]
fn wrong_triangles() {
    let given = |digits: &str| format!("starting_conf = [{digits}];\n");
    refused(&given("1,0,0,0,0,1,0,0,0"), "1:28", "a digit that differs from position 1", "`1`");
    refused(&given("1,0,0,0,0,10,0,0,0"), "1:28", "a digit from 1 to 9, or 0 for unknown", "`10`");
    refused(&given("1,2,3"), "1:17", "nine digits for `starting_conf`", "3 digits");
    refused("magic-triangle\nsum = -1\n", "2:7", "a sum from 0 to 1000000", "`-1`");
    refused("max-triangle\nsum = 20\n", "2:1", "no named value", "`sum`");
    let output = gordian(&["check", "instances/max-triangle/document-001.txt", "-"], "1\n2 3\n4\n");
    assert!(stderr(&output).contains("3:1: expected 2 digits in row 3 of the triangle, found 1"));
}

/// Returns the first published crossword after replacing the text `from` with the text `to`.
fn crossword(from: &str, to: &str) -> String {
    let data = fs::read_to_string("instances/numcross/document-003-1.dzn").expect("a file");
    assert_eq!(data.matches(from).count(), 1, "{from}");
    data.replace(from, to)
}

#[test]
fn wrong_crosswords() {
    refused(&crossword("{6,", "{"), "1:3", "13 definitions, one for each entry of the schema", "12");
    refused(&crossword("{6,", "{5,6,"), "1:3", "13 definitions, one for each entry of the schema", "14");
    refused(&crossword("{6,", "{8,"), "1:6", "each definition once", "`8`");
    refused(&crossword("{6,", "{0,"), "1:4", &format!("a definition from 1 to {}", 10_i128.pow(30)), "`0`");
    refused(&crossword("s=9", "s=0"), "1:50", "the largest number of a cell from 1 to 1000000", "`0`");
    refused(&crossword("r=1", "r=10"), "1:51", "a number from 10, the smallest number of a cell", "`9`");
    refused(&crossword("n=5", "n=6"), "2:3", "5, the rows of the schema", "`6`");
    refused(&crossword("m=7", "m=6"), "2:8", "7, the columns of the schema", "`6`");
    refused(&crossword("no=7", "no=8"), "9:4", "7, the entries across in the schema", "`8`");
    refused(&crossword("nv=6", "nv=5"), "18:4", "6, the entries down in the schema", "`5`");
    let wrong = "row 2 for the entry 5 across, as in the schema";
    refused(&crossword("| 5,2,1,3", "| 5,3,1,3"), "11:5", wrong, "`3`");
    let wrong = "column 1 for the entry 5 across, as in the schema";
    refused(&crossword("| 5,2,1,3", "| 5,2,2,3"), "11:7", wrong, "`2`");
    let wrong = "length 2 for the entry 8 down, as in the schema";
    refused(&crossword("| 8,3,4,2", "| 8,3,4,3"), "23:9", wrong, "`3`");
    refused(&crossword("| 6,2,5,3", "| 5,2,1,3"), "12:3", "the entry 5 across once", "`5`");
    let still = "the number of an entry across in the schema, still to come 6 7 9 11 12";
    refused(&crossword("| 6,2,5,3", "| 8,2,5,3"), "12:3", still, "`8`");
    refused(&crossword("\n| 10,4,7,2", ""), "19:11", "the entry 10 down at r4c7 too", "a table without it");
    refused("numcross\nr = 1\ns = 9\nS = {}\n. x\n", "5:3", "`.` (white) or `#` (black)", "`x`");
}

#[test]
fn unsatisfiable_boards_are_not_errors() {
    for text in [
        "cards\nn_cards = 5\nn_red = 2\nleft_split = 2\nn_red_left_split = 3\n",
        "smallest\nnum_digits = 1000\nmultiplier = 1\n",
        "magic-triangle\nsum = 0\n",
        "nines\nn_digits = 1\nmax_digits_after_mult = 1\nmultiplicator_range = 1..2\nnum_to_check = 9\n",
        "age\nborn_year = 2000\nlen_born_year = 3\nfraction = 5\n",
        "powers\nexponents = [3, 3]\n",
        "powers\nmax_n = 17\n",
        "numcross\nr = 1\ns = 9\nS = {11}\n. .\n",
    ] {
        let output = gordian(&["solve", "-"], text);
        assert_eq!(stdout(&output), "no solution: the board is contradictory\n", "{text}{}", stderr(&output));
        assert_eq!(output.status.code(), Some(1), "{text}");
    }
}
