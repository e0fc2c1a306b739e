//! The common parts of the dzn, param and JSON parsers: numbers, names, strings, nesting, and errors with a position.
//!
//! The parsers look only at the next character and never backtrack, so they take linear time. The winnow combinator
//! `opt` can backtrack, but is applied only to fixed tokens.

use std::borrow::Cow;
use std::collections::HashMap;

use winnow::combinator::opt;
use winnow::error::ParserError;
use winnow::stream::{LocatingSlice, Location, Stateful, Stream};
use winnow::token::{any, take_while};
use winnow::{Parser, Result};

use super::record::DataValue;
use crate::source::{InputError, Source, Span, Spanned, quote};

/// The maximum nesting depth of brackets. A limit is needed because each level uses stack space. Puzzle data is never
/// nested this deeply.
const DEEPEST: usize = 64;

/// The input of a parser.
pub(super) type Input<'a> = Stateful<LocatingSlice<&'a str>, ParserState>;

/// The state of a parser, apart from its position.
#[derive(Debug, Default)]
pub(super) struct ParserState {
    /// The current number of open brackets.
    depth: usize,
    /// The integers read so far, by name. The data may use earlier integers as bounds, as in `1..n`.
    pub(super) integers: HashMap<String, i128>,
}

/// A syntax error that does not yet contain the source text. [`SyntaxError::into_error`] adds it.
#[derive(Debug)]
pub(super) struct SyntaxError {
    span: Span,
    expected: Cow<'static, str>,
    /// A description of the actual input, or `None` to quote the text at the error.
    found: Option<Cow<'static, str>>,
}

impl SyntaxError {
    /// Creates an error at the current position.
    pub(super) fn here(input: &Input<'_>, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { span: at(input).into(), expected: expected.into(), found: None }
    }

    /// Creates an error at the given span.
    pub(super) fn at(
        span: Span,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { span, expected: expected.into(), found: Some(found.into()) }
    }

    /// Converts the error to an error with a source, line and column.
    pub(super) fn into_error(self, source: &Source) -> InputError {
        let (span, found) = match self.found {
            Some(found) => (self.span, found.into_owned()),
            None => source.found(self.span.start),
        };
        InputError::new(source, span, self.expected, found)
    }
}

fn at(input: &Input<'_>) -> std::ops::Range<usize> {
    let start = input.current_token_start();
    start..start
}

impl<'a> ParserError<Input<'a>> for SyntaxError {
    type Inner = Self;

    fn from_input(input: &Input<'a>) -> Self {
        Self::here(input, "something else")
    }

    fn into_inner(self) -> Result<Self::Inner, Self> {
        Ok(self)
    }
}

/// Returns the input that starts at byte `offset` of `source`.
pub(super) fn input_at(source: &Source, offset: usize) -> Input<'_> {
    let mut text = LocatingSlice::new(source.text());
    if source.text().is_char_boundary(offset) {
        text.next_slice(offset);
    }
    Stateful { input: text, state: ParserState::default() }
}

/// Returns the current byte offset.
pub(super) fn offset(input: &Input<'_>) -> usize {
    input.current_token_start()
}

/// Returns the next character without consuming it.
pub(super) fn next(input: &Input<'_>) -> Option<char> {
    input.peek_token()
}

/// Returns the rest of the input.
pub(super) fn remaining<'a>(input: &Input<'a>) -> &'a str {
    input.input.peek_finish()
}

/// Consumes `token` if it is next in the input. Returns whether `token` was consumed.
pub(super) fn accept(input: &mut Input<'_>, token: &'static str) -> bool {
    let taken: Result<Option<&str>, SyntaxError> = opt(token).parse_next(input);
    matches!(taken, Ok(Some(_)))
}

/// Consumes `token`. Returns an error if `token` is not next in the input.
pub(super) fn require(input: &mut Input<'_>, token: &'static str) -> Result<(), SyntaxError> {
    if accept(input, token) { Ok(()) } else { Err(SyntaxError::here(input, format!("`{token}`"))) }
}

/// Consumes the longest sequence of characters that satisfy `accepted`. The sequence may be empty.
pub(super) fn run<'a>(
    input: &mut Input<'a>,
    accepted: impl Fn(char) -> bool,
) -> Result<&'a str, SyntaxError> {
    take_while(0.., accepted).parse_next(input)
}

/// Parses a name: a letter or `_`, followed by letters, digits and `_`.
pub(super) fn name(input: &mut Input<'_>, expected: &'static str) -> Result<Spanned<String>, SyntaxError> {
    let error = SyntaxError::here(input, expected);
    let first = take_while(1, |c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_');
    let word: Result<(&str, _), SyntaxError> = (first, rest).take().with_span().parse_next(input);
    word.map(|(word, span)| Spanned::new(word.to_owned(), span.into())).map_err(|_| error)
}

/// Returns whether a number follows, with or without a sign.
pub(super) fn number_follows(input: &Input<'_>) -> bool {
    let rest = remaining(input);
    rest.strip_prefix(['+', '-']).unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
}

/// Parses an integer with an optional sign.
pub(super) fn integer(input: &mut Input<'_>) -> Result<Spanned<i128>, SyntaxError> {
    let error = SyntaxError::here(input, "a number");
    let sign = opt(take_while(1, ('+', '-')));
    let digits = take_while(1.., |c: char| c.is_ascii_digit());
    let written: Result<(&str, _), SyntaxError> = (sign, digits).take().with_span().parse_next(input);
    let (written, range) = written.map_err(|_| error)?;
    let span = Span::from(range);
    // The numbers `1.5` and `1e5` are errors, but `1..5` is a range.
    let rest = remaining(input);
    let fraction = rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if fraction || rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let tail = run(input, |c| c.is_alphanumeric() || matches!(c, '.' | '_'))?;
        let span = Span::new(span.start, offset(input));
        return Err(SyntaxError::at(span, "a whole number", quote(&format!("{written}{tail}"))));
    }
    let number = written.parse().map_err(|_| {
        let digits = written.trim_start_matches(['+', '-', '0']).len();
        SyntaxError::at(span, "a number of at most 38 digits", format!("a number of {digits} digits"))
    })?;
    Ok(Spanned::new(number, span))
}

