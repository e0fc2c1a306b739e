use super::*;

/// Checks a solution of a board. The board and the solution are listed row by row. In `clues`, a cell without a clue
/// is 0, and a clue of unknown size is -1.
fn check(columns: usize, clues: &[i32], grid: &[i128]) -> Result<(), String> {
    let rows = clues.len() / columns;
    let clue = |&clue: &i32| match u32::try_from(clue) {
        Ok(size) => NonZeroU32::new(size).map(Clue::Size),
        Err(_) => Some(Clue::Unknown),
    };
    let board = Nurikabe { clues: Grid::new(rows, columns, clues.iter().map(clue).collect()) };
    let solution = Solution::from_grid(Grid::new(rows, columns, grid.to_vec()));
    board.check(&solution).map_err(|violation| violation.to_string())
}

#[test]
fn the_published_board_has_the_published_solution() {
    let mut clues = [0; 25];
    (clues[5], clues[14], clues[18], clues[20]) = (1, 3, 4, 2);
    let grid = [0, 0, 0, 0, 3, 1, 0, 4, 0, 3, 0, 0, 4, 0, 3, 2, 0, 4, 4, 0, 2, 0, 0, 0, 0];
    assert_eq!(check(5, &clues, &grid), Ok(()));
    for cell in 0..25 {
        for number in (0..5).filter(|&number| number != grid[cell]) {
            let mut changed = grid;
            changed[cell] = number;
            assert!(check(5, &clues, &changed).is_err(), "{number} in cell {cell}");
        }
    }
}

#[test]
fn each_rule_is_checked() {
    let refused = |columns, clues: &[i32], grid: &[i128]| check(columns, clues, grid).unwrap_err();
    assert_eq!(check(3, &[-1, 0, 1], &[1, 0, 1]), Ok(()));
    assert_eq!(check(3, &[-1, 0, 0], &[2, 2, 0]), Ok(()));
    assert_eq!(refused(2, &[1, 0], &[0, 0]), "a clue lies in the sea at r1c1");
    assert_eq!(refused(3, &[1, 0, 0], &[1, 0, 1]), "an island without a clue at r1c3");
    assert_eq!(refused(2, &[1, 1], &[2, 2]), "an island with several clues at r1c1 r1c2");
    assert_eq!(refused(3, &[1, 0, 0], &[2, 2, 0]), "an island of 2 cells with the clue 1 at r1c1");
    assert_eq!(refused(2, &[-1, 0], &[2, 0]), "the number 2 on an island of 1 cell at r1c1");
    assert_eq!(refused(3, &[0, 1, 0], &[0, 1, 0]), "the sea is not connected at r1c1 r1c3");
    let block = refused(3, &[0, 0, 2, 0, 0, 0], &[0, 0, 2, 0, 0, 2]);
    assert_eq!(block, "a 2x2 block of sea at r1c1 r1c2 r2c1 r2c2");
}
