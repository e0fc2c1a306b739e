//! Tests of explanations on small random boards. A second solver checks that every argument of a step is correct and
//! minimal. Together, the steps must derive all facts that the solutions share.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::support::{self, Judge, all_solutions, board, random};
use gordian::backend::{self, Limits};
use gordian::explain::{Deduction, Explainer, Next, Size, StepText, Why, strip};
use gordian::puzzle::{Fact, Plain, Puzzle};
use gordian::rules::numberlink::{DOWN, LINES, RIGHT};
use gordian::rules::{Field, Solution};
use gordian::search::{Config, GroupedSession, Session};
use gordian_encodings::{Assignment, Encodings, Lit};
use gordian_explain::{Answer, Oracle, Set};

/// Returns one literal for each fact: the literal of the fact if the fact holds in the solution, and its negation
/// otherwise.
fn facts(plain: &Plain, puzzle: &dyn Puzzle, solution: &Solution) -> BTreeSet<Lit> {
    if let Some(Field::Numbers(path)) = solution.get("path") {
        let steps: Vec<[i128; 2]> =
            path.windows(2).map(|step| [step[0].min(step[1]), step[0].max(step[1])]).collect();
        let holds = |place: &str| match place.split_once('-') {
            Some((a, b)) => steps.contains(&[a, b].map(|node| node.parse().expect("a node"))),
            None => path.contains(&place.parse().expect("a node")),
        };
        return plain
            .facts
            .iter()
            .map(|fact| if holds(&fact.place) { fact.lit } else { !fact.lit })
            .collect();
    }
    let Some(Field::Grid(grid)) = solution.get("grid") else { panic!("{puzzle:?} has a grid") };
    let sides = match solution.get(LINES) {
        Some(Field::Grid(lines)) => Some(lines),
        _ => None,
    };
    let side = |a: usize, b: usize| if a / grid.columns() == b / grid.columns() { RIGHT } else { DOWN };
    let holds = |cells: &[usize]| match (cells, sides) {
        (&[cell], _) => (grid[cell] == 0) == (puzzle.puzzle_type().name == "nurikabe"),
        (&[a, b], Some(lines)) => lines[a] & side(a, b) != 0,
        (&[a, b], None) => grid[a] != 0 && grid[a] == grid[b],
        _ => panic!("a fact has one or two cells"),
    };
    let is_number = |fact: &Fact| grid[fact.cells[0]].to_string() == fact.words[1];
    let literal = |fact: &Fact| {
        let holds =
            if puzzle.puzzle_type().name == "numcross" { is_number(fact) } else { holds(&fact.cells) };
        if holds { fact.lit } else { !fact.lit }
    };
    plain.facts.iter().map(literal).collect()
}

/// Returns the result of `facts` for each solution of the puzzle.
fn solutions(plain: &Plain, puzzle: &dyn Puzzle) -> BTreeSet<BTreeSet<Lit>> {
    let solver = backend::find("batsat").expect("a solver");
    let solutions = all_solutions(puzzle, &solver, &Encodings::auto());
    solutions.iter().map(|solution| facts(plain, puzzle, solution)).collect()
}

#[test]
fn plain_formulations_have_the_solutions_of_the_puzzle() {
    let mut random = fastrand::Rng::with_seed(1);
    let solver = backend::find("batsat").expect("a solver");
    let mut numbers = BTreeSet::new();
    for round in 0..1500 {
        let puzzle = random::board(&mut random, random::BOARDS[round % random::BOARDS.len()]);
        let plain = puzzle.plain();
        let expected = solutions(&plain, &*puzzle);
        let session = Session::new(&plain.model, &Encodings::auto(), &solver).expect("a session");
        let lits: Vec<Lit> = plain.facts.iter().map(|fact| fact.lit).collect();
        let found: BTreeSet<BTreeSet<Lit>> = session
            .into_assignments_of(lits.clone())
            .map(|found| {
                let found = found.expect("no limit");
                lits.iter().map(|&lit| if found.lit(lit) { lit } else { !lit }).collect()
            })
            .collect();
        assert_eq!(found, expected, "round {round}: {puzzle:?}");
        numbers.insert(expected.len().min(3));
    }
    assert_eq!(numbers, BTreeSet::from([0, 1, 2, 3]), "boards with all numbers of solutions");
}

