use std::sync::Barrier;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::cli::boards::boards;
use crate::rules::Violation;

/// Returns boards with numbered names. The tests never read the boards.
fn numbered(count: usize) -> Vec<NamedBoard> {
    boards(&(1..=count).map(|number| format!("board {number}")).collect::<Vec<_>>())
}

struct Run {
    ending: Result<ExitStatus, Failure>,
    out: String,
    err: String,
}

fn run(
    (jobs, json): (usize, bool),
    boards: Vec<NamedBoard>,
    solution: impl Fn(&str, &mut Printer<'_>) -> Result<Option<Status>, Failure> + Sync,
) -> Run {
    let (config, jobs) = (Config::default(), NonZeroUsize::new(jobs).expect("a number of jobs"));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let many = Many { jobs, config: &config, json, progress: false, look: Look::Plain, pictures: None };
    let ending = many.run(boards, &mut out, &mut err, |board, _, printer| solution(&board.name, printer));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { ending, out: text(out), err: text(err) }
}

#[test]
fn a_panic_and_a_wrong_solution_are_reported_and_the_rest_is_answered() {
    let solution = |name: &str, printer: &mut Printer<'_>| match name {
        "board 2" => panic!("on purpose"),
        "board 3" => Err(Failure::WrongSolution(Violation::new("a clue is not met"))),
        _ => {
            writeln!(printer.out, "solution of {name}")?;
            Ok(Some(Status::Solved))
        }
    };
    for jobs in [1, 3] {
        let Run { ending, out, err } = run((jobs, false), numbered(4), solution);
        assert_eq!(ending.expect("no failure of all"), ExitStatus::Bug);
        assert_eq!(
            out, "==> board 1 <==\nsolution of board 1\n\n==> board 4 <==\nsolution of board 4\n",
            "jobs: {jobs}"
        );
        let panicked = "gordian: board 2: this is a bug in gordian; please report it with the board";
        assert!(err.contains(panicked), "{err}");
        let wrong =
            "gordian: board 3: this is a bug in gordian: its solution breaks the rules: a clue is not met\n";
        assert!(err.contains(wrong), "{err}");
        assert!(err.contains(": 2 solved, 2 failed by bugs in gordian\nslowest: "), "{err}");
    }
    let Run { out, .. } = run((1, true), numbered(2), solution);
    let last: serde_json::Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["source"], &last["status"]), (&"board 2".into(), &"error".into()));
}

#[test]
fn output_comes_in_the_order_of_the_boards() {
    const COUNT: usize = 9;
    // Each board waits for two others, so the test passes only if three boards are solved at the same time.
    let barrier = Barrier::new(3);
    let Run { ending, out, err } = run((3, false), numbered(COUNT), |name, printer| {
        writeln!(printer.err, "{name} begins")?;
        barrier.wait();
        for line in 0..50 {
            writeln!(printer.out, "{name}: {line}")?;
        }
        Ok(Some(Status::Solved))
    });
    assert_eq!(ending.expect("no failure of all"), ExitStatus::Answered);
    let one = |number: usize| {
        let lines: String =
            (0..50).map(|line| format!("board {number}: {line}\n")).collect::<Vec<_>>().concat();
        format!("==> board {number} <==\n{lines}")
    };
    assert_eq!(out, (1..=COUNT).map(one).collect::<Vec<_>>().join("\n"));
    let begins: Vec<_> = (1..=COUNT).map(|number| format!("board {number} begins")).collect();
    assert_eq!(err.lines().take(COUNT).collect::<Vec<_>>(), begins);
}

#[test]
fn the_gravest_ending_counts() {
    let ending = |endings: &[&str]| {
        let boards = boards(&endings.iter().map(|&ending| ending.to_owned()).collect::<Vec<_>>());
        let result = run((1, false), boards, |name, _| match name {
            "solved" => Ok(Some(Status::Solved)),
            "optimal" => Ok(Some(Status::Optimal)),
            "none" => Ok(Some(Status::None)),
            "stopped" => Ok(Some(Status::Stopped)),
            "bad" => Err(Failure::Usage("bad".to_owned())),
            "bug" => Err(Failure::Panic),
            _ => Ok(None),
        });
        result.ending.expect("no failure of all")
    };
    assert_eq!(ending(&["solved", "optimal", "other"]), ExitStatus::Answered);
    assert_eq!(ending(&["solved", "none", "solved"]), ExitStatus::NoSolution);
    assert_eq!(ending(&["stopped", "none"]), ExitStatus::Stopped);
    assert_eq!(ending(&["none", "bad", "stopped"]), ExitStatus::BadInput);
    assert_eq!(ending(&["bug", "bad", "stopped"]), ExitStatus::Bug);
    assert_eq!(ending(&["other", "other"]), ExitStatus::BadInput, "no board at all");
}

/// A writer that reports a full disk after a given number of bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn no_board_is_begun_once_results_cannot_be_written() {
    let begun = AtomicUsize::new(0);
    let config = Config::default();
    let many = Many {
        jobs: NonZeroUsize::MIN,
        config: &config,
        json: false,
        progress: false,
        look: Look::Plain,
        pictures: None,
    };
    let ending = many.run(numbered(9), Full(50), Vec::new(), |_, _, printer| {
        begun.fetch_add(1, Ordering::Relaxed);
        writeln!(printer.out, "a result")?;
        Ok(Some(Status::Solved))
    });
    let full = |error: &io::Error| error.kind() == io::ErrorKind::StorageFull;
    assert!(matches!(&ending, Err(Failure::Output(error)) if full(error)), "{ending:?}");
    assert_eq!(begun.load(Ordering::Relaxed), 2, "the first result has 26 bytes with its heading");
}
