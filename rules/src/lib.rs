//! Rules of puzzles: the data types of boards and solutions, and a checker for each puzzle.
//!
//! Each puzzle has one file, which defines the board and implements [`Rules::check`], a check of the rules in plain
//! Rust. For some puzzles, the crate can also write the rules as a pseudo-Boolean formula ([`opb`]). Certificates are
//! proofs about this formula. The crate depends on no encoding and no solver. The encodings of a puzzle and its checker
//! share only data types: the board, [`Grid`] and [`Solution`].
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

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod error;
mod grid;
mod rules;
mod solution;
mod text;

pub mod age;
pub mod cards;
pub mod labyrinth;
pub mod nines;
pub mod numberlink;
pub mod numcross;
pub mod opb;
pub mod powers;
pub mod relation;
pub mod rooks;
pub mod sheet;
pub mod smallest;
pub mod triangle;

pub use error::{Invalid, Violation};
pub use grid::{Grid, Place};
pub use rules::Rules;
pub use solution::{Content, Field, GRID, Solution};