#[test]
fn implied_constraints_follow_from_their_rules() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut violated = 0;
    for round in 0..60 {
        let puzzle = random::board(&mut random, random::BOARDS[0]);
        let plain = puzzle.plain();
        let (groups, config) = (plain.rules.len(), Config::default());
        let mut session =
            GroupedSession::new(&plain.model, plain.rule_of(), groups, &config, config.limits(), None)
                .expect("a session");
        for (rules, constraint) in plain.implied() {
            let rules = Set::of(groups, rules.iter().copied());
            for _ in 0..50 {
                let mut values = vec![false; plain.model.variables() as usize];
                values.fill_with(|| random.bool());
                let assignment = Assignment::new(values, Vec::new());
                let facts = plain.facts.iter().map(|fact| fact.lit);
                let lits: Vec<Lit> = facts.map(|lit| if assignment.lit(lit) { lit } else { !lit }).collect();
                if !constraint.holds(&assignment) {
                    violated += 1;
                    let answer = session.check(&rules, &lits).expect("a solver");
                    assert!(matches!(answer, Answer::Contradiction(_)), "round {round}: {puzzle:?}");
                }
            }
        }
    }
    assert!(violated > 100, "{violated} assignments violate an implied constraint");
}

#[test]
fn a_session_stopped_during_the_encoding_has_no_result() {
    let plain = board("nurikabe\n1 . 1\n. . .\n? . 1\n").plain();
    let cancel = Arc::new(AtomicBool::new(true));
    let limits = Limits { cancel: Some(cancel), ..Limits::default() };
    let (groups, config) = (plain.rules.len(), Config::default());
    let mut session =
        GroupedSession::new(&plain.model, plain.rule_of(), groups, &config, limits, None).expect("a session");
    assert_eq!(session.groups(), groups);
    assert!(matches!(session.check(&Set::full(groups), &[]), Ok(Answer::Stopped)));
}

#[test]
fn steps_are_proven_minimal_and_derive_what_all_solutions_share() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut sizes = BTreeSet::new();
    for round in 0..1000 {
        let puzzle = random::board(&mut random, random::BOARDS[round % random::BOARDS.len()]);
        let plain = puzzle.plain();
        let about = format!("round {round}: {puzzle:?}");
        let solutions = solutions(&plain, &*puzzle);
        let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let mut judge = Judge::of(&plain);
        let rules: Vec<usize> = (0..plain.rules.len()).collect();
        let Some(first) = solutions.first() else {
            assert_eq!(explainer.next_step().expect("a solver"), Next::Contradiction, "{about}");
            judge.contradiction(&mut explainer, &about);
            continue;
        };
        loop {
            let known = explainer.known().to_vec();
            match explainer.next_step().expect("a solver") {
                Next::Step(step) => {
                    judge.step(&plain, &rules, &known, &step, &about);
                    sizes.extend(step.arguments.iter().map(|argument| argument.rules.len()));
                }
                Next::Done => break,
                other => panic!("{other:?}: {about}"),
            }
        }
        let shared: BTreeSet<Lit> =
            first.iter().copied().filter(|lit| solutions.iter().all(|facts| facts.contains(lit))).collect();
        assert_eq!(explainer.known().iter().copied().collect::<BTreeSet<_>>(), shared, "{about}");
        if let Some(&lit) = shared.first() {
            let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
            let Why::Reason(reason) = explainer.why(&[!lit], true).expect("a solver") else {
                panic!("{about}")
            };
            judge.reason(&reason, lit, &about);
        }
    }
    assert!(sizes.len() >= 3, "arguments of several sizes: {sizes:?}");
}

#[test]
fn the_conflict_limit_of_calls_does_not_end_an_explanation() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut limited = 0;
    for round in 0..600 {
        let puzzle = random::board(&mut random, random::BOARDS[round % random::BOARDS.len()]);
        let plain = puzzle.plain();
        let about = format!("round {round}: {puzzle:?}");
        let is_possible = !solutions(&plain, &*puzzle).is_empty();
        let mut explainer = Explainer::new(&plain, &Config::default(), Some(0)).expect("a solver");
        if round % 4 < 2 {
            explainer.set_puzzle(&*puzzle);
        }
        match explainer.why(&[], true).expect("a solver") {
            Why::Possible => assert!(is_possible, "{about}"),
            Why::Reason(reason) => {
                limited += usize::from(reason.size == Size::Limited);
                assert!(Judge::of(&plain).refutes(&reason.rules, &reason.because), "{about}");
            }
            Why::Stopped => panic!("{about}"),
        }
        let first = explainer.next_step().expect("a solver");
        assert_eq!(first == Next::Contradiction, !is_possible, "{about}");
    }
    assert!(limited > 0, "some reasons are not proven minimal");
}

