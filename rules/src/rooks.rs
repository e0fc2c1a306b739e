//! Rook placement, also known as Akari or Light Up.

use crate::error::Violation;
use crate::text::counted;
use crate::{Grid, Place, Rules, Solution};

/// A square of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Square {
    /// An empty square, where a rook may stand.
    Empty,
    /// A block: no rook may stand on it, and rooks do not attack across it.
    Block,
    /// A block with a clue: the number of rooks on adjacent squares. A board with a clue above 4 has no solution.
    Clue(u8),
}

/// A board on which rooks are placed.
///
/// No two rooks may attack each other along a row or column; blocks stop attacks. Every empty square must hold a rook
/// or be attacked by one.
///
/// A solution has a grid with 1 in each square that holds a rook and 0 in all other squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rooks {
    /// The squares of the board.
    pub squares: Grid<Square>,
}

impl Rules for Rooks {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let grid = solution.grid(self.squares.rows(), self.squares.columns())?;
        for cell in 0..grid.len() {
            let place = grid.place(cell);
            let broken = |rule: String| Err(Violation::new(rule).at([place]));
            match (self.squares[cell], grid[cell]) {
                (_, number) if number != 0 && number != 1 => {
                    return broken(format!("the number {number}, but only 0 and 1 are allowed"));
                }
                (Square::Block | Square::Clue(_), 1) => return broken("a rook on a block".to_owned()),
                (Square::Clue(clue), _) => {
                    let rooks = grid.neighbours(cell).filter(|&near| grid[near] == 1).count();
                    if rooks != usize::from(clue) {
                        return broken(format!("{} beside the clue {clue}", counted(rooks, "rook")));
                    }
                }
                (Square::Block, _) => {}
                (Square::Empty, rook) => match (rook, self.rook_in_sight(grid, place)) {
                    (1, Some(other)) => {
                        return Err(Violation::new("two rooks attack each other").at([place, other]));
                    }
                    (0, None) => return broken("an empty square that no rook attacks".to_owned()),
                    _ => {}
                },
            }
        }
        Ok(())
    }
}

impl Rooks {
    /// Returns a rook that attacks the square `from`, or `None` if no rook does.
    fn rook_in_sight(&self, grid: &Grid<i128>, from: Place) -> Option<Place> {
        let directions = [(-1, 0), (0, -1), (0, 1), (1, 0)];
        directions.into_iter().find_map(|(down, right)| {
            let next = |place: &Place| {
                let row = place.row.checked_add_signed(down).filter(|&row| row < grid.rows())?;
                let column =
                    place.column.checked_add_signed(right).filter(|&column| column < grid.columns())?;
                Some(Place { row, column })
            };
            let cell = |place: &Place| grid.index(place.row, place.column);
            std::iter::successors(next(&from), next)
                .take_while(|place| self.squares[cell(place)] == Square::Empty)
                .find(|place| grid[cell(place)] == 1)
        })
    }
}

mod opb;

#[cfg(test)]
mod tests;
