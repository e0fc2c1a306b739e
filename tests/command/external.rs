//! Tests third-party solvers, on queries and on exported files.
//!
//! Tests that are not ignored need only a shell. The ignored tests need minisat, cadical, cryptominisat5, picosat,
//! clasp, and a Python interpreter with the packages `pyganak` and `PySAT`. This interpreter is `python3`, unless the
//! environment variable `GORDIAN_PYTHON` contains the name of another interpreter. The script `.ci/run --all` installs all of
//! these programs and packages, and then runs the tests with `--ignored`.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Output};
#[cfg(target_os = "linux")]
use std::time::Duration;

use crate::support::{boards, gordian, is_hard, stderr, stdout};
use gordian::puzzle;
use serde_json::Value;
use tempfile::TempDir;

const ROOKS: &str = "rooks\n. . . .\n. # . .\n. . 1 .\n. . . .\n";

/// Returns `gordian sat` as an external solver.
fn own() -> String {
    format!("external:'{}' sat {{cnf}}", env!("CARGO_BIN_EXE_gordian"))
}

fn solve(solver: &str, arguments: &[&str], board: &str) -> Output {
    gordian(&[&["solve", "-", "--solver", solver], arguments].concat(), board)
}

/// Compares the outcome of every query with the outcome of the built-in solver.
fn supports_every_query(solver: &str) {
    let nurikabe = "nurikabe\n2 . . .\n. . . .\n. . 3 .\n";
    for (board, arguments) in [
        (ROOKS, &["--count"][..]),
        (ROOKS, &["--objective", "fewest", "--json"]),
        (ROOKS, &["--objective", "most", "--json"]),
        (nurikabe, &["--count"]),
        (nurikabe, &["--count", "--encode", "connectivity=layers"]),
        ("rooks\n. #\n", &["--unique"]),
        ("rooks\n4\n", &["--unique"]),
        ("rooks\n. . .\n", &["--limit", "2", "--json"]),
    ] {
        let key = |output: &Output| {
            let text = stdout(output);
            match serde_json::from_str::<Value>(text.lines().last().unwrap_or_default()) {
                Ok(json) if json.is_object() => {
                    ["status", "objective", "bounds", "count"].map(|key| json[key].to_string()).join(" ")
                }
                _ => text,
            }
        };
        let (theirs, ours) = (solve(solver, arguments, board), solve("batsat", arguments, board));
        assert_eq!(key(&theirs), key(&ours), "{solver} {arguments:?}: {}", stderr(&theirs));
        assert_eq!(theirs.status.code(), ours.status.code(), "{solver} {arguments:?}");
    }
}

#[test]
fn an_external_solver_supports_every_query() {
    supports_every_query(&own());
    supports_every_query(&format!("external:'{}' sat", env!("CARGO_BIN_EXE_gordian")));
}

/// Asserts that the program fails with the given message and exit code 2 if the solver is the given script.
#[track_caller]
fn blamed(script: &str, message: &str) {
    let output = solve(&format!("external:sh -c '{script}' sh {{cnf}}"), &[], "rooks\n. .\n");
    assert!(stderr(&output).contains(message), "expected {message} in {}", stderr(&output));
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
}

#[test]
fn failures_of_programs_are_reported() {
    blamed("kill -9 $$", "failed: it was killed (signal: 9");
    blamed("exit 0", "it ended with exit code 0 without printing a result");
    blamed("echo out of memory >&2; exit 7", "it ended with exit code 7: out of memory");
    blamed("echo s SATISFIABLE; exit 20", "its output contradicts its exit code: it ended with exit code 20");
    blamed("echo s SATISFIABLE; exit 10", "it reported a satisfiable formula but printed no assignment");
    blamed("echo s SATISFIABLE; echo v 1 2 3 0; exit 10", "does not satisfy the clause");
    blamed("echo s SATISFIABLE; echo v 9 0; exit 10", "it assigned variable 9");
    blamed("echo s SATISFIABLE; echo v what 0; exit 10", "expected a literal, found `what`");
    blamed("echo s PERHAPS; exit 10", "found `PERHAPS`");
    blamed("yes", "stopped: its output exceeded 64 MiB");
    let output = solve("external:no-such-solver {cnf}", &[], ROOKS);
    assert!(stderr(&output).contains("the program `no-such-solver` was not found"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&solve("external:'", &[], ROOKS)).contains("unclosed quotation mark"));
    assert!(stderr(&solve("external:", &[], ROOKS)).contains("the command is missing"));
    let output = solve(&own(), &["--conflicts", "5"], ROOKS);
    assert!(stderr(&output).contains("does not support a conflict limit"), "{}", stderr(&output));
}

