//! Numbers up to 4 in squares or at corners.
//!
//! `0` to `4` encode a clue, `5` to `9` a clue followed by one empty square, and `a` to `e` a clue followed by two empty
//! squares. `.` is a clue without a number. `g` to `z` encode 1 to 20 empty squares. The empty squares after a clue may
//! extend past the end of the board.

use super::AddressClue;
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<AddressClue>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '0'..='9' | 'a'..='e' => {
                let digit = c.to_digit(16).unwrap_or_default();
                squares.put(AddressClue::Number(digit % 5));
                squares.pad((digit / 5) as usize);
            }
            '.' => squares.put(AddressClue::Unknown),
            'g'..='z' => squares.skip(at, c, 15)?,
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds 4.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<AddressClue>>) -> Option<String> {
    let mut body = BodyWriter::new();
    let mut squares = squares.into_iter().peekable();
    while let Some(square) = squares.next() {
        match square {
            None => body.empty(),
            Some(AddressClue::Unknown) => body.push("."),
            Some(AddressClue::Number(number @ 0..=4)) => {
                let mut digit = number;
                // As in pzpr, squares after the last square of the board are treated as empty.
                for _ in 0..2 {
                    if squares.peek().is_some_and(Option::is_some) {
                        break;
                    }
                    squares.next();
                    digit += 5;
                }
                body.push(&format!("{digit:x}"));
            }
            Some(AddressClue::Number(_)) => return None,
        }
    }
    Some(body.finish())
}
