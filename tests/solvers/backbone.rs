//! Tests that `backbone` returns exactly the values that occur in solutions, on tiny random boards of each puzzle
//! type.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::{
    all_solutions, board, gordian, nurikabe_token, pairs, rooks_token, rows, stderr, stdout, text,
};
use gordian::backend::SOLVERS;
use gordian::drawing;
use gordian::puzzle::{Puzzle, Query};
use gordian::query::{self, FieldValues, Outcome, Silent, Status};
use gordian::rules::{Content, Field, Grid, Solution};
use gordian::search::Config;
use gordian_encodings::Encodings;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns the numbers in a field of a solution.
fn numbers(solution: &Solution, field: &str) -> Vec<i128> {
    match solution.get(field) {
        Some(Field::Grid(grid)) => grid.cells().to_vec(),
        Some(Field::Numbers(numbers)) => numbers.clone(),
        other => panic!("{field} is {other:?}"),
    }
}

/// Returns, for each cell or number of a field, the set of values that it has in the solutions.
fn union(solutions: &[Solution], contents: impl Fn(&Solution) -> Vec<Content>) -> Vec<BTreeSet<Content>> {
    let mut union = Vec::new();
    for solution in solutions {
        let contents = contents(solution);
        union.resize(contents.len(), BTreeSet::new());
        for (set, content) in union.iter_mut().zip(contents) {
            set.insert(content);
        }
    }
    union
}

fn plain(field: &'static str) -> impl Fn(&Solution) -> Vec<Content> {
    move |solution| numbers(solution, field).into_iter().map(Content::Number).collect()
}

/// The name of a field, and a function that returns the values of the field's cells or numbers in a solution.
type Named<'a> = (&'a str, &'a dyn Fn(&Solution) -> Vec<Content>);

/// Compares the backbone found by each solver with the backbone computed from all solutions.
fn agree(puzzle: &dyn Puzzle, fields: &[Named<'_>]) -> Result<(), TestCaseError> {
    let solutions = all_solutions(puzzle, SOLVERS[0], &Encodings::auto());
    for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
        for encoding in ["auto", "layers", "cuts"] {
            let mut encodings = Encodings::auto();
            encodings.choose_named("connectivity", encoding).expect("an encoding");
            let config = Config { solver: (*solver).clone(), encodings, ..Config::default() };
            let found = query::run(puzzle, Query::Backbone, &config, &mut Silent).expect("no failure");
            let status = if solutions.is_empty() { Status::None } else { Status::Solved };
            prop_assert_eq!(found.status, status, "{:?}", puzzle);
            if solutions.is_empty() {
                continue;
            }
            prop_assert_eq!(found.unique, Some(solutions.len() == 1), "{:?}", puzzle);
            for (name, contents) in fields {
                let known =
                    found.backbone.iter().flatten().find(|(known, _)| known == name).map(|(_, known)| known);
                let Some(FieldValues::Parts { parts, .. }) = known else { panic!("{name} in {found:?}") };
                let sets: Vec<BTreeSet<Content>> =
                    parts.iter().map(|values| values.possible.iter().copied().collect()).collect();
                prop_assert_eq!(&sets, &union(&solutions, contents), "{} {} {:?}", solver.name, name, puzzle);
                prop_assert!(parts.iter().all(|values| values.open.is_empty()));
            }
            drawn(puzzle, &found, &solutions)?;
        }
    }
    Ok(())
}

