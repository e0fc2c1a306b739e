//! What a drawing shows beside the cells of a board: clues outside of it, and marks between cells.

use super::scene::Role;

/// Clues outside of a board: for each column or row, a list of numbers or words from the outside to the inside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    /// Above each column, from top to bottom.
    pub top: Vec<Vec<String>>,
    /// Below each column, from top to bottom.
    pub bottom: Vec<Vec<String>>,
    /// To the left of each row, from left to right.
    pub left: Vec<Vec<String>>,
    /// To the right of each row, from left to right.
    pub right: Vec<Vec<String>>,
}

impl Outside {
    /// Returns the greatest number of clues of a column or row on one side.
    pub(super) fn most(clues: &[Vec<String>]) -> usize {
        clues.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the number of characters of the longest clue on one side.
    pub(super) fn widest(clues: &[Vec<String>]) -> usize {
        clues.iter().flatten().map(|clue| clue.chars().count()).max().unwrap_or(0)
    }
}

/// A mark at a corner, on a side, or in the middle of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The distance from the top of the board, in halves of a cell.
    pub row: usize,
    /// The distance from the left of the board, in halves of a cell.
    pub column: usize,
    /// The number in the mark, or nothing for a small circle.
    pub label: String,
    /// The role of the mark.
    pub role: Role,
}
