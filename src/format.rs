//! Data formats: from bytes to data, with line and column in every error.
//!
//! A format knows no puzzle: it gives named values, rows of tokens or the clues of an address, each with its place, so that a
//! puzzle can point to what it does not like. Reading takes time and memory linear in the input, and never recurses deeper than a
//! fixed limit.

pub mod dzn;
mod grammar;
pub mod json;
pub mod param;
pub mod pzpr;
mod record;
pub mod text;

pub use crate::source::{InputError, Position, Source, Span, Spanned};
pub(crate) use crate::source::{counted, legible, quote};
pub use record::{Entry, Record, Value};

/// The ways to write data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native [text](mod@text) format.
    Text,
    /// [`MiniZinc` data](dzn).
    Dzn,
    /// [Essence Prime parameters](param).
    Param,
    /// A [JSON object](json).
    Json,
    /// A [puzz.link address](pzpr).
    Address,
}

impl Syntax {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Dzn => "dzn",
            Self::Param => "param",
            Self::Json => "json",
            Self::Address => "puzz.link address",
        }
    }

    /// Guesses how a source is written, from the extension of its name or else from its text.
    #[must_use]
    pub fn of(source: &Source) -> Self {
        Self::of_name(source.name()).unwrap_or_else(|| Self::of_text(source))
    }

    /// The syntax of a file by the extension of its name, if it is one of a syntax.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "txt" => Some(Self::Text),
            "dzn" => Some(Self::Dzn),
            "param" => Some(Self::Param),
            "json" => Some(Self::Json),
            "url" => Some(Self::Address),
            _ => None,
        }
    }

    fn of_text(source: &Source) -> Self {
        let text = source.text();
        let comment = |line: &str| ["%", "$", "//"].iter().any(|start| line.starts_with(start));
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !comment(line));
        let line = lines.next().unwrap_or_default();
        let word = line.split(char::is_whitespace).next().unwrap_or_default();
        if pzpr::is_address(line) {
            Self::Address
        } else if line.starts_with('{') {
            Self::Json
        } else if word == "letting" || (word == "language" && line.contains("ESSENCE")) {
            Self::Param
        } else if line.starts_with("/*") || (text::assigned_name(line).is_some() && has_semicolon(text)) {
            Self::Dzn
        } else {
            Self::Text
        }
    }
}

/// Whether a semicolon stands outside the comments of `text`.
fn has_semicolon(text: &str) -> bool {
    text.lines().any(|line| line.split('%').next().is_some_and(|line| line.contains(';')))
}

/// What a source holds before any puzzle looks at it.
#[derive(Debug, Clone)]
pub enum Document {
    /// A text in the native format.
    Text(text::TextDocument),
    /// Named values.
    Record(Record),
    /// The address of a puzzle on the web.
    Address(pzpr::Address),
}

impl Document {
    /// Where it was read.
    #[must_use]
    pub fn source(&self) -> &Source {
        match self {
            Self::Text(text) => &text.source,
            Self::Record(record) => &record.source,
            Self::Address(address) => &address.source,
        }
    }
}

/// Reads a source, written as `hint` says or else as [`Syntax::of`] guesses.
///
/// # Errors
/// If the source is empty but for comments, or is not written as its syntax asks.
pub fn read(source: &Source, hint: Option<Syntax>) -> Result<Document, InputError> {
    let syntax = hint.unwrap_or_else(|| Syntax::of(source));
    let document = match syntax {
        Syntax::Text => Document::Text(text::read(source)?),
        Syntax::Dzn => Document::Record(dzn::read(source)?),
        Syntax::Param => Document::Record(param::read(source)?),
        Syntax::Json if !source.text().trim().is_empty() => {
            return json::read(source).map(Document::Record);
        }
        Syntax::Address if !source.text().trim().is_empty() => {
            return pzpr::read(source).map(Document::Address);
        }
        Syntax::Json | Syntax::Address => return Err(error_empty(source)),
    };
    let empty = match &document {
        Document::Text(text) => text.kind.is_none() && text.rows.is_empty() && text.record.entries.is_empty(),
        Document::Record(record) => record.entries.is_empty(),
        Document::Address(_) => false,
    };
    if empty { Err(error_empty(source)) } else { Ok(document) }
}

fn error_empty(source: &Source) -> InputError {
    InputError::new(source, source.end(), "a board", "the end of the file").unrecognised()
}

#[cfg(test)]
mod tests;
