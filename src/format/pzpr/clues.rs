//! Clues that are numbers or unknown, and the schemes of boards that consist of them.

use super::address::Address;
use super::body::BodyReader;
use super::{four_cell, number16};
use crate::source::InputError;

/// A clue in a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressClue {
    /// A number.
    Number(u32),
    /// The clue `?`, or a block without a number.
    Unknown,
}

/// A scheme that encodes the clues in an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// The scheme that [`Address::number16`] reads.
    Number16,
    /// The scheme that [`Address::four_cell`] reads.
    FourCell,
}

impl Scheme {
    /// Encodes the clues of a board. Returns `None` if a number is too large.
    pub(super) fn encode(self, board: &[Vec<Option<AddressClue>>]) -> Option<String> {
        match self {
            Self::Number16 => encode_number16(board),
            Self::FourCell => encode_four_cell(board),
        }
    }
}

/// The clue of each square, if it has one.
type OptionalClues = Vec<Option<AddressClue>>;

impl Address {
    /// Decodes clues with arbitrary numbers, as in addresses of nurikabe and numlin. An empty square is `None`.
    ///
    /// # Errors
    /// Returns an error if the body contains an invalid character, or has too few or too many clues for the board.
    pub fn number16(&self) -> Result<Vec<Vec<Option<AddressClue>>>, InputError> {
        self.board(number16::read)
    }

    /// Decodes clues with numbers up to 4, as in addresses of lightup (akari). An empty square is `None`.
    ///
    /// # Errors
    /// Returns an error if the body contains an invalid character, or has too few or too many clues for the board.
    pub fn four_cell(&self) -> Result<Vec<Vec<Option<AddressClue>>>, InputError> {
        self.board(four_cell::read)
    }

    /// Returns a reader of the body.
    pub(crate) fn reader(&self) -> BodyReader<'_> {
        BodyReader::new(self)
    }

    fn board(
        &self,
        read: fn(&mut BodyReader<'_>, usize) -> Result<OptionalClues, InputError>,
    ) -> Result<Vec<Vec<Option<AddressClue>>>, InputError> {
        let known: &[&str] = if self.puzzle_type.value == "numlin" { &["", "e"] } else { &[""] };
        self.check_variant(known)?;
        let mut body = self.reader();
        let squares = read(&mut body, self.rows.value * self.columns.value)?;
        body.finish()?;
        Ok(squares.chunks(self.columns.value).map(<[_]>::to_vec).collect())
    }
}

/// Encodes clues in the scheme of [`Address::number16`]. Returns `None` if a number exceeds 1126351, the maximum of
/// the scheme.
#[must_use]
pub fn encode_number16(board: &[Vec<Option<AddressClue>>]) -> Option<String> {
    number16::write(board.iter().flatten().copied())
}

/// Encodes clues in the scheme of [`Address::four_cell`]. Returns `None` if a number exceeds 4.
#[must_use]
pub fn encode_four_cell(board: &[Vec<Option<AddressClue>>]) -> Option<String> {
    four_cell::write(board.iter().flatten().copied())
}
