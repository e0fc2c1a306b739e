//! Squares that are marked or empty: `0` to `h` is a mark and 0 to 17 empty squares, `i` to `z` are 1 to 18 empty squares.

use super::body::{BodyReader, Squares};
use crate::source::InputError;

/// Decodes a number of squares.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<bool>, InputError> {
    let mut squares = Squares::new(body, count);
    while let Some((at, c)) = squares.next() {
        match c {
            '0'..='9' | 'a'..='h' => {
                squares.put(());
                squares.pad(c.to_digit(36).unwrap_or_default() as usize);
            }
            'i'..='z' => squares.skip(at, c, 17)?,
            _ => return Err(squares.wrong(at, c)),
        }
    }
    Ok(squares.finish()?.iter().map(Option::is_some).collect())
}

/// Encodes squares.
pub(crate) fn write(squares: &[bool]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < squares.len() {
        let (least, most) = if squares[at] { (0, 17) } else { (17, 18) };
        at += usize::from(squares[at]);
        let empty = squares[at..].iter().take_while(|marked| !**marked).take(most).count();
        at += empty;
        text.extend(u32::try_from(least + empty).ok().and_then(|digit| char::from_digit(digit, 36)));
    }
    text
}
