//! A number in each square, with digits and letters: one character below 36, or `-` and two. `%` or `@` is a number that is
//! not known, and `.` no number.

use super::AddressClue;
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<AddressClue>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '0'..='9' | 'a'..='z' => squares.put(AddressClue::Number(c.to_digit(36).unwrap_or_default())),
            '-' => {
                let digits = squares.body.take(2, |c| c.is_ascii_digit() || c.is_ascii_lowercase());
                let Some(number) = digits.and_then(|digits| u32::from_str_radix(&digits, 36).ok()) else {
                    return Err(squares.body.error_here("2 digits or letters behind `-`"));
                };
                squares.put(AddressClue::Number(number));
            }
            '%' | '@' => squares.put(AddressClue::Unknown),
            '.' => squares.pad(1),
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds 1295.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<AddressClue>>) -> Option<String> {
    let mut body = BodyWriter::new();
    let digit = |number: u32| char::from_digit(number, 36);
    for square in squares {
        match square {
            None => body.push("."),
            Some(AddressClue::Unknown) => body.push("@"),
            Some(AddressClue::Number(number)) if number < 36 => body.push(&digit(number)?.to_string()),
            Some(AddressClue::Number(number)) => {
                body.push(&format!("-{}{}", digit(number / 36)?, digit(number % 36)?));
            }
        }
    }
    Some(body.finish())
}
