//! Helper functions for tests: they read boards from text, find solutions with a solver, and run the program as a
//! process.
#![allow(dead_code, unused_imports, reason = "each test file uses its part")]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use gordian::backend::Solver;
use gordian::format::Source;
use gordian::puzzle::{Formulation, Puzzle, Query, StageOutcome};
use gordian::read::{self, ReadOptions};
use gordian::rules::Solution;
use gordian::search::Session;
use gordian_encodings::Encodings;

mod boards;
mod drawn;
mod judge;
mod models;
pub(crate) mod random;

pub(crate) use boards::{nurikabe_token, pairs, rooks_token, rows, text};
pub(crate) use drawn::{drawn, tests_all};
pub(crate) use judge::Judge;
pub(crate) use models::{last_row_follows, models};

/// Reads a board from a text in the native format.
pub(crate) fn board(text: &str) -> Box<dyn Puzzle> {
    let source = Source::new("board.txt", text);
    let board = read::board(&source, &ReadOptions::default());
    board.unwrap_or_else(|error| panic!("{error}\n{text}")).puzzle
}

/// Serialises a solution to store it in a set.
pub(crate) fn key(solution: &Solution) -> String {
    serde_json::to_string(solution).expect("solutions are JSON")
}

/// Returns all solutions that a solver finds, in serialised form. Checks each solution and fails on duplicates.
pub(crate) fn solutions(puzzle: &dyn Puzzle, solver: &Solver, encodings: &Encodings) -> BTreeSet<String> {
    all_solutions(puzzle, solver, encodings).iter().map(key).collect()
}

/// Returns all solutions that a solver finds. Checks each solution and fails on duplicates.
pub(crate) fn all_solutions(puzzle: &dyn Puzzle, solver: &Solver, encodings: &Encodings) -> Vec<Solution> {
    let (mut solutions, mut keys) = (Vec::new(), BTreeSet::new());
    let mut stages = puzzle.stages(&Query::Count);
    while let Some(formulation) = stages(&StageOutcome::None) {
        solutions_of(&formulation, puzzle, solver, encodings, |solution| {
            assert!(keys.insert(key(&solution)), "{} came twice", key(&solution));
            solutions.push(solution);
        });
    }
    solutions
}

/// Returns the solutions of one formulation. Checks each solution.
pub(crate) fn solutions_of(
    formulation: &Formulation,
    puzzle: &dyn Puzzle,
    solver: &Solver,
    encodings: &Encodings,
    mut found: impl FnMut(Solution),
) {
    let session = Session::new(&formulation.model, encodings, solver).expect("the solver is there");
    for assignment in session.into_assignments() {
        let assignment = assignment.expect("no limit was set");
        assert!(formulation.model.holds(&assignment), "an assignment breaks the model of {puzzle:?}");
        let solution = (formulation.decode)(&assignment);
        puzzle
            .check(&solution)
            .unwrap_or_else(|violation| panic!("{violation}: {} of {puzzle:?}", key(&solution)));
        found(solution);
    }
}

/// Runs the program with the given arguments and standard input.
pub(crate) fn gordian(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gordian"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Writing fails if the program ends before it has read all input. This error is ignored.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// Runs a command line in a shell in which `gordian` is the program under test. A pipeline fails if one of its commands
/// fails.
pub(crate) fn shell(line: &str, directory: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_gordian")).parent().expect("a directory").to_owned();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    // Programs in `directory/bin` take precedence over installed programs.
    let paths = [directory.join("bin"), program].into_iter().chain(std::env::split_paths(&paths));
    Command::new("bash")
        .args(["-o", "pipefail", "-c", line])
        .current_dir(directory)
        // The command `gordian minizinc install` must not write into the home directory of the user.
        .env("MZN_SOLVER_PATH", directory.join("solvers"))
        .env("PATH", std::env::join_paths(paths).expect("paths"))
        .output()
        .expect("bash starts")
}

/// Returns a command that runs a proof checker. `.ci/run` installs the checkers in `target/tools`; if a checker is
/// missing there, it is taken from the search path.
pub(crate) fn checker(name: &str) -> Command {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin").join(name);
    Command::new(if installed.exists() { installed.as_path() } else { Path::new(name) })
}

/// Runs `gordian prove-check` on a directory, with veripb as the checker.
pub(crate) fn prove_check(directory: &Path, arguments: &[&str], input: &str) -> Output {
    let (directory, veripb) = (directory.display().to_string(), checker("veripb"));
    let veripb = veripb.get_program().to_str().expect("UTF-8");
    gordian(&[&["prove-check", &directory, "--checker", veripb], arguments].concat(), input)
}

/// Asserts that `gordian prove-check` refuses the certificate in a directory with a report that contains `message`.
#[track_caller]
pub(crate) fn refused(directory: &Path, message: &str) {
    let output = prove_check(directory, &[], "");
    let report = stdout(&output);
    assert!(report.starts_with("refused: ") && report.contains(message), "{report}{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
}

/// Returns the standard output of a process as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Returns the standard error of a process as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Returns the puzzle type and the path of every board in `instances/`.
pub(crate) fn boards() -> Vec<(String, String)> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("instances");
    let entries = |directory: &std::path::Path| {
        let mut paths: Vec<_> = std::fs::read_dir(directory)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        paths
    };
    let text = |path: &std::path::Path| path.to_str().expect("a path in UTF-8").to_owned();
    let puzzle_types = entries(&directory).into_iter().filter(|path| path.is_dir());
    let boards = puzzle_types.flat_map(|puzzle_type| {
        let name = text(std::path::Path::new(puzzle_type.file_name().expect("a name")));
        let files = entries(&puzzle_type).into_iter().map(|path| text(&path));
        let boards = files
            .filter(|path| ![".expected.json", "NOTICE", "README.md"].iter().any(|end| path.ends_with(end)));
        boards.map(|path| (name.clone(), path)).collect::<Vec<_>>()
    });
    boards.collect()
}

/// Returns whether solvers need minutes for a single formula that covers the whole board. For some of these boards,
/// `solve` uses a series of smaller formulas.
pub(crate) fn is_hard(path: &str) -> bool {
    ["powers/at-least-5-7.txt", "powers/hexadecimal.txt", "nines/twelve-digits.txt"]
        .iter()
        .any(|hard| path.ends_with(hard))
}
