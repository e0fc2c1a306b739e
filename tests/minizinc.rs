//! Tests that run `minizinc` (2.6 or newer, as in Debian) with this program as the solver. The models come from the
//! documents that define the puzzles, or test a single constraint or option.
//!
//! The command `cargo test` ignores the tests that run `minizinc`. The script `.ci/run` installs `minizinc` and runs
//! the ignored tests with `--include-ignored`.
#![cfg(feature = "tool")]
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use gordian::rules::{Field, Grid, Solution};
use serde_json::json;
use support::{board, gordian, stderr, stdout};
use tempfile::TempDir;

/// Creates a directory in which `minizinc` finds this program as a solver.
static SOLVERS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let output = gordian(&["minizinc", "install", "--directory", path], "");
    assert!(output.status.success(), "{}", stderr(&output));
    folder
});

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new("minizinc");
    command.env("MZN_SOLVER_PATH", SOLVERS.path()).args(["--solver", "gordian"]).args(arguments);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/minizinc"));
    command
}

fn minizinc(arguments: &[&str]) -> Output {
    command(arguments).output().expect("minizinc is installed")
}

/// Returns the output for a model in `tests/minizinc`, with the given data files.
#[track_caller]
fn solved(arguments: &[&str]) -> String {
    let output = minizinc(arguments);
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// Returns the numbers in a text, in order.
fn numbers(text: &str) -> Vec<i128> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

#[test]
#[ignore = "needs minizinc"]
fn the_models_of_the_documents_have_their_results() {
    const COMPLETE: &str = "----------\n==========\n";
    for (arguments, expected) in [
        (&["powers000.mzn"][..], &["5832_104976_18", COMPLETE][..]),
        (&["smallest001.mzn", "smallest001.dzn"], &["The smallest number is 2046", COMPLETE]),
        (&["nines001.mzn", "nines001.dzn"], &["The resulting value is 99\n"]),
        (&["labyrinth000.mzn", "labyrinth000.dzn"], &["Path_length:_16-_Path_cost:_150", COMPLETE]),
        (&["cards001.mzn", "cards001.dzn"], &["n_black_right_split = 13;\n"]),
        (&["maxtri001.mzn", "-s"], &["%%%mzn-stat: objective=69\n", COMPLETE]),
    ] {
        let output = solved(arguments);
        for expected in expected {
            assert!(output.contains(expected), "{arguments:?}: {output}");
        }
    }
    // The model `age001` has several solutions. One of them is the year 2020, which the document lists.
    let year = numbers(&solved(&["age001.mzn", "age001.dzn"]))[0];
    let digits: i128 = year.to_string().bytes().map(|digit| i128::from(digit - b'0')).sum();
    assert_eq!((digits * 5, year > 2000), (year - 2000, true), "{year}");
    let triangle = numbers(&solved(&["triangle001.mzn", "triangle001.dzn"]));
    let [a, b, c, d, e, f, g, h, i] = triangle[..] else { panic!("{triangle:?}") };
    assert_eq!((a, a + b + c + d, d + e + f + g, g + h + i + a), (2, 20, 20, 20));
}

#[test]
#[ignore = "needs minizinc"]
fn numcross_has_the_solutions_of_the_puzzle() {
    for (data, name) in [("numcross003", "1"), ("numcross003-2", "2"), ("numcross003-3", "3")] {
        let output = solved(&["numcross003.mzn", &format!("{data}.dzn")]);
        let (grid, entries) = output.split_once("ORIZZONTALI").expect("a heading");
        let (across, down) = entries.split_once("VERTICALI").expect("a heading");
        let rows = |text: &str| text.lines().map(numbers).filter(|row| !row.is_empty()).collect::<Vec<_>>();
        let solution = json!({"grid": rows(grid), "across": rows(across), "down": rows(down)});
        let puzzle = format!("instances/numcross/document-003-{name}.dzn");
        let checked = gordian(&["check", &puzzle, "-"], &solution.to_string());
        assert_eq!(stdout(&checked), "correct\n", "{data}: {output}{}", stderr(&checked));
    }
}

#[test]
#[ignore = "needs minizinc"]
fn nurikabe_has_one_solution_that_satisfies_the_rules() {
    let puzzle = board("nurikabe\n. . . . .\n1 . . . .\n. . . . 3\n. . . 4 .\n2 . . . .\n");
    let unique = gordian(
        &["solve", "-", "--unique", "--json"],
        "nurikabe\n. . . . .\n1 . . . .\n. . . . 3\n. . . 4 .\n2 . . . .\n",
    );
    assert!(stdout(&unique).contains("\"unique\":true"), "{}", stdout(&unique));
    for model in ["nurikabe000", "nurikabe001"] {
        let output = solved(&["-a", &format!("{model}.mzn"), &format!("{model}.dzn")]);
        let solutions = output.split("----------\n").map(numbers).filter(|cells| !cells.is_empty());
        // A cell of an island contains the size of the island. The model `nurikabe001` does not require that islands
        // are connected, so it also has a solution that violates the rules.
        let follows = |cells: &Vec<i128>| {
            assert_eq!(cells.len(), 25, "{model}: {output}");
            let islands = Solution::new().with("grid", Field::Grid(Grid::new(5, 5, cells.clone())));
            puzzle.check(&islands).is_ok()
        };
        assert_eq!(solutions.filter(follows).count(), 1, "{model}: {output}");
    }
}

#[test]
#[ignore = "needs minizinc"]
fn redundant_constraints_may_have_local_variables() {
    assert_eq!(solved(&["redundant.mzn"]), "x = [2, 3, 1];\n----------\n");
}
