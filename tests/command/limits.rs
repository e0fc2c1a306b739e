//! Tests that after a limit or an interrupt, the program prints what it has found so far, and that this output is
//! correct.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::{gordian, stderr, stdout};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

fn start(arguments: &[&str], input: &str, directory: Option<&std::path::Path>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gordian"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(directory) = directory {
        command.env("TMPDIR", directory);
    }
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("a small board");
    child
}

/// Runs the program, and interrupts it after the given number of milliseconds. Returns `None` if the signal came before
/// the program had installed its handler.
fn interrupted(arguments: &[&str], input: &str, after: u64) -> Option<Output> {
    let child = start(arguments, input, None);
    let process = Pid::from_raw(child.id() as i32);
    let (ended, end) = mpsc::channel::<()>();
    // `wait_with_output` reads the output to keep the pipe from filling up, so another thread sends the signal. A program
    // that was started with SIGINT ignored misses a signal that comes before it has a handler, so the signal is repeated.
    let alarm = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(after));
        loop {
            let _ = kill(process, Signal::SIGINT);
            if end.recv_timeout(Duration::from_secs(10)) != Err(mpsc::RecvTimeoutError::Timeout) {
                break;
            }
        }
    });
    let output = child.wait_with_output().expect("the program ends");
    drop(ended);
    alarm.join().expect("the alarm rings");
    (output.status.signal() != Some(Signal::SIGINT as i32)).then_some(output)
}

fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn rooks(size: usize) -> String {
    format!("rooks\n{}", format!("{}\n", ". ".repeat(size)).repeat(size))
}

/// Returns random times in milliseconds, which differ in each test run.
fn moments(number: usize, last: u64) -> Vec<u64> {
    let seed = fastrand::u64(..);
    eprintln!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    (0..number).map(|_| random.u64(2..last)).collect()
}

#[test]
fn interrupted_counts_include_the_solutions_found() {
    let mut handled = 0;
    for after in moments(6, 250) {
        let Some(output) = interrupted(&["solve", "-", "--all", "--json"], &rooks(11), after) else {
            continue;
        };
        handled += 1;
        let objects = objects(&output);
        let (last, solutions) = objects.split_last().expect("a last line");
        assert_eq!((&last["status"], output.status.code()), (&Value::from("stopped"), Some(3)));
        assert_eq!(last["count"], solutions.len());
        let different: BTreeSet<String> =
            solutions.iter().map(|object| object["solution"].to_string()).collect();
        assert_eq!(different.len(), solutions.len(), "no solution twice");
    }
    assert!(handled > 0, "interrupted before it began, each time");
}

#[test]
fn the_best_solution_is_printed_when_interrupted() {
    let board = std::fs::read_to_string("instances/rooks/generated-50x50.txt").expect("a board");
    let board = board.lines().filter(|line| !line.starts_with('%')).collect::<Vec<_>>().join("\n");
    let mut handled = 0;
    for solver in ["cdcl", "batsat", "varisat"] {
        for after in moments(3, 1500) {
            let arguments = ["solve", "-", "--objective", "fewest", "--json", "--solver", solver];
            let Some(output) = interrupted(&arguments, &board, after) else { continue };
            handled += 1;
            let objects = objects(&output);
            let found = objects.last().expect("an object");
            match (output.status.code(), found["status"].as_str()) {
                (Some(0), Some("optimal")) => {}
                (Some(3), Some("stopped")) => {
                    if let Some(solution) = found.get("solution") {
                        let rows = solution["grid"].as_array().expect("rows");
                        let cells = rows.iter().flat_map(|row| row.as_array().expect("cells"));
                        let rooks = cells.filter(|&cell| *cell == 1).count() as u64;
                        assert_eq!(found["objective"], rooks, "the value is that of the solution");
                        assert!(found["bounds"][0].as_u64() <= Some(rooks) && found["bounds"][1] == rooks);
                    }
                }
                ending => panic!("{ending:?}: {}", stderr(&output)),
            }
        }
    }
    assert!(handled > 0, "interrupted before it began, each time");
}

