//! Compasses: four numbers in a square, each in the scheme `number16`, in the order up, down, left and right.
//!
//! `.` is a missing number. `_` is a square that does not belong to the board. `g` to `z` encode 1 to 20 empty squares.

use super::AddressClue;
use super::body::{BodyReader, BodyWriter, Squares};
use super::number16;
use crate::source::InputError;

/// A square that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compass {
    /// The square does not belong to the board.
    Hole,
    /// The numbers up, down, left and right.
    Numbers([AddressClue; 4]),
}

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<Compass>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '_' => squares.put(Compass::Hole),
            'g'..='z' => squares.skip(at, c, 15)?,
            _ => {
                squares.body.back();
                let mut numbers = [AddressClue::Unknown; 4];
                for number in &mut numbers {
                    let Some(clue) = number16::read(squares.body, 1)?[0] else {
                        return Err(squares.body.error_here("four numbers of a compass"));
                    };
                    *number = clue;
                }
                squares.put(Compass::Numbers(numbers));
            }
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds the maximum of the scheme `number16`.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<Compass>>) -> Option<String> {
    let mut body = BodyWriter::new();
    for square in squares {
        match square {
            None => body.empty(),
            Some(Compass::Hole) => body.push("_"),
            Some(Compass::Numbers(numbers)) => body.push(&number16::write(numbers.map(Some))?),
        }
    }
    Some(body.finish())
}
