//! Tests that a limit ends every command, whatever the command is doing, and that the command then prints what it has
//! found so far.
//!
//! The commands read from a pipe that is never closed. So they hang in a call of the operating system that can't poll
//! the limits, and only the thread that watches the limits can end them.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::schema::Schemas;
use crate::support::{gordian, stderr, stdout};

/// A command that hangs, and what it prints when a limit ends it.
struct Row {
    /// The arguments. The first is the command. `DIR` stands for a directory with a certificate.
    arguments: &'static [&'static str],
    /// The beginning of the input.
    input: &'static str,
    /// The text on standard output.
    out: &'static str,
    /// The text on standard error.
    err: &'static str,
    /// The exit code.
    code: i32,
    /// The schema of the output with `--json`, if the command has this option.
    schema: Option<&'static str>,
}

impl Row {
    const fn new(
        arguments: &'static [&'static str],
        out: &'static str,
        schema: Option<&'static str>,
    ) -> Self {
        Self { arguments, input: "rooks\n. .\n", out, err: "", code: 3, schema }
    }

    const fn silent(arguments: &'static [&'static str], err: &'static str) -> Self {
        Self { err, ..Self::new(arguments, "", None) }
    }

    const fn competition(arguments: &'static [&'static str], input: &'static str, out: &'static str) -> Self {
        Self { input, code: 0, ..Self::new(arguments, out, None) }
    }
}

const NO_SOLUTION: &str = "stopped before a solution was found\n";
const NO_STEP: &str = "stopped before a step was found\n";

/// One or more rows for each command with limits, except `make`, which reads nothing.
const ROWS: &[Row] = &[
    Row::new(&["solve", "-"], NO_SOLUTION, Some("result")),
    Row::new(&["solve", "-", "--all"], "at least 0\n", Some("result")),
    Row::new(&["solve", "-", "--count"], "at least 0\n", Some("result")),
    Row::new(&["solve", "-", "--unique"], NO_SOLUTION, Some("result")),
    Row::new(&["solve", "-", "--objective", "fewest"], NO_SOLUTION, Some("result")),
    Row::new(&["backbone", "-"], NO_SOLUTION, Some("backbone")),
    Row {
        err: "stopped: the counts of the values are not known\n",
        ..Row::new(&["backbone", "-", "--counts"], "at least 0 solutions\n", Some("counts"))
    },
    Row::new(&["sample", "-"], "at least 0\n", Some("result")),
    Row::new(&["why", "-"], "stopped before a reason was found\n", Some("why")),
    Row::new(&["hint", "-"], NO_STEP, Some("explain")),
    Row::new(&["explain", "-"], NO_STEP, Some("explain")),
    Row::new(&["clues", "-"], "stopped before the number of solutions was known\n", Some("clues")),
    Row::new(&["check", "-", "solution.txt"], "stopped before the solution was checked\n", Some("check")),
    Row::new(
        &["prove-check", "DIR", "--board", "-"],
        "stopped: the certificate was not checked\n",
        Some("prove-check"),
    ),
    Row::silent(&["show", "-"], "gordian: stopped before the board was shown\n"),
    Row::silent(&["export", "-"], "gordian: stopped: the rest of the formula was not written\n"),
    Row::silent(&["export", "-", "-o", "DIR/board.cnf"], "gordian: stopped: DIR/board.cnf was not written\n"),
    Row::new(&["decode", "-", "output.txt"], NO_SOLUTION, Some("decode")),
    Row::competition(&["sat", "-"], "p cnf 2 2\n1 0\n", "s UNKNOWN\n"),
    Row::competition(&["opt", "-"], "h 1 0\n", "s UNKNOWN\n"),
    Row::competition(&["fzn", "-"], "var bool: x;\n", "=====UNKNOWN=====\n"),
    Row::competition(&["xcsp3", "-"], "<instance>\n", "s UNKNOWN\n"),
];

/// The commands without limits: they end soon, or their limits apply to something else than the process.
const UNLIMITED: &[&str] = &[
    "bench", // the limits of its runs
    "web",   // the limits of each request
    "minizinc",
    "puzzle",
    "list",
    "completions",
    "man",
];

