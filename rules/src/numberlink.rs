//! Numberlink and Amaze: connect the pairs of equal numbers by disjoint paths.
//!
//! Numberlink and Amaze are in the same file because they have almost the same rules. In Amaze, paths never touch
//! themselves: two cells of a path are adjacent only if they are consecutive. In Numberlink, this rule is an option.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::error::{Invalid, Violation, entry_within};
use crate::text::counted;
use crate::{Field, Grid, Rules, Solution};

/// The name of an optional solution field that describes the paths. For each cell, it contains the sum of [`UP`],
/// [`RIGHT`], [`DOWN`] and [`LEFT`] over the sides through which the path leaves the cell. The field is needed if the
/// numbers alone do not determine the paths.
pub const LINES: &str = "lines";
/// The value for a path that leaves the cell upwards.
pub const UP: i128 = 1;
/// The value for a path that leaves the cell to the right.
pub const RIGHT: i128 = 2;
/// The value for a path that leaves the cell downwards.
pub const DOWN: i128 = 4;
/// The value for a path that leaves the cell to the left.
pub const LEFT: i128 = 8;

/// The puzzle type of a board, with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Numberlink, with options.
    Numberlink {
        /// True if every cell must be on a path.
        all_cells: bool,
        /// True if a path may touch itself, that is, contain adjacent cells that are not consecutive.
        touch: bool,
    },
    /// Amaze. Paths never touch themselves, and cells may stay empty. The objective is to minimise the sum of the
    /// numbers; the checker does not test whether a solution is optimal.
    Amaze,
}

/// A board with pairs of equal numbers.
///
/// A solution connects the two cells of each number by a path that moves between adjacent cells. No cell is on two
/// paths, and no path visits a cell twice.
///
/// A solution is given as a grid. Each cell on a path contains the number of the path, and each empty cell contains 0.
/// The field [`LINES`] is optional.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numberlink {
    ends: Grid<Option<usize>>,
    pairs: Vec<Pair>,
    variant: Variant,
}

/// A number and the two cells that contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The number.
    pub number: i128,
    /// The two cells, in ascending order.
    pub cells: [usize; 2],
}

impl Numberlink {
    /// The range of a number. For every board that fits in memory, the sum of all numbers fits in 64 bits.
    pub const NUMBERS: RangeInclusive<i128> = 1..=999_999_999;

    /// Creates a board from the numbers in its cells.
    ///
    /// # Errors
    /// Returns an error if a number is out of range or does not occur exactly twice. If a number occurs once, the
    /// error contains the index of the number's cell. If a number occurs more than twice, the error contains the
    /// index of its third cell.
    pub fn new(numbers: &Grid<Option<i128>>, variant: Variant) -> Result<Self, Invalid> {
        let mut cells_of: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
        for (cell, &number) in numbers.cells().iter().enumerate() {
            if let Some(number) = number {
                let number = entry_within("ends", Some(cell), "a number", number, &Self::NUMBERS)?;
                cells_of.entry(number).or_default().push(cell);
            }
        }
        let mut ends = numbers.map(|_| None);
        let mut pairs = Vec::with_capacity(cells_of.len());
        for (number, cells) in cells_of {
            let (cell, found) = match cells[..] {
                [a, b] => {
                    ends.cells_mut()[a] = Some(pairs.len());
                    ends.cells_mut()[b] = Some(pairs.len());
                    pairs.push(Pair { number, cells: [a, b] });
                    continue;
                }
                [_, _, third, ..] => (third, "a third cell"),
                _ => (cells[0], "a single cell"),
            };
            let expected = format!("the number {number} in two cells");
            return Err(Invalid { name: "ends", index: Some(cell), expected, found: found.to_owned() });
        }
        Ok(Self { ends, pairs, variant })
    }

    /// Returns, for each cell, the index of the pair with its number, or `None` if the cell contains no number.
    #[must_use]
    pub fn ends(&self) -> &Grid<Option<usize>> {
        &self.ends
    }

