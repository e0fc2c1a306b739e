//! Numbers and closed squares, some of which have a direction.
//!
//! `0` to `9` encode 1 to 10, and `-` precedes two digits of a greater number, less 1. `a` to `e` are closed squares: without
//! a direction, up, down, left and right. `g` to `z` encode 1 to 20 empty squares.

use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// A square that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Square {
    /// A number.
    Number(u32),
    /// A closed square with a direction from 0, for none, to 4.
    Closed(u32),
}

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<Square>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '0'..='9' => squares.put(Square::Number(c.to_digit(10).unwrap_or_default() + 1)),
            '-' => {
                let digits = squares.body.take(2, |c| c.is_ascii_digit());
                let Some(number) = digits.and_then(|digits| digits.parse::<u32>().ok()) else {
                    return Err(squares.body.error_here("2 digits behind `-`"));
                };
                squares.put(Square::Number(number + 1));
            }
            'a'..='e' => squares.put(Square::Closed(c.to_digit(36).unwrap_or_default() - 10)),
            'g'..='z' => squares.skip(at, c, 15)?,
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` for a number that is 0 or exceeds 100.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<Square>>) -> Option<String> {
    let mut body = BodyWriter::new();
    for square in squares {
        match square {
            None => body.empty(),
            Some(Square::Number(number @ 1..=10)) => body.push(&(number - 1).to_string()),
            Some(Square::Number(number @ 11..=100)) => body.push(&format!("-{}", number - 1)),
            Some(Square::Number(_)) => return None,
            Some(Square::Closed(direction)) => {
                body.push(char::from_digit(10 + direction, 36)?.encode_utf8(&mut [0; 4]));
            }
        }
    }
    Some(body.finish())
}
