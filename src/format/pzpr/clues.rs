//! The schemes that encode clues in an address. All schemes list the squares row by row.

use super::address::{Address, END, escaped};
use crate::source::{InputError, Span, counted, quote};

/// A clue in a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressClue {
    /// A number.
    Number(u32),
    /// The clue `?`, or a block without a number.
    Unknown,
}

/// A scheme that encodes the clues in an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// The scheme that [`Address::number16`] reads.
    Number16,
    /// The scheme that [`Address::four_cell`] reads.
    FourCell,
}

impl Scheme {
    /// Encodes the clues of a board. Returns `None` if a number is too large.
    pub(super) fn encode(self, board: &[Vec<Option<AddressClue>>]) -> Option<String> {
        match self {
            Self::Number16 => encode_number16(board),
            Self::FourCell => encode_four_cell(board),
        }
    }
}

/// The prefixes of numbers with several digits, each with the number of digits after the prefix and the offset to add.
const MARKS: [(char, usize, u32); 6] =
    [('-', 2, 0), ('+', 3, 0), ('=', 3, 4096), ('%', 3, 8192), ('*', 4, 12240), ('$', 5, 77776)];

/// The maximum number of empty squares that a single letter, `z`, encodes.
const LONGEST_RUN: u32 = 20;

impl Address {
    /// Decodes clues with arbitrary numbers, as in addresses of nurikabe and numlin. An empty square is `None`.
    ///
    /// Numbers are hexadecimal. `0` to `f` encode a one-digit number, and `-` precedes a two-digit number. `+` precedes
    /// a three-digit number. `=` precedes a three-digit number with the offset 4096, and `%` one with the offset 8192.
    /// `*` precedes a four-digit number with the offset 12240, and `$` a five-digit number with the offset 77776. The
    /// offset is added to the number. `.` is a clue without a number. `g` to `z` encode 1 to 20 empty squares.
    ///
    /// # Errors
    /// Returns an error if the body contains an invalid character, or has too few or too many clues for the board.
    pub fn number16(&self) -> Result<Vec<Vec<Option<AddressClue>>>, InputError> {
        let mut squares = Squares::new(self);
        while let Some((at, c)) = squares.next() {
            if let Some(&(_, count, offset)) = MARKS.iter().find(|&&(mark, ..)| mark == c) {
                let digits = squares.digits(count);
                let number = digits.ok().and_then(|digits| u32::from_str_radix(&digits, 16).ok());
                let Some(number) = number else {
                    let expected = format!("{} behind `{c}`", counted(count, "hexadecimal digit"));
                    return Err(squares.error_here(expected));
                };
                squares.put(AddressClue::Number(number + offset));
                continue;
            }
            match c {
                '0'..='9' | 'a'..='f' => {
                    squares.put(AddressClue::Number(c.to_digit(16).unwrap_or_default()));
                }
                '.' => squares.put(AddressClue::Unknown),
                'g'..='z' => squares.skip(at, c)?,
                _ => return Err(squares.error_at(at, "a square", quote(&c.to_string()))),
            }
        }
        squares.finish()
    }

    /// Decodes clues with numbers up to 4, as in addresses of lightup (akari). An empty square is `None`.
    ///
    /// `0` to `4` encode a clue, `5` to `9` a clue followed by one empty square, and `a` to `e` a clue followed by
    /// two empty squares. `.` is a block without a number. `g` to `z` encode 1 to 20 empty squares. The empty squares
    /// after a clue may extend past the end of the board.
    ///
    /// # Errors
    /// Returns an error if the body contains an invalid character, or has too few or too many clues for the board.
    pub fn four_cell(&self) -> Result<Vec<Vec<Option<AddressClue>>>, InputError> {
        let mut squares = Squares::new(self);
        while let Some((at, c)) = squares.next() {
            match c {
                '0'..='9' | 'a'..='e' => {
                    let digit = c.to_digit(16).unwrap_or_default();
                    squares.put(AddressClue::Number(digit % 5));
                    let empty = (digit / 5) as usize;
                    squares.cells.extend(std::iter::repeat_n(None, empty.min(squares.missing())));
                }
                '.' => squares.put(AddressClue::Unknown),
                'g'..='z' => squares.skip(at, c)?,
                _ => return Err(squares.error_at(at, "a square", quote(&c.to_string()))),
            }
        }
        squares.finish()
    }
}

/// The squares decoded so far, and the rest of the body.
struct Squares<'a> {
    address: &'a Address,
    characters: std::iter::Enumerate<std::str::Chars<'a>>,
    cells: Vec<Option<AddressClue>>,
}

impl<'a> Squares<'a> {
    fn new(address: &'a Address) -> Self {
        // No memory is reserved for all squares in advance, because an address may state a large size but have a short
        // body.
        Self { address, characters: address.body.value.chars().enumerate(), cells: Vec::new() }
    }

    fn missing(&self) -> usize {
        (self.address.rows.value * self.address.columns.value).saturating_sub(self.cells.len())
    }

    /// Returns the next character and its index in the body, or `None` if all squares have been decoded.
    fn next(&mut self) -> Option<(usize, char)> {
        if self.missing() == 0 { None } else { self.characters.next() }
    }

