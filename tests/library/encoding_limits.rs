//! Tests limits that are reached while a model is built or a formula is written. A special solver sets the stop flag
//! after it has received a given number of clauses.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::support::{board, gordian, stderr, stdout};
use gordian::backend::{
    Backend, BackendError, Limits, SOLVERS, Solver, SolverConstructor, Statistics, Verdict,
};
use gordian::puzzle::{Puzzle, Query};
use gordian::query::{self, Outcome, Silent, Status};
use gordian::search::Config;
use gordian_encodings::theory::Propagator;
use gordian_encodings::{Collect, Lit};
use num_bigint::BigUint;

/// The stop flag, which is set when the solver has received `ENOUGH` clauses.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static ENOUGH: AtomicU64 = AtomicU64::new(u64::MAX);

/// The default solver with a check after each clause: once the solver has received `ENOUGH` clauses, the check sets the
/// stop flag.
static PLUGGED: Solver = Solver {
    name: Cow::Borrowed("plugged"),
    summary: "",
    version: "",
    phases: true,
    seeds: true,
    limits_first: false,
    proofs: false,
    make: SolverConstructor::Function(|| Ok(Box::new(Plugged(SOLVERS[0].make()?)))),
};

struct Plugged(Box<dyn Backend>);

impl Collect for Plugged {
    fn clause(&mut self, clause: &[Lit]) {
        self.0.clause(clause);
        if self.0.statistics().clauses >= ENOUGH.load(Ordering::Relaxed) {
            STOP.store(true, Ordering::Relaxed);
        }
    }

    fn reserve(&mut self, variables: u32) {
        self.0.reserve(variables);
    }
}

impl Backend for Plugged {
    fn solver(&self) -> &Solver {
        &PLUGGED
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError> {
        self.0.solve(assumptions)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.0.value(lit)
    }

    fn core(&mut self) -> Vec<Lit> {
        self.0.core()
    }

    fn statistics(&self) -> Statistics {
        self.0.statistics()
    }

    fn set_limits(&mut self, limits: Limits) -> Result<(), BackendError> {
        self.0.set_limits(limits)
    }

    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>> {
        self.0.attach(propagator)
    }

    fn phase(&mut self, lit: Lit) -> bool {
        self.0.phase(lit)
    }

    fn seed(&mut self, seed: u32) -> bool {
        self.0.seed(seed)
    }
}

/// Returns a config whose queries stop after `enough` clauses. If `enough` is 0, the stop flag is set from the start.
fn plugged(enough: u64, choices: &[&str]) -> Config {
    ENOUGH.store(enough, Ordering::Relaxed);
    STOP.store(enough == 0, Ordering::Relaxed);
    let mut config = Config { solver: PLUGGED.clone(), cancel: Some(Arc::clone(&STOP)), ..Config::default() };
    for choice in choices {
        config.encodings.choose_from(choice).expect("a choice");
    }
    config
}

/// The lock prevents tests from running in parallel, because they share the stop flag.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn asked(puzzle: &dyn Puzzle, query: Query, config: &Config) -> Outcome {
    query::run(puzzle, query, config, &mut Silent).expect("no failure")
}

fn rooks(size: usize) -> Box<dyn Puzzle> {
    board(&format!("rooks\n{}", format!("{}\n", ". ".repeat(size)).repeat(size)))
}

/// The maximum number of clauses between two polls. The stop flag is polled every 65,536 literals, and each clause
/// has at least one literal.
const LOOK: u64 = 65_536;

#[test]
fn every_query_can_be_stopped_while_it_is_encoded() {
    let _alone = alone();
    let puzzle = rooks(300);
    let whole = 750_000;
    let queries = [
        Query::Satisfy,
        Query::Optimise(&puzzle.puzzle_type().objectives[0]),
        Query::Count,
        Query::Unique,
        Query::Enumerate { limit: Some(3) },
    ];
    for query in queries {
        for enough in [1, 50_000, 200_000] {
            let outcome = asked(&*puzzle, query, &plugged(enough, &[]));
            assert_eq!(
                (outcome.status, outcome.statistics.conflicts),
                (Status::Stopped, Some(0)),
                "{query:?}"
            );
            assert!(outcome.solution.is_none() && outcome.objective.is_none() && outcome.unique.is_none());
            assert_eq!(outcome.count.unwrap_or_default(), BigUint::ZERO);
            let clauses = outcome.sizes.total().clauses;
            assert!((enough..=enough + LOOK).contains(&clauses) && clauses < whole, "{query:?}: {clauses}");
            assert!(outcome.statistics.clauses.abs_diff(clauses) <= 1);
        }
    }
    let found = asked(&*puzzle, Query::Backbone, &plugged(1, &[]));
    assert!(found.status == Status::Stopped && found.backbone.is_some_and(|fields| fields.is_empty()));
    let threads = Config { threads: 3, solver: SOLVERS[0].clone(), ..plugged(0, &[]) };
    assert_eq!(asked(&*puzzle, Query::Satisfy, &threads).status, Status::Stopped);
}

