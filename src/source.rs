//! Input texts, and errors with a position in an input text.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An input text, and its name in error messages, such as a path or `standard input`.
///
/// All clones of a source share one copy of the text.
#[derive(Clone)]
pub struct Source {
    shared: Arc<Shared>,
}

struct Shared {
    name: Arc<str>,
    text: String,
    word: bool,
    /// The line number of the first line of the text.
    first_line: usize,
    /// The byte offset at which each line starts.
    lines: Vec<usize>,
}

impl Source {
    /// Creates a source from a text. A byte order mark at the start of the text is removed.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<String>) -> Self {
        Self::of(name.into(), text.into(), false, 1)
    }

    /// Creates a source from one line of a longer text. `number` is the line number in that text, counted from 1.
    #[must_use]
    pub fn line(name: impl Into<Arc<str>>, number: usize, line: impl Into<String>) -> Self {
        Self::of(name.into(), line.into(), false, number)
    }

    /// Creates a source from a command-line argument. `name` is the option or command before the argument. Errors in
    /// a command-line argument have no line and column.
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

    /// Creates a source from the bytes of a file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid UTF-8. The error points to the first invalid byte.
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

    /// Returns the name of the source in error messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns whether the source is a command-line argument.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.shared.word
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.shared.text
    }

    /// Returns the line and column of a byte offset. An offset beyond the end is treated as the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let text = self.text();
        let offset = text.floor_char_boundary_at(offset);
        let line = self.shared.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.shared.lines.get(line - 1).copied().unwrap_or_default();
        let column = text.get(start..offset).unwrap_or_default().chars().count() + 1;
        Position { line: self.shared.first_line + line - 1, column }
    }

    /// Returns the byte offset of the start of a line, counted from 1. A line beyond the end starts at the end.
    #[must_use]
    pub fn line_start(&self, line: usize) -> usize {
        let index = line.saturating_sub(self.shared.first_line);
        self.shared.lines.get(index).copied().unwrap_or(self.text().len())
    }

    /// Returns the text at `span`, or an empty string if the span is out of range.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text().get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the span of the whole text.
    #[must_use]
    pub fn all(&self) -> Span {
        Span::new(0, self.text().len())
    }

    /// Returns the empty span before the first byte.
    #[must_use]
    pub fn start(&self) -> Span {
        Span::new(0, 0)
    }

    /// Returns the empty span after the last byte.
    #[must_use]
    pub fn end(&self) -> Span {
        Span::new(self.text().len(), self.text().len())
    }

    /// Returns the span and a description of the word or character at `offset`, for error messages.
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

/// Quotes a part of the input for an error message, in backquotes. Long parts are truncated, and control characters
/// are escaped.
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

/// Escapes control characters in a message, and shortens a long message in the middle. Both steps are needed because
/// the message may quote arbitrary input.
pub(crate) fn legible(message: String) -> String {
    // Messages that quote no input stay below this limit, even if they list all names.
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

/// Returns a count with its noun, such as `1 row` or `2 rows`.
pub(crate) fn counted<N: Copy + fmt::Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A replacement for `str::floor_char_boundary`, which the oldest supported compiler lacks.
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

/// A position in a text, as displayed by editors. Lines and columns are counted from 1, and each character takes one
/// column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the line.
    pub line: usize,
    /// The number of the column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// A range of bytes in an input text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span of the bytes `start..end`.
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

/// A value from the input, and its position in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The position of the value in the source.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Creates a value with a position.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// An error in user input: its position, the expected input and the actual input.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: expected {}, found {}", self.place(), self.expected(), self.found())]
pub struct InputError {
    // The error is boxed to keep results with this error type small.
    inner: Box<ErrorParts>,
}

#[derive(Debug, Clone)]
struct ErrorParts {
    source: Source,
    span: Span,
    expected: String,
    found: String,
    help: Option<String>,
}

impl InputError {
    /// Creates an error at the given span of `source`.
    #[must_use]
    pub fn new(source: &Source, span: Span, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let inner = ErrorParts {
            source: source.clone(),
            span,
            expected: legible(expected.into()),
            found: legible(found.into()),
            help: None,
        };
        Self { inner: Box::new(inner) }
    }

    /// Creates an error at a token or value of `source`. The message quotes the token or value.
    #[must_use]
    pub fn at<T: fmt::Display>(source: &Source, given: &Spanned<T>, expected: impl Into<String>) -> Self {
        Self::new(source, given.span, expected, quote(&given.value.to_string()))
    }

    /// Adds to the error a hint on how to fix the input.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.inner.help = Some(help.into());
        self
    }

    /// Adds the hint "did you mean ...?" to the error, if one of `names` is similar to `given`.
    #[cfg(feature = "puzzles")]
    #[must_use]
    pub(crate) fn with_suggestion(self, given: &str, names: &[&str]) -> Self {
        match crate::nearest::nearest(given, names) {
            Some(name) => self.with_help(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// Returns the source in which the error occurred.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.inner.source
    }

    /// Returns the span of the error.
    #[must_use]
    pub fn span(&self) -> Span {
        self.inner.span
    }

    /// Returns the line and column at which the error starts.
    #[must_use]
    pub fn position(&self) -> Position {
        self.inner.source.position(self.inner.span.start)
    }

    /// Returns the name of the source, followed by the line and column, or by the argument if the source is a
    /// command-line argument.
    fn place(&self) -> String {
        let source = self.source();
        if source.is_word() {
            format!("{} {}", source.name(), legible(source.text().to_owned()))
        } else {
            format!("{}:{}", source.name(), self.position())
        }
    }

    /// Returns a description of the expected input.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.inner.expected
    }

    /// Returns a description of the actual input.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.inner.found
    }

    /// Returns a hint on how to fix the input, or `None` if there is no hint.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.inner.help.as_deref()
    }
}

#[cfg(test)]
mod tests;
