//! Tests `--strategy`, `--progress`, and the solution that is printed after an interrupt.

use crate::support::{gordian, stderr, stdout};
use serde_json::Value;

const STRATEGIES: [&str; 5] = ["alternating", "core-guided", "sat-unsat", "unsat-sat", "binary"];
const OBJECTIVES: [&str; 7] =
    ["auto", "totalizer", "generalized-totalizer", "dynamic-watchdog", "order", "adder", "propagator"];

/// Returns a rooks board with pseudo-random blocks and no clues.
fn board(rows: usize, columns: usize) -> String {
    let mut state = 7_u64;
    let mut square = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (state >> 33).is_multiple_of(5) { "#" } else { "." }
    };
    let rows = (0..rows).map(|_| (0..columns).map(|_| square()).collect::<Vec<_>>().join(" "));
    format!("rooks\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn strategies_and_encodings_agree_and_their_bounds_meet() {
    let text = board(7, 7);
    let mut optima = Vec::new();
    for strategy in STRATEGIES {
        for counted in OBJECTIVES {
            let encode = format!("objective={counted}");
            let output = gordian(
                &[
                    "solve",
                    "-",
                    "--objective",
                    "fewest",
                    "--strategy",
                    strategy,
                    "--encode",
                    &encode,
                    "--json",
                    "--progress",
                ],
                &text,
            );
            assert_eq!(output.status.code(), Some(0), "{strategy} {counted}: {}", stderr(&output));
            let lines = json(&stdout(&output));
            let (last, moves) = lines.split_last().expect("a line");
            assert_eq!(last["status"], "optimal");
            assert!(!moves.is_empty());
            let mut gap = (0, i64::MAX);
            for moved in moves {
                assert_eq!((&moved["status"], moved.get("solution")), (&Value::from("searching"), None));
                let end = |index: usize| moved["bounds"][index].as_i64().expect("a bound");
                let next = (end(0), end(1));
                assert!(gap.0 <= next.0 && next.0 <= next.1 && next.1 <= gap.1 && next != gap, "{moved}");
                assert_eq!(moved["objective"].as_i64(), Some(next.1));
                gap = next;
            }
            assert_eq!(last["bounds"], serde_json::json!([gap.0, gap.1]), "{strategy} {counted}");
            assert_eq!(gap.0, gap.1);
            optima.push(gap.0);
        }
    }
    optima.dedup();
    assert_eq!(optima.len(), 1, "{optima:?}");
}

#[test]
fn progress_goes_to_standard_error_unless_it_is_json() {
    let text = board(5, 5);
    let arguments = ["solve", "-", "--objective", "most"];
    let output = gordian(&[&arguments[..], &["--progress"]].concat(), &text);
    let message = stderr(&output);
    let last = message.lines().last().expect("a move");
    let optimum = stdout(&output);
    let optimum =
        optimum.lines().last().and_then(|line| line.strip_suffix(", proven optimal")).expect("an optimum");
    let value = optimum.strip_prefix("most: ").expect("a value");
    assert_eq!(last, format!("most: {value} ({value} to {value})"));
    // In this test, standard error is not a terminal, so no progress is shown.
    assert_eq!(stderr(&gordian(&arguments, &text)), "");
    let output = gordian(&[&arguments[..], &["--json"]].concat(), &text);
    assert_eq!((stdout(&output).lines().count(), stderr(&output)), (1, String::new()));
}

#[test]
fn strategies_are_listed_and_unknown_ones_rejected() {
    let list = stdout(&gordian(&["list", "strategies"], ""));
    for strategy in STRATEGIES {
        assert!(list.contains(&format!("\n  {strategy}: ")), "{strategy}");
    }
    let output = gordian(&["solve", "-", "--objective", "fewest", "--strategy", "luck"], "rooks\n.\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`sat-unsat`"), "{}", stderr(&output));
}

#[test]
fn a_conflict_limit_leaves_a_solution_and_a_gap() {
    let text = board(24, 24);
    for strategy in STRATEGIES {
        let arguments = ["solve", "-", "--objective", "fewest", "--conflicts", "200", "--strategy", strategy];
        let output = gordian(&[&arguments[..], &["--json"]].concat(), &text);
        let last = json(&stdout(&output)).pop().expect("a line");
        assert_eq!((&last["status"], output.status.code()), (&Value::from("stopped"), Some(3)), "{strategy}");
        let (value, bound) = (last["bounds"][1].as_u64().expect("a value"), last["bounds"][0].as_u64());
        assert!(bound.is_some_and(|bound| bound < value), "{strategy}: {last}");
        let rows = last["solution"]["grid"].as_array().expect("a solution");
        let rooks =
            rows.iter().flat_map(|row| row.as_array().expect("cells")).filter(|&cell| cell == 1).count();
        assert_eq!((rooks as u64, last["objective"].as_u64()), (value, Some(value)), "{strategy}");
        let text = stdout(&gordian(&arguments, &text));
        assert!(text.contains("not proven optimal; no solution is better than "), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_best_solution_so_far() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    for strategy in ["sat-unsat", "unsat-sat"] {
        // On such a large board, both strategies need many minutes.
        let arguments =
            ["solve", "-", "--objective", "fewest", "--json", "--progress", "--strategy", strategy];
        let mut child = Command::new(env!("CARGO_BIN_EXE_gordian"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("gordian runs");
        child.stdin.take().expect("a pipe").write_all(board(60, 60).as_bytes()).expect("it reads");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut first = String::new();
        out.read_line(&mut first).expect("it writes");
        assert_eq!(json(&first)[0]["status"], "searching");
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it runs");
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("it writes");
        assert_eq!(child.wait().expect("it ends").code(), Some(3), "{strategy}");
        let lines = json(&format!("{first}{rest}"));
        let (last, moves) = lines.split_last().expect("a line");
        assert_eq!(last["status"], "stopped");
        assert!(last["solution"]["grid"].is_array());
        let message = moves.last().expect("a move");
        assert_eq!((&last["objective"], &last["bounds"]), (&message["objective"], &message["bounds"]));
    }
}
