//! Tests Numberlink and Amaze against exhaustive enumeration.
//!
//! This file has over 400 lines because the tests share the exhaustive searches and the random boards.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use gordian_encodings::{Assignment, Encodings, cancellable};
use proptest::prelude::*;

use super::*;
use crate::backend::{SOLVERS, Solver, Verdict};
use crate::puzzle::ObjectiveRow;
use crate::query::{self, FieldValues, Silent};
use crate::read::{self, ReadError, ReadOptions};
use crate::rules::Content;
use crate::search::{Config, Session};

fn open(name: &str, text: &str) -> Result<Box<dyn Puzzle>, ReadError> {
    Ok(read::board(&Source::new(name, text), &ReadOptions::default())?.puzzle)
}

fn board(text: &str) -> Box<dyn Puzzle> {
    open("board.txt", text).unwrap()
}

/// Returns all solvers that are available in this build.
fn solvers() -> impl Iterator<Item = &'static Solver> {
    SOLVERS.iter().copied().filter(|solver| solver.make().is_ok())
}

fn assignments(formulation: &Formulation, solver: &Solver) -> Vec<Assignment> {
    let session = Session::new(&formulation.model, &Encodings::auto(), solver).unwrap();
    session.into_assignments().map(Result::unwrap).collect()
}

/// Returns all solutions of a board. Checks that each solution is valid and is found only once.
fn solutions(puzzle: &dyn Puzzle, solver: &Solver) -> Vec<Solution> {
    let formulation = puzzle.formulate(&Query::Count);
    let found: Vec<Solution> =
        assignments(&formulation, solver).iter().map(|found| (formulation.decode)(found)).collect();
    for (index, solution) in found.iter().enumerate() {
        assert_eq!(puzzle.check(solution), Ok(()), "{puzzle:?}\n{}", puzzle.draw(Some(solution)).text(false));
        assert!(!found[..index].contains(solution), "twice: {solution:?}");
    }
    found
}

/// Returns the minimum value of an objective. If `every` is true, the minimum is over all solutions; otherwise, it is
/// over the solutions of the formulation for optimisation.
fn least(puzzle: &dyn Puzzle, objective: &'static ObjectiveRow, every: bool) -> Option<i128> {
    let query = if every { Query::Count } else { Query::Optimise(objective) };
    let formulation = puzzle.formulate(&query);
    let values: Vec<(i128, i128)> = assignments(&formulation, SOLVERS[0])
        .into_iter()
        .map(|assignment| {
            let solution = (formulation.decode)(&assignment);
            assert_eq!(puzzle.check(&solution), Ok(()));
            let Some(Field::Grid(grid)) = solution.get("grid") else { panic!("no grid") };
            let of_solution: i128 = match objective.name {
                "sum" => grid.cells().iter().sum(),
                _ => grid.cells().iter().filter(|&&number| number != 0).count() as i128,
            };
            let stated = formulation.model.objective().map(|stated| stated.value(&assignment));
            // In the formulation for optimisation, an assignment may contain a cycle. The objective includes the cells
            // of this cycle, but the decoded solution omits them.
            assert!(stated.is_none_or(|stated| stated >= of_solution), "{stated:?} is not {of_solution}");
            (stated.unwrap_or(of_solution), of_solution)
        })
        .collect();
    let least = values.iter().map(|&(stated, _)| stated).min();
    assert_eq!(least, values.iter().map(|&(_, of_solution)| of_solution).min());
    least
}

/// A small board with the positions of its pairs.
#[derive(Debug, Clone)]
struct Tiny {
    rows: usize,
    columns: usize,
    pairs: Vec<[usize; 2]>,
}

impl Tiny {
    fn text(&self, puzzle_type: &str) -> String {
        let mut cells = vec![".".to_owned(); self.rows * self.columns];
        for (number, pair) in (1..).zip(&self.pairs) {
            for &cell in pair {
                // The numbers differ from the indices of the pairs and are in descending order.
                cells[cell] = (19 - 3 * number).to_string();
            }
        }
        let rows: Vec<String> = cells.chunks(self.columns).map(|row| row.join(" ")).collect();
        format!("{puzzle_type}\n{}\n", rows.join("\n"))
    }

