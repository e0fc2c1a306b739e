//! Squares that are marked, often far apart: each digit or letter is a number of empty squares and a mark after them, and `.`
//! is 36 empty squares. The empty squares after the last mark are left out.

use super::body::{BodyReader, Squares};
use crate::source::InputError;

/// The number of empty squares that `.` encodes.
const LONGEST: u32 = 36;

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<bool>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '.' => squares.pad(LONGEST as usize),
            '0'..='9' | 'a'..='z' => {
                let empty = c.to_digit(36).unwrap_or_default() as usize;
                if empty >= squares.missing() {
                    return Err(squares.wrong(at, c));
                }
                squares.pad(empty);
                squares.put(());
            }
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.pad(count);
    Ok(squares.finish()?.iter().map(Option::is_some).collect())
}

/// Encodes squares.
pub(crate) fn write(squares: &[bool]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for marked in squares {
        if *marked {
            text.extend(char::from_digit(empty, 36));
            empty = 0;
        } else if empty + 1 == LONGEST {
            text.push('.');
            empty = 0;
        } else {
            empty += 1;
        }
    }
    text
}