#[test]
fn other_puzzles_explain_with_the_named_constraints_of_their_model() {
    for (puzzle_type, path) in support::boards() {
        let is_plain =
            ["nurikabe", "rooks", "numberlink", "amaze", "labyrinth", "numcross"].contains(&&*puzzle_type);
        if is_plain || !path.contains("impossible") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a board");
        let source = gordian::format::Source::new(&*path, source);
        let options = gordian::read::ReadOptions {
            puzzle_type: gordian::puzzle::find(&puzzle_type),
            ..Default::default()
        };
        let puzzle = gordian::read::board(&source, &options).expect("a board").puzzle;
        let plain = puzzle.plain();
        let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let why = explainer.why(&[], false).expect("a solver");
        assert!(matches!(why, Why::Reason(_)), "{path}: {why:?}");
    }
}

#[test]
fn a_reason_whose_steps_are_not_found_is_stopped() {
    let board = "nurikabe\n. . . . . .\n. . . . . .\n. . 7 . . .\n. . . . . 4\n. . . . . .\n. . . . . .\n";
    let run = |arguments: &[&str]| {
        let arguments = [&["why", "-", "--conflicts", "0"], arguments].concat();
        let done = support::gordian(&arguments, board);
        (support::stdout(&done), done.status.code())
    };
    let (json, code) = run(&["--json"]);
    assert!(json.contains(r#""status":"reason""#) && json.contains(r#""complete":false"#), "{json}");
    assert_eq!(code, Some(3));
    let (text, code) = run(&[]);
    assert!(text.ends_with("no steps that derive the contradiction were found\n"), "{text}");
    assert_eq!(code, Some(3));
}

/// The end of the line of an argument from all rules.
const UNREDUCED: &str = ", from: all rules and known facts (search, not reduced)";

#[test]
fn a_board_beyond_the_conflict_limit_is_explained() {
    let boards = [
        ". . . . . .\n. . . 12 . .\n. . . . . 4\n. . . . . .\n. . . . . .\n10 . . . . .\n",
        ". . . . 9 .\n. . . . . .\n. 7 . . . .\n. . . . . .\n. . 10 . . .\n. . . . . .\n",
    ];
    let mut sizes = BTreeSet::new();
    for (round, text) in boards.iter().cycle().take(4).enumerate() {
        let puzzle = board(&format!("nurikabe\n{text}"));
        let plain = puzzle.plain();
        let mut explainer = Explainer::new(&plain, &Config::default(), Some(1)).expect("a solver");
        if round < 2 {
            explainer.set_puzzle(&*puzzle);
        }
        let mut judge = Judge::of(&plain);
        loop {
            let known = explainer.known().to_vec();
            match explainer.next_step().expect("a solver") {
                Next::Step(step) => {
                    for argument in &step.arguments {
                        sizes.insert(argument.size);
                        if argument.size == Size::Unreduced {
                            assert_eq!(argument.rules.len(), plain.rules.len(), "{text}");
                            assert_eq!(argument.deductions[0].because, known, "{text}");
                            let lines = StepText::of(&plain, &step).lines();
                            assert!(lines[0].ends_with(UNREDUCED), "{lines:?}");
                            let picture = strip("", &plain, &known, std::slice::from_ref(&step));
                            let picture = picture.expect("a picture");
                            assert_eq!(picture.matches("class=\"conclusion\"").count(), 1, "{picture}");
                            assert!(!picture.contains("class=\"premise\""), "{picture}");
                        }
                        for Deduction { lit, because, .. } in &argument.deductions {
                            assert!(because.iter().all(|fact| known.contains(fact)), "{text}");
                            assert!(
                                judge.refutes(&argument.rules, &[&because[..], &[!*lit]].concat()),
                                "{text}"
                            );
                        }
                    }
                }
                Next::Done => break,
                other => panic!("{other:?}: {text}"),
            }
        }
        let solutions = solutions(&plain, &*puzzle);
        let known: BTreeSet<Lit> = explainer.known().iter().copied().collect();
        assert_eq!(solutions, BTreeSet::from([known]), "the steps derive the unique solution: {text}");
    }
    assert!(sizes.contains(&Size::Unreduced) && sizes.contains(&Size::Minimal), "{sizes:?}");
}

#[test]
fn arguments_by_assumption_list_what_they_assume() {
    let board = "nurikabe\n. . . . . .\n. . . 12 . .\n. . . . . 4\n. . . . . .\n. . . . . .\n10 . . . . .\n";
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("steps.html");
    let done = support::gordian(&["explain", "-", "--html", path.to_str().expect("a path")], board);
    let text = support::stdout(&done);
    assert!(text.contains("(assumption, minimal)\n    otherwise, r"), "{text}");
    assert!(text.contains(", and each of these because its opposite fails:\n"), "{text}");
    let page = std::fs::read_to_string(path).expect("a page");
    let of_chains = text.lines().filter(|line| line.starts_with("    ")).count();
    assert_eq!(page.matches("<li class=\"chain\">").count(), of_chains, "{page}");
}

#[test]
fn arguments_by_propagation_list_the_facts_between() {
    let board = "nurikabe\n. . . . .\n. . 3 . .\n. . . . .\n. . 2 . .\n. 3 . . .\n";
    let text = support::stdout(&support::gordian(&["explain", "-"], board));
    let chain = "\n    otherwise, r2c2=sea:\n    \
        r2c1=sea, from: clue at r2c3; clue in reach of r2c1\n    \
        contradiction, from: no 2x2 sea at r2c1 to r3c2\n";
    assert!(text.contains(chain), "{text}");
    let board = "rooks\n. . . # .\n. . . . .\n2 . . . .\n. . 2 0 #\n. . . . .\n";
    let text = support::stdout(&support::gordian(&["explain", "-"], board));
    assert!(text.contains("\n    r2c1=empty, from: at most one rook in row 2 from c1 to c5\n"), "{text}");
    // If a single rule implies a fact, no chain is printed.
    let text = support::stdout(&support::gordian(&["explain", "-"], "rooks\n0 .\n. .\n"));
    assert!(!text.contains("otherwise"), "{text}");
}

#[test]
fn the_page_of_an_explanation_shows_the_end_and_has_one_style() {
    let board = "nurikabe\n. . . . .\n. . 3 . .\n. . . . .\n. . 2 . .\n. 3 . . .\n";
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("steps.html");
    let done = support::gordian(&["explain", "-", "--html", path.to_str().expect("a path")], board);
    let text = support::stdout(&done);
    let page = std::fs::read_to_string(path).expect("a page");
    let steps = text.lines().filter(|line| line.starts_with("step ")).count();
    assert_eq!(page.matches("<section ").count(), steps + 1);
    assert!(page.contains(&format!("<section data-heading=\"step {steps} of {steps}\">")), "{page}");
    let (_, end) = page.split_once("<section data-heading=\"solved\">").expect("the last view");
    let difficulty = text.lines().last().expect("a line");
    assert!(end.contains(&format!("<li>{difficulty}</li>")), "{end}");
    assert_eq!(page.matches(".sea{").count(), 1);
    // Each view has the numbers of five rows and five columns.
    assert_eq!(page.matches("class=\"number\"").count(), 10 * (steps + 1));
}

#[test]
fn arguments_for_a_contradiction_list_their_steps() {
    let board = "nurikabe\n. . . 4 .\n. . . . .\n. . . . 7\n. . . . .\n. . . . 6\n";
    let text = support::stdout(&support::gordian(&["why", "-"], board));
    assert!(text.contains("\n    in steps:\n"), "{text}");
    assert!(!text.contains("not contradiction"), "{text}");
}

#[test]
fn explanations_say_what_is_wrong_with_a_board() {
    let run = |arguments: &[&str], board: &str| support::stdout(&support::gordian(arguments, board));
    let several = run(&["explain", "-"], "nurikabe\n2 .\n. .\n");
    assert!(
        several.ends_with("the board has several solutions: they differ in the other facts\n"),
        "{several}"
    );
    let single = run(&["explain", "-"], "nurikabe\n1 .\n. 1\n");
    assert!(!single.contains("several"), "{single}");
    let none = run(&["hint", "-"], "nurikabe\n1 1\n");
    assert_eq!(none, "no solution: `gordian why -` shows the reason\n");
    let age = std::fs::read_to_string("instances/age/impossible.dzn").expect("a board");
    let data = run(&["why", "--puzzle", "age", "-"], &age);
    assert!(data.starts_with("the data alone has no solution\n"), "{data}");
}