    /// Tries every set of steps, and returns all valid solutions.
    fn all(&self, puzzle: &dyn Puzzle, with_lines: bool) -> Vec<Solution> {
        let empty = Grid::new(self.rows, self.columns, vec![0; self.rows * self.columns]);
        let steps: Vec<(usize, usize)> = empty.edges().collect();
        let mut found = Vec::new();
        for taken in 0..1_u32 << steps.len() {
            let mut lines = empty.cells().to_vec();
            // Each cell is labelled with the lowest cell to which it is connected.
            let mut joined: Vec<usize> = (0..lines.len()).collect();
            for (_, &(a, b)) in steps.iter().enumerate().filter(|(index, _)| taken >> index & 1 == 1) {
                let (of_a, of_b) = if b - a == self.columns { (DOWN, UP) } else { (RIGHT, LEFT) };
                lines[a] |= of_a;
                lines[b] |= of_b;
                let (low, high) = (joined[a].min(joined[b]), joined[a].max(joined[b]));
                joined.iter_mut().filter(|name| **name == high).for_each(|name| *name = low);
            }
            let number = |cell: usize| {
                let of = |pair: &[usize; 2]| pair.iter().any(|&end| joined[end] == joined[cell]);
                let first = self.pairs.iter().position(of);
                // A cycle may have any number. Here it gets the number of the first pair.
                let ring = (lines[cell] != 0 && !self.pairs.is_empty()).then_some(0);
                first.or(ring).map_or(0, |pair| 19 - 3 * (pair as i128 + 1))
            };
            let numbers = Grid::new(self.rows, self.columns, (0..lines.len()).map(number).collect());
            let lines = Grid::new(self.rows, self.columns, lines);
            let solution = Solution::from_grid(numbers.clone()).with(LINES, Field::Grid(lines));
            if puzzle.check(&solution).is_ok() {
                found.push(if with_lines { solution } else { Solution::from_grid(numbers) });
            }
        }
        found
    }
}

fn tiny() -> impl Strategy<Value = Tiny> {
    (1..4_usize, 1..4_usize).prop_flat_map(|(rows, columns)| {
        let most = (rows * columns / 2).min(3);
        let cells: Vec<usize> = (0..rows * columns).collect();
        (0..=most, Just(cells).prop_shuffle()).prop_map(move |(pairs, cells)| Tiny {
            rows,
            columns,
            pairs: cells.chunks_exact(2).take(pairs).map(|pair| [pair[0], pair[1]]).collect(),
        })
    })
}

/// Generates boards that have enough space for nested turns. Some of the generated boards have no solution.
fn small() -> impl Strategy<Value = Tiny> {
    (3..6_usize, 3..6_usize).prop_flat_map(|(rows, columns)| {
        let cells: Vec<usize> = (0..rows * columns).collect();
        (2..6_usize, Just(cells).prop_shuffle()).prop_map(move |(pairs, cells)| Tiny {
            rows,
            columns,
            pairs: cells.chunks_exact(2).take(pairs).map(|pair| [pair[0], pair[1]]).collect(),
        })
    })
}

/// Returns all solutions as lists of path cells, by trying all paths for one pair after the other.
fn all_paths(board: &Grid<()>, taken: &mut [bool], pairs: &[[usize; 2]]) -> Vec<Vec<Vec<usize>>> {
    fn walk(
        board: &Grid<()>,
        taken: &mut [bool],
        path: &mut Vec<usize>,
        goal: usize,
        others: &[[usize; 2]],
        found: &mut Vec<Vec<Vec<usize>>>,
    ) {
        for next in board.neighbours(path[path.len() - 1]).collect::<Vec<_>>() {
            path.push(next);
            if next == goal {
                let rests = all_paths(board, taken, others).into_iter();
                found.extend(rests.map(|rest| [vec![path.clone()], rest].concat()));
            } else if !taken[next] {
                taken[next] = true;
                walk(board, taken, path, goal, others, found);
                taken[next] = false;
            }
            path.pop();
        }
    }
    let Some((&[start, goal], others)) = pairs.split_first() else { return vec![Vec::new()] };
    let mut found = Vec::new();
    walk(board, taken, &mut vec![start], goal, others, &mut found);
    found
}

