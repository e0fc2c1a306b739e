//! Mirrors and crossings: `1` to `4` is a mirror and one hexadecimal digit, `6` to `9` a mirror and two digits, and `5` a
//! crossing. The number 0 is no number. `a` to `z` encode 1 to 26 empty squares.

use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::{InputError, counted};

/// The longest run of empty squares, which `z` encodes.
const LONGEST: u32 = 26;
/// The number of kinds of mirrors.
const MIRRORS: u32 = 4;

/// A square that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A crossing.
    Crossing,
    /// A mirror, counted from 0, and its number.
    Mirror(u32, Option<u32>),
}

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<Mark>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '5' => squares.put(Mark::Crossing),
            '1'..='4' | '6'..='9' => {
                let (code, digits) = if c < '5' { (c, 1) } else { (c, 2) };
                let number = squares.body.take(digits, |c| c.is_ascii_hexdigit());
                let Some(number) = number.and_then(|digits| u32::from_str_radix(&digits, 16).ok()) else {
                    let expected = format!("{} behind `{c}`", counted(digits, "hexadecimal digit"));
                    return Err(squares.body.error_here(expected));
                };
                let mirror = (code.to_digit(10).unwrap_or_default() - 1) % (MIRRORS + 1);
                squares.put(Mark::Mirror(mirror, (number > 0).then_some(number)));
            }
            'a'..='z' => squares.skip(at, c, 35 - LONGEST)?,
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds 255.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<Mark>>) -> Option<String> {
    let mut body = BodyWriter::with_runs(LONGEST);
    for square in squares {
        match square {
            None => body.empty(),
            Some(Mark::Crossing) => body.push("5"),
            Some(Mark::Mirror(mirror, number)) => match number.unwrap_or(0) {
                number @ 0..16 => body.push(&format!("{}{number:x}", mirror + 1)),
                number @ 16..256 => body.push(&format!("{}{number:x}", mirror + MIRRORS + 2)),
                _ => return None,
            },
        }
    }
    Some(body.finish())
}
