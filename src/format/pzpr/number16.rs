//! Numbers of any size in squares, hexadecimal.
//!
//! `0` to `f` encode a one-digit number, and `-` precedes a two-digit number. `+` precedes a three-digit number. `=`
//! precedes a three-digit number with the offset 4096, and `%` or `@` one with the offset 8192. `*` precedes a four-digit
//! number with the offset 12240, and `$` a five-digit number with the offset 77776. The offset is added to the number.
//! `.` is a clue without a number. `g` to `z` encode 1 to 20 empty squares.

use super::AddressClue;
use super::address::escaped;
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::{InputError, counted};

/// The prefixes of numbers with several digits, each with the number of digits after the prefix and the offset to add.
const MARKS: [(char, usize, u32); 7] = [
    ('-', 2, 0),
    ('+', 3, 0),
    ('=', 3, 4096),
    ('%', 3, 8192),
    ('@', 3, 8192),
    ('*', 4, 12240),
    ('$', 5, 77776),
];

/// A clue, or a sign by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClueOrSign {
    /// A number, or a clue without a number.
    Clue(AddressClue),
    /// A sign.
    Sign(u32),
}

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<AddressClue>>, InputError> {
    let squares = read_with_signs(body, count, 0)?;
    let clue = |square| if let ClueOrSign::Clue(clue) = square { Some(clue) } else { None };
    Ok(squares.into_iter().map(|square| square.and_then(clue)).collect())
}

/// Decodes squares with numbers, signs or neither. The letters from `g` on stand first for the signs, and then for the
/// lengths of runs of empty squares.
pub(crate) fn read_with_signs(
    body: &mut BodyReader<'_>,
    count: usize,
    signs: u32,
) -> Result<Vec<Option<ClueOrSign>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        if let Some(&(_, count, offset)) = MARKS.iter().find(|&&(mark, ..)| mark == c) {
            let digits = squares.body.take(count, |c| c.is_ascii_hexdigit());
            let number = digits.and_then(|digits| u32::from_str_radix(&digits, 16).ok());
            let Some(number) = number else {
                let expected = format!("{} behind `{c}`", counted(count, "hexadecimal digit"));
                return Err(squares.body.error_here(expected));
            };
            squares.put(ClueOrSign::Clue(AddressClue::Number(number + offset)));
            continue;
        }
        match c {
            '0'..='9' | 'a'..='f' => {
                squares.put(ClueOrSign::Clue(AddressClue::Number(c.to_digit(16).unwrap_or_default())));
            }
            '.' => squares.put(ClueOrSign::Clue(AddressClue::Unknown)),
            'g'..='z' => match c.to_digit(36).unwrap_or_default() - 16 {
                sign if sign < signs => squares.put(ClueOrSign::Sign(sign)),
                _ => squares.skip(at, c, 15 + signs)?,
            },
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds 1126351, the maximum of the scheme.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<AddressClue>>) -> Option<String> {
    write_with_signs(squares.into_iter().map(|square| square.map(ClueOrSign::Clue)), 0)
}

/// Encodes squares as [`read_with_signs`] decodes them.
pub(crate) fn write_with_signs(
    squares: impl IntoIterator<Item = Option<ClueOrSign>>,
    signs: u32,
) -> Option<String> {
    let mut body = BodyWriter::with_runs(20 - signs);
    for square in squares {
        match square {
            None => body.empty(),
            Some(ClueOrSign::Sign(sign)) => {
                body.push(char::from_digit(16 + sign, 36)?.encode_utf8(&mut [0; 4]));
            }
            Some(ClueOrSign::Clue(AddressClue::Unknown)) => body.push("."),
            Some(ClueOrSign::Clue(AddressClue::Number(number @ 0..16))) => body.push(&format!("{number:x}")),
            Some(ClueOrSign::Clue(AddressClue::Number(number))) => {
                // The prefixes are sorted by the numbers that they can express, so the first prefix that fits is the
                // shortest.
                let fits = |&&(_, digits, offset): &&(char, usize, u32)| {
                    number.checked_sub(offset).is_some_and(|rest| rest < 1 << (4 * digits))
                };
                let &(mark, digits, offset) = MARKS.iter().find(fits)?;
                let digits = format!("{:0digits$x}", number - offset);
                // If the prefix `%` and the digits after it would form a percent escape, the prefix is written as
                // `%25`.
                let escaped = mark == '%' && digits.get(..2).and_then(escaped).is_some();
                body.push(&if escaped { format!("%25{digits}") } else { format!("{mark}{digits}") });
            }
        }
    }
    Some(body.finish())
}
