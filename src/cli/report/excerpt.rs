//! The lines around an error, as a terminal can take them: of long lines the part that matters, control characters as
//! visible signs.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::format::InputError;

/// The most characters shown of a line.
const WIDTH: usize = 160;
/// Those shown before the place of an error far to the right.
const BEFORE: usize = 60;
const CUT: &str = "...";

/// A piece of an input with the place of an error in it.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    marked: SourceSpan,
    /// The number of the first line, from 0.
    line: usize,
    /// The characters before the error on its line, in the input.
    column: usize,
}

impl Excerpt {
    /// The line an error is in, with the one before and the one behind.
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
            // Something to point to.
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

    /// Whether there is nothing to see.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The place of the error in the piece.
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
        // What is read from within a line begins at the error.
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

/// Adds what is shown of a line to `text`; tells for each character, and for the end, where it stands in the line and in
/// the text.
fn show_with(line: &str, from: usize, text: &mut String, mut tell: impl FnMut(usize, usize)) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut characters = line.char_indices().skip(from).peekable();
    if from > 0 && characters.peek().is_some() {
        text.push_str(CUT);
    }
    for (at, c) in characters.by_ref().take(WIDTH) {
        tell(at, text.len());
        text.push(visible(c));
    }
    match characters.peek() {
        Some(&(at, _)) => {
            tell(at, text.len());
            text.push_str(CUT);
        }
        None => tell(line.len(), text.len()),
    }
}

/// A sign for a control character.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
