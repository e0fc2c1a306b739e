//! A cursor over the input, which reads the tokens common to FlatZinc and JSON: words, numbers and punctuation.

use std::borrow::Cow;
use std::ops::Range;

use gordian_encodings::{Value, tick};

/// The maximum nesting depth of brackets, which is limited because each level uses stack space.
const DEEPEST: usize = 64;

/// An error in FlatZinc or FlatZinc JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct ReadError {
    /// The byte range of the error in the input.
    pub span: Range<usize>,
    /// A description of the expected input.
    pub expected: Cow<'static, str>,
    /// The text that was found instead of the expected input.
    pub found: String,
}

impl ReadError {
    pub(crate) fn new(
        span: Range<usize>,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<String>,
    ) -> Self {
        Self { span, expected: expected.into(), found: found.into() }
    }
}

/// A number in the input.
pub(crate) enum Number<'a> {
    Int(Value),
    /// A floating-point number, as written in the input.
    Float(&'a str),
}

/// The format of the input. Some tokens differ between the formats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// FlatZinc text, which has comments, and hexadecimal and octal integers.
    FlatZinc,
    Json,
}

/// A position in the input: the start of a token, or the end of the input.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The offset of the end of the last token.
    end: usize,
    syntax: Syntax,
    /// The current number of open brackets.
    depth: usize,
}

impl<'a> Cursor<'a> {
    /// Returns a cursor at the start of the text, after the byte order mark if there is one.
    pub(crate) fn new(text: &'a str, syntax: Syntax) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut cursor = Self { text, at, end: at, syntax, depth: 0 };
        cursor.advance(0);
        cursor
    }

    /// Returns the byte offset of the next token.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Moves the cursor to an offset that [`Cursor::offset`] returned.
    pub(crate) fn go_to(&mut self, offset: usize) {
        (self.at, self.end) = (offset, offset);
    }

    /// Returns the byte range from `start` to the end of the last token.
    pub(crate) fn span_from(&self, start: usize) -> Range<usize> {
        start..self.end.max(start)
    }

