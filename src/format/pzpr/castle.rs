//! Clues with a colour: `0` grey, `1` white or `2` black, and then a number with a direction as in [`arrow_number16`]. `a` to
//! `z` encode 1 to 26 empty squares.

use super::arrow_number16::{self, ArrowClue};
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// Decodes a number of squares: the colour from 0 to 2, and the number with its direction.
pub(crate) fn read(
    body: &mut BodyReader<'_>,
    count: usize,
) -> Result<Vec<Option<(u32, ArrowClue)>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            'a'..='z' => squares.skip(at, c, 9)?,
            '0'..='2' => {
                let Some(Some(clue)) = arrow_number16::read(squares.body, 1)?.pop() else {
                    return Err(squares.body.error_here("a direction and a number"));
                };
                squares.put((c.to_digit(3).unwrap_or_default(), clue));
            }
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds 4095.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<(u32, ArrowClue)>>) -> Option<String> {
    let mut body = BodyWriter::with_runs(26);
    for square in squares {
        match square {
            None => body.empty(),
            Some((colour, clue)) => body.push(&format!("{colour}{}", arrow_number16::write([Some(clue)])?)),
        }
    }
    Some(body.finish())
}
