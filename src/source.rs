//! Where data comes from, and how an error points into it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text with the name a person knows it by: a path, `standard input` or `address`.
///
/// Cloning shares the text.
#[derive(Clone)]
pub struct Source {
    shared: Arc<Shared>,
}

struct Shared {
    name: Arc<str>,
    text: String,
    word: bool,
    /// The number of the first line.
    first_line: usize,
    /// The offset of the first byte of each line.
    lines: Vec<usize>,
}

impl Source {
    /// A source from a text already decoded. A byte order mark at its start is dropped.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<String>) -> Self {
        Self::of(name.into(), text.into(), false, 1)
    }

    /// One line of a longer text, which is known by its number there, from 1.
    #[must_use]
    pub fn line(name: impl Into<Arc<str>>, number: usize, line: impl Into<String>) -> Self {
        Self::of(name.into(), line.into(), false, number)
    }

    /// A word of the command line, after the option or the command `name`. Errors show it without line and column.
    #[must_use]
    pub fn word(name: impl Into<Arc<str>>, text: impl Into<String>) -> Self {
        Self::of(name.into(), text.into(), true, 1)
    }

    fn of(name: Arc<str>, mut text: String, word: bool, first_line: usize) -> Self {
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { shared: Arc::new(Shared { name, text, word, first_line, lines }) }
    }

    /// A source from the bytes of a file.
    ///
    /// # Errors
    /// If the bytes are not UTF-8: the error points to the first byte that is not.
    pub fn from_bytes(name: impl Into<Arc<str>>, bytes: Vec<u8>) -> Result<Self, InputError> {
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let bytes = error.as_bytes();
                let byte = bytes.get(valid).copied().unwrap_or_default();
                let text = String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default());
                let source = Self::new(name, text);
                let end = source.text().len();
                let found = format!("the byte 0x{byte:02x}");
                Err(InputError::new(&source, Span::new(end, end), "text in UTF-8", found))
            }
        }
    }

    /// The name a person knows the text by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Whether it is a word of a command line.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.shared.word
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.shared.text
    }

    /// The line and column of a byte offset; an offset past the end counts as the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let text = self.text();
        let offset = text.floor_char_boundary_at(offset);
        let line = self.shared.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.shared.lines.get(line - 1).copied().unwrap_or_default();
        let column = text.get(start..offset).unwrap_or_default().chars().count() + 1;
        Position { line: self.shared.first_line + line - 1, column }
    }

    /// The text at `span`, empty if the span lies outside.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text().get(span.start..span.end).unwrap_or_default()
    }

    /// All of the text.
    #[must_use]
    pub fn all(&self) -> Span {
        Span::new(0, self.text().len())
    }

    /// The place of the first byte.
    #[must_use]
    pub fn start(&self) -> Span {
        Span::new(0, 0)
    }

    /// The place just behind the last byte.
    #[must_use]
    pub fn end(&self) -> Span {
        Span::new(self.text().len(), self.text().len())
    }

    /// What stands at `offset`, as an error says it, and the span it covers.
    #[cfg(feature = "puzzles")]
    pub(crate) fn found(&self, offset: usize) -> (Span, String) {
        const SHOWN: usize = 24;
        let rest = self.text().get(offset..).unwrap_or_default();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let Some(first) = rest.chars().next() else {
            return (self.end(), "the end of the file".to_owned());
        };
        let length = match rest.find(|c| !word(c)).unwrap_or(rest.len()) {
            0 => first.len_utf8(),
            length => length,
        };
        let span = Span::new(offset, offset + length);
        if first == '\n' || rest.starts_with("\r\n") {
            return (Span::new(offset, offset), "the end of the line".to_owned());
        }
        (span, quote_up_to(self.slice(span), SHOWN))
    }
}

/// Puts a piece of input into an error: between back quotes, cut off when long, control characters escaped.
pub(crate) fn quote(piece: &str) -> String {
    quote_up_to(piece, 40)
}

fn quote_up_to(piece: &str, shown: usize) -> String {
    let mut text = String::from("`");
    for (index, c) in piece.chars().enumerate() {
        if index == shown {
            text.push_str("...");
            break;
        }
        if c.is_control() {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    text.push('`');
    text
}

/// A message that may have input in it, as it can be shown: control characters escaped, a long one cut in the middle.
pub(crate) fn legible(message: String) -> String {
    // Longer than any message without input, such as a list of all names.
    const LONGEST: usize = 1000;
    const KEPT: usize = 100;
    if message.len() <= LONGEST && !message.contains(char::is_control) {
        return message;
    }
    let mut text = String::new();
    let mut push = |piece: &str| {
        for c in piece.chars() {
            if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
        }
    };
    if message.len() <= LONGEST {
        push(&message);
    } else {
        push(&message[..message.floor_char_boundary_at(KEPT)]);
        push(" ... ");
        push(&message[message.floor_char_boundary_at(message.len() - KEPT)..]);
    }
    text
}

/// `1 row`, `2 rows`.
pub(crate) fn counted<N: Copy + fmt::Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `str::floor_char_boundary`, which our oldest supported compiler lacks.
trait FloorCharBoundary {
    fn floor_char_boundary_at(&self, offset: usize) -> usize;
}

impl FloorCharBoundary for str {
    fn floor_char_boundary_at(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.len());
        while !self.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Source({:?}, {} bytes)", self.name(), self.text().len())
    }
}

/// A place in a text as editors show it: both count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// A piece of a source, as byte offsets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` to just before `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A value and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// What was read.
    pub value: T,
    /// Where it was read.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// An error in what a person gave: where it is, what was found there and what was expected.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: expected {}, found {}", self.place(), self.expected(), self.found())]
pub struct InputError {
    // Boxed, so that the results of all readers stay small.
    inner: Box<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    source: Source,
    span: Span,
    expected: String,
    found: String,
    help: Option<String>,
}

impl InputError {
    /// An error at `span` of `source`.
    #[must_use]
    pub fn new(source: &Source, span: Span, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let inner = Inner {
            source: source.clone(),
            span,
            expected: legible(expected.into()),
            found: legible(found.into()),
            help: None,
        };
        Self { inner: Box::new(inner) }
    }

    /// The same error with a hint at how to mend the input.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.inner.help = Some(help.into());
        self
    }

    /// The same error; its help is the name that was most likely meant by `given`, if any is similar.
    #[cfg(feature = "puzzles")]
    #[must_use]
    pub(crate) fn with_suggestion(self, given: &str, names: &[&str]) -> Self {
        match crate::nearest::nearest(given, names) {
            Some(name) => self.with_help(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// The input the error is in.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.inner.source
    }

    /// The piece of the input to point to.
    #[must_use]
    pub fn span(&self) -> Span {
        self.inner.span
    }

    /// The line and column of the start of that piece.
    #[must_use]
    pub fn position(&self) -> Position {
        self.inner.source.position(self.inner.span.start)
    }

    /// The name of the input with the line and column; of a word of a command line, the word.
    fn place(&self) -> String {
        let source = self.source();
        if source.is_word() {
            format!("{} {}", source.name(), legible(source.text().to_owned()))
        } else {
            format!("{}:{}", source.name(), self.position())
        }
    }

    /// What should have been there.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.inner.expected
    }

    /// What was there.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.inner.found
    }

    /// How to mend the input, where that is clear.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.inner.help.as_deref()
    }
}

#[cfg(test)]
mod tests;
