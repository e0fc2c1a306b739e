//! Errors about XCSP3 documents.

use std::ops::Range;

pub(super) use crate::ReadError;

pub(super) type Result<T, E = ReadError> = std::result::Result<T, E>;

/// Creates an error with a location, the expected input and the actual input.
pub(super) fn error(span: Range<usize>, found: impl Into<String>, expected: impl Into<String>) -> ReadError {
    ReadError::new(span, expected.into(), found)
}

/// Creates an error that quotes the offending text.
pub(super) fn quoting(span: Range<usize>, text: &str, expected: impl Into<String>) -> ReadError {
    error(span, quote(text), expected)
}

/// Quotes the first 40 characters of a text on one line.
pub(super) fn quote(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let short: String = text.chars().take(40).map(clean).collect();
    let more = if text.chars().nth(40).is_some() { "..." } else { "" };
    format!("`{short}{more}`")
}