/// Creates the solution that consists of the given paths.
fn solution_of(tiny: &Tiny, paths: &[Vec<usize>], with_lines: bool) -> Solution {
    let cells = tiny.rows * tiny.columns;
    let (mut numbers, mut lines) = (vec![0; cells], vec![0; cells]);
    for (number, path) in (1..).zip(paths) {
        for &cell in path {
            numbers[cell] = 19 - 3 * number;
        }
        for step in path.windows(2) {
            let (a, b) = (step[0].min(step[1]), step[0].max(step[1]));
            let (of_a, of_b) = if b - a == tiny.columns { (DOWN, UP) } else { (RIGHT, LEFT) };
            lines[a] |= of_a;
            lines[b] |= of_b;
        }
    }
    let solution = Solution::from_grid(Grid::new(tiny.rows, tiny.columns, numbers));
    if with_lines {
        solution.with(LINES, Field::Grid(Grid::new(tiny.rows, tiny.columns, lines)))
    } else {
        solution
    }
}

/// Returns, for each cell, the sorted numbers that it has in the solutions.
fn numbers_in(solutions: &[Solution], cells: usize) -> Vec<Vec<Content>> {
    let grids: Vec<_> = solutions.iter().map(|solution| solution.get("grid")).collect();
    let number = |grid: Option<&Field>, cell: usize| match grid {
        Some(Field::Grid(grid)) => Content::Number(grid[cell]),
        _ => panic!("no grid"),
    };
    let of_cell = |cell| grids.iter().map(|grid| number(*grid, cell)).collect::<BTreeSet<_>>();
    (0..cells).map(|cell| of_cell(cell).into_iter().collect()).collect()
}

/// Finds disjoint paths that connect the given pairs and have the fewest cells in total, by exhaustive search. Returns
/// their number of cells, or `None` if it is not less than `most`.
fn fewest(board: &Grid<()>, taken: &[bool], pairs: &[[usize; 2]], most: usize) -> Option<usize> {
    let Some((&[start, goal], others)) = pairs.split_first() else { return (most > 0).then_some(0) };
    let mut taken = taken.to_vec();
    let mut best = None;
    let mut walk = vec![(start, board.neighbours(start).collect::<Vec<_>>())];
    while !walk.is_empty() {
        let length = walk.len();
        let Some(next) = walk.last_mut().and_then(|(_, ways)| ways.pop()) else {
            if let Some((cell, _)) = walk.pop()
                && cell != start
            {
                taken[cell] = false;
            }
            continue;
        };
        let least = best.map_or(most, |best: usize| most.min(best));
        if next == goal {
            let rest = fewest(board, &taken, others, least.saturating_sub(length + 1));
            best = rest.map(|rest| rest + length + 1).or(best);
        } else if !taken[next] && length + 1 < least {
            taken[next] = true;
            walk.push((next, board.neighbours(next).collect()));
        }
    }
    best
}

const PUZZLES: [&str; 5] =
    ["numberlink", "numberlink touch=no", "numberlink cells=all", "numberlink cells=all touch=no", "amaze"];

