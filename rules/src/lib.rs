//! Puzzles as data: boards, solutions, and the rules that a solution must keep.
//!
//! Each puzzle is one file with the data of a board and [`Rules::check`], which says the rules in plain Rust. The crate
//! depends on no encoding and no solver. What encodes a board and what checks its solutions share data types only: the
//! board, [`Grid`] and [`Solution`].
//!
//! ```
//! use gordian_rules::rooks::{Rooks, Square};
//! use gordian_rules::{Grid, Rules, Solution};
//!
//! let board = Rooks { squares: Grid::new(1, 2, vec![Square::Empty, Square::Clue(1)]) };
//! let rook_on = |left| Solution::from_grid(Grid::new(1, 2, vec![left, 0]));
//! assert!(board.check(&rook_on(1)).is_ok());
//! assert!(board.check(&rook_on(0)).is_err());
//! ```

mod error;
mod grid;
mod solution;
mod text;

pub mod age;
pub mod cards;
pub mod labyrinth;
pub mod nines;
pub mod numberlink;
pub mod numcross;
pub mod nurikabe;
pub mod powers;
pub mod rooks;
pub mod smallest;
pub mod triangle;

pub use error::{Invalid, Violation};
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
