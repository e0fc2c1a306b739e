//! The sums of a kakuro board. Its first row and its first column are outside of the board of the address.
//!
//! `.` is a closed square without sums; a closed square with sums is a sum down and a sum across. `k` to `z` encode 1 to 16
//! open squares. The sums above the columns and to the left of the rows whose first square is open follow. Sums up to 19
//! are digits and small letters, sums from 20 to 45 capital letters, and `-` is no sum.

use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// A sum down and a sum across.
pub(crate) type Sums = [Option<u32>; 2];

fn sum(body: &mut BodyReader<'_>) -> Result<Option<u32>, InputError> {
    let sum = match body.peek() {
        Some('-') => None,
        Some(c @ ('0'..='9' | 'a'..='j')) => c.to_digit(36),
        Some(c @ 'A'..='Z') => c.to_digit(36).map(|digit| digit + 10),
        _ => return Err(body.error_here("a sum")),
    };
    body.next();
    Ok(sum.filter(|&sum| sum > 0))
}

fn digit(sum: Option<u32>) -> Option<char> {
    match sum {
        None => Some('-'),
        Some(sum @ 1..20) => char::from_digit(sum, 36),
        Some(sum @ 20..=45) => char::from_digit(sum - 10, 36).map(|c| c.to_ascii_uppercase()),
        Some(_) => None,
    }
}

/// Decodes the board of an address. Returns the sums of the closed squares of the whole board, whose first row and
/// first column are closed.
pub(crate) fn read(
    body: &mut BodyReader<'_>,
    rows: usize,
    columns: usize,
) -> Result<Vec<Option<Sums>>, InputError> {
    let mut squares = Squares::new(body, rows * columns);
    while let Some((at, c)) = squares.next() {
        match c {
            'k'..='z' => squares.skip(at, c, 19)?,
            '.' => squares.put([None, None]),
            _ => {
                squares.body.back();
                let sums = [sum(squares.body)?, sum(squares.body)?];
                squares.put(sums);
            }
        }
    }
    let inner = squares.finish()?;
    let mut first_row = vec![Some([None, None])];
    for cell in &inner[..columns] {
        let down = if cell.is_none() { sum(body)? } else { None };
        first_row.push(Some([down, None]));
    }
    let mut cells = first_row;
    for row in inner.chunks(columns) {
        let across = if row[0].is_none() { sum(body)? } else { None };
        cells.push(Some([None, across]));
        cells.extend_from_slice(row);
    }
    Ok(cells)
}

/// Encodes a board with `columns` columns, whose first row and first column are closed. Returns `None` if they are not, or if a
/// sum exceeds 45.
pub(crate) fn write(cells: &[Option<Sums>], columns: usize) -> Option<String> {
    let mut body = BodyWriter::with_runs(16);
    let mut above = String::new();
    let mut beside = String::new();
    for (index, cell) in cells.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        match (row, column, cell) {
            (0, 0, Some([None, None])) => {}
            (0, _, Some([down, None])) => match cells.get(index + columns)? {
                None => above.push(digit(*down)?),
                Some(_) if down.is_none() => {}
                Some(_) => return None,
            },
            (_, 0, Some([None, across])) => match cells.get(index + 1)? {
                None => beside.push(digit(*across)?),
                Some(_) if across.is_none() => {}
                Some(_) => return None,
            },
            (0, ..) | (_, 0, _) => return None,
            (.., None) => body.empty(),
            (.., Some([None, None])) => body.push("."),
            (.., Some([down, across])) => body.push(&format!("{}{}", digit(*down)?, digit(*across)?)),
        }
    }
    Some(body.finish() + &above + &beside)
}
