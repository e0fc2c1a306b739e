//! The parser of the native text format, which is easy to write by hand.
//!
//! ```text
//! % a comment
//! numberlink cells=all touch=no
//! 1 . .
//! . . 2
//! 1 . 2
//! ```
//!
//! `%` starts a comment up to the end of the line. The first line that is not a comment names the puzzle type and its
//! options. This line may be omitted if the first row does not start with a letter. Lines of the form `name = value`
//! contain named values as in [dzn](super::dzn), with an optional semicolon. A named value may span several lines, up
//! to its last closing bracket. All other lines are rows of tokens separated by whitespace.

use std::collections::HashSet;

use super::dzn::read_value;
use super::record::{NamedValue, Record};
use super::syntax::Syntax;
use crate::rules::Grid;
use crate::source::{InputError, Source, Span, Spanned, counted, quote};

/// Parsed text in the native format.
#[derive(Debug, Clone)]
pub struct TextDocument {
    /// The source that contains the text.
    pub source: Source,
    /// The name of the puzzle type, if the first line contains one.
    pub puzzle_type: Option<Spanned<String>>,
    /// The `name=value` options after the puzzle type, or an error in them, which is reported only if the puzzle type
    /// exists.
    pub options: Result<Vec<TextOption>, InputError>,
    /// The rows of tokens.
    pub rows: Vec<Row>,
    /// The values of the `name = value` lines.
    pub record: Record,
}

/// An option `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOption {
    /// The name.
    pub name: Spanned<String>,
    /// The value.
    pub value: Spanned<String>,
}

/// A row of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The tokens of the row. There is at least one token.
    pub cells: Vec<Spanned<String>>,
    /// The span from the first token to the last.
    pub span: Span,
}

impl TextDocument {
    /// Returns whether the text consists only of whitespace and comments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.puzzle_type.is_none() && self.rows.is_empty() && self.record.entries.is_empty()
    }

    /// Returns the value of the option called `name`, or `None` if the option is not given.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&Spanned<String>> {
        self.options.iter().flatten().find(|option| option.name.value == name).map(|option| &option.value)
    }

    /// Returns the named values, for puzzle types whose data contains no rows of cells.
    ///
    /// # Errors
    /// Returns an error that points to the first row if the text contains rows of tokens. Only `name = value` lines are
    /// expected.
    pub fn values(&self) -> Result<&Record, InputError> {
        match self.rows.first() {
            None => Ok(&self.record),
            Some(row) => {
                let found = quote(self.source.slice(row.span));
                Err(InputError::new(&self.source, row.span, "a line `name = value`", found))
            }
        }
    }

    /// Returns the rows as a grid. There must be at least one row, and all rows must have the same length.
    ///
    /// # Errors
    /// Returns an error if there are no rows, or if a row is not as long as the first row. The error points to the
    /// surplus tokens of a row that is too long, or to the end of a row that is too short. If `cell` rejects a token,
    /// it returns a description of the expected token.
    pub fn grid<T>(
        &self,
        mut cell: impl FnMut(&Spanned<String>) -> Result<T, String>,
    ) -> Result<Grid<T>, InputError> {
        let Some(first) = self.rows.first() else {
            let end = self.source.end();
            return Err(InputError::new(&self.source, end, "a row of the board", "the end of the file"));
        };
        let columns = first.cells.len();
        for row in &self.rows {
            if row.cells.len() != columns {
                let span = match row.cells.get(columns) {
                    Some(surplus) => Span::new(surplus.span.start, row.span.end),
                    None => Span::new(row.span.end, row.span.end),
                };
                let expected = format!("{} as in the first row", counted(columns, "cell"));
                return Err(InputError::new(&self.source, span, expected, counted(row.cells.len(), "cell")));
            }
        }
        let cell = |token| cell(token).map_err(|expected| InputError::at(&self.source, token, expected));
        let cells = self.rows.iter().flat_map(|row| &row.cells).map(cell).collect::<Result<_, _>>()?;
        Ok(Grid::new(self.rows.len(), columns, cells))
    }
}

