use super::*;
use crate::Field;

/// A board from the first published instance of the puzzle.
const GRID: [i128; 35] =
    [8, 0, 1, 2, 3, 7, 0, 6, 5, 3, 0, 1, 5, 6, 2, 0, 4, 8, 1, 2, 0, 0, 0, 7, 1, 4, 0, 6, 9, 6, 1, 0, 3, 8, 1];
const DEFINITIONS: [i128; 13] = [6, 8, 24, 28, 30, 36, 42, 54, 64, 70, 84, 90, 96];

fn white() -> Grid<bool> {
    Grid::new(5, 7, GRID.iter().map(|&number| number > 0).collect())
}

fn published() -> Numcross {
    Numcross::new(white(), 1..=9, DEFINITIONS.to_vec()).unwrap()
}

#[test]
fn only_the_unchanged_published_solution_is_accepted() {
    let puzzle = published();
    let check = |grid: &[i128]| puzzle.check(&Solution::from_grid(Grid::new(5, 7, grid.to_vec())));
    assert_eq!(check(&GRID), Ok(()));
    for cell in 0..GRID.len() {
        for number in (0..11).filter(|&number| number != GRID[cell]) {
            let mut changed = GRID;
            changed[cell] = number;
            assert!(check(&changed).is_err(), "{number} in cell {cell}");
        }
    }
}

#[test]
fn entries_are_numbered_by_their_first_cells() {
    let [across, down] = entries(&white());
    let numbers = |entries: &[Entry]| entries.iter().map(|entry| entry.number).collect::<Vec<_>>();
    assert_eq!(numbers(&across), [2, 5, 6, 7, 9, 11, 12]);
    assert_eq!(numbers(&down), [1, 2, 3, 4, 8, 10]);
    let check = |pairs: &[(i128, i128)]| {
        let solution = Solution::from_grid(Grid::new(5, 7, GRID.to_vec()));
        published().check(&solution.with("down", Field::Pairs(pairs.to_vec())))
    };
    let products = [(1, 96), (2, 84), (3, 36), (4, 70), (8, 8), (10, 6)];
    assert_eq!(check(&products), Ok(()));
    assert!(check(&products[1..]).is_err());
}

#[test]
fn impossible_crosswords_are_refused() {
    let refused = |numbers, definitions: &[i128]| {
        let row = Grid::new(1, 2, vec![true; 2]);
        let invalid = Numcross::new(row, numbers, definitions.to_vec()).unwrap_err();
        (invalid.name, invalid.index)
    };
    assert_eq!(refused(0..=9, &[6]), ("r", None));
    assert_eq!(refused(1..=1_000_001, &[6]), ("s", None));
    assert_eq!(refused(RangeInclusive::new(2, 1), &[6]), ("s", None));
    assert_eq!(refused(1..=9, &[0]), ("S", Some(0)));
    assert_eq!(refused(1..=9, &[6, 6]), ("S", Some(1)));
    assert_eq!(refused(1..=9, &[6, 7]), ("S", None));
}
