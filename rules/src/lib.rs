//! Puzzles as data: boards, solutions, and the rules that a solution must keep.
//!
//! The crate depends on no encoding and no solver. What encodes a board and what checks its solutions share data types
//! only: the board, [`Grid`] and [`Solution`].

mod error;
mod grid;
mod solution;
mod text;

pub use error::Violation;
pub use grid::{Grid, Place};
pub use solution::{Content, Field, GRID, Solution};

/// A board whose solutions can be checked.
pub trait Rules {
    /// Checks whether a solution keeps every rule of the puzzle.
    ///
    /// # Errors
    /// The first broken rule, and where it is broken.
    fn check(&self, solution: &Solution) -> Result<(), Violation>;
}