/// Parses text in the native format.
///
/// # Errors
/// Returns an error if a name or an option occurs twice, or a value is malformed.
pub fn read(source: &Source) -> Result<TextDocument, InputError> {
    let mut document = TextDocument {
        source: source.clone(),
        puzzle_type: None,
        options: Ok(Vec::new()),
        rows: Vec::new(),
        record: Record::new(source, Syntax::Text),
    };
    let mut first = true;
    let mut start = 0;
    while let Some(line) = line_at(source, start) {
        let tokens = tokens(source, line);
        start = line.end + 1;
        let Some(token) = tokens.first() else {
            continue;
        };
        if let Some((name, equals)) = assigned_name(source.slice(line)) {
            let span = Span::new(line.start + name.start, line.start + name.end);
            let name = Spanned::new(source.slice(span).to_owned(), span);
            let (value, end) = read_value(source, line.start + equals + 1)?;
            document.record.insert(NamedValue { name, value })?;
            start = end_of_value(source, end)?;
        } else if first && token.value.starts_with(char::is_alphabetic) {
            let mut tokens = tokens.into_iter();
            document.puzzle_type = tokens.next();
            document.options = options(source, tokens);
        } else {
            let end = tokens.last().map_or(token.span.end, |last| last.span.end);
            let span = Span::new(token.span.start, end);
            document.rows.push(Row { cells: tokens, span });
        }
        first = false;
    }
    Ok(document)
}

/// Reads a source that consists only of rows of tokens, such as a printed solution.
#[must_use]
pub fn rows(source: &Source) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    while let Some(line) = line_at(source, start) {
        let cells = tokens(source, line);
        start = line.end + 1;
        if let (Some(first), Some(last)) = (cells.first(), cells.last()) {
            let span = Span::new(first.span.start, last.span.end);
            rows.push(Row { cells, span });
        }
    }
    rows
}

/// Returns the line that starts at offset `start`, without its line break, or `None` at the end of the text.
fn line_at(source: &Source, start: usize) -> Option<Span> {
    let rest = source.text().get(start..).filter(|rest| !rest.is_empty())?;
    Some(Span::new(start, start + rest.find('\n').unwrap_or(rest.len())))
}

/// Returns the tokens of a line, without the comment at its end.
fn tokens(source: &Source, line: Span) -> Vec<Spanned<String>> {
    let text = source.slice(line);
    let text = text.split_once('%').map_or(text, |(text, _)| text);
    let mut tokens = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        if !c.is_whitespace() {
            start.get_or_insert(at);
        } else if let Some(start) = start.take() {
            let span = Span::new(line.start + start, line.start + at);
            tokens.push(Spanned::new(source.slice(span).to_owned(), span));
        }
    }
    tokens
}

/// Returns the positions of the name and the `=` in a `name = value` line.
pub(crate) fn assigned_name(line: &str) -> Option<(Span, usize)> {
    let start = line.len() - line.trim_start().len();
    let rest = line.trim_start();
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, behind) = rest.split_at_checked(length)?;
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        || !behind.trim_start().starts_with('=')
    {
        return None;
    }
    let end = start + length;
    Some((Span::new(start, end), end + behind.len() - behind.trim_start().len()))
}

/// Checks that the rest of a line, after a value, contains only semicolons and a comment. Returns the start of the
/// next line.
fn end_of_value(source: &Source, end: usize) -> Result<usize, InputError> {
    let Some(line) = line_at(source, end) else {
        return Ok(end);
    };
    for token in tokens(source, line) {
        let surplus = token.value.trim_start_matches(';');
        if !surplus.is_empty() {
            let (span, found) = source.found(token.span.end - surplus.len());
            return Err(InputError::new(source, span, "the end of the line", found));
        }
    }
    Ok(line.end + 1)
}

fn options(
    source: &Source,
    words: impl Iterator<Item = Spanned<String>>,
) -> Result<Vec<TextOption>, InputError> {
    let mut names = HashSet::new();
    let mut options = Vec::new();
    for word in words {
        let option = option(source, &word)
            .map_err(|error| error.with_help("options are written without blanks, as in `cells=all`"))?;
        if !names.insert(option.name.value.clone()) {
            let expected = format!("the option {} once", quote(&option.name.value));
            return Err(InputError::new(source, option.name.span, expected, "a second one"));
        }
        options.push(option);
    }
    Ok(options)
}

/// Parses an option `name=value`.
///
/// # Errors
/// Returns an error if the name, the `=` or the value is missing.
pub fn option(source: &Source, word: &Spanned<String>) -> Result<TextOption, InputError> {
    let Some((name, value)) = word.value.split_once('=') else {
        return Err(InputError::at(source, word, "an option `name=value`"));
    };
    let equals = word.span.start + name.len();
    if name.is_empty() {
        return Err(InputError::at(source, word, "the name of an option"));
    }
    let value = Spanned::new(value.to_owned(), Span::new(equals + 1, word.span.end));
    if value.value.is_empty() {
        let expected = format!("a value for the option {}", quote(name));
        return Err(InputError::new(source, value.span, expected, "nothing"));
    }
    Ok(TextOption { name: Spanned::new(name.to_owned(), Span::new(word.span.start, equals)), value })
}

#[cfg(test)]
mod tests;
