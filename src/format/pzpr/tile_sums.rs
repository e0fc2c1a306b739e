//! A number for each column and each row: one hexadecimal digit, `-` before two of them, or `.` for none. In addresses,
//! closed squares with numbers come first, where this module expects only empty squares.

use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// Decodes the empty squares of a board, and a number of numbers.
pub(crate) fn read(
    body: &mut BodyReader<'_>,
    squares: usize,
    count: usize,
) -> Result<Vec<Option<u32>>, InputError> {
    let mut empty: Squares<'_, '_, ()> = Squares::new(body, squares);
    while let Some((at, c)) = empty.next() {
        if !matches!(c, 'g'..='z') {
            let found = format!("`{c}`, which belongs to a closed square with numbers");
            return Err(empty.body.error_at(at, "a board without closed squares", found));
        }
        empty.skip(at, c, 15)?;
    }
    empty.finish()?;
    let mut numbers = Vec::with_capacity(count);
    while numbers.len() < count {
        let digits = match body.peek() {
            Some('.') => 0,
            Some('-') => 2,
            _ => 1,
        };
        if digits != 1 {
            body.next();
        }
        numbers.push(if digits == 0 {
            None
        } else {
            let text = body.take(digits, |c| c.is_ascii_hexdigit());
            let number = text.and_then(|text| u32::from_str_radix(&text, 16).ok());
            Some(number.ok_or_else(|| body.error_here("a hexadecimal digit"))?)
        });
    }
    Ok(numbers)
}

/// Encodes the numbers of a board with a number of empty squares. Returns `None` if a number exceeds 255.
pub(crate) fn write(squares: usize, numbers: impl IntoIterator<Item = Option<u32>>) -> Option<String> {
    let mut body = BodyWriter::new();
    (0..squares).for_each(|_| body.empty());
    for number in numbers {
        body.push(&match number {
            None => ".".to_owned(),
            Some(number @ 0..16) => format!("{number:x}"),
            Some(number @ 16..256) => format!("-{number:x}"),
            Some(_) => return None,
        });
    }
    Some(body.finish())
}
