//! The body of an address, which consists of parts in different schemes.

use super::address::{Address, END};
use crate::source::{InputError, Span, counted, quote};

/// The maximum number of empty squares that a single letter, `z`, encodes.
const LONGEST_RUN: u32 = 20;

/// The part of a body that has not been decoded yet.
#[derive(Debug)]
pub(crate) struct BodyReader<'a> {
    address: &'a Address,
    characters: Vec<char>,
    at: usize,
}

impl<'a> BodyReader<'a> {
    pub(crate) fn new(address: &'a Address) -> Self {
        Self { address, characters: address.body.value.chars().collect(), at: 0 }
    }

    /// Returns whether the whole body has been decoded.
    pub(crate) fn is_empty(&self) -> bool {
        self.at >= self.characters.len()
    }

    /// Returns the index of the next character in the body.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    /// Returns the next character, and moves on.
    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Moves back to the previous character.
    pub(super) fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    /// Returns the next characters if there are `count` that fit. Otherwise, moves on to the first one that does not.
    pub(super) fn take(&mut self, count: usize, fits: impl Fn(char) -> bool) -> Option<String> {
        let rest = self.characters.get(self.at..).unwrap_or_default();
        let taken: String = rest.iter().copied().take(count).take_while(|&c| fits(c)).collect();
        let found = taken.chars().count();
        self.at += found;
        (found == count).then_some(taken)
    }

    /// Returns an error about the character with the index `at` in the body.
    pub(crate) fn error_at(&self, at: usize, expected: impl Into<String>, found: String) -> InputError {
        let places = &self.address.places;
        let place = |at: usize| places.get(at).or(places.last()).copied().unwrap_or_default();
        InputError::new(&self.address.source, Span::new(place(at), place(at + 1)), expected, found)
    }

    /// Returns an error about the next character.
    pub(crate) fn error_here(&self, expected: impl Into<String>) -> InputError {
        match self.peek() {
            Some(c) => self.error_at(self.at, expected, quote(&c.to_string())),
            None => self.error_at(usize::MAX - 1, expected, END.to_owned()),
        }
    }

    /// Checks that the whole body has been decoded.
    pub(crate) fn finish(&self) -> Result<(), InputError> {
        if self.is_empty() { Ok(()) } else { Err(self.error_here(END)) }
    }
}

/// The squares decoded so far.
pub(super) struct Squares<'b, 'a, T> {
    pub body: &'b mut BodyReader<'a>,
    pub cells: Vec<Option<T>>,
    count: usize,
}

impl<'b, 'a, T> Squares<'b, 'a, T> {
    pub(super) fn new(body: &'b mut BodyReader<'a>, count: usize) -> Self {
        // No memory is reserved for all squares in advance, because an address may state a large size but have a short
        // body.
        Self { body, cells: Vec::new(), count }
    }

    pub(super) fn missing(&self) -> usize {
        self.count.saturating_sub(self.cells.len())
    }

    /// Returns the next character and its index in the body, or `None` if all squares have been decoded.
    pub(super) fn next(&mut self) -> Option<(usize, char)> {
        let at = self.body.at();
        if self.missing() == 0 { None } else { self.body.next().map(|c| (at, c)) }
    }

    pub(super) fn put(&mut self, square: T) {
        self.cells.push(Some(square));
    }

    /// Adds empty squares, which may extend past the end of the board.
    pub(super) fn pad(&mut self, empty: usize) {
        let empty = empty.min(self.missing());
        self.cells.extend(std::iter::repeat_with(|| None).take(empty));
    }

    /// Adds the empty squares of a letter. `before` is the letter for no squares.
    pub(super) fn skip(&mut self, at: usize, letter: char, before: u32) -> Result<(), InputError> {
        let run = letter.to_digit(36).unwrap_or_default().saturating_sub(before) as usize;
        if run > self.missing() {
            let expected = format!("cells for {}", self.squares_left());
            return Err(self.body.error_at(
                at,
                expected,
                format!("`{letter}`, which is {run} empty squares"),
            ));
        }
        self.pad(run);
        Ok(())
    }

    pub(super) fn wrong(&self, at: usize, c: char) -> InputError {
        self.body.error_at(at, "a square", quote(&c.to_string()))
    }

    fn squares_left(&self) -> String {
        counted(self.missing(), "more square")
    }

    pub(super) fn finish(self) -> Result<Vec<Option<T>>, InputError> {
        if self.missing() > 0 {
            return Err(self.body.error_here(format!("cells for {}", self.squares_left())));
        }
        Ok(self.cells)
    }
}

/// Builds a part of a body. Consecutive empty squares are merged into one letter.
pub(super) struct BodyWriter {
    text: String,
    empty: u32,
    longest: u32,
    /// The characters of runs of empty squares, if they are not the last letters.
    letters: Option<fn(u32) -> String>,
}

impl BodyWriter {
    /// Creates a writer in which `g` to `z` are 1 to 20 empty squares.
    pub(super) fn new() -> Self {
        Self::with_runs(LONGEST_RUN)
    }

    /// Creates a writer in which the last `longest` letters are runs of empty squares.
    pub(super) fn with_runs(longest: u32) -> Self {
        Self { text: String::new(), empty: 0, longest, letters: None }
    }

    /// Creates a writer with other characters for runs of empty squares.
    pub(super) fn with_letters(longest: u32, letters: fn(u32) -> String) -> Self {
        Self { letters: Some(letters), ..Self::with_runs(longest) }
    }

    pub(super) fn empty(&mut self) {
        self.empty += 1;
        if self.empty == self.longest {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.empty > 0 {
            match self.letters {
                Some(letters) => self.text += &letters(self.empty),
                None => self.text.extend(char::from_digit(self.empty + 35 - self.longest, 36)),
            }
            self.empty = 0;
        }
    }

    pub(super) fn push(&mut self, square: &str) {
        self.flush();
        self.text.push_str(square);
    }

    pub(super) fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}
