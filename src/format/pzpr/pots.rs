//! Numbers in circles and numbers of pots. `0` to `f` is a number in a circle, `-` precedes two hexadecimal digits, and `.` is
//! a circle without a number. `i` precedes one digit of the number of a pot, `g` two digits, and `h` is a pot whose number is
//! not known. `j` to `z` encode 1 to 17 empty squares.

use super::AddressClue;
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::{InputError, counted};

/// The longest run of empty squares, which `z` encodes.
const LONGEST: u32 = 17;

/// A square that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Square {
    /// A circle.
    Circle(AddressClue),
    /// The number of a pot.
    Pot(AddressClue),
}

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<Square>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        let digits = match c {
            '-' | 'g' => 2,
            'i' => 1,
            _ => 0,
        };
        let number = squares.body.take(digits, |c| c.is_ascii_hexdigit());
        let Some(number) = number else {
            let expected = format!("{} behind `{c}`", counted(digits, "hexadecimal digit"));
            return Err(squares.body.error_here(expected));
        };
        let number = AddressClue::Number(u32::from_str_radix(&number, 16).unwrap_or_default());
        match c {
            '0'..='9' | 'a'..='f' => {
                squares.put(Square::Circle(AddressClue::Number(c.to_digit(16).unwrap_or_default())));
            }
            '-' => squares.put(Square::Circle(number)),
            '.' => squares.put(Square::Circle(AddressClue::Unknown)),
            'g' | 'i' => squares.put(Square::Pot(number)),
            'h' => squares.put(Square::Pot(AddressClue::Unknown)),
            'j'..='z' => squares.skip(at, c, 35 - LONGEST)?,
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if a number exceeds 255.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<Square>>) -> Option<String> {
    let mut body = BodyWriter::with_runs(LONGEST);
    for square in squares {
        match square {
            None => body.empty(),
            Some(Square::Circle(AddressClue::Unknown)) => body.push("."),
            Some(Square::Circle(AddressClue::Number(number @ 0..16))) => body.push(&format!("{number:x}")),
            Some(Square::Circle(AddressClue::Number(number @ 16..256))) => {
                body.push(&format!("-{number:x}"));
            }
            Some(Square::Pot(AddressClue::Unknown)) => body.push("h"),
            Some(Square::Pot(AddressClue::Number(number @ 0..16))) => body.push(&format!("i{number:x}")),
            Some(Square::Pot(AddressClue::Number(number @ 16..256))) => body.push(&format!("g{number:x}")),
            Some(_) => return None,
        }
    }
    Some(body.finish())
}
