//! Errors in sheets.

use std::fmt;

use super::syntax::Span;

/// An error in a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetError {
    /// Where the error is, in bytes of the text.
    pub span: Span,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do, if known.
    pub help: Option<String>,
}

impl SheetError {
    pub(super) fn new(span: Span, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { span, expected: expected.into(), found: found.into(), help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for SheetError {}
