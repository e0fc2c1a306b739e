//! Checks that all counting methods agree with each other and with a list of all solutions.

use proptest::prelude::*;

use super::*;
use crate::format::Source;
use crate::puzzle::{Formulation, PUZZLES, Puzzle};
use crate::query::{Silent, ValueCounts};
use crate::read::{self, ReadOptions};
use crate::rules::{Content, Field, Grid, Solution};
use crate::search::Session;

#[path = "../../../tests/support/boards.rs"]
mod boards;

use boards::{nurikabe_token, pairs, rooks_token, rows, text};

fn board(text: &str) -> Box<dyn Puzzle> {
    let board = read::board(&Source::new("board.txt", text), &ReadOptions::default());
    board.unwrap_or_else(|error| panic!("{error}\n{text}")).puzzle
}

fn outcome(puzzle: &dyn Puzzle, query: &Query, method: Method) -> Outcome {
    let (config, observer) = (Config::default(), &mut Silent);
    QueryRun::new(puzzle, None, &config, None, observer).count(query, method).expect("no failure")
}

/// Lists all solutions with the solver.
fn solutions(puzzle: &dyn Puzzle) -> Vec<Solution> {
    let mut solutions = Vec::new();
    let mut stages = puzzle.stages(&Query::Enumerate { limit: None });
    while let Some(Formulation { model, decode, .. }) = stages(&StageOutcome::None) {
        let config = Config::default();
        let session = Session::new(&model, &config.encodings, &config.solver).expect("the solver is there");
        solutions.extend(session.into_assignments().map(|assignment| decode(&assignment.expect("no limit"))));
    }
    solutions
}

/// Returns the value of a part, computed from the solution alone, without the literals of the model.
fn value(puzzle: &dyn Puzzle, solution: &Solution, field: &str, index: usize) -> Content {
    match (field, solution.get(field)) {
        ("nodes", _) => match solution.get("path") {
            Some(Field::Numbers(path)) => Content::Number(i128::from(path.contains(&(index as i128 + 1)))),
            path => panic!("{path:?}"),
        },
        (_, Some(Field::Grid(grid))) if has_unknown_clue(puzzle, grid, index) => Content::Word("+"),
        (_, Some(Field::Grid(grid))) => Content::Number(grid.cells()[index]),
        (_, Some(Field::Numbers(numbers))) => Content::Number(numbers[index]),
        (_, Some(Field::Number(number))) => Content::Number(*number),
        other => panic!("{other:?}"),
    }
}

/// Returns whether a cell of a Nurikabe solution belongs to an island whose clue is `?`.
fn has_unknown_clue(puzzle: &dyn Puzzle, grid: &Grid<i128>, cell: usize) -> bool {
    let drawn = puzzle.draw(None).text(false);
    let clues: Vec<&str> = drawn.split_whitespace().collect();
    let mut island = vec![cell];
    let mut next = 0;
    while let Some(&cell) = island.get(next) {
        next += 1;
        for near in grid.neighbours(cell).collect::<Vec<_>>() {
            if grid[near] != 0 && !island.contains(&near) {
                island.push(near);
            }
        }
    }
    puzzle.puzzle_type().name == "nurikabe"
        && grid[cell] != 0
        && island.iter().any(|&cell| clues[cell] == "?")
}

/// Checks the number of solutions with each value against the list of all solutions.
fn check_values(values: &ValueCounts, solutions: &[Solution], context: &dyn Puzzle) {
    for (field, counts) in values {
        for (index, values) in counts.parts.iter().enumerate() {
            let mut total = BigUint::ZERO;
            for (content, count) in values {
                let is_value = |solution: &&Solution| *content == value(context, solution, field, index);
                let expected = solutions.iter().filter(is_value).count();
                assert_eq!(*count, expected.into(), "{field} {index} {content} of {context:?}");
                total += count;
            }
            assert_eq!(total, solutions.len().into(), "{field} {index} of {context:?}");
        }
    }
}

/// Compares all methods on a board.
fn agree(puzzle: &dyn Puzzle) {
    let all = [Method::Auto, Method::Enumeration, Method::Counter, Method::Sweep, Method::Components];
    agree_by(&all, puzzle);
}

/// Compares the given methods on a board.
fn agree_by(methods: &[Method], puzzle: &dyn Puzzle) {
    let solutions = solutions(puzzle);
    let mut finished = 0;
    for &method in methods {
        for query in [Query::Count, Query::CountValues] {
            let outcome = outcome(puzzle, &query, method);
            if outcome.status == Status::Stopped {
                assert_eq!((method, &outcome.values), (Method::Sweep, &None), "{puzzle:?}");
                continue;
            }
            finished += 1;
            let status = if solutions.is_empty() { Status::None } else { Status::Solved };
            assert_eq!(outcome.status, status, "{method:?} of {puzzle:?}");
            assert_eq!(outcome.count, Some(solutions.len().into()), "{method:?} of {puzzle:?}");
            assert_eq!(outcome.values.is_some(), query == Query::CountValues && !solutions.is_empty());
            if let Some(values) = outcome.values {
                check_values(&values, &solutions, puzzle);
            }
        }
    }
    assert!(finished >= 2 * methods.len() - 2, "{puzzle:?}");
}

