//! Nurikabe: islands of given sizes, surrounded by one connected sea.

use std::num::NonZeroU32;

use crate::error::Violation;
use crate::text::counted;
use crate::{Grid, Rules, Solution};

/// A clue in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clue {
    /// The number of cells of the island.
    Size(NonZeroU32),
    /// A clue for an island of any size.
    Unknown,
}

/// A Nurikabe board.
///
/// Each cell is sea or island. The cells of an island are connected through shared sides. An island contains exactly
/// one clue, which gives its size. Different islands never share a side. The sea is connected through shared sides
/// and contains no 2x2 block.
///
/// A solution has a grid with 0 in each sea cell and the size of the island in each island cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nurikabe {
    /// The clue of each cell, or `None` for a cell without a clue.
    pub clues: Grid<Option<Clue>>,
}

impl Rules for Nurikabe {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let grid = solution.grid(self.clues.rows(), self.clues.columns())?;
        let is_sea = |cell: usize| grid[cell] == 0;
        if let Some(cell) = (0..grid.len()).find(|&cell| self.clues[cell].is_some() && is_sea(cell)) {
            return Err(Violation::new("a clue lies in the sea").at([grid.place(cell)]));
        }
        let (seas, islands): (Vec<_>, Vec<_>) =
            regions(grid).into_iter().partition(|region| is_sea(region[0]));
        for island in &islands {
            self.check_island(grid, island)?;
        }
        if seas.len() > 1 {
            let first_cells = seas.iter().map(|sea| grid.place(sea[0]));
            return Err(Violation::new("the sea is not connected").at(first_cells));
        }
        match grid.blocks().find(|block| block.iter().all(|&cell| is_sea(cell))) {
            Some(block) => Err(Violation::new("a 2x2 block of sea").at(block.map(|cell| grid.place(cell)))),
            None => Ok(()),
        }
    }
}

impl Nurikabe {
    /// Checks that an island has exactly one clue, and that the size of the island matches the clue and the numbers
    /// in the cells.
    fn check_island(&self, grid: &Grid<i128>, island: &[usize]) -> Result<(), Violation> {
        let broken = |rule: String, cells: &[usize]| {
            Err(Violation::new(rule).at(cells.iter().map(|&cell| grid.place(cell))))
        };
        let clues: Vec<usize> = island.iter().copied().filter(|&cell| self.clues[cell].is_some()).collect();
        let clue = match clues[..] {
            [] => return broken("an island without a clue".to_owned(), island),
            [clue] => clue,
            _ => return broken("an island with several clues".to_owned(), &clues),
        };
        let cells = || counted(island.len(), "cell");
        if let Some(Clue::Size(size)) = self.clues[clue]
            && size.get() as usize != island.len()
        {
            return broken(format!("an island of {} with the clue {size}", cells()), &[clue]);
        }
        match island.iter().find(|&&cell| grid[cell] != island.len() as i128) {
            Some(&cell) => broken(format!("the number {} on an island of {}", grid[cell], cells()), &[cell]),
            None => Ok(()),
        }
    }
}

/// Returns the connected regions of sea and island cells. Each region lists its cells in breadth-first order.
fn regions(grid: &Grid<i128>) -> Vec<Vec<usize>> {
    let mut regions = Vec::new();
    let mut seen = vec![false; grid.len()];
    for start in 0..grid.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut region = vec![start];
        let mut next = 0;
        while let Some(&cell) = region.get(next) {
            next += 1;
            for near in grid.neighbours(cell) {
                if !seen[near] && (grid[near] == 0) == (grid[start] == 0) {
                    seen[near] = true;
                    region.push(near);
                }
            }
        }
        regions.push(region);
    }
    regions
}

mod opb;

#[cfg(test)]
mod tests;
