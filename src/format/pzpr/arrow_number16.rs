//! Numbers with directions.
//!
//! A direction is 1 up, 2 down, 3 left or 4 right, and 0 for none. `0` to `4` is a direction before a number of one
//! hexadecimal digit, or before `.` for no number. `+` is a clue with neither. `5` to `9` is a direction plus 5, before two digits. `-` precedes a
//! direction and three digits. `a` to `z` encode 1 to 26 empty squares.

use super::AddressClue;
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// A direction from 0 to 4, and a number.
pub(crate) type ArrowClue = (u32, AddressClue);

/// The longest run of empty squares, which `z` encodes.
const LONGEST: u32 = 26;

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<ArrowClue>>, InputError> {
    read_with_runs(body, count, LONGEST)
}

/// Decodes squares with `z` for another number of empty squares.
pub(crate) fn read_with_runs(
    body: &mut BodyReader<'_>,
    count: usize,
    longest: u32,
) -> Result<Vec<Option<ArrowClue>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '0'..='4' if squares.body.peek() == Some('.') => {
                squares.body.next();
                squares.put((c.to_digit(10).unwrap_or_default(), AddressClue::Unknown));
            }
            '0'..='9' => {
                let digit = c.to_digit(10).unwrap_or_default();
                let number = hexadecimal(squares.body, 1 + (digit / 5) as usize)?;
                squares.put((digit % 5, AddressClue::Number(number)));
            }
            '-' => {
                let Some(direction) = squares.body.peek().and_then(|c| c.to_digit(5)) else {
                    return Err(squares.body.error_here("a direction from 0 to 4"));
                };
                squares.body.next();
                let number = hexadecimal(squares.body, 3)?;
                squares.put((direction, AddressClue::Number(number)));
            }
            '+' => squares.put((0, AddressClue::Unknown)),
            'a'..='z' if c.to_digit(36).is_some_and(|digit| digit > 35 - longest) => {
                squares.skip(at, c, 35 - longest)?;
            }
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

fn hexadecimal(body: &mut BodyReader<'_>, count: usize) -> Result<u32, InputError> {
    let digits = body.take(count, |c| c.is_ascii_hexdigit());
    let number = digits.and_then(|digits| u32::from_str_radix(&digits, 16).ok());
    number.ok_or_else(|| body.error_here("a hexadecimal digit"))
}

/// Encodes squares. Returns `None` if a number exceeds 4095.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<ArrowClue>>) -> Option<String> {
    write_with_runs(squares, LONGEST)
}

/// Encodes squares with `z` for another number of empty squares.
pub(crate) fn write_with_runs(
    squares: impl IntoIterator<Item = Option<ArrowClue>>,
    longest: u32,
) -> Option<String> {
    let mut body = BodyWriter::with_runs(longest);
    for square in squares {
        match square {
            None => body.empty(),
            Some((direction, AddressClue::Unknown)) => body.push(&format!("{direction}.")),
            Some((direction, AddressClue::Number(number))) => body.push(&match number {
                0..16 => format!("{direction}{number:x}"),
                16..256 => format!("{}{number:x}", direction + 5),
                256..4096 => format!("-{direction}{number:x}"),
                _ => return None,
            }),
        }
    }
    Some(body.finish())
}