#[test]
fn unknown_is_not_a_verdict() {
    let output = solve("external:sh -c 'echo s UNKNOWN' {cnf}", &[], ROOKS);
    assert_eq!(
        (stdout(&output).as_str(), output.status.code()),
        ("stopped before a solution was found\n", Some(3))
    );
}

#[test]
fn minisat_output_format() {
    let script = "printf \"UNSAT\\n\" > $2; exit 20";
    let output = solve(&format!("external:sh -c '{script}' sh {{cnf}} {{out}}"), &[], ROOKS);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let script = "printf \"SAT\\n1 -2 3 0\\n\" > $2; exit 10";
    let output = solve(&format!("external:sh -c '{script}' sh {{cnf}} {{out}}"), &[], "rooks\n. .\n");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("R .\n", Some(0)), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn timeouts_kill_the_program_and_its_children() {
    let directory = TempDir::new().expect("a temporary directory");
    let started = directory.path().join("pid");
    let script = format!("sleep infinity & echo $! > {}; wait", started.display());
    let output = solve(&format!("external:sh -c '{script}' sh {{cnf}}"), &["--timeout", "0.3"], ROOKS);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let process = std::fs::read_to_string(&started).expect("the program ran");
    // The test waits until the process has ended.
    loop {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
        if state.is_empty() || state.contains(") Z") {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn temporary_files_are_removed() {
    let directory = TempDir::new().expect("a temporary directory");
    for solver in [own(), "external:sh -c 'kill -9 $$' {cnf}".to_owned(), "external:sleep 60".to_owned()] {
        let output = Command::new(env!("CARGO_BIN_EXE_gordian"))
            .args(["solve", "instances/rooks/document-3x3.param", "--timeout", "0.5", "--solver", &solver])
            .env("TMPDIR", directory.path())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the program runs");
        assert!(output.status.code().is_some_and(|code| code != 70), "{}", stderr(&output));
        let left: Vec<_> = fs::read_dir(directory.path()).expect("a directory").collect();
        assert!(left.is_empty(), "{solver}: {left:?}");
    }
}

/// Runs a program, which must be installed.
fn run(words: &[&str]) -> Output {
    Command::new(words[0]).args(&words[1..]).output().unwrap_or_else(|error| panic!("{}: {error}", words[0]))
}

const SOLVERS: [&str; 4] = ["minisat", "cadical", "cryptominisat5", "picosat"];

#[test]
#[ignore = "needs minisat, cadical, cryptominisat5 and picosat"]
fn known_programs_answer_every_query() {
    for solver in SOLVERS {
        // If CaDiCaL is built in, the name `cadical` refers to the built-in solver.
        supports_every_query(solver);
        supports_every_query(&format!(
            "external:{solver} {}",
            if solver == "minisat" { "{cnf} {out}" } else { "" }
        ));
    }
}

#[test]
#[ignore = "needs minisat, cadical, cryptominisat5 and picosat"]
fn their_output_for_every_board_is_decoded() {
    let directory = TempDir::new().expect("a temporary directory");
    let name = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
    for (puzzle_type, path) in boards().into_iter().filter(|(_, path)| !is_hard(path)) {
        let cnf = name("f.cnf");
        let output = gordian(&["export", &path, "--puzzle", &puzzle_type, "-o", &cnf], "");
        assert_eq!(output.status.code(), Some(0), "{path}: {}", stderr(&output));
        let ours =
            gordian(&["solve", &path, "--puzzle", &puzzle_type, "--objective", "none"], "").status.code();
        for solver in SOLVERS {
            let out = name("out");
            let printed = if solver == "minisat" {
                run(&[solver, "-verb=0", &cnf, &out]);
                fs::read_to_string(&out).expect("minisat's file")
            } else {
                stdout(&run(&[solver, &cnf]))
            };
            let output = gordian(&["decode", &path, "-", "--puzzle", &puzzle_type], &printed);
            assert_eq!(output.status.code(), ours, "{solver} {path}: {}{}", stdout(&output), stderr(&output));
            assert_eq!(ours == Some(1), stdout(&output).starts_with("no solution"), "{solver} {path}");
        }
    }
}

/// Returns the result of the command `solve --objective NAME` on a board.
fn optimum(path: &str, puzzle_type: &str, objective: &str) -> Value {
    let arguments = ["solve", path, "--puzzle", puzzle_type, "--objective", objective, "--json"];
    serde_json::from_str(&stdout(&gordian(&arguments, ""))).expect("JSON")
}

/// Returns each board with each of its objectives. Omits boards for which the external solvers need minutes, and
/// objectives whose sum of weights exceeds 32 bits.
fn with_objective() -> impl Iterator<Item = (String, String, &'static str)> {
    let boards = boards().into_iter().filter(|(_, path)| {
        !is_hard(path) && !["base-16", "20x20", "50x50"].iter().any(|large| path.contains(large))
    });
    boards.flat_map(|(puzzle_type, path)| {
        let row = puzzle::find(&puzzle_type).expect("a puzzle_type");
        row.objectives.iter().map(move |objective| (puzzle_type.clone(), path.clone(), objective.name))
    })
}

/// Exports each board with each of its objectives, solves it with an external program, decodes the output, and compares
/// the optimum with the result of `gordian solve`.
///
/// Skips formulas whose size in bytes exceeds `longest`.
fn optima_agree(format: &str, longest: u64, solver: impl Fn(&str) -> Output) {
    let directory = TempDir::new().expect("a temporary directory");
    let mut tried = 0;
    for (puzzle_type, path, objective) in with_objective() {
        let ours = optimum(&path, &puzzle_type, objective);
        let file = directory.path().join("formula");
        let file = file.to_str().expect("UTF-8");
        let options = ["--puzzle", &puzzle_type, "--format", format, "--objective", objective];
        let output = gordian(&[&["export", &path, "-o", file], &options[..]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{path}: {}", stderr(&output));
        if fs::metadata(file).expect("a file").len() > longest {
            continue;
        }
        let printed = solver(file);
        let decoded = gordian(&[&["decode", &path, "-", "--json"], &options[..]].concat(), &stdout(&printed));
        let theirs: Value = serde_json::from_str(&stdout(&decoded))
            .unwrap_or_else(|_| panic!("{path} {format}: {}\n{}", stderr(&decoded), stderr(&printed)));
        for key in ["status", "objective", "bounds"] {
            assert_eq!(theirs[key], ours[key], "{key} of {path} {objective} as {format}");
        }
        tried += 1;
    }
    assert!(tried >= 60, "{tried}");
}

#[test]
#[ignore = "needs clasp"]
fn opb_optima_agree() {
    // Connectivity expressed by linear inequalities is hard for clasp: larger boards take 20 seconds or more.
    optima_agree("opb", 4_000_000, |file| run(&["clasp", "--outf=1", "--time-limit=600", file]));
}

/// A script that solves a WCNF with `PySAT` and prints the result in the format of the MaxSAT evaluations.
const MAX_SAT: &str = "
import sys
from pysat.formula import WCNF
from pysat.examples.rc2 import RC2Stratified
from pysat.solvers import Glucose4
formula = WCNF(from_file=sys.argv[1])
if formula.soft:
    rc2 = RC2Stratified(formula, solver='g4', adapt=True, exhaust=True, minz=True)
    model = rc2.compute()
else: # RC2 does not take a formula without costs
    glucose = Glucose4(bootstrap_with=formula.hard)
    model = glucose.get_model() if glucose.solve() else None
if model is None:
    print('s UNSATISFIABLE')
else:
    print('s OPTIMUM FOUND')
    print('v', *model)
";

#[test]
#[ignore = "needs python3 with PySAT"]
fn wcnf_optima_agree() {
    let python = python();
    optima_agree("wcnf", u64::MAX, |file| run(&[&python, "-c", MAX_SAT, file]));
}

/// Returns the Python interpreter that has the required packages.
pub(crate) fn python() -> String {
    std::env::var("GORDIAN_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// A script that counts the models of a file, projected onto the variables in its `show` lines.
const COUNT: &str = "
import sys, pyganak
counter = pyganak.Counter()
show = []
for line in open(sys.argv[1]):
    words = line.split()
    if words[:3] == ['c', 'p', 'show']:
        show = [int(word) for word in words[3:-1]]
    elif words and words[0] not in ('c', 'p'):
        counter.add_clause([int(word) for word in words[:-1]])
counter.set_sampling_set(show)
print(counter.count())
";

#[test]
#[ignore = "needs python3 with pyganak"]
fn counts_agree() {
    let directory = TempDir::new().expect("a temporary directory");
    let cnf = directory.path().join("f.cnf");
    let cnf = cnf.to_str().expect("UTF-8");
    let python = python();
    let mut tried = 0;
    for (puzzle_type, path) in boards().into_iter().filter(|(_, path)| !is_hard(path)) {
        let ours = gordian(&["solve", &path, "--puzzle", &puzzle_type, "--count", "--timeout", "5"], "");
        // Boards are skipped if they have too many solutions to count within the time limit.
        if ours.status.code() == Some(3) {
            continue;
        }
        let output =
            gordian(&["export", &path, "--puzzle", &puzzle_type, "--for", "counting", "-o", cnf], "");
        assert_eq!(output.status.code(), Some(0), "{path}: {}", stderr(&output));
        // Larger formulas are skipped, because the counter takes minutes for them.
        if fs::metadata(cnf).expect("a file").len() > 400_000 {
            continue;
        }
        assert_eq!(ganak(&python, cnf), stdout(&ours).trim(), "{path}");
        tried += 1;
    }
    assert!(tried >= 25, "{tried}");
}

/// Returns the number of models that ganak counts in a file.
fn ganak(python: &str, cnf: &str) -> String {
    let output = run(&[python, "-c", COUNT, cnf]);
    assert!(output.status.success(), "{cnf}: {}", stderr(&output));
    // Ganak may print its progress before the count.
    stdout(&output).lines().last().unwrap_or_default().to_owned()
}

/// The boards have more than 10,000 solutions. The program counts them by decomposition into components or by a
/// sweep.
#[test]
#[ignore = "needs python3 with pyganak"]
fn counts_of_many_solutions_agree() {
    let rows = |size: usize, token: fn(usize, usize) -> &'static str| -> String {
        let row = |row| (0..size).map(|column| token(row, column)).collect::<Vec<_>>().join(" ") + "\n";
        (0..size).map(row).collect()
    };
    let rooks = |row: usize, column: usize| {
        if (7 * row + 3 * column + row * column).is_multiple_of(5) { "#" } else { "." }
    };
    let nurikabe = |row: usize, column: usize| if (row + 2 * column) % 7 == 3 { "?" } else { "." };
    let boards = [
        format!("rooks\n{}", rows(12, rooks)),
        format!("nurikabe\n{}", rows(6, nurikabe)),
        "numberlink\n1 . . . . 1\n. . . . . .\n. . . . . .\n. . . . . .\n. 2 . . 2 .\n".to_owned(),
    ];
    let directory = TempDir::new().expect("a temporary directory");
    let cnf = directory.path().join("f.cnf");
    let cnf = cnf.to_str().expect("UTF-8");
    for board in boards {
        let ours = gordian(&["solve", "-", "--count"], &board);
        let count: u128 = stdout(&ours).trim().parse().expect("a number");
        assert!(count > 10_000, "{count} of {board}");
        let output = gordian(&["export", "-", "--for", "counting", "-o", cnf], &board);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(ganak(&python(), cnf), count.to_string(), "{board}");
    }
}
