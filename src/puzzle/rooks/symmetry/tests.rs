//! Checks symmetry breaking against explicit permutations and published numbers.

use gordian_encodings::Encodings;
use proptest::prelude::*;

use super::*;
use crate::backend::SOLVERS;
use crate::puzzle::{Puzzle, Query};
use crate::rules::Rules;
use crate::search::Session;

fn board(rows: &[&str]) -> Rooks {
    let square = |token: char| match token {
        '.' => Square::Empty,
        '#' => Square::Block,
        digit => Square::Clue(digit.to_digit(10).unwrap() as u8),
    };
    let columns = rows[0].len();
    Rooks {
        squares: Grid::new(
            rows.len(),
            columns,
            rows.iter().flat_map(|row| row.chars().map(square)).collect(),
        ),
    }
}

/// Returns all solutions. If symmetries are given, returns only the solutions that satisfy their symmetry-breaking
/// constraints.
fn solutions(board: &Rooks, broken: Option<&Symmetries>) -> Vec<Grid<i128>> {
    let mut formulation = board.formulate(&Query::Count);
    let leaders =
        broken.map(|symmetries| symmetries.leaders(formulation.model.projection())).unwrap_or_default();
    for leader in leaders {
        formulation.model.post_as("symmetry", leader);
    }
    let session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0]).unwrap();
    let grid = |solution: &crate::rules::Solution| {
        assert_eq!(board.check(solution), Ok(()));
        solution.grid(board.squares.rows(), board.squares.columns()).unwrap().clone()
    };
    session.into_assignments().map(|found| grid(&(formulation.decode)(&found.unwrap()))).collect()
}

/// Returns the number of solutions, the number of solutions after symmetry breaking, and the number of orbits. Checks
/// that the sizes of the orbits add up to the number of solutions.
fn numbers(board: &Rooks, interchanges: Interchanges) -> (usize, usize, usize) {
    let symmetries = Symmetries::of(board, interchanges);
    let all = solutions(board, None).len();
    let broken = solutions(board, Some(&symmetries));
    let mut orbits = Orbits::new(&symmetries);
    let kept: Vec<u128> =
        broken.iter().filter_map(|grid| orbits.keep(grid)).map(|kept| kept.orbit.unwrap()).collect();
    assert_eq!(kept.iter().sum::<u128>(), all as u128, "{board:?}");
    (all, broken.len(), kept.len())
}

#[test]
fn published_numbers() {
    let empty = board(&["....."; 5]);
    assert_eq!(numbers(&empty, Interchanges::All), (120, 1, 1));
    let rows = board(&[".#..."; 5]);
    assert_eq!(numbers(&rows, Interchanges::All), (300, 4, 4));
    let columns = board(&[".....", "#####", ".....", ".....", "....."]);
    assert_eq!(numbers(&columns, Interchanges::All), (300, 4, 4));
    // The board also has three interchangeable columns.
    let (all, _, kept) = numbers(&rows, Interchanges::Any);
    assert_eq!((all, kept), (300, 2));
}

#[test]
fn breaking_a_mirror_symmetry_halves_the_solutions() {
    let board = board(&["..#..", ".....", "#...#", ".....", "....."]);
    let symmetries = Symmetries::of(&board, Interchanges::All);
    assert_eq!(symmetries.names(), ["mirror left to right"]);
    let (all, broken, kept) = numbers(&board, Interchanges::All);
    let fixed = solutions(&board, None)
        .iter()
        .filter(|grid| (0..25).all(|square| grid[square] == grid[square / 5 * 5 + 4 - square % 5]))
        .count();
    assert_eq!((2 * broken, 2 * kept), (all + fixed, all + fixed));
}

#[test]
fn clues_are_part_of_the_symmetry() {
    let names = |rows: &[&str]| Symmetries::of(&board(rows), Interchanges::Any).names();
    // The symmetries are two mirrors, the half turn, the interchange of the outer rows, and the interchange of the
    // outer columns.
    assert_eq!(names(&[".1.", "...", ".1."]).len(), 3 + 2);
    assert_eq!(names(&[".1.", "...", ".2."]), ["mirror left to right", "interchange of the columns 1, 3"]);
    assert_eq!(names(&["...", "..1"]), Vec::<String>::new());
    let square = board(&["..", ".."]);
    assert_eq!(Symmetries::of(&square, Interchanges::All).names().len(), 7 + 2);
    let larger = board(&["...................."; 20]);
    let symmetries = Symmetries::of(&larger, Interchanges::All);
    let diagonal = Grid::new(20, 20, (0..400).map(|square| i128::from(square % 21 == 0)).collect());
    let factorial: u128 = (1..=20).product();
    assert_eq!(Orbits::new(&symmetries).keep(&diagonal), Some(Kept { orbit: Some(factorial) }));
}