#[test]
fn every_command_has_a_row() {
    let program = gordian::cli::command();
    for command in program.get_subcommands() {
        let name = command.get_name();
        let has_row = name == "make" || ROWS.iter().any(|row| row.arguments[0] == name);
        let unlimited = UNLIMITED.contains(&name);
        assert!(has_row != unlimited, "{name}: a row is missing");
        let has = |option: &str| command.get_arguments().any(|known| known.get_long() == Some(option));
        if has_row {
            assert!(has("memory") && (has("timeout") || has("time-limit")), "{name}: an option is missing");
        }
    }
}

/// Starts a command whose standard input stays open.
fn start(arguments: &[String], input: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gordian"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Writing fails if the program ends before it has read all input.
    let _ = child.stdin.as_mut().expect("a pipe").write_all(input.as_bytes());
    child
}

/// Waits for a program without closing its standard input.
fn wait(mut child: Child, about: &str) -> Output {
    const TOO_LONG: Duration = Duration::from_secs(60);
    let stdin = child.stdin.take();
    let started = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        if started.elapsed() > TOO_LONG {
            child.kill().expect("the program runs");
            panic!("{about}: it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(stdin);
    child.wait_with_output().expect("the program has ended")
}

/// Runs every row with the given limit, and compares the output.
fn check_all(limit: impl Fn(&str) -> Vec<&'static str>, act: impl Fn(&Child)) {
    let schemas = Schemas::read();
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().display().to_string();
    let claim = r#"{"puzzle": "rooks", "claim": "several", "solutions": [{"grid": [[1, 0], [0, 1]]}, {"grid": [[0, 1], [1, 0]]}]}"#;
    std::fs::write(directory.path().join("claim.json"), claim).expect("a file");
    for row in ROWS {
        let formats: &[&[&str]] = if row.schema.is_some() { &[&[], &["--json"]] } else { &[&[]] };
        for format in formats {
            let words = row.arguments.iter().chain(*format).map(|word| word.replace("DIR", &path));
            let limit = limit(row.arguments[0]).into_iter().map(str::to_owned);
            let words: Vec<String> = words.chain(limit).collect();
            let about = words.join(" ");
            let child = start(&words, row.input);
            act(&child);
            let output = wait(child, &about);
            let (out, err) = (stdout(&output), stderr(&output));
            assert_eq!(output.status.code(), Some(row.code), "{about}: {out}{err}");
            match row.schema {
                Some(schema) if !format.is_empty() => {
                    let line = out.strip_suffix('\n').unwrap_or_else(|| panic!("{about}: {out}"));
                    let value: Value = serde_json::from_str(line).expect("one line of JSON");
                    schemas.validate(schema, &value).unwrap_or_else(|error| panic!("{about}: {error}"));
                    assert_eq!(value["status"], "stopped", "{about}");
                }
                _ => assert_eq!((out, err), (row.out.to_owned(), row.err.replace("DIR", &path)), "{about}"),
            }
        }
    }
    let left: Vec<_> = std::fs::read_dir(directory.path()).expect("a directory").collect();
    assert_eq!(left.len(), 1, "only the claim: {left:?}");
}

#[test]
fn the_time_limit_ends_every_command() {
    check_all(|command| if command == "fzn" { vec!["-t", "50"] } else { vec!["--timeout", "0.05"] }, |_| ());
    for format in [&[][..], &["--json"]] {
        let arguments = [&["make", "rooks", "--size", "100x100", "--timeout", "0"], format].concat();
        let output = gordian(&arguments, "");
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_ends_every_command() {
    check_all(|_| vec!["--memory", "1M"], |_| ());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_every_command() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    /// Returns whether the program has installed its signal handler.
    fn handles_signals(child: &Child) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim();
        u64::from_str_radix(caught, 16).unwrap_or(0) >> (Signal::SIGINT as i32 - 1) & 1 == 1
    }
    let interrupt = |child: &Child| {
        let started = Instant::now();
        while !handles_signals(child) {
            assert!(started.elapsed() < Duration::from_secs(60), "no signal handler");
            std::thread::sleep(Duration::from_millis(1));
        }
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("the program runs");
    };
    check_all(|_| Vec::new(), interrupt);
}