#[test]
fn interrupted_backbones_are_correct() {
    let board = std::fs::read_to_string("instances/rooks/generated-10x10.txt").expect("a board");
    let whole = objects(&gordian(&["backbone", "-", "--json"], &board)).remove(0);
    let cells = |object: &Value, name: &str| -> Vec<Value> {
        let rows = object.get(name).map(|fields| fields["grid"].as_array().expect("rows").clone());
        rows.unwrap_or_default().iter().flat_map(|row| row.as_array().expect("cells").clone()).collect()
    };
    for after in moments(6, 40) {
        let Some(output) = interrupted(&["backbone", "-", "--json"], &board, after) else { continue };
        let found = objects(&output).remove(0);
        let stopped = found["status"] == "stopped";
        assert_eq!(output.status.code(), Some(if stopped { 3 } else { 0 }));
        for (some, all) in cells(&found, "remaining").iter().zip(&cells(&whole, "remaining")) {
            let all = all.as_array().expect("values");
            assert!(some.as_array().expect("values").iter().all(|value| all.contains(value)));
            assert!(stopped || some.as_array() == Some(all));
        }
    }
}

#[test]
fn sigterm_is_handled_like_an_interrupt() {
    // On a busy machine, the first solution takes longer.
    for after in [500, 2_000, 8_000, 20_000] {
        let child = start(&["solve", "-", "--count"], &rooks(40), None);
        let process = Pid::from_raw(child.id() as i32);
        let alarm = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(after));
            let _ = kill(process, Signal::SIGTERM);
        });
        let output = child.wait_with_output().expect("the program ends");
        alarm.join().expect("the alarm rings");
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let text = stdout(&output);
        let number = text.trim().strip_prefix("at least ").map(str::parse::<u64>);
        let Some(Ok(number)) = number else { panic!("{text}") };
        if number > 0 {
            return;
        }
    }
    panic!("no solution was counted");
}

#[test]
fn a_second_interrupt_leaves_no_files() {
    let directory = tempfile::tempdir().expect("a directory");
    for pause in [0, 5, 30] {
        let solver = "external:sh -c 'sleep 100 & wait' {cnf}";
        let child = start(&["solve", "-", "--solver", solver], &rooks(4), Some(directory.path()));
        let process = Pid::from_raw(child.id() as i32);
        let files = || std::fs::read_dir(directory.path()).expect("the directory").count();
        while files() < 1 {
            std::thread::sleep(Duration::from_millis(5));
        }
        for _ in 0..2 {
            let _ = kill(process, Signal::SIGINT);
            std::thread::sleep(Duration::from_millis(pause));
        }
        let output = child.wait_with_output().expect("the program ends");
        assert!([Some(3), Some(130)].contains(&output.status.code()), "{:?}", output.status);
        assert_eq!(files(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_limited() {
    let stopped = |arguments: &[&str], board: &str| {
        let output = gordian(&[&["solve", "-"], arguments].concat(), board);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        stdout(&output)
    };
    for solver in ["cdcl", "batsat", "varisat"] {
        let text = stopped(&["--memory", "1M", "--solver", solver], &rooks(4));
        assert_eq!(text, "stopped before a solution was found\n", "no process is as small");
    }
    let hungry =
        "external:sh -c 'held=$(head -c 200000000 /dev/zero | tr \"\\0\" a); sleep 100; echo $held' {cnf}";
    let text = stopped(&["--memory", "150M", "--solver", hungry], &rooks(4));
    assert_eq!(text, "stopped before a solution was found\n");
    let enough = gordian(&["solve", "-", "--memory", "1G", "--count"], &rooks(5));
    assert_eq!((stdout(&enough).as_str(), enough.status.code()), ("120\n", Some(0)));
    for wrong in ["much", "-1", "2T", ""] {
        assert_eq!(
            gordian(&["solve", "-", &format!("--memory={wrong}")], "").status.code(),
            Some(2),
            "{wrong}"
        );
    }
}
