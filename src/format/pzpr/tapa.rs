//! Up to four numbers in a square, 0 for one that is not known.
//!
//! `0` to `8` is one number, `9` are four ones, and `.` is one number that is not known. Two digits and letters from `a0` on
//! are several numbers. `g` to `z` encode 1 to 20 empty squares.

use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::{InputError, quote};

/// The numbers of a square. `None` is a number that is not known.
pub(crate) type Numbers = Vec<Option<u32>>;

/// The codes of several numbers: their count, the code of the first, and the number of values of each.
const SEVERAL: [(usize, u32, u32); 3] = [(2, 360, 6), (3, 396, 4), (4, 460, 2)];

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<Numbers>>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '0'..='8' => squares.put(vec![c.to_digit(10)]),
            '9' => squares.put(vec![Some(1); 4]),
            '.' => squares.put(vec![None]),
            'a'..='f' => {
                let second = squares.body.next();
                let code = second.and_then(|second| Some(36 * c.to_digit(36)? + second.to_digit(36)?));
                let Some(numbers) = code.and_then(decoded) else {
                    let found = second.map_or(c.to_string(), |second| format!("{c}{second}"));
                    return Err(squares.body.error_at(at, "the code of several numbers", quote(&found)));
                };
                squares.put(numbers);
            }
            'g'..='z' => squares.skip(at, c, 15)?,
            _ => return Err(squares.wrong(at, c)),
        }
    }
    squares.finish()
}

fn decoded(code: u32) -> Option<Numbers> {
    let (count, first, base) = SEVERAL.into_iter().rev().find(|(_, first, _)| code >= *first)?;
    let rest = code - first;
    (rest < base.pow(u32::try_from(count).ok()?)).then(|| {
        let digit = |at: usize| rest / base.pow(u32::try_from(at).unwrap_or_default()) % base;
        (0..count).rev().map(|at| Some(digit(at)).filter(|digit| *digit > 0)).collect()
    })
}

/// Encodes squares. Returns `None` for numbers that have no code.
pub(crate) fn write(squares: impl IntoIterator<Item = Option<Numbers>>) -> Option<String> {
    let mut body = BodyWriter::new();
    for square in squares {
        match square.as_deref() {
            None => body.empty(),
            Some([None]) => body.push("."),
            Some([Some(number @ 0..=8)]) => body.push(&number.to_string()),
            Some([Some(1), Some(1), Some(1), Some(1)]) => body.push("9"),
            Some(numbers) => {
                let (_, first, base) = SEVERAL.into_iter().find(|(count, ..)| *count == numbers.len())?;
                let mut code = 0;
                for number in numbers {
                    let digit = number.unwrap_or(0);
                    if digit >= base || *number == Some(0) {
                        return None;
                    }
                    code = code * base + digit;
                }
                let code = first + code;
                body.push(&format!(
                    "{}{}",
                    char::from_digit(code / 36, 36)?,
                    char::from_digit(code % 36, 36)?
                ));
            }
        }
    }
    Some(body.finish())
}
