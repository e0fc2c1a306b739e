//! Clues of one character in squares. The last letters of the alphabet encode runs of empty squares.

use super::body::{BodyReader, BodyWriter, Squares};
use crate::source::InputError;

/// A scheme: the characters of the clues.
#[derive(Debug)]
pub(crate) struct Signs {
    /// The longest run of empty squares, which `z` encodes.
    longest: u32,
    /// The characters in addresses.
    characters: &'static str,
    /// The clues, in the order of their characters.
    clues: &'static str,
}

/// Digits.
pub(crate) static NUMBER10: Signs = Signs { longest: 26, characters: ".0123456789", clues: "?0123456789" };
/// Digits, and squares that do not belong to the board.
pub(crate) static NUMBER10_HOLES: Signs = Signs { clues: "?0123456#89", ..NUMBER10 };
/// The numbers from 1 to 4.
pub(crate) static TOICHIKA: Signs = Signs { longest: 31, characters: ".1234", clues: "?1234" };
/// Signs for a square, a tall and a wide rectangle.
pub(crate) static TATAMIBARI: Signs = Signs { longest: 20, characters: ".312", clues: "?+|-" };
/// Pieces of a line.
pub(crate) static PIPELINK: Signs =
    Signs { longest: 19, characters: "abcdefg", clues: "┼│─└┘┐┌" };

/// Numbers from 0 to 4.
pub(crate) static SHUGAKU: Signs = Signs { longest: 30, characters: "501234", clues: "?01234" };
/// Black cells and gates.
pub(crate) static SLALOM: Signs = Signs { longest: 32, characters: "123", clues: "#|-" };
/// The start, the goal, circles and triangles of a maze.
pub(crate) static NURIMAZE: Signs = Signs { longest: 31, characters: "1234", clues: "SGot" };

impl Signs {
    /// Decodes a number of squares.
    pub(crate) fn read(
        &self,
        body: &mut BodyReader<'_>,
        count: usize,
    ) -> Result<Vec<Option<char>>, InputError> {
        let mut squares = Squares::new(body, count);
        while let Some((at, c)) = squares.next() {
            let clue = self.characters.chars().zip(self.clues.chars()).find(|(character, _)| *character == c);
            match (clue, c.to_digit(36)) {
                (Some((_, clue)), _) => squares.put(clue),
                (None, Some(digit)) if digit > 35 - self.longest && !c.is_ascii_uppercase() => {
                    squares.skip(at, c, 35 - self.longest)?;
                }
                _ => return Err(squares.wrong(at, c)),
            }
        }
        squares.finish()
    }

    /// Encodes squares. Returns `None` for a clue without a character.
    pub(crate) fn write(&self, squares: impl IntoIterator<Item = Option<char>>) -> Option<String> {
        let mut body = BodyWriter::with_runs(self.longest);
        for square in squares {
            let Some(clue) = square else {
                body.empty();
                continue;
            };
            let mut all = self.characters.chars().zip(self.clues.chars());
            let (character, _) = all.find(|(_, known)| *known == clue)?;
            body.push(character.encode_utf8(&mut [0; 4]));
        }
        Some(body.finish())
    }
}