#[test]
fn equal_rows_separated_by_a_block_are_not_interchangeable() {
    // The block separates the squares above it from the squares below it in the same column.
    let names = Symmetries::of(&board(&["...", ".#.", "..."]), Interchanges::Any).names();
    assert_eq!(names.iter().filter(|name| name.starts_with("interchange")).count(), 2, "{names:?}");
    let board = board(&["....", "....", ".#..", "....", "...."]);
    let symmetries = Symmetries::of(&board, Interchanges::Any);
    assert_eq!(symmetries.classes[0], [0, 0, 2, 3, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests two properties on random boards: the sizes of the orbits add up to the number of solutions, and the size
    /// of an orbit is the number of images of a solution.
    #[test]
    fn orbits_add_up(
        rows in 1..5_usize,
        columns in 1..5_usize,
        half in prop::collection::vec(prop_oneof![9 => Just('.'), 2 => Just('#'), 1 => Just('1'), 1 => Just('2')], 16),
        fold in 0..5_usize,
    ) {
        let token = |row: usize, column: usize| match fold {
            0 => half[row * 4 + column],
            1 => half[row.min(rows - 1 - row) * 4 + column],
            2 => half[row.min(rows - 1 - row) * 4 + column.min(columns - 1 - column)],
            3 => half[row.min(column) * 4 + row.max(column)],
            _ => half[column],
        };
        let text: Vec<String> =
            (0..rows).map(|row| (0..columns).map(|column| token(row, column)).collect()).collect();
        let board = board(&text.iter().map(String::as_str).collect::<Vec<_>>());
        for interchanges in [Interchanges::All, Interchanges::Any] {
            let (all, broken, kept) = numbers(&board, interchanges);
            prop_assert!(kept <= broken && broken <= all);
            let symmetries = Symmetries::of(&board, interchanges);
            let found = solutions(&board, None);
            for grid in found.iter().take(3) {
                let orbit = Orbits::new(&symmetries).keep(grid).unwrap().orbit.unwrap();
                let reached = closure(&symmetries, grid);
                prop_assert_eq!(orbit, reached as u128);
                let members = found.iter().filter(|other| {
                    let mut orbits = Orbits::new(&symmetries);
                    orbits.keep(grid);
                    orbits.keep(other).is_none()
                });
                prop_assert_eq!(members.count(), reached);
            }
        }
    }
}

/// Returns the size of the orbit of a grid, computed by applying the symmetries until no new grid appears.
fn closure(symmetries: &Symmetries, grid: &Grid<i128>) -> usize {
    let (rows, columns) = (grid.rows(), grid.columns());
    let mut maps: Vec<Vec<usize>> = symmetries.turns.iter().map(|(_, map)| map.clone()).collect();
    for (rows_move, class) in [true, false].into_iter().zip(&symmetries.classes) {
        for b in 0..class.len() {
            for a in (0..b).filter(|&a| class[a] == class[b]) {
                let swap = |line: usize| {
                    if line == a {
                        b
                    } else if line == b {
                        a
                    } else {
                        line
                    }
                };
                let image = |square: usize| {
                    let (row, column) = (square / columns, square % columns);
                    if rows_move { swap(row) * columns + column } else { row * columns + swap(column) }
                };
                maps.push((0..rows * columns).map(image).collect());
            }
        }
    }
    let mut seen = HashSet::from([grid.cells().to_vec()]);
    let mut open = vec![grid.cells().to_vec()];
    while let Some(cells) = open.pop() {
        for map in &maps {
            let mut image = vec![0; cells.len()];
            for (square, &to) in map.iter().enumerate() {
                image[to] = cells[square];
            }
            if seen.insert(image.clone()) {
                open.push(image);
            }
        }
    }
    seen.len()
}
