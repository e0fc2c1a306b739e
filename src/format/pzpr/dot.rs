//! Stars in squares, on sides and at corners: all points inside the board in half steps, row by row.
//!
//! `0` to `f` is a star, white if even and black if odd; half of the number is the number of empty points after it. `g` to
//! `z` encode 1 to 20 empty points. The points after the last star can be left out.

use super::body::{BodyReader, BodyWriter};
use crate::source::{InputError, quote};

/// Decodes a number of points. A point with a star is true if the star is black.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Option<bool>>, InputError> {
    let mut points: Vec<Option<bool>> = Vec::new();
    while points.len() < count {
        let at = body.at();
        let Some(c) = body.next() else { break };
        let digit = c.to_digit(36).filter(|_| !c.is_ascii_uppercase());
        let empty = match digit {
            Some(digit @ 0..16) => {
                points.push(Some(digit % 2 == 1));
                digit / 2
            }
            Some(digit) => digit - 15,
            None => return Err(body.error_at(at, "a star or empty points", quote(&c.to_string()))),
        };
        points.extend(std::iter::repeat_n(None, (empty as usize).min(count - points.len())));
    }
    points.resize(count, None);
    Ok(points)
}

/// Encodes points.
pub(crate) fn write(points: &[Option<bool>]) -> String {
    let mut body = BodyWriter::new();
    let mut at = 0;
    while let Some(point) = points.get(at) {
        at += 1;
        match point {
            None => body.empty(),
            Some(black) => {
                // As in pzpr, points after the last one of the board are treated as empty.
                let rest = points.get(at..).unwrap_or_default();
                let next = rest.iter().take(7).position(Option::is_some);
                let empty = next.unwrap_or(7);
                body.push(&format!("{:x}", 2 * empty + usize::from(*black)));
                at += empty;
            }
        }
    }
    body.finish()
}