/// Returns a string that identifies a solution.
fn key(solution: &Solution) -> String {
    format!("{solution:?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_model_and_the_checker_have_the_same_solutions(tiny in tiny(), puzzle_type in prop::sample::select(&PUZZLES[..])) {
        let puzzle = board(&tiny.text(puzzle_type));
        let touch = matches!(puzzle_type, "numberlink" | "numberlink cells=all");
        let expected: HashSet<String> = tiny.all(&*puzzle, touch).iter().map(key).collect();
        for solver in solvers() {
            let found: HashSet<String> = solutions(&*puzzle, solver).iter().map(key).collect();
            prop_assert_eq!(&found, &expected, "{} {}", solver.name, tiny.text(puzzle_type));
        }
        // The formulation for a single solution is satisfiable if and only if the board has a solution.
        let one = puzzle.formulate(&Query::Satisfy);
        let found = assignments(&one, SOLVERS[0]);
        prop_assert_eq!(found.is_empty(), expected.is_empty(), "{}", tiny.text(puzzle_type));
        for assignment in &found {
            prop_assert_eq!(puzzle.check(&(one.decode)(assignment)), Ok(()));
        }
    }

    #[test]
    fn the_restricted_model_keeps_an_optimal_solution(tiny in tiny(), puzzle_type in prop::sample::select(&PUZZLES[..])) {
        let puzzle = board(&tiny.text(puzzle_type));
        for objective in puzzle.puzzle_type().objectives {
            let every = least(&*puzzle, objective, true);
            prop_assert_eq!(least(&*puzzle, objective, false), every, "{} {}", objective.name, tiny.text(puzzle_type));
        }
    }

    #[test]
    fn numbers_without_lines_are_accepted_if_lines_exist(tiny in tiny(), puzzle_type in prop::sample::select(&PUZZLES[..])) {
        let puzzle = board(&tiny.text(puzzle_type));
        let by_lines: HashSet<String> = tiny.all(&*puzzle, false).iter().map(key).collect();
        let numbers: Vec<i128> = (0..=tiny.pairs.len() as i128).map(|pair| if pair == 0 { 0 } else { 19 - 3 * pair }).collect();
        let cells = tiny.rows * tiny.columns;
        let mut by_numbers = HashSet::new();
        for code in 0..numbers.len().pow(cells as u32) {
            let digit = |cell: usize| numbers[code / numbers.len().pow(cell as u32) % numbers.len()];
            let solution = Solution::from_grid(Grid::new(tiny.rows, tiny.columns, (0..cells).map(digit).collect()));
            if puzzle.check(&solution).is_ok() {
                by_numbers.insert(key(&solution));
            }
        }
        prop_assert_eq!(by_numbers, by_lines, "{}", tiny.text(puzzle_type));
    }

    #[test]
    fn a_drawing_is_read_back(tiny in tiny(), puzzle_type in prop::sample::select(&PUZZLES[..])) {
        let puzzle = board(&tiny.text(puzzle_type));
        for solution in solutions(&*puzzle, SOLVERS[0]) {
            let drawn = puzzle.draw(Some(&solution)).text(false);
            prop_assert_eq!(puzzle.read_solution(&Source::new("solution", drawn)).unwrap(), solution);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_restricted_model_keeps_a_solution_with_fewest_cells(small in small(), puzzle_type in prop::sample::select(&["numberlink", "amaze"][..])) {
        let ends = |cell: usize| small.pairs.iter().flatten().any(|&end| end == cell);
        let cells = small.rows * small.columns;
        let taken: Vec<bool> = (0..cells).map(ends).collect();
        let fewest = fewest(&Grid::new(small.rows, small.columns, vec![(); cells]), &taken, &small.pairs, cells + 1);
        let puzzle = board(&small.text(puzzle_type));
        prop_assert_eq!(least(&*puzzle, &CELLS, false), fewest.map(|cells| cells as i128), "{}", small.text(puzzle_type));
    }

    #[test]
    fn uniqueness_agrees_with_enumeration(tiny in prop_oneof![tiny(), small()], puzzle_type in prop::sample::select(&PUZZLES[..])) {
        let puzzle = board(&tiny.text(puzzle_type));
        let every = puzzle.formulate(&Query::Count);
        let session = Session::new(&every.model, &Encodings::auto(), SOLVERS[0]).unwrap();
        let number = session.into_assignments().take(2).count();
        let outcome = query::run(&*puzzle, Query::Unique, &Config::default(), &mut Silent).unwrap();
        prop_assert_eq!(outcome.unique, (number > 0).then_some(number == 1), "{}", tiny.text(puzzle_type));
        prop_assert_eq!(outcome.other.is_some(), number > 1, "{}", tiny.text(puzzle_type));
        prop_assert!(number < 2 || outcome.solution != outcome.other, "{}", tiny.text(puzzle_type));
    }

    /// The formulations for proofs exclude solutions, but never the last one.
    #[test]
    fn formulations_for_proofs_agree_with_enumeration(tiny in prop_oneof![tiny(), small()], puzzle_type in prop::sample::select(&PUZZLES[..])) {
        let puzzle = board(&tiny.text(puzzle_type));
        let first = |formulation: &Formulation| {
            let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
            let found = session.satisfy(&[]).unwrap() == Verdict::Satisfiable;
            found.then(|| (formulation.decode)(&session.assignment()))
        };
        let every = puzzle.formulate(&Query::Count);
        let session = Session::new(&every.model, &Encodings::auto(), SOLVERS[0]).unwrap();
        let some: Vec<_> = session.into_assignments().take(5).map(Result::unwrap).collect();
        let any = puzzle.formulate_for_proof(&Query::Satisfy).unwrap().unwrap();
        prop_assert_eq!(first(&any).is_some(), !some.is_empty(), "{}", tiny.text(puzzle_type));
        for solution in some.iter().map(|assignment| (every.decode)(assignment)) {
            let other = first(&puzzle.formulate_other().unwrap()(&solution));
            prop_assert_eq!(other.is_some(), some.len() > 1, "{}", tiny.text(puzzle_type));
            if let Some(other) = other {
                prop_assert_eq!(puzzle.check(&other), Ok(()), "{}", tiny.text(puzzle_type));
                prop_assert_ne!(other, solution, "{}", tiny.text(puzzle_type));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Compares the results of uniqueness and backbone queries with an enumeration of all paths. Each query runs with
    /// and without the first stage, which searches only for solutions with the fewest cells.
    #[test]
    fn least_solutions_agree_with_all_solutions(
        tiny in prop_oneof![
            1 => tiny(),
            3 => small().prop_filter("few paths", |small| small.rows * small.columns <= 16),
        ],
        puzzle_type in prop::sample::select(&["numberlink", "numberlink touch=no", "amaze"][..]),
    ) {
        let cells = tiny.rows * tiny.columns;
        let mut taken: Vec<bool> =
            (0..cells).map(|cell| tiny.pairs.iter().flatten().any(|&end| end == cell)).collect();
        let paths = all_paths(&Grid::new(tiny.rows, tiny.columns, vec![(); cells]), &mut taken, &tiny.pairs);
        let puzzle = board(&tiny.text(puzzle_type));
        let all = paths.iter().map(|paths| solution_of(&tiny, paths, puzzle_type == "numberlink"));
        let expected: Vec<Solution> = all.filter(|solution| puzzle.check(solution).is_ok()).collect();
        for least in ["yes", "no"] {
            let puzzle = board(&tiny.text(&format!("{puzzle_type} least={least}")));
            let run = |query| query::run(&*puzzle, query, &Config::default(), &mut Silent).unwrap();
            let unique = run(Query::Unique);
            let only = (!expected.is_empty()).then_some(expected.len() == 1);
            prop_assert_eq!(unique.unique, only, "least={} {}", least, tiny.text(puzzle_type));
            for solution in unique.solution.iter().chain(&unique.other) {
                prop_assert!(expected.contains(solution), "least={} {}", least, tiny.text(puzzle_type));
            }
            let backbone = run(Query::Backbone);
            prop_assert_eq!(backbone.unique, only, "least={} {}", least, tiny.text(puzzle_type));
            let fields = backbone.backbone.unwrap();
            let Some((_, FieldValues::Parts { parts, .. })) = fields.iter().find(|(name, _)| name == "grid")
            else {
                prop_assert!(expected.is_empty(), "least={} {}", least, tiny.text(puzzle_type));
                continue;
            };
            let possible: Vec<Vec<Content>> = parts.iter().map(|part| part.possible.clone()).collect();
            prop_assert_eq!(possible, numbers_in(&expected, cells), "least={} {}", least, tiny.text(puzzle_type));
        }
    }
}

/// A board with enough space for a cycle around a path.
const RING: &str = "1 1 . . . .\n. . . 2 2 .\n. . . . . .\n. . . . . .\n";

#[test]
fn a_separate_cycle_is_rejected() {
    for puzzle_type in ["numberlink touch=no", "amaze"] {
        let puzzle = board(&format!("{puzzle_type}\n{RING}"));
        let grid = "1 1 1 1 1 1\n0 0 1 2 2 1\n0 0 1 1 1 1\n0 0 0 0 0 0\n";
        let solution = puzzle.read_solution(&Source::new("solution", grid)).unwrap();
        assert!(puzzle.check(&solution).is_err(), "a solution with a separate cycle was accepted");
    }
    let puzzle = board("amaze\n1 . . . . .\n1 . 3 3 . .\n. . . . . .\n");
    let grid = "1 1 1 1 1 0\n1 1 3 3 1 0\n0 1 1 1 1 0\n";
    let solution = puzzle.read_solution(&Source::new("solution", grid)).unwrap();
    assert!(puzzle.check(&solution).is_err());
    let puzzle = board("amaze\n2 . . . . .\n2 . . . . .\n. . . 3 3 .\n. . . . . .\n");
    let grid = "2 0 2 2 2 2\n2 0 2 0 0 2\n0 0 2 3 3 2\n0 0 2 2 2 2\n";
    let solution = puzzle.read_solution(&Source::new("solution", grid)).unwrap();
    let violation = puzzle.check(&solution).unwrap_err();
    assert_eq!(violation.to_string(), "a separate cycle of 2 at r1c3");
    for solver in solvers() {
        let cycles = |solution: &Solution| {
            format!("{solution:?}")
                == format!("{:?}", puzzle.read_solution(&Source::new("solution", grid)).unwrap())
        };
        assert!(!solutions(&*puzzle, solver).iter().any(cycles), "{}", solver.name);
    }
}

#[test]
fn the_published_board_has_the_published_optimum() {
    let data = r#"{"n": 5, "m": 5, "points": [[[3, 4], [5, 1]], [[2, 2], [5, 5]]]}"#;
    let puzzle = read::board(&Source::new("amaze.json", data), &ReadOptions::of_type(&AMAZE)).unwrap().puzzle;
    assert_eq!(puzzle.puzzle_type().objectives[0].name, "sum");
    assert_eq!(least(&*puzzle, &puzzle.puzzle_type().objectives[0], true), Some(20));
    assert_eq!(least(&*puzzle, &puzzle.puzzle_type().objectives[0], false), Some(20));
}

#[test]
fn every_changed_cell_makes_a_solution_invalid() {
    for puzzle_type in PUZZLES {
        let puzzle = board(&format!("{puzzle_type}\n1 2 3\n. . .\n1 2 3\n"));
        let Some(solution) = solutions(&*puzzle, SOLVERS[0]).into_iter().next() else {
            panic!("{puzzle_type}")
        };
        let Some(Field::Grid(grid)) = solution.get("grid") else { panic!("no grid") };
        for cell in 0..grid.len() {
            for number in (0..=4).filter(|&number| number != grid[cell]) {
                let mut cells = grid.cells().to_vec();
                cells[cell] = number;
                let changed = Solution::from_grid(Grid::new(3, 3, cells));
                assert!(puzzle.check(&changed).is_err(), "{puzzle_type}: {number} in cell {cell}");
            }
        }
        if let Some(Field::Grid(lines)) = solution.get(LINES) {
            for cell in 0..lines.len() {
                for sides in (-1..=16).filter(|&sides| sides != lines[cell]) {
                    let mut cells = lines.cells().to_vec();
                    cells[cell] = sides;
                    let changed =
                        Solution::from_grid(grid.clone()).with(LINES, Field::Grid(Grid::new(3, 3, cells)));
                    assert!(puzzle.check(&changed).is_err(), "{puzzle_type}: sides {sides} in cell {cell}");
                }
            }
        }
    }
}

#[test]
fn formats_give_the_same_board() {
    let text = board("numberlink\n. . 3\n2 1 3\n1 . 2\n");
    let dzn = "X = 3; Y = 3; N = 3; end_points_start_x = [2, 2, 1]; end_points_start_y = [2, 1, 3];
               end_points_end_x = [3, 3, 2]; end_points_end_y = [1, 3, 3];";
    let json = r#"{"n": 3, "m": 3, "points": [[[2, 2], [3, 1]], [[2, 1], [3, 3]], [[1, 3], [2, 3]]]}"#;
    let drawn = text.draw(None).text(false);
    for (name, data) in [("a.dzn", dzn), ("a.json", json)] {
        for puzzle_type in [&PUZZLE, &AMAZE] {
            let puzzle =
                read::board(&Source::new(name, data), &ReadOptions::of_type(puzzle_type)).unwrap().puzzle;
            assert_eq!(
                (puzzle.draw(None).text(false), puzzle.puzzle_type().name),
                (drawn.clone(), puzzle_type.name)
            );
        }
    }
    let url = open("a.url", "https://puzz.link/p?numlin/3/3/h32131g2").unwrap();
    assert_eq!(url.draw(None).text(false), drawn);
}

#[test]
fn errors_point_to_the_invalid_data() {
    let error = |name: &str, text: &str| {
        let options = ReadOptions::of_type(if name == "b.txt" { &PUZZLE } else { &AMAZE });
        read::board(&Source::new(name, text), &options).unwrap_err().to_string()
    };
    let text = |rows: &str| error("b.txt", &format!("numberlink\n{rows}\n"));
    assert_eq!(text("1 .\n. ."), "b.txt:2:1: expected the number 1 in two cells, found a single cell");
    assert_eq!(text("1 1\n. 1"), "b.txt:3:3: expected the number 1 in two cells, found a third cell");
    assert_eq!(text("1 1\n0 ."), "b.txt:3:1: expected `.` or a number from 1 to 999999999, found `0`");
    assert_eq!(text("1 1\nx ."), "b.txt:3:1: expected `.` or a number from 1 to 999999999, found `x`");
    assert_eq!(text("1 1\n."), "b.txt:3:2: expected 2 cells as in the first row, found 1 cell");
    let dzn = |x: &str, n: &str, first: &str| {
        error(
            "b.dzn",
            &format!(
                "X = {x}; Y = 2; N = {n};\nend_points_start_x = {first};\nend_points_start_y = [1];\nend_points_end_x = [2];\nend_points_end_y = [2];\n"
            ),
        )
    };
    assert_eq!(
        dzn("2", "2", "[1]"),
        "b.dzn:2:22: expected 2 numbers in `end_points_start_x`, since `N = 2`, found 1"
    );
    assert_eq!(dzn("2", "1", "[3]"), "b.dzn:2:23: expected a row from 1 to 2, found `3`");
    assert_eq!(dzn("2", "1", "[0]"), "b.dzn:2:23: expected a row from 1 to 2, found `0`");
    assert_eq!(dzn("0", "1", "[1]"), "b.dzn:1:5: expected a number from 1 for `X`, found `0`");
    assert_eq!(
        dzn("99999999999", "1", "[1]"),
        "b.dzn:1:22: expected a board of at most 1000000 cells, found 99999999999 x 2"
    );
    let json = |points: &str| error("b.json", &format!("{{\"n\": 2, \"m\": 2, \"points\": {points}}}"));
    assert_eq!(
        json("[[[1, 1], [2, 2]], [[1, 2], [1, 1]]]"),
        "b.json:1:57: expected an end of 2 in a cell of its own, found r1c1, where an end of 1 is"
    );
    assert_eq!(
        json("[[[1, 1], [1, 1]]]"),
        "b.json:1:39: expected an end of 1 in a cell of its own, found r1c1, where an end of 1 is"
    );
    assert_eq!(
        json("[[[1, 1]]]"),
        "b.json:1:29: expected two points, [[row, column], [row, column]], found 1 of them"
    );
    assert_eq!(json("[[[1, 1], [1]]]"), "b.json:1:38: expected a point [row, column], found 1 of them");
    assert_eq!(json("[[[1, 1], [1, 3]]]"), "b.json:1:42: expected a column from 1 to 2, found `3`");
    assert_eq!(json("7"), "b.json:1:28: expected an array of pairs of points, found `7`");
}

#[test]
fn limits_are_polled_while_parts_are_listed() {
    let rows = (1..=20).map(|number| format!("{number}{}{number}\n", " . ".repeat(18)));
    let puzzle = board(&format!("numberlink\n{}", rows.collect::<String>()));
    let polls = |formulate: &dyn Fn() -> Formulation| {
        let polls = Rc::new(std::cell::Cell::new(0));
        let counter = Rc::clone(&polls);
        let poll = move || {
            counter.set(counter.get() + 1);
            false
        };
        drop(cancellable(100, poll, formulate).unwrap());
        polls.get()
    };
    let query = Query::Count;
    let without_parts = polls(&|| puzzle.formulate(&query));
    let numbers = 20 * 18 * 20;
    assert!(polls(&|| puzzle.formulate_all(&query)) >= without_parts + numbers / 100);
}
