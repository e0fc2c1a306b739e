//! The checker of Numberlink and Amaze. It does not use the encodings.

use super::{DOWN, LEFT, RIGHT, UP};
use crate::format::counted;
use crate::rules::{Grid, Violation};

/// The data of a board that the checker needs.
pub(super) struct Board {
    /// The given numbers.
    pub(super) ends: Grid<Option<i128>>,
    pub(super) all_cells: bool,
    pub(super) touch: bool,
}

/// Checks the numbers of all cells (0 for an empty cell), for a solution that does not state the paths.
pub(super) fn check(board: &Board, grid: &Grid<i128>) -> Result<(), Violation> {
    numbers(board, grid)?;
    for (start, goal) in pairs(board) {
        let cells: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == grid[start]).collect();
        if board.touch {
            if path(grid, start, goal, cells.len()).is_none() {
                let rule = format!("no path connects the ends of {} through all of its cells", grid[start]);
                return Err(Violation::new(rule).at([start, goal].map(|cell| grid.place(cell))));
            }
            continue;
        }
        for &cell in &cells {
            let steps = if board.ends[cell].is_some() { 1 } else { 2 };
            let same = grid.neighbours(cell).filter(|&near| grid[near] == grid[cell]).count();
            if same != steps {
                let rule = format!("{} of the same number instead of {steps}", counted(same, "neighbour"));
                return Err(Violation::new(rule).at([grid.place(cell)]));
            }
        }
        let same = |cell: usize| grid.neighbours(cell).filter(|&near| grid[near] == grid[cell]).collect();
        let walked = walk(start, same);
        ring(grid, &cells, &walked)?;
    }
    Ok(())
}

/// Checks the numbers of all cells and the sides through which the paths leave each cell.
pub(super) fn check_lines(board: &Board, grid: &Grid<i128>, lines: &Grid<i128>) -> Result<(), Violation> {
    if (lines.rows(), lines.columns()) != (grid.rows(), grid.columns()) {
        return Err(Violation::new("the lines have another size than the board"));
    }
    numbers(board, grid)?;
    for cell in 0..grid.len() {
        let at = |rule: String| Err(Violation::new(rule).at([grid.place(cell)]));
        let sides = lines[cell];
        if !(0..16).contains(&sides) {
            return at(format!(
                "the sides {sides}, which are not a sum of different numbers from 1, 2, 4 and 8"
            ));
        }
        let steps = match (grid[cell], board.ends[cell]) {
            (0, _) => 0,
            (_, Some(_)) => 1,
            (_, None) => 2,
        };
        if sides.count_ones() != steps {
            return at(format!("a path with {} instead of {steps}", counted(sides.count_ones(), "step")));
        }
        for (side, back) in [(UP, DOWN), (RIGHT, LEFT), (DOWN, UP), (LEFT, RIGHT)] {
            if sides & side == 0 {
                continue;
            }
            match beside(grid, cell, side) {
                None => return at("a path that leaves the board".to_owned()),
                Some(near) if lines[near] & back == 0 => {
                    return at("a path that ends without a neighbour".to_owned());
                }
                Some(near) if grid[near] != grid[cell] => {
                    return at(format!("a path from {} to {}", grid[cell], grid[near]));
                }
                Some(_) => {}
            }
        }
    }
    for (start, _) in pairs(board) {
        let cells: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == grid[start]).collect();
        let stepped = |cell: usize| {
            let sides = [UP, RIGHT, DOWN, LEFT].into_iter().filter(|side| lines[cell] & side != 0);
            sides.filter_map(|side| beside(grid, cell, side)).collect()
        };
        let walked = walk(start, stepped);
        ring(grid, &cells, &walked)?;
    }
    if board.touch { Ok(()) } else { check(board, grid) }
}

