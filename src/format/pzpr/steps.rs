//! Sides between neighbours that arrows cross: first the arrows to the left and up, and then those to the right and down. Each
//! digit or letter is the number of sides before the next arrow, and `z` is 35 sides. A number that leads to the end of the
//! board ends a direction.

use super::body::BodyReader;
use crate::source::{InputError, quote};

/// The number of sides that `z` encodes.
const LONGEST: u32 = 35;

/// Decodes the arrows of one direction: whether each of `count` sides has one.
pub(crate) fn read(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<bool>, InputError> {
    let mut sides = vec![false; count];
    let mut side = 0;
    while side < count {
        let at = body.at();
        let Some(c) = body.next() else { break };
        match c.to_digit(36).filter(|_| !c.is_ascii_uppercase()) {
            None => return Err(body.error_at(at, "a number of sides", quote(&c.to_string()))),
            Some(LONGEST) => side += LONGEST as usize,
            Some(digit) => {
                side += digit as usize;
                if let Some(arrow) = sides.get_mut(side) {
                    *arrow = true;
                }
                side += 1;
            }
        }
    }
    Ok(sides)
}

/// Encodes the arrows of one direction.
pub(crate) fn write(sides: &[bool]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for arrow in sides {
        if *arrow {
            text.extend(char::from_digit(empty, 36));
            empty = 0;
        } else if empty + 1 == LONGEST {
            text.push('z');
            empty = 0;
        } else {
            empty += 1;
        }
    }
    if empty > 0 {
        text.extend(char::from_digit(empty, 36));
    }
    text
}