/// Parses a string in double quotes with the escapes of JSON.
pub(super) fn quoted(input: &mut Input<'_>) -> Result<Spanned<String>, SyntaxError> {
    let start = offset(input);
    require(input, "\"")?;
    let mut text = String::new();
    loop {
        text.push_str(run(input, |c| c != '"' && c != '\\' && !c.is_control())?);
        match next(input) {
            Some('"') => {
                require(input, "\"")?;
                return Ok(Spanned::new(text, Span::new(start, offset(input))));
            }
            Some('\\') => text.push(escape(input)?),
            _ => return Err(SyntaxError::here(input, "`\"` at the end of the text")),
        }
    }
}

fn escape(input: &mut Input<'_>) -> Result<char, SyntaxError> {
    let start = offset(input);
    require(input, "\\")?;
    let error = SyntaxError::here(input, "an escape such as `\\n`");
    let letter: Result<char, SyntaxError> = any.parse_next(input);
    match letter {
        Ok(c @ ('"' | '\\' | '/' | '\'')) => Ok(c),
        Ok('n') => Ok('\n'),
        Ok('t') => Ok('\t'),
        Ok('r') => Ok('\r'),
        Ok('b') => Ok('\u{8}'),
        Ok('f') => Ok('\u{c}'),
        Ok('u') => {
            let first = code_unit(input)?;
            let units = match first {
                // The first half of a UTF-16 surrogate pair must be followed by the second half, also in the form
                // `\uXXXX`.
                0xd800..=0xdbff if accept(input, "\\u") => vec![first, code_unit(input)?],
                _ => vec![first],
            };
            match String::from_utf16(&units).ok().and_then(|text| text.chars().next()) {
                Some(c) => Ok(c),
                None => Err(SyntaxError::at(
                    Span::new(start, offset(input)),
                    "a character",
                    "half of a surrogate pair",
                )),
            }
        }
        _ => Err(error),
    }
}

fn code_unit(input: &mut Input<'_>) -> Result<u16, SyntaxError> {
    let error = SyntaxError::here(input, "four hexadecimal digits");
    let digits: Result<&str, SyntaxError> = take_while(4, |c: char| c.is_ascii_hexdigit()).parse_next(input);
    digits.ok().and_then(|digits| u16::from_str_radix(digits, 16).ok()).ok_or(error)
}

/// Calls `inside` to parse text in brackets, unless the brackets are nested too deeply.
pub(super) fn nested<T>(
    input: &mut Input<'_>,
    inside: impl FnOnce(&mut Input<'_>) -> Result<T, SyntaxError>,
) -> Result<T, SyntaxError> {
    if input.state.depth == DEEPEST {
        return Err(SyntaxError::here(input, format!("at most {DEEPEST} brackets inside each other")));
    }
    input.state.depth += 1;
    let held = inside(input)?;
    input.state.depth -= 1;
    Ok(held)
}

/// The syntax of lists in one of the formats.
#[derive(Clone, Copy)]
pub(super) struct ListSyntax {
    /// Skips whitespace and comments.
    pub(super) blank: fn(&mut Input<'_>) -> Result<(), SyntaxError>,
    /// Parses one item of a list.
    pub(super) item: fn(&mut Input<'_>) -> Result<Spanned<DataValue>, SyntaxError>,
    /// True if a comma may follow the last item.
    pub(super) trailing_comma: bool,
}

impl ListSyntax {
    /// Parses items separated by commas. Stops before one of the characters in `ends`.
    ///
    /// Error messages mention `closing` as the alternative to a comma.
    pub(super) fn items(
        self,
        input: &mut Input<'_>,
        ends: &[char],
        closing: &'static str,
    ) -> Result<Vec<Spanned<DataValue>>, SyntaxError> {
        let ended = |input: &Input<'_>| next(input).is_some_and(|c| ends.contains(&c));
        let mut items = Vec::new();
        (self.blank)(input)?;
        if ended(input) {
            return Ok(items);
        }
        loop {
            items.push((self.item)(input)?);
            (self.blank)(input)?;
            if ended(input) {
                return Ok(items);
            }
            if !accept(input, ",") {
                return Err(SyntaxError::here(input, format!("`,` or `{closing}`")));
            }
            (self.blank)(input)?;
            if self.trailing_comma && ended(input) {
                return Ok(items);
            }
        }
    }
}