/// Checks that the grid agrees with the given numbers, contains no other numbers, and has empty cells only if they
/// are allowed.
fn numbers(board: &Board, grid: &Grid<i128>) -> Result<(), Violation> {
    for cell in 0..grid.len() {
        let at = |rule: String| Err(Violation::new(rule).at([grid.place(cell)]));
        match (board.ends[cell], grid[cell]) {
            (Some(end), number) if number != end => return at(format!("{number} at an end of {end}")),
            (None, 0) if board.all_cells => return at("an empty cell".to_owned()),
            (None, number) if number != 0 && !board.ends.cells().contains(&Some(number)) => {
                return at(format!("the number {number}, which is not on the board"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the two cells of each number.
fn pairs(board: &Board) -> Vec<(usize, usize)> {
    let ends: Vec<usize> = (0..board.ends.len()).filter(|&cell| board.ends[cell].is_some()).collect();
    let other = |&start: &usize| {
        let same = ends.iter().find(|&&goal| goal > start && board.ends[goal] == board.ends[start]);
        same.map(|&goal| (start, goal))
    };
    ends.iter().filter_map(other).collect()
}

/// Returns the cells on the path from `start`. `ways` returns the neighbours of a cell on the path: one for an end of
/// the path, two for other cells.
fn walk(start: usize, ways: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut walked = vec![start];
    let mut next = ways(start).first().copied();
    while let Some(cell) = next {
        let from = walked.last().copied();
        walked.push(cell);
        next = ways(cell).into_iter().find(|&near| Some(near) != from);
    }
    walked
}

/// Checks that the path contains all cells of its number, so that they form no separate cycle.
fn ring(grid: &Grid<i128>, cells: &[usize], walked: &[usize]) -> Result<(), Violation> {
    let mut on_path = vec![false; grid.len()];
    for &cell in walked {
        on_path[cell] = true;
    }
    match cells.iter().find(|&&cell| !on_path[cell]) {
        Some(&cell) => {
            let rule = format!("a separate cycle of {}", grid[cell]);
            Err(Violation::new(rule).at([grid.place(cell)]))
        }
        None => Ok(()),
    }
}

/// Returns the adjacent cell on the given side, unless it is outside the board.
fn beside(grid: &Grid<i128>, cell: usize, side: i128) -> Option<usize> {
    let place = grid.place(cell);
    let (row, column) = match side {
        UP => (place.row.checked_sub(1)?, place.column),
        RIGHT => (place.row, place.column + 1),
        DOWN => (place.row + 1, place.column),
        _ => (place.row, place.column.checked_sub(1)?),
    };
    (row < grid.rows() && column < grid.columns()).then(|| grid.index(row, column))
}

/// Returns the sides through which the paths leave each cell, computed from the numbers. If the numbers are those of
/// a valid solution, all paths are found. Otherwise some may be missing.
pub(super) fn lines(board: &Board, grid: &Grid<i128>) -> Grid<u8> {
    let mut lines = vec![0_i128; grid.len()];
    for (start, goal) in pairs(board) {
        let cells: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == grid[start]).collect();
        let same = |cell: usize| grid.neighbours(cell).filter(move |&near| grid[near] == grid[cell]);
        let steps = |cell: usize| if board.ends[cell].is_some() { 1 } else { 2 };
        let path = if cells.iter().all(|&cell| same(cell).count() == steps(cell)) {
            walk(start, |cell| same(cell).collect())
        } else if board.touch {
            path(grid, start, goal, cells.len()).unwrap_or_default()
        } else {
            Vec::new()
        };
        for pair in path.windows(2) {
            for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let side =
                    [UP, RIGHT, DOWN, LEFT].into_iter().find(|&side| beside(grid, from, side) == Some(to));
                lines[from] |= side.unwrap_or_default();
            }
        }
    }
    Grid::new(grid.rows(), grid.columns(), lines.into_iter().map(|sides| sides as u8).collect())
}

/// Returns a path from `start` to `goal` through all `count` cells of their number.
///
/// This is a backtracking search. A cell with only one open neighbour left must be the next cell or the last one,
/// which prunes the search enough for typical boards.
fn path(grid: &Grid<i128>, start: usize, goal: usize, count: usize) -> Option<Vec<usize>> {
    let mut open: Vec<bool> = grid.cells().iter().map(|&number| number == grid[start]).collect();
    open[start] = false;
    // The cells of the current path, each with the neighbours that have not been tried yet.
    let mut walk = vec![(start, ways_on(grid, &open, start, goal, count - 1))];
    while let Some((cell, ways)) = walk.last_mut() {
        let Some(next) = ways.pop() else {
            open[*cell] = true;
            walk.pop();
            continue;
        };
        let left = count - walk.len() - 1;
        if left == 0 {
            if next == goal {
                return Some(walk.into_iter().map(|(cell, _)| cell).chain([goal]).collect());
            }
            continue;
        }
        open[next] = false;
        walk.push((next, ways_on(grid, &open, next, goal, left)));
    }
    None
}

/// Returns the open neighbours of `cell` that can continue a path with `left` more cells.
fn ways_on(grid: &Grid<i128>, open: &[bool], cell: usize, goal: usize, left: usize) -> Vec<usize> {
    let ways: Vec<usize> =
        grid.neighbours(cell).filter(|&near| open[near] && (near != goal || left == 1)).collect();
    // A cell with no other open neighbour can only be visited now: it would be a dead end later.
    let exits = |near: usize| grid.neighbours(near).filter(|&next| open[next]).count();
    let dead: Vec<usize> = ways.iter().copied().filter(|&near| near != goal && exits(near) <= 1).collect();
    match dead[..] {
        [] => ways,
        [only] => vec![only],
        _ => Vec::new(),
    }
}
