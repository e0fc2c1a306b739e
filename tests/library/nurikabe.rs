//! Compares the rule sheet of Nurikabe with a checker that is written by hand, on all fillings of small random boards.

use std::collections::BTreeSet;

use crate::support::{all_solutions, board};
use gordian::backend::SOLVERS;
use gordian_encodings::Encodings;
use gordian_rules::{Grid, Solution};

/// A clue: the number of cells of its island, or `None` for any number.
type Clue = Option<i128>;

/// Returns the connected regions of sea and island cells.
fn regions(grid: &Grid<i128>) -> Vec<Vec<usize>> {
    let mut regions = Vec::new();
    let mut seen = vec![false; grid.len()];
    for start in 0..grid.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while let Some(&cell) = region.get(next) {
            next += 1;
            for near in grid.neighbours(cell) {
                let is_same = (grid[near] == 0) == (grid[start] == 0);
                if is_same && !std::mem::replace(&mut seen[near], true) {
                    region.push(near);
                }
            }
        }
        regions.push(region);
    }
    regions
}

/// Returns whether a grid, with 0 for sea and the size of its island in every other cell, is a solution: an island contains
/// exactly one clue, which is its size, and the sea is connected and contains no 2x2 block.
fn is_solution(clues: &[Option<Clue>], grid: &Grid<i128>) -> bool {
    let is_sea = |cell: usize| grid[cell] == 0;
    let (seas, islands): (Vec<_>, Vec<_>) = regions(grid).into_iter().partition(|region| is_sea(region[0]));
    let is_island = |island: &Vec<usize>| {
        let size = island.len() as i128;
        let clues: Vec<Clue> = island.iter().filter_map(|&cell| clues[cell]).collect();
        matches!(clues[..], [clue] if clue.is_none_or(|clue| clue == size))
            && island.iter().all(|&cell| grid[cell] == size)
    };
    let has_clue_in_sea = (0..grid.len()).any(|cell| clues[cell].is_some() && is_sea(cell));
    let has_block = grid.blocks().any(|block| block.iter().all(|&cell| is_sea(cell)));
    !has_clue_in_sea && islands.iter().all(is_island) && seas.len() <= 1 && !has_block
}

/// Returns the grid in which the cells in `land`, a set of bits, are on islands.
fn filled(rows: usize, columns: usize, land: usize) -> Grid<i128> {
    let cells = (0..rows * columns).map(|cell| i128::from(land >> cell & 1 == 1)).collect();
    let grid = Grid::new(rows, columns, cells);
    let mut sizes = grid.cells().to_vec();
    for region in regions(&grid).into_iter().filter(|region| grid[region[0]] != 0) {
        for &cell in &region {
            sizes[cell] = region.len() as i128;
        }
    }
    Grid::new(rows, columns, sizes)
}

#[test]
fn the_sheet_and_the_checker_accept_the_same_solutions() {
    let mut random = fastrand::Rng::with_seed(1);
    let tokens = [".", ".", ".", ".", ".", ".", ".", "?", "1", "2", "3", "4", "9"];
    let mut numbers = BTreeSet::new();
    for _ in 0..150 {
        let (rows, columns) = (random.usize(1..=3), random.usize(1..=4));
        let cells: Vec<&str> = (0..rows * columns).map(|_| tokens[random.usize(..tokens.len())]).collect();
        let clues: Vec<Option<Clue>> =
            cells.iter().map(|&token| (token != ".").then(|| token.parse().ok())).collect();
        let lines: Vec<String> = cells.chunks(columns).map(|row| row.join(" ")).collect();
        let text = format!("nurikabe\n{}\n", lines.join("\n"));
        let puzzle = board(&text);
        let mut accepted = BTreeSet::new();
        for land in 0..1 << cells.len() {
            let grid = filled(rows, columns, land);
            let expected = is_solution(&clues, &grid);
            let found = puzzle.check(&Solution::from_grid(grid.clone()));
            assert_eq!(found.is_ok(), expected, "{text}{grid:?}: {found:?}");
            if !expected {
                continue;
            }
            for cell in 0..cells.len() {
                for number in (-1..6).filter(|&number| number != grid[cell]) {
                    let mut changed = grid.clone();
                    changed.cells_mut()[cell] = number;
                    let found = puzzle.check(&Solution::from_grid(changed));
                    assert!(found.is_err(), "{text}{grid:?}: {number} in cell {cell}");
                }
            }
            accepted.insert(grid.cells().to_vec());
        }
        let solved = all_solutions(&*puzzle, SOLVERS[0], &Encodings::auto());
        let solved: BTreeSet<Vec<i128>> = solved
            .iter()
            .map(|solution| solution.grid(rows, columns).expect("a grid").cells().to_vec())
            .collect();
        assert_eq!(solved, accepted, "{text}");
        numbers.insert(accepted.len().min(3));
    }
    assert_eq!(numbers, BTreeSet::from([0, 1, 2, 3]), "boards with all numbers of solutions");
}

#[test]
fn the_checker_names_what_is_wrong() {
    let refused = |text: &str, rows: usize, cells: &[i128]| {
        let grid = Grid::new(rows, cells.len() / rows, cells.to_vec());
        let puzzle = board(&format!("nurikabe\n{text}\n"));
        puzzle.check(&Solution::from_grid(grid)).expect_err("no solution").to_string()
    };
    assert_eq!(refused("1 .", 1, &[0, 0]), "clue at r1c1");
    assert_eq!(refused("1 . .", 1, &[1, 0, 1]), "clue at r1c3");
    assert_eq!(refused("? .", 1, &[2, 0]), "the number 2 on an island of 1 cell at r1c1");
    assert_eq!(refused(". 1 .", 1, &[0, 1, 0]), "one sea at r1c1");
    let block = refused(". . 2\n. . .", 2, &[0, 0, 2, 0, 0, 2]);
    assert_eq!(block, "no 2x2 sea at r1c1 r1c2 r2c1 r2c2");
}