    /// Returns the text from `start` to the end of the last token.
    pub(crate) fn text_from(&self, start: usize) -> &'a str {
        &self.text[self.span_from(start)]
    }

    /// Returns the rest of the input as bytes.
    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// Returns the next byte, or `None` at the end of the input.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// Consumes `length` bytes, then white space and comments.
    fn advance(&mut self, length: usize) {
        tick(1);
        self.end = self.at + length;
        self.at = self.end;
        loop {
            let rest = self.rest();
            match rest.first() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'%') if self.syntax == Syntax::FlatZinc => {
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Returns an error whose position is the next token.
    pub(crate) fn error(&self, expected: impl Into<Cow<'static, str>>) -> ReadError {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return ReadError::new(self.at..self.at, expected, "the end of the file");
        };
        let length = match rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()) {
            0 => first.len_utf8(),
            length => length,
        };
        ReadError::new(self.at..self.at + length, expected, quote(&rest[..length]))
    }

    /// Returns an error whose position is the text from `start` to the end of the last token.
    pub(crate) fn error_from(&self, start: usize, expected: impl Into<Cow<'static, str>>) -> ReadError {
        ReadError::new(self.span_from(start), expected, quote(self.text_from(start)))
    }

    /// Consumes `token` if it is the next token. Returns whether a token was consumed.
    pub(crate) fn accept(&mut self, token: &str) -> bool {
        let accepted = self.rest().starts_with(token.as_bytes());
        if accepted {
            self.advance(token.len());
        }
        accepted
    }

    /// Consumes `token`, or returns an error if it is not the next token.
    pub(crate) fn require(&mut self, token: &str) -> Result<(), ReadError> {
        if self.accept(token) { Ok(()) } else { Err(self.error(format!("`{token}`"))) }
    }

    /// Returns an error unless the cursor is at the end of the input.
    pub(crate) fn require_end(&self) -> Result<(), ReadError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.error("the end of the file")) }
    }

    /// Returns the next word (a letter or `_`, then letters, digits and `_`) without consuming it.
    pub(crate) fn peek_word(&self) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len());
        is_word(&rest[..length]).then(|| &self.text[self.at..self.at + length])
    }

    /// Consumes and returns the next word, if the next token is a word.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let word = self.peek_word()?;
        self.advance(word.len());
        Some(word)
    }

    /// Consumes `word` if it is the next word. Returns whether a word was consumed.
    pub(crate) fn accept_word(&mut self, word: &str) -> bool {
        let accepted = self.peek_word() == Some(word);
        if accepted {
            self.advance(word.len());
        }
        accepted
    }

    /// Consumes an integer or floating-point number.
    pub(crate) fn number(&mut self) -> Result<Number<'a>, ReadError> {
        let rest = self.rest();
        let digits_from = |from: usize| {
            let tail = rest.get(from..).unwrap_or_default();
            from + tail.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(tail.len())
        };
        let signed = usize::from(rest.first() == Some(&b'-'));
        let radix = match rest.get(signed..signed + 2) {
            Some(b"0x") if self.syntax == Syntax::FlatZinc => 16,
            Some(b"0o") if self.syntax == Syntax::FlatZinc => 8,
            _ => 10,
        };
        let mut length = digits_from(signed);
        if length == signed {
            return Err(self.error("a number"));
        }
        let integer_length = length;
        if radix == 10 {
            if rest.get(length) == Some(&b'.') && rest.get(length + 1).is_some_and(u8::is_ascii_digit) {
                length = digits_from(length + 1);
            }
            if matches!(rest.get(length), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
                let end = digits_from(length + 1 + sign);
                length = if end > length + 1 + sign { end } else { length };
            }
        } else {
            length += 1;
            length += rest[length..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        }
        let (start, written) = (self.at, &self.text[self.at..self.at + length]);
        self.advance(length);
        if self.at == self.end && self.peek().is_some_and(is_word_byte) {
            self.word();
            return Err(self.error_from(start, "a number"));
        }
        if radix == 10 && length > integer_length {
            return Ok(Number::Float(written));
        }
        let parsed = if radix == 10 {
            written.parse()
        } else {
            let sign = if signed == 1 { "-" } else { "" };
            Value::from_str_radix(&format!("{sign}{}", &written[signed + 2..]), radix)
        };
        parsed.map(Number::Int).map_err(|error| match error.kind() {
            std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
                let found =
                    format!("a number of {} digits", length - signed - if radix == 10 { 0 } else { 2 });
                ReadError::new(self.span_from(start), "an integer of at most 128 bits", found)
            }
            _ => self.error_from(start, "a number"),
        })
    }

    /// Reads a string in double quotes. For each escape sequence, `escape` receives the bytes after the backslash,
    /// and returns the character and the length of the sequence in bytes.
    pub(crate) fn string(
        &mut self,
        escape: impl Fn(&[u8]) -> Option<(char, usize)>,
    ) -> Result<Cow<'a, str>, ReadError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a string"));
        }
        let bytes = self.text.as_bytes();
        let mut text = Cow::Borrowed("");
        let mut from = self.at + 1;
        loop {
            let length = bytes[from..].iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n'));
            let end = from + length.unwrap_or(bytes.len() - from);
            // Adding a borrowed string to an empty `Cow` does not copy the string.
            text += &self.text[from..end];
            match bytes.get(end) {
                Some(b'"') => {
                    self.advance(end + 1 - self.at);
                    return Ok(text);
                }
                Some(b'\\') => {
                    let Some((c, length)) = escape(&bytes[end + 1..]) else {
                        return Err(ReadError::new(end..end + 1, "an escape such as `\\n`", "`\\`"));
                    };
                    text.to_mut().push(c);
                    from = end + 1 + length;
                }
                next => {
                    let found = if next.is_some() { "the end of the line" } else { "the end of the file" };
                    return Err(ReadError::new(end..end, "`\"` at the end of the string", found));
                }
            }
        }
    }

    /// Starts reading a list after its opening bracket.
    pub(crate) fn list(&mut self, close: &'static str) -> Result<List, ReadError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("at most {DEEPEST} brackets inside each other")));
        }
        self.depth += 1;
        Ok(List { close, is_start: true })
    }

    /// Returns whether the list has another item. If there is no further item, consumes the closing bracket.
    ///
    /// FlatZinc allows a comma after the last item of a list.
    pub(crate) fn next_item(&mut self, list: &mut List) -> Result<bool, ReadError> {
        let is_start = std::mem::replace(&mut list.is_start, false);
        let comma = !is_start && self.accept(",");
        if (!comma || self.syntax == Syntax::FlatZinc) && self.accept(list.close) {
            self.depth -= 1;
            return Ok(false);
        }
        if is_start || comma { Ok(true) } else { Err(self.error(format!("`,` or `{}`", list.close))) }
    }
}

/// A comma-separated list that the cursor is reading.
pub(crate) struct List {
    close: &'static str,
    is_start: bool,
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns whether the bytes form a word: a letter or `_`, followed by letters, digits and `_`.
pub(crate) fn is_word(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|byte| !byte.is_ascii_digit()) && bytes.iter().all(|&byte| is_word_byte(byte))
}

/// Quotes a part of the input for an error message. Long parts are truncated, and control characters are escaped.
pub(crate) fn quote(piece: &str) -> String {
    const SHOWN: usize = 40;
    let mut text = String::from("`");
    for c in piece.chars().take(SHOWN) {
        if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
    }
    if piece.chars().nth(SHOWN).is_some() {
        text.push_str("...");
    }
    text.push('`');
    text
}