    /// Returns the pairs in ascending order of their numbers.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the puzzle type with its options.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns whether every cell must be on a path.
    #[must_use]
    pub fn all_cells(&self) -> bool {
        matches!(self.variant, Variant::Numberlink { all_cells: true, .. })
    }

    /// Returns whether a path may touch itself.
    #[must_use]
    pub fn touch(&self) -> bool {
        matches!(self.variant, Variant::Numberlink { touch: true, .. })
    }
}

impl Rules for Numberlink {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let grid = solution.grid(self.ends.rows(), self.ends.columns())?;
        self.check_numbers(grid)?;
        match solution.get(LINES) {
            None => self.check_without_lines(grid),
            Some(Field::Grid(lines)) => self.check_lines(grid, lines),
            Some(_) => Err(Violation::new("`lines` is not a grid")),
        }
    }
}

impl Numberlink {
    /// Returns the given number of a cell, or `None` for a cell without one.
    fn given(&self, cell: usize) -> Option<i128> {
        self.ends[cell].map(|pair| self.pairs[pair].number)
    }

    /// Checks that the grid agrees with the given numbers, contains no further numbers, and has empty cells only if
    /// they are allowed.
    fn check_numbers(&self, grid: &Grid<i128>) -> Result<(), Violation> {
        for cell in 0..grid.len() {
            let at = |rule: String| Err(Violation::new(rule).at([grid.place(cell)]));
            match (self.given(cell), grid[cell]) {
                (Some(end), number) if number != end => return at(format!("{number} at an end of {end}")),
                (None, 0) if self.all_cells() => return at("an empty cell".to_owned()),
                (None, number) if number != 0 && self.pairs.iter().all(|pair| pair.number != number) => {
                    return at(format!("the number {number}, which is not on the board"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// If the solution lacks the field [`LINES`], checks that the cells of each number form a path.
    fn check_without_lines(&self, grid: &Grid<i128>) -> Result<(), Violation> {
        for &Pair { number, cells: [start, goal] } in &self.pairs {
            let cells = cells_with(grid, number);
            if self.touch() {
                if path(grid, start, goal, cells.len()).is_none() {
                    let rule = format!("no path connects the ends of {number} through all of its cells");
                    return Err(Violation::new(rule).at([start, goal].map(|cell| grid.place(cell))));
                }
                continue;
            }
            for &cell in &cells {
                let steps = if self.ends[cell].is_some() { 1 } else { 2 };
                let same = same_beside(grid, cell).len();
                if same != steps {
                    let found = counted(same, "neighbour");
                    let rule = format!("{found} of the same number instead of {steps}");
                    return Err(Violation::new(rule).at([grid.place(cell)]));
                }
            }
            check_no_ring(grid, &cells, &walk(start, |cell| same_beside(grid, cell)))?;
        }
        Ok(())
    }

    /// Checks the sides through which the paths leave each cell.
    fn check_lines(&self, grid: &Grid<i128>, lines: &Grid<i128>) -> Result<(), Violation> {
        if (lines.rows(), lines.columns()) != (grid.rows(), grid.columns()) {
            return Err(Violation::new("the lines have another size than the board"));
        }
        for cell in 0..grid.len() {
            let at = |rule: String| Err(Violation::new(rule).at([grid.place(cell)]));
            let sides = lines[cell];
            if !(0..16).contains(&sides) {
                return at(format!(
                    "the sides {sides}, which are not a sum of different numbers from 1, 2, 4 and 8"
                ));
            }
            let steps = match (grid[cell], self.ends[cell]) {
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
        let stepped = |cell: usize| {
            let sides = [UP, RIGHT, DOWN, LEFT].into_iter().filter(|side| lines[cell] & side != 0);
            sides.filter_map(|side| beside(grid, cell, side)).collect()
        };
        for pair in &self.pairs {
            check_no_ring(grid, &cells_with(grid, pair.number), &walk(pair.cells[0], stepped))?;
        }
        if self.touch() { Ok(()) } else { self.check_without_lines(grid) }
    }

    /// Computes the field [`LINES`] from the numbers: the sides through which the paths leave each cell. For a valid
    /// solution, the result contains all paths. For an invalid solution, some paths may be missing.
    #[must_use]
    pub fn lines(&self, grid: &Grid<i128>) -> Grid<i128> {
        let mut lines = grid.map(|_| 0);
        for &Pair { number, cells: [start, goal] } in &self.pairs {
            let cells = cells_with(grid, number);
            let steps = |cell: usize| if self.ends[cell].is_some() { 1 } else { 2 };
            let path = if cells.iter().all(|&cell| same_beside(grid, cell).len() == steps(cell)) {
                walk(start, |cell| same_beside(grid, cell))
            } else if self.touch() {
                path(grid, start, goal, cells.len()).unwrap_or_default()
            } else {
                Vec::new()
            };
            for pair in path.windows(2) {
                for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    let side = [UP, RIGHT, DOWN, LEFT]
                        .into_iter()
                        .find(|&side| beside(grid, from, side) == Some(to));
                    lines.cells_mut()[from] |= side.unwrap_or_default();
                }
            }
        }
        lines
    }
}

fn cells_with(grid: &Grid<i128>, number: i128) -> Vec<usize> {
    (0..grid.len()).filter(|&cell| grid[cell] == number).collect()
}

/// Returns the neighbours of a cell that have the same number.
fn same_beside(grid: &Grid<i128>, cell: usize) -> Vec<usize> {
    grid.neighbours(cell).filter(|&near| grid[near] == grid[cell]).collect()
}

/// Returns the cells on the path from `start`. For each cell of the path, `ways` must return the adjacent cells on the
/// path: one for an end of the path, and two for any other cell.
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

/// Checks that the path `walked` visits all of `cells`, the cells with the path's number. Cells that the path does not
/// visit would form a separate cycle.
fn check_no_ring(grid: &Grid<i128>, cells: &[usize], walked: &[usize]) -> Result<(), Violation> {
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

/// Returns the adjacent cell on the given side, or `None` if it is outside the board.
fn beside<T>(grid: &Grid<T>, cell: usize, side: i128) -> Option<usize> {
    let place = grid.place(cell);
    let (row, column) = match side {
        UP => (place.row.checked_sub(1)?, place.column),
        RIGHT => (place.row, place.column + 1),
        DOWN => (place.row + 1, place.column),
        _ => (place.row, place.column.checked_sub(1)?),
    };
    (row < grid.rows() && column < grid.columns()).then(|| grid.index(row, column))
}

/// Returns a path from `start` to `goal` that visits every cell with the same number as its ends. The argument `count`
/// is the number of these cells.
///
/// The function uses a backtracking search with a pruning rule that suffices for typical boards. If a neighbour of the
/// current cell has at most one unvisited neighbour, it must be the next cell or the last cell of the path.
fn path(grid: &Grid<i128>, start: usize, goal: usize, count: usize) -> Option<Vec<usize>> {
    let mut open: Vec<bool> = grid.cells().iter().map(|&number| number == grid[start]).collect();
    open[start] = false;
    // The cells of the current path, each with its untried neighbours.
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

/// Returns the unvisited neighbours of `cell` that can be the next cell of the path. The argument `left` is the number
/// of cells that the path must still visit.
fn ways_on(grid: &Grid<i128>, open: &[bool], cell: usize, goal: usize, left: usize) -> Vec<usize> {
    let ways: Vec<usize> =
        grid.neighbours(cell).filter(|&near| open[near] && (near != goal || left == 1)).collect();
    // A neighbour with at most one unvisited neighbour must be visited now, because it would be a dead end later.
    let exits = |near: usize| grid.neighbours(near).filter(|&next| open[next]).count();
    let dead: Vec<usize> = ways.iter().copied().filter(|&near| near != goal && exits(near) <= 1).collect();
    match dead[..] {
        [] => ways,
        [only] => vec![only],
        _ => Vec::new(),
    }
}

mod opb;

#[cfg(test)]
mod tests;
