//! The tokens of boards that consist of cells, for editors.

/// The tokens of a board that consists of cells. The native text is the header, followed by one row of tokens for each
/// row of cells, as [`Puzzle::draw`](super::Puzzle::draw) writes them for a board without a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// The lines before the rows of cells, starting with the puzzle type.
    pub header: String,
    /// The tokens that a cell of a board may have, starting with the token of an empty cell.
    pub clues: Tokens,
    /// The tokens that an empty cell may have in a solution; the first one leaves the cell unchanged.
    pub marks: Tokens,
}

/// The tokens that a cell may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// The tokens that an editor lists, such as `.`, `#`, and the clues `0` to `4`.
    pub words: Vec<String>,
    /// True if a cell may have any number.
    pub numbers: bool,
}

impl Tokens {
    /// The given tokens only.
    pub(super) fn only(words: &[&str]) -> Self {
        Self { words: words.iter().map(ToString::to_string).collect(), numbers: false }
    }

    /// Allows the given tokens and all numbers.
    pub(super) fn and_numbers(words: &[&str]) -> Self {
        Self { numbers: true, ..Self::only(words) }
    }
}