#[test]
fn samples_of_all_puzzles() {
    for puzzle_type in PUZZLES {
        let board = board(puzzle_type.readers[0].sample());
        if !board.unbounded().is_empty() {
            continue;
        }
        match puzzle_type.name {
            // Listing all 9! solutions of this puzzle takes too long.
            "max-triangle" => {}
            // Model counters are slow on products of large integers.
            "powers" | "cards" | "smallest" | "nines" | "age" => {
                agree_by(&[Method::Auto, Method::Enumeration], &*board);
            }
            _ => agree(&*board),
        }
    }
}

/// Compares the number of orbits that Burnside's lemma yields with the number of listed orbits.
fn agree_on_orbits(puzzle: &dyn Puzzle) {
    let symmetry = puzzle.symmetry().expect("rooks have symmetries");
    let orbits = |method| {
        let (config, observer) = (Config::default(), &mut Silent);
        let run = QueryRun::new(puzzle, Some(&*symmetry), &config, None, observer);
        let outcome = run.count(&Query::Count, method).expect("no failure");
        (outcome.count, outcome.orbits)
    };
    assert_eq!(orbits(Method::Components), orbits(Method::Enumeration), "{puzzle:?}");
    assert_eq!(orbits(Method::Counter), orbits(Method::Enumeration), "{puzzle:?}");
}

#[cfg(feature = "flatzinc")]
#[test]
fn models() {
    for model in [
        "var 1..9: hidden;\nvar 1..9: x :: output_var;\nconstraint int_lt(hidden, x);\nsolve satisfy;\n",
        "var -3..3: x :: output_var;\nvar 0..4: y;\nvar bool: b :: output_var;\narray [1..3] of var int: a :: \
         output_array([1..3]) = [x, 7, y];\nconstraint int_lin_le_reif([1, 1], [x, y], 2, b);\n\
         solve satisfy;\n",
        "var 1..3: x :: output_var;\nconstraint int_lt(x, 1);\nsolve satisfy;\n",
    ] {
        let instance =
            crate::flatzinc::read(&Source::new("model.fzn", model), crate::format::Syntax::FlatZinc);
        let flat = crate::flatzinc::Flat::new(instance.expect("an instance").into());
        agree(&flat.expect("supported constraints"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nurikabe(
        (_, columns, tokens) in rows(nurikabe_token()),
    ) {
        agree(&*self::board(&text("nurikabe", columns, &tokens)));
    }

    #[test]
    fn rooks(
        (_, columns, tokens) in rows(rooks_token()),
    ) {
        let board = self::board(&text("rooks", columns, &tokens));
        agree(&*board);
        if board.symmetry().is_some_and(|symmetry| symmetry.elements(MOST_SYMMETRIES).is_some()) {
            agree_on_orbits(&*board);
        }
    }

    #[test]
    fn symmetric_rooks(
        quarter in prop::collection::vec(prop_oneof![4 => Just("."), 1 => Just("#"), 1 => Just("2")], 4),
        size in 3..=4_usize,
    ) {
        let token = |row: usize, column: usize| quarter[2 * row.min(size - 1 - row) + column.min(size - 1 - column)];
        let row = |row| (0..size).map(|column| token(row, column)).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = (0..size).map(row).collect();
        let board = board(&format!("rooks\n{}\n", rows.join("\n")));
        if board.symmetry().is_some_and(|symmetry| symmetry.elements(MOST_SYMMETRIES).is_some()) {
            agree_on_orbits(&*board);
        }
    }

    #[test]
    fn numberlink(
        (columns, tokens) in pairs(4, 4, 3),
        puzzle_type in prop::sample::select(&[
            "numberlink", "numberlink cells=all", "numberlink touch=no", "numberlink cells=all touch=no", "amaze",
        ][..]),
    ) {
        agree(&*self::board(&text(puzzle_type, columns, &tokens)));
    }

    #[test]
    fn labyrinths(edges in prop::collection::btree_set((1..6_usize, 1..6_usize), 1..10)) {
        let edges: Vec<String> =
            edges.iter().filter(|(a, b)| a < b).map(|(a, b)| format!("{a}, {b}")).collect();
        prop_assume!(!edges.is_empty());
        let edges = edges.join("|");
        agree(&*board(&format!("labyrinth\nn = 5\nstart = 1\ntarget = 5\ngraph = [|{edges}|]\n")));
    }
}
