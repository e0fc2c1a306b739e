//! Several numbers in squares, decimal. `0` is a number that is not known. The last letters of the alphabet lead from a square
//! with numbers to the next one: the first of them to the square beside it, or from the start of the board to its second
//! square. Empty squares at the end can be left out.

use super::AddressClue;
use super::body::BodyReader;
use crate::source::{InputError, quote};

/// The characters of a puzzle type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// Each digit is a number, and `a` to `z` are steps.
    Lohkous,
    /// `a` to `j` are the digits of a number before its last one, and `k` to `z` are steps. If none of them leads to the end of
    /// the board, `/` ends the part.
    RailPool,
}

impl Scheme {
    /// Returns the number of letters for steps.
    fn longest(self) -> u32 {
        match self {
            Self::Lohkous => 26,
            Self::RailPool => 16,
        }
    }

    /// Returns whether a number can start with `c`.
    fn starts_number(self, c: char) -> bool {
        c.is_ascii_digit() || self == Self::RailPool && matches!(c, 'a'..='j')
    }

    /// Returns the digits of a number, or `None` if it can't be expressed.
    fn digits(self, number: u32) -> Option<String> {
        let text = number.to_string();
        let (before, last) = text.split_at(text.len() - 1);
        let before: Option<String> =
            before.chars().map(|c| char::from_digit(c.to_digit(10)? + 10, 36)).collect();
        let before = before.filter(|before| number > 0 && (before.is_empty() || self == Self::RailPool))?;
        Some(before + last)
    }
}

/// Decodes a number of squares, each with its numbers.
pub(crate) fn read(
    scheme: Scheme,
    body: &mut BodyReader<'_>,
    count: usize,
) -> Result<Vec<Vec<AddressClue>>, InputError> {
    let mut squares: Vec<Vec<AddressClue>> = Vec::new();
    let mut is_behind = false;
    while squares.len() < count {
        let at = body.at();
        let Some(c) = body.peek() else { break };
        if scheme.starts_number(c) {
            squares.push(numbers(scheme, body)?);
            is_behind = true;
            continue;
        }
        let before = 35 - scheme.longest();
        let letter = c.to_digit(36).filter(|&digit| digit > before && c.is_ascii_lowercase());
        let Some(letter) = letter else {
            if scheme == Scheme::RailPool && c == '/' {
                break;
            }
            return Err(body.error_at(at, "a square", quote(&c.to_string())));
        };
        let empty = (letter - before) as usize - usize::from(is_behind);
        if empty > count - squares.len() {
            let found = format!("`{c}`, which is {empty} empty squares");
            return Err(body.error_at(at, "a letter that ends on the board", found));
        }
        body.next();
        squares.resize(squares.len() + empty, Vec::new());
        is_behind = false;
    }
    if scheme == Scheme::RailPool && body.peek() == Some('/') {
        body.next();
    }
    squares.resize(count, Vec::new());
    Ok(squares)
}

/// Reads the numbers of a square.
fn numbers(scheme: Scheme, body: &mut BodyReader<'_>) -> Result<Vec<AddressClue>, InputError> {
    let mut numbers = Vec::new();
    let mut before = 0_u32;
    while let Some(c) = body.peek().filter(|&c| scheme.starts_number(c)) {
        if let Some(last) = c.to_digit(10) {
            let number = before + last;
            numbers.push(if number == 0 { AddressClue::Unknown } else { AddressClue::Number(number) });
            before = 0;
        } else if before < 100_000 {
            before = 10 * (before + c.to_digit(36).unwrap_or_default() - 10);
        } else {
            return Err(body.error_here("the last digit of a number"));
        }
        body.next();
    }
    if before > 0 {
        return Err(body.error_here("the last digit of a number"));
    }
    Ok(numbers)
}

/// Encodes squares. Returns `None` if a number can't be expressed.
pub(crate) fn write(scheme: Scheme, squares: &[Vec<AddressClue>]) -> Option<String> {
    let mut text = String::new();
    // The steps since the last square with numbers, or since the start of the board.
    let mut steps = 0;
    for numbers in squares {
        let is_empty = numbers.is_empty();
        steps += u32::from(is_empty);
        if steps > 0 && (!is_empty || steps == scheme.longest()) {
            text.push(char::from_digit(35 - scheme.longest() + steps, 36)?);
            steps = 0;
        }
        for number in numbers {
            text += &match number {
                AddressClue::Unknown => "0".to_owned(),
                AddressClue::Number(number) => scheme.digits(*number)?,
            };
        }
        steps += u32::from(!is_empty);
    }
    if steps > 1 {
        text.push(char::from_digit(35 - scheme.longest() + steps, 36)?);
    } else if scheme == Scheme::RailPool {
        text.push('/');
    }
    Some(text)
}