#[test]
fn building_a_model_can_be_stopped() {
    let _alone = alone();
    let config = plugged(0, &[]);
    let ends = |count: usize| -> Vec<String> {
        (0..count * count)
            .map(|cell| if cell < 2 * count { (cell / 2 + 1).to_string() } else { ".".into() })
            .collect()
    };
    let grid = |puzzle_type: &str, size: usize| {
        let rows: Vec<String> = ends(size).chunks(size).map(|row| row.join(" ")).collect();
        format!("{puzzle_type}\n{}\n", rows.join("\n"))
    };
    let clues = format!("nurikabe\n{}", format!("{}\n", "2 . ".repeat(60)).repeat(60));
    let edges: Vec<String> = (1..4000).map(|node| format!("{node}, {}", node + 1)).collect();
    let labyrinth = format!(
        "labyrinth\nn = 4000\nnum_edges = 3999\nstart = 1\ntarget = 4000\ngraph = [| {} |]\n",
        edges.join(" | ")
    );
    for text in [grid("numberlink", 40), grid("amaze", 40), clues, labyrinth] {
        let puzzle = board(&text);
        let outcome = asked(&*puzzle, Query::Satisfy, &config);
        assert_eq!((outcome.status, outcome.sizes.total().clauses), (Status::Stopped, 0), "{text:.20}");
    }
    let outcome = asked(&*rooks(300), Query::Count, &config);
    assert_eq!(
        (outcome.status, outcome.count, outcome.sizes.total().clauses),
        (Status::Stopped, Some(BigUint::ZERO), 0)
    );
}

/// Tests limits that are reached while the search adds clauses, either to extend the depth of an encoding or to tighten
/// the bound of an objective. The results of stopped queries must be correct.
#[test]
fn searches_can_be_stopped_while_they_add_clauses() {
    let _alone = alone();
    let text = std::fs::read_to_string("instances/nurikabe/generated-12x12.txt").expect("a board");
    let source = gordian::format::Source::new("board", text);
    let board = gordian::read::board(&source, &gordian::read::ReadOptions::default()).expect("a board");
    let puzzle = board.puzzle;
    let deepening = ["connectivity=layers"];
    let whole = asked(&*puzzle, Query::Satisfy, &plugged(u64::MAX, &deepening));
    assert_eq!(whole.status, Status::Solved);
    let all = whole.statistics.clauses;
    let mut stopped = 0;
    for part in 1..8 {
        let outcome = asked(&*puzzle, Query::Satisfy, &plugged(all * part / 8, &deepening));
        stopped += usize::from(outcome.status == Status::Stopped);
        assert!([Status::Solved, Status::Stopped].contains(&outcome.status), "{part}: {:?}", outcome.status);
        assert_eq!(outcome.solution.is_some(), outcome.status == Status::Solved, "{part}");
    }
    assert!(stopped > 0);
    let puzzle = rooks(40);
    let row = &puzzle.puzzle_type().objectives[0];
    let whole = asked(&*puzzle, Query::Optimise(row), &plugged(u64::MAX, &[]));
    let (_, least, _) = whole.objective.expect("a value");
    for part in 1..8 {
        let outcome =
            asked(&*puzzle, Query::Optimise(row), &plugged(whole.statistics.clauses * part / 8, &[]));
        assert_eq!(outcome.solution.is_some(), outcome.objective.is_some(), "{part}");
        if let Some((_, value, bound)) = outcome.objective {
            assert!(bound <= least && least <= value, "{part}: {bound} {least} {value}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_limited_while_a_formula_is_built() {
    let board = format!("rooks\n{}", format!("{}\n", ". ".repeat(1000)).repeat(1000));
    // The whole formula would take more than a gigabyte.
    for (limit, megabytes) in [("150M", 150), ("700M", 700)] {
        let output = gordian(&["solve", "-", "--json", "--memory", limit], &board);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let held = found["stats"]["process"]["memory"].as_u64().expect("a size") >> 20;
        assert!(held <= megabytes * 3 / 2, "{held} MiB");
    }
    let output = gordian(&["solve", "-", "--memory", "150M"], &board);
    assert_eq!(stdout(&output), "stopped before a solution was found\n");
}