/// Checks that the drawing of a backbone shows exactly what all solutions have in common.
fn drawn(puzzle: &dyn Puzzle, found: &Outcome, solutions: &[Solution]) -> Result<(), TestCaseError> {
    let tokens = |text: String| {
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let shown: Vec<Vec<String>> = tokens(drawing::backbone(puzzle, found).text(false));
    let all: Vec<Vec<Vec<String>>> =
        solutions.iter().map(|solution| tokens(puzzle.draw(Some(solution)).text(false))).collect();
    if found.backbone.iter().flatten().all(|(name, _)| !["grid", "lines"].contains(&name.as_str())) {
        return Ok(());
    }
    for (row, shown) in
        shown.iter().enumerate().filter(|(_, shown)| shown.get(1).is_none_or(|word| word != "="))
    {
        for (column, token) in shown.iter().enumerate() {
            let there: BTreeSet<&String> = all.iter().map(|drawing| &drawing[row][column]).collect();
            match token.as_str() {
                "+" => {}
                "?" => prop_assert!(there.len() > 1, "{:?}", puzzle),
                token => prop_assert!(there.iter().all(|&other| other == token), "{:?}", puzzle),
            }
        }
    }
    Ok(())
}

/// Returns the cells of a Nurikabe solution, with `+` on islands of unknown size.
fn islands(clues: &[String], rows: usize, columns: usize, solution: &Solution) -> Vec<Content> {
    let cells = Grid::new(rows, columns, numbers(solution, "grid"));
    let mut contents: Vec<Content> = cells.cells().iter().copied().map(Content::Number).collect();
    for start in (0..cells.len()).filter(|&cell| clues[cell] == "?") {
        let mut island = vec![start];
        let mut next = 0;
        while let Some(&cell) = island.get(next) {
            next += 1;
            island.extend(
                cells
                    .neighbours(cell)
                    .filter(|&near| cells[near] > 0 && !island.contains(&near))
                    .collect::<Vec<_>>(),
            );
        }
        for cell in island {
            contents[cell] = Content::Word("+");
        }
    }
    contents
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nurikabe(
        (rows, columns, tokens) in rows(nurikabe_token()),
    ) {
        let puzzle = board(&text("nurikabe", columns, &tokens));
        agree(&*puzzle, &[("grid", &|solution| islands(&tokens, rows, columns, solution))])?;
    }

    #[test]
    fn rooks(
        (_, columns, tokens) in rows(rooks_token()),
    ) {
        let puzzle = board(&text("rooks", columns, &tokens));
        agree(&*puzzle, &[("grid", &plain("grid"))])?;
    }

    #[test]
    fn numberlink(
        (columns, tokens) in pairs(4, 4, 3),
        puzzle_type in prop::sample::select(&["numberlink", "numberlink touch=no", "numberlink cells=all", "amaze"][..]),
    ) {
        let puzzle = board(&text(puzzle_type, columns, &tokens));
        let lines = !puzzle_type.contains("touch=no") && puzzle_type != "amaze";
        let (grid, sides) = (plain("grid"), plain("lines"));
        let fields: [Named<'_>; 2] = [("grid", &grid), ("lines", &sides)];
        agree(&*puzzle, &fields[..if lines { 2 } else { 1 }])?;
    }

    #[test]
    fn labyrinth(edges in proptest::collection::btree_set((1..7_usize, 1..7_usize), 1..14)) {
        let edges: Vec<(usize, usize)> = edges.into_iter().filter(|(a, b)| a < b).collect();
        let graph: Vec<String> = edges.iter().map(|(a, b)| format!("{a}, {b}")).collect();
        let graph = if graph.is_empty() { "1, 2".to_owned() } else { graph.join(" | ") };
        let puzzle = board(&format!("labyrinth\nn = 6\nstart = 1\ntarget = 6\ngraph = [| {graph} |]\n"));
        let nodes = |solution: &Solution| {
            let path = numbers(solution, "path");
            (1..=6).map(|node| Content::Number(path.contains(&node).into())).collect()
        };
        agree(&*puzzle, &[("nodes", &nodes)])?;
    }

    #[test]
    fn magic_triangle(given in proptest::collection::vec(proptest::option::weighted(0.6, 1..10_u8), 9), sum in 17..24_u8) {
        let given: Vec<String> = given
            .iter()
            .scan(BTreeSet::new(), |seen, digit| Some(digit.filter(|&digit| seen.insert(digit)).unwrap_or(0).to_string()))
            .collect();
        let puzzle = board(&format!("magic-triangle\nsum = {sum}\nstarting_conf = [{}]\n", given.join(", ")));
        agree(&*puzzle, &[("digits", &plain("digits"))])?;
    }

    #[test]
    fn numcross(
        columns in 2..4_usize,
        values in proptest::collection::vec(1..5_i128, 4..10),
        black in proptest::option::of(0..10_usize),
    ) {
        let rows = values.len() / columns;
        let white = |cell: usize| Some(cell) != black;
        let across = (0..rows).map(|row| (0..columns).map(|column| row * columns + column).collect::<Vec<_>>());
        let down = (0..columns).map(|column| (0..rows).map(|row| row * columns + column).collect::<Vec<_>>());
        let lines: Vec<Vec<usize>> = across.chain(down).collect();
        let entries = lines.iter().flat_map(|line| line.split(|&cell| !white(cell))).filter(|entry| entry.len() > 1);
        let products: Vec<i128> = entries.map(|entry| entry.iter().map(|&cell| values[cell]).product()).collect();
        let definitions: BTreeSet<i128> = products.iter().copied().collect();
        prop_assume!(definitions.len() == products.len() && !products.is_empty());
        let tokens: Vec<String> =
            (0..rows * columns).map(|cell| if white(cell) { "." } else { "#" }.to_owned()).collect();
        let definitions: Vec<String> = definitions.iter().map(ToString::to_string).collect();
        let head = format!("numcross\nr = 1\ns = 4\nS = {{{}}}", definitions.join(", "));
        let puzzle = board(&text(&head, columns, &tokens));
        agree(&*puzzle, &[("grid", &plain("grid"))])?;
    }
}

fn ask(arguments: &[&str], text: &str) -> (String, Option<i32>) {
    let output = gordian(&[&["backbone", "-"], arguments].concat(), text);
    assert!(!stderr(&output).contains("bug"), "{}", stderr(&output));
    (stdout(&output), output.status.code())
}

#[test]
fn forced_values_are_shown() {
    let (text, code) = ask(&[], "rooks\n. . #\n. 2 .\n1 . .\n");
    assert_eq!((text.as_str(), code), ("? ? #\n? 2 ?\n1 ? ?\n", Some(0)));
    let (text, code) = ask(&[], "nurikabe\n2 . .\n. . .\n. . .\n");
    assert_eq!((text.as_str(), code), ("no solution: the board is contradictory\n", Some(1)));
    let (text, _) = ask(&[], "nurikabe\n? . 1\n. . .\n");
    assert_eq!(text, "+ 0 1\n? 0 0\n", "an island of a size that solutions differ in");
    let (text, _) = ask(&[], "nurikabe\n1 . 1\n. . .\n1 . 1\n");
    assert_eq!(text, "1 0 1\n0 0 0\n1 0 1\n");
    let (text, _) = ask(&[], "magic-triangle\nstarting_conf = [1, 0, 0, 5, 0, 0, 0, 0, 0]\n");
    assert_eq!(text, "digits = 1 ? ? 5 ? ? 9 ? ?\nsums = 20 20 20\n");
}

#[test]
fn undetermined_values_are_shown_as_unknown() {
    // Both paths of the board have three nodes. The query does not determine whether solutions with paths of other
    // lengths exist.
    let board = "labyrinth\nn = 4\nstart = 1\ntarget = 4\ngraph = [|1, 2|1, 3|2, 4|3, 4|]\n";
    let output = gordian(&["backbone", "-"], board);
    assert_eq!(stdout(&output), "path = ?\nlength = *\ncost = *\nnodes = 1 ? ? 1\n");
    assert_eq!(stderr(&output), "? marks values that differ between solutions, * values that may differ\n");
    assert_eq!(output.status.code(), Some(0));
    let output = gordian(&["backbone", "-"], "rooks\n. .\n");
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("? ?\n", ""));
}

#[test]
fn json_contains_the_remaining_values() {
    let json = |arguments: &[&str], text: &str| -> Value {
        serde_json::from_str(&ask(&[&["--json"], arguments].concat(), text).0).expect("JSON")
    };
    let found = json(&[], "rooks\n. . #\n. 2 .\n1 . .\n");
    assert_eq!((&found["status"], &found["unique"]), (&json!("solved"), &json!(false)));
    assert_eq!(found["remaining"]["grid"][0], json!([[0, 1], [0, 1], [0]]));
    assert!(found.get("open").is_none());
    let found = json(&[], "nurikabe\n? . 1\n. . .\n");
    assert_eq!(found["remaining"]["grid"], json!([[["+"], [0], [1]], [[0, "+"], [0], [0]]]));
    // If there is no solution, there is no backbone, so the output does not contain the field `remaining`.
    let found = json(&[], "rooks\n4 .\n. .\n");
    assert_eq!((&found["status"], found.get("remaining")), (&json!("none"), None));
    let found = json(&["--timeout", "0"], "rooks\n. .\n. .\n");
    assert_eq!(
        (&found["status"], found.get("remaining"), found.get("open")),
        (&json!("stopped"), None, None)
    );

    // For a number with many digits, the output contains two of its values and states that there may be more.
    let found = json(&[], "powers\nexponents = [1]\nbase = 2\nmode = \"at-least\"\n");
    assert_eq!((&found["unique"], &found["open"]["n"]), (&json!(false), &json!(true)));
    assert_eq!(found["remaining"]["n"].as_array().map(Vec::len), Some(2));
    let found = json(&[], "powers\nexponents = [1]\nbase = 2\n");
    assert_eq!((&found["unique"], &found["remaining"]["n"]), (&json!(true), &json!([2])));
    assert!(found.get("open").is_none());
}

/// The partial backbone of an interrupted search is correct.
#[test]
fn a_limit_leaves_a_correct_partial_backbone() {
    let text = std::fs::read_to_string("instances/rooks/generated-10x10.txt").expect("a board");
    let puzzle = board(&text);
    let whole = query::run(&*puzzle, Query::Backbone, &Config::default(), &mut Silent).expect("no failure");
    let all = |outcome: &Outcome| match outcome.backbone.as_deref().unwrap_or_default() {
        [(_, FieldValues::Parts { parts, .. })] => parts.clone(),
        [] => Vec::new(),
        fields => panic!("{fields:?}"),
    };
    let whole_parts = all(&whole);
    let mut stopped = 0;
    for conflicts in [0, 1, 2, 5, 10, 20, 50, 100, 1_000_000] {
        let config = Config { conflicts: Some(conflicts), ..Config::default() };
        let found = query::run(&*puzzle, Query::Backbone, &config, &mut Silent).expect("no failure");
        stopped += u32::from(found.status == Status::Stopped);
        for (known, whole) in all(&found).iter().zip(&whole_parts) {
            assert!(known.possible.iter().all(|value| whole.possible.contains(value)));
            assert!(
                whole
                    .possible
                    .iter()
                    .all(|value| known.possible.contains(value) || known.open.contains(value))
            );
        }
        assert!(found.status == Status::Stopped || all(&found) == whole_parts);
    }
    assert!((1..9).contains(&stopped), "{stopped} of 9");

    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let alarm = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(5));
        set.store(true, Ordering::Relaxed);
    });
    let empty = board(&format!("rooks\n{}", format!("{}\n", ". ".repeat(40)).repeat(40)));
    let found = query::run(
        &*empty,
        Query::Backbone,
        &Config { cancel: Some(stop), ..Config::default() },
        &mut Silent,
    )
    .expect("no failure");
    alarm.join().expect("the thread ends");
    assert!(found.solution.is_none() || found.unique == Some(false) || found.status == Status::Stopped);
    assert_eq!(
        ask(&["--timeout", "0"], "rooks\n. .\n"),
        ("stopped before a solution was found\n".to_owned(), Some(3))
    );
}