    fn put(&mut self, clue: AddressClue) {
        self.cells.push(Some(clue));
    }

    fn skip(&mut self, at: usize, letter: char) -> Result<(), InputError> {
        let run = letter.to_digit(36).unwrap_or_default().saturating_sub(15) as usize;
        if run > self.missing() {
            let expected = format!("cells for {}", self.squares_left());
            return Err(self.error_at(at, expected, format!("`{letter}`, which is {run} empty squares")));
        }
        self.cells.extend(std::iter::repeat_n(None, run));
        Ok(())
    }

    /// Consumes `count` hexadecimal digits. Returns an error if fewer than `count` digits follow.
    fn digits(&mut self, count: usize) -> Result<String, ()> {
        let digits: String =
            self.characters.clone().map(|(_, c)| c).take(count).take_while(char::is_ascii_hexdigit).collect();
        if digits.len() < count {
            // The error points to the first character that is not a digit.
            self.characters.by_ref().take(digits.len()).for_each(drop);
            return Err(());
        }
        self.characters.nth(count - 1);
        Ok(digits)
    }

    fn squares_left(&self) -> String {
        counted(self.missing(), "more square")
    }

    /// Returns an error about the character with the index `at` in the body.
    fn error_at(&self, at: usize, expected: impl Into<String>, found: String) -> InputError {
        let places = &self.address.places;
        let place = |at: usize| places.get(at).or(places.last()).copied().unwrap_or_default();
        InputError::new(&self.address.source, Span::new(place(at), place(at + 1)), expected, found)
    }

    /// Returns an error about the next character of the body.
    fn error_here(&self, expected: impl Into<String>) -> InputError {
        match self.characters.clone().next() {
            Some((at, c)) => self.error_at(at, expected, quote(&c.to_string())),
            None => self.error_at(usize::MAX - 1, expected, END.to_owned()),
        }
    }

    fn finish(self) -> Result<Vec<Vec<Option<AddressClue>>>, InputError> {
        if self.missing() > 0 {
            return Err(self.error_here(format!("cells for {}", self.squares_left())));
        }
        if self.characters.clone().next().is_some() {
            return Err(self.error_here(END));
        }
        Ok(self.cells.chunks(self.address.columns.value).map(<[_]>::to_vec).collect())
    }
}

/// Encodes clues in the scheme of [`Address::number16`]. Returns `None` if a number exceeds 1126351, the maximum of
/// the scheme.
#[must_use]
pub fn encode_number16(board: &[Vec<Option<AddressClue>>]) -> Option<String> {
    let mut body = Body::default();
    for cell in board.iter().flatten() {
        match *cell {
            None => body.empty(),
            Some(AddressClue::Unknown) => body.push("."),
            Some(AddressClue::Number(number @ 0..16)) => body.push(&format!("{number:x}")),
            Some(AddressClue::Number(number)) => {
                // The prefixes are sorted by the numbers that they can express, so the first prefix that fits is the
                // shortest.
                let fits = |&&(_, digits, offset): &&(char, usize, u32)| {
                    number.checked_sub(offset).is_some_and(|rest| rest < 1 << (4 * digits))
                };
                let &(mark, digits, offset) = MARKS.iter().find(fits)?;
                let digits = format!("{:0digits$x}", number - offset);
                // If the prefix `%` and the digits after it would form a percent escape, the prefix is written as
                // `%25`.
                let escaped = mark == '%' && digits.get(..2).and_then(escaped).is_some();
                body.push(&if escaped { format!("%25{digits}") } else { format!("{mark}{digits}") });
            }
        }
    }
    Some(body.finish())
}

/// Encodes clues in the scheme of [`Address::four_cell`]. Returns `None` if a number exceeds 4.
#[must_use]
pub fn encode_four_cell(board: &[Vec<Option<AddressClue>>]) -> Option<String> {
    let mut body = Body::default();
    let mut cells = board.iter().flatten().copied().peekable();
    while let Some(cell) = cells.next() {
        match cell {
            None => body.empty(),
            Some(AddressClue::Unknown) => body.push("."),
            Some(AddressClue::Number(number @ 0..=4)) => {
                let mut digit = number;
                // As in pzpr, squares after the last square of the board are treated as empty.
                for _ in 0..2 {
                    if cells.peek().is_some_and(Option::is_some) {
                        break;
                    }
                    cells.next();
                    digit += 5;
                }
                body.push(&format!("{digit:x}"));
            }
            Some(AddressClue::Number(_)) => return None,
        }
    }
    Some(body.finish())
}

/// Builds the body of an address. Consecutive empty squares are merged into one letter.
#[derive(Default)]
struct Body {
    text: String,
    empty: u32,
}

impl Body {
    fn empty(&mut self) {
        self.empty += 1;
        if self.empty == LONGEST_RUN {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.empty > 0 {
            self.text.extend(char::from_digit(self.empty + 15, 36));
            self.empty = 0;
        }
    }

    fn push(&mut self, square: &str) {
        self.flush();
        self.text.push_str(square);
    }

    fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}
