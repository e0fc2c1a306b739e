//! Prepares the lines around an error for display on a terminal: cuts long lines, and makes control characters
//! visible.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::format::InputError;

/// The maximum number of characters shown per line.
const WIDTH: usize = 160;
/// The number of characters shown before an error that is far to the right.
const BEFORE: usize = 60;
const CUT: &str = "...";

/// The input lines around an error, and the location of the error.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    marked: SourceSpan,
    /// The line number of the excerpt's first line in the input, counted from 0.
    line: usize,
    /// The number of characters before the error on its input line.
    column: usize,
}

impl Excerpt {
    /// Returns the excerpt for an error: the line with the error, and the lines before and after it.
    pub(super) fn of(error: &InputError) -> Self {
        let (source, span, position) = (error.source(), error.span(), error.position());
        let (line, column) = (position.line - 1, position.column - 1);
        let input = source.text();
        let before = input.get(..span.start).unwrap_or(input);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = input.get(start..).unwrap_or_default().split('\n');
        let (own, following) = (lines.next().unwrap_or_default(), lines.next());
        let previous = input.get(..start.saturating_sub(1)).filter(|_| start > 0);
        let previous = previous.map(|text| text.rsplit('\n').next().unwrap_or_default());
        let from = if column + BEFORE < WIDTH { 0 } else { column - BEFORE };

        let mut text = String::new();
        if let Some(previous) = previous {
            show(previous, from, &mut text);
            text.push('\n');
        }
        let offset = span.start - start;
        let end = (span.end - start).clamp(offset, own.len().max(offset));
        let mut marked = (text.len(), text.len());
        show_with(own, from, &mut text, |at, shown| {
            if at <= offset {
                marked.0 = shown;
            }
            if at <= end {
                marked.1 = shown;
            }
        });
        if following.is_none() && marked.0 == text.len() {
            // The marked range must contain at least one character.
            text.push(' ');
        }
        if let Some(following) = following {
            text.push('\n');
            show(following, from, &mut text);
        }
        let marked = (marked.0, marked.1.saturating_sub(marked.0)).into();
        let line = line - usize::from(previous.is_some());
        Self { name: source.name().to_owned(), text, marked, line, column }
    }

    /// Returns whether the excerpt has no visible characters.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Returns the location of the error in the excerpt.
    pub(super) fn marked(&self) -> SourceSpan {
        self.marked
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        // To find the line and column of the error, `miette` reads only the marked range. The contents then start at
        // the error, not at the start of a line.
        let column = if contents.column() == 0 { 0 } else { self.column };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            self.line + contents.line(),
            column,
            contents.line_count(),
        )))
    }
}

fn show(line: &str, from: usize, text: &mut String) {
    show_with(line, from, text, |_, _| {});
}

/// Appends the visible part of a line to `text`. Calls `note` for each visible character and for the end of the visible
/// part, with the offset in the line and the offset in `text`.
fn show_with(line: &str, from: usize, text: &mut String, mut note: impl FnMut(usize, usize)) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut characters = line.char_indices().skip(from).peekable();
    if from > 0 && characters.peek().is_some() {
        text.push_str(CUT);
    }
    for (at, c) in characters.by_ref().take(WIDTH) {
        note(at, text.len());
        text.push(visible(c));
    }
    match characters.peek() {
        Some(&(at, _)) => {
            note(at, text.len());
            text.push_str(CUT);
        }
        None => note(line.len(), text.len()),
    }
}

/// Returns a visible replacement for a control character.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
