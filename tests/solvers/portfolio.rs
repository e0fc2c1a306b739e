//! Tests that runs with `--threads` return the same verdicts, values and counts as single-threaded runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::{board, gordian, stdout};
use gordian::puzzle::{Puzzle, Query};
use gordian::query::{self, Outcome, Silent, Status};
use gordian::search::Config;
use proptest::prelude::*;

fn on_threads(puzzle: &dyn Puzzle, query: Query, threads: usize) -> Outcome {
    let config = Config { threads, ..Config::default() };
    query::run(puzzle, query, &config, &mut Silent).expect("no failure")
}

fn text(puzzle_type: &str, columns: usize, tokens: &[String]) -> String {
    let rows: Vec<String> = tokens.chunks(columns).map(|row| row.join(" ")).collect();
    format!("{puzzle_type}\n{}\n", rows.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn threads_agree(
        columns in 2..6_usize,
        tokens in proptest::collection::vec(
            prop_oneof![
                9 => Just(".".to_owned()),
                2 => Just("#".to_owned()),
                1 => (0..3_u32).prop_map(|clue| clue.to_string()),
            ],
            6..26,
        ),
        threads in 2..7_usize,
    ) {
        let tokens = &tokens[..tokens.len() / columns * columns];
        let puzzle = board(&text("rooks", columns, tokens));
        let objectives = puzzle.puzzle_type().objectives.iter().map(Query::Optimise);
        for query in [Query::Satisfy, Query::Unique, Query::Count].into_iter().chain(objectives) {
            let [one, several] = [1, threads].map(|threads| on_threads(&*puzzle, query, threads));
            prop_assert_eq!(one.status, several.status, "{:?} of {:?}", query, puzzle);
            prop_assert_eq!(one.objective, several.objective, "{:?} of {:?}", query, puzzle);
            prop_assert_eq!((one.count, one.unique), (several.count, several.unique));
            prop_assert_eq!(one.solution.is_some(), several.solution.is_some());
            if let Some(solution) = &several.solution {
                prop_assert_eq!(puzzle.check(solution), Ok(()));
            }
        }
        let [one, several] = [1, threads].map(|threads| on_threads(&*puzzle, Query::Backbone, threads));
        prop_assert_eq!(one.backbone, several.backbone);
    }
}

#[test]
fn a_limit_stops_all_threads_and_the_best_solution_is_printed() {
    let file = std::fs::read_to_string("instances/rooks/generated-50x50.txt").expect("a board");
    let puzzle = board(&file);
    let fewest =
        puzzle.puzzle_type().objectives.iter().find(|row| row.name == "fewest").expect("an objective");
    let timeout = Some(Duration::from_millis(1500));
    let config = Config { threads: 3, timeout, ..Config::default() };
    let outcome = query::run(&*puzzle, Query::Optimise(fewest), &config, &mut Silent).expect("no failure");
    if outcome.status == Status::Stopped {
        assert_eq!(outcome.solution.is_some(), outcome.objective.is_some());
    } else {
        assert_eq!(outcome.status, Status::Optimal);
    }
    if let (Some(solution), Some((_, value, bound))) = (&outcome.solution, outcome.objective) {
        assert_eq!(puzzle.check(solution), Ok(()));
        assert!(bound <= value);
    }
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let config = Config { threads: 3, cancel, ..Config::default() };
    let outcome = query::run(&*puzzle, Query::Satisfy, &config, &mut Silent).expect("no failure");
    assert_eq!(outcome.status, Status::Stopped, "it was stopped before it began");
}

#[test]
fn one_thread_gives_the_same_solution_each_time() {
    let board = "rooks\n. . . . .\n. # . . .\n. . . 1 .\n. . . . .\n";
    let ask = |threads: &str| stdout(&gordian(&["solve", "-", "--threads", threads], board));
    assert_eq!(ask("1"), ask("1"));
    assert_eq!(ask("1"), stdout(&gordian(&["solve", "-"], board)));
    assert_eq!(gordian(&["solve", "-", "--threads", "0"], board).status.code(), Some(2));
    let count = stdout(&gordian(&["solve", "-", "--count", "--threads", "4"], board));
    assert_eq!(count, stdout(&gordian(&["solve", "-", "--count"], board)));
    let all = stdout(&gordian(&["solve", "-", "--all", "--threads", "4"], board));
    assert_eq!(all.lines().last().map(str::to_owned), count.lines().last().map(str::to_owned));
}
