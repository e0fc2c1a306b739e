//! Numbers and black cells, with runs of empty squares that are written in different ways.

use super::AddressClue;
use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// A square that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Square {
    /// A number, or a clue without a number.
    Clue(AddressClue),
    /// A black cell, with or without a number.
    Black(Option<u32>),
}

/// The characters of a puzzle type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// `0` to `9`, `a` to `j` and `A` to `Z` are the numbers up to 45, `_` is a clue without a number, `+` a black cell, `.`
    /// an empty square, and `k` to `z` are 2 to 17 empty squares.
    Kakuru,
    /// `0` to `f` is a number, `-` precedes two hexadecimal digits, `.` is a clue without a number, `+` a black cell, and `g`
    /// to `z` are 1 to 20 empty squares.
    WallLogic,
    /// Numbers as for `WallLogic`; `x` is a black cell, `o` to `s` are black cells with the numbers from 0 to 4, `n` is an
    /// empty square, and `i` precedes the number of empty squares.
    Tateyoko,
}

impl Scheme {
    /// Returns the number that a character of kakuru stands for.
    fn kakuru(c: char) -> Option<u32> {
        match c {
            '0'..='9' | 'a'..='j' => c.to_digit(36),
            'A'..='Z' => c.to_digit(36).map(|digit| digit + 10),
            _ => None,
        }
    }

    /// Returns an empty writer.
    fn writer(self) -> BodyWriter {
        match self {
            Self::Kakuru => BodyWriter::with_letters(17, |empty| match empty {
                1 => ".".to_owned(),
                empty => char::from_digit(empty + 18, 36).into_iter().collect(),
            }),
            Self::WallLogic => BodyWriter::new(),
            Self::Tateyoko => BodyWriter::with_letters(15, |empty| match empty {
                1 => "n".to_owned(),
                empty => format!("i{empty:x}"),
            }),
        }
    }

    /// Returns the characters of a square, or `None` if it can't be expressed.
    fn square(self, square: Square) -> Option<String> {
        let text = match (self, square) {
            (Self::Kakuru, Square::Clue(AddressClue::Number(number @ 0..20))) => {
                char::from_digit(number, 36)?.to_string()
            }
            (Self::Kakuru, Square::Clue(AddressClue::Number(number @ 20..=45))) => {
                char::from_digit(number - 10, 36)?.to_ascii_uppercase().to_string()
            }
            (Self::Kakuru, Square::Clue(AddressClue::Number(_))) => return None,
            (Self::Kakuru, Square::Clue(AddressClue::Unknown)) => "_".to_owned(),
            (_, Square::Clue(AddressClue::Unknown)) => ".".to_owned(),
            (_, Square::Clue(AddressClue::Number(number @ 0..16))) => format!("{number:x}"),
            (_, Square::Clue(AddressClue::Number(number @ 16..256))) => format!("-{number:x}"),
            (Self::Kakuru | Self::WallLogic, Square::Black(None)) => "+".to_owned(),
            (Self::Tateyoko, Square::Black(None)) => "x".to_owned(),
            (Self::Tateyoko, Square::Black(Some(number @ 0..5))) => {
                char::from_digit(24 + number, 36)?.to_string()
            }
            _ => return None,
        };
        Some(text)
    }
}

/// Decodes a number of squares.
pub(crate) fn read(
    scheme: Scheme,
    body: &mut BodyReader<'_>,
    count: usize,
) -> Result<Vec<Option<Square>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match (scheme, c) {
            (Scheme::Kakuru, '_') | (Scheme::WallLogic | Scheme::Tateyoko, '.') => {
                squares.put(Square::Clue(AddressClue::Unknown));
            }
            (Scheme::Kakuru, '.') | (Scheme::Tateyoko, 'n') => squares.pad(1),
            (Scheme::Kakuru | Scheme::WallLogic, '+') | (Scheme::Tateyoko, 'x') => {
                squares.put(Square::Black(None));
            }
            (Scheme::Kakuru, 'k'..='z') => squares.skip(at, c, 18)?,
            (Scheme::WallLogic, 'g'..='z') => squares.skip(at, c, 15)?,
            (Scheme::Kakuru, _) => match Scheme::kakuru(c) {
                Some(number) => squares.put(Square::Clue(AddressClue::Number(number))),
                None => return Err(squares.wrong(at, c)),
            },
            (Scheme::Tateyoko, 'o'..='s') => {
                squares.put(Square::Black(c.to_digit(36).map(|digit| digit - 24)));
            }
            (Scheme::Tateyoko, 'i') => {
                let length = squares.body.peek().and_then(|c| c.to_digit(16)).filter(|&length| length > 0);
                let Some(length) = length.map(|length| length as usize) else {
                    return Err(squares.body.error_here("a number of empty squares from 1 to f"));
                };
                if length > squares.missing() {
                    return Err(squares.body.error_here("a run of empty squares that ends on the board"));
                }
                squares.body.next();
                squares.pad(length);
            }
            (_, '-') => {
                let digits = squares.body.take(2, |c| c.is_ascii_hexdigit());
                let number = digits.and_then(|digits| u32::from_str_radix(&digits, 16).ok());
                let Some(number) = number else {
                    return Err(squares.body.error_here("2 hexadecimal digits behind `-`"));
                };
                squares.put(Square::Clue(AddressClue::Number(number)));
            }
            (_, '0'..='9' | 'a'..='f') => {
                squares.put(Square::Clue(AddressClue::Number(c.to_digit(16).unwrap_or_default())));
            }
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

/// Encodes squares. Returns `None` if one can't be expressed.
pub(crate) fn write(scheme: Scheme, squares: impl IntoIterator<Item = Option<Square>>) -> Option<String> {
    let mut body = scheme.writer();
    for square in squares {
        match square {
            None => body.empty(),
            Some(square) => body.push(&scheme.square(square)?),
        }
    }
    Some(body.finish())
}
