//! The marks of a person who solves a board: rooks, and squares without one.

use super::OCCUPIED;
use crate::puzzle::play::{Layer, MarkPlace, Marks, Play};
use crate::rules::rooks::{Rooks, Square};
use crate::rules::sheet::Style;
use crate::rules::{Solution, Violation};

/// Returns the squares that can be marked.
fn open(board: &Rooks) -> impl Iterator<Item = usize> + '_ {
    (0..board.squares.len()).filter(|&cell| board.squares[cell] == Square::Empty)
}

impl Play for Rooks {
    fn layers(&self) -> Vec<Layer> {
        let place = |cell| {
            let place = self.squares.place(cell);
            let points = vec![[2 * place.row + 1, 2 * place.column + 1]];
            MarkPlace { name: place.to_string(), points, values: vec![0, 1] }
        };
        let (name, symbol) = (OCCUPIED.to_owned(), Some("♜".to_owned()));
        vec![Layer { name, style: Style::Mark, symbol, places: open(self).map(place).collect() }]
    }

    fn marks(&self, solution: &Solution) -> Option<Vec<Vec<Option<i64>>>> {
        let grid = solution.grid(self.squares.rows(), self.squares.columns()).ok()?;
        Some(vec![open(self).map(|cell| i64::try_from(grid[cell]).ok()).collect()])
    }

    fn solution(&self, marks: &Marks) -> Result<Solution, Violation> {
        let mut grid = self.squares.map(|_| 0);
        for (cell, mark) in open(self).zip(marks.iter().flatten()) {
            grid.cells_mut()[cell] = mark.unwrap_or(0).into();
        }
        Ok(Solution::from_grid(grid))
    }
}
