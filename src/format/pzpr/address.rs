//! Parses an address: the puzzle type, the size, and the body with the clues.

use crate::source::{InputError, Source, Span, Spanned, quote};

/// The maximum number of squares of a board. A limit is needed because a short address could exhaust the memory.
pub(crate) const MOST_SQUARES: usize = 1_000_000;

pub(super) const END: &str = "the end of the address";

/// A parsed address.
#[derive(Debug, Clone)]
pub struct Address {
    /// The source that contains the address.
    pub source: Source,
    /// The name of the puzzle type in addresses.
    pub puzzle_type: Spanned<String>,
    /// The width of the board.
    pub columns: Spanned<usize>,
    /// The height of the board.
    pub rows: Spanned<usize>,
    /// The part after the size, with percent escapes decoded.
    pub body: Spanned<String>,
    /// The offset of each character of the body in the source. The last entry is the offset of the body's end.
    pub(super) places: Vec<usize>,
}

/// Returns whether a line looks like an address: it starts with `http://` or `https://`, or has the form
/// `host/path?type/...` and contains no whitespace.
pub(crate) fn is_address(line: &str) -> bool {
    let schemes = ["http://", "https://"];
    if schemes
        .iter()
        .any(|scheme| line.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
    {
        return true;
    }
    let Some((place, query)) = line.split_once('?') else {
        return false;
    };
    let puzzle_type = query.split(['/', '%']).next().unwrap_or_default();
    !line.contains(char::is_whitespace)
        && place.contains('/')
        && place.contains('.')
        && puzzle_type.len() < query.len()
        && puzzle_type.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Parses an address.
///
/// # Errors
/// Returns an error if the puzzle type or the size is missing, if the size is zero or too large, or if there is text
/// after the address.
pub fn read(source: &Source) -> Result<Address, InputError> {
    let span = address_span(source)?;
    let error = |span: Span, expected: &str| {
        let found = if span.start == span.end { END.to_owned() } else { quote(source.slice(span)) };
        InputError::new(source, span, expected, found)
    };
    let address = source.slice(span);
    let Some((place, _)) = address.split_once('?') else {
        return Err(error(Span::new(span.end, span.end), "`?` and the puzzle type"));
    };
    let query = Span::new(span.start + place.len() + 1, span.end);
    let (characters, mut places) = unescape(source.slice(query), query.start);
    places.push(span.end);
    let mut cursor = Cursor { characters: &characters, places: &places, at: 0 };

    let mut puzzle_type = cursor.segment();
    // Settings of the web page may precede the puzzle type, as in `type=editor&nurikabe`.
    if let Some(at) = puzzle_type.value.rfind('&') {
        let cut = puzzle_type.value.split_off(at + 1);
        puzzle_type = Spanned::new(cut, Span::new(puzzle_type.span.start + at + 1, puzzle_type.span.end));
    }
    for page in ["_edit", "_play"] {
        if puzzle_type.value.ends_with(page) {
            puzzle_type.value.truncate(puzzle_type.value.len() - page.len());
        }
    }
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if puzzle_type.value.is_empty() || !puzzle_type.value.chars().all(word) {
        return Err(error(puzzle_type.span, "the puzzle type"));
    }
    let mut width = cursor.segment();
    if width.value.is_empty() && !cursor.ended() {
        width = cursor.segment();
    }
    let is_variant =
        |word: &str| word.len() <= 2 && word.trim_end_matches(':').chars().all(|c| c.is_ascii_alphabetic());
    if !width.value.is_empty() && is_variant(&width.value) {
        let help = "a letter before the size selects a variant of the rules, and variants are not known here";
        return Err(error(width.span, "the number of columns").with_help(help));
    }
    let size = |segment: &Spanned<String>, expected: &str| {
        let digits = segment.value.chars().all(|c| c.is_ascii_digit());
        let number = segment.value.parse().ok().filter(|&number: &usize| digits && number > 0);
        number.map(|number| Spanned::new(number, segment.span)).ok_or_else(|| error(segment.span, expected))
    };
    let columns = size(&width, "the number of columns")?;
    let height = cursor.segment();
    let rows = size(&height, "the number of rows")?;
    if columns.value.checked_mul(rows.value).is_none_or(|squares| squares > MOST_SQUARES) {
        let span = Span::new(width.span.start, height.span.end);
        return Err(error(span, "a board of at most 1000000 squares"));
    }
    let (body, places) = cursor.rest();
    Ok(Address { source: source.clone(), puzzle_type, columns, rows, body, places })
}

/// Finds the address in a source, which must contain only one address.
fn address_span(source: &Source) -> Result<Span, InputError> {
    let mut address = None;
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let text = line.trim();
        let at = start + line.len() - line.trim_start().len();
        start += line.len();
        if text.is_empty() || text.starts_with('%') {
            continue;
        }
        if address.is_some() {
            let (span, found) = source.found(at);
            return Err(InputError::new(source, span, "one address", found));
        }
        if let Some(blank) = text.find(char::is_whitespace) {
            let rest = text.get(blank..).unwrap_or_default();
            let at = at + text.len() - rest.trim_start().len();
            let (span, found) = source.found(at);
            return Err(InputError::new(source, span, END, found));
        }
        address = Some(Span::new(at, at + text.len()));
    }
    address.ok_or_else(|| InputError::new(source, source.end(), "a board", "the end of the file"))
}

/// Decodes percent escapes. Returns the characters and their offsets in the source.
fn unescape(text: &str, start: usize) -> (Vec<char>, Vec<usize>) {
    let mut characters = Vec::new();
    let mut places = Vec::new();
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        let escaped = if c == '%' { text.get(at + 1..at + 3).and_then(escaped) } else { None };
        if escaped.is_some() {
            rest.nth(1);
        }
        characters.push(escaped.unwrap_or(c));
        places.push(start + at);
    }
    (characters, places)
}

/// Returns the character for the two hexadecimal digits of a percent escape, or `None` if this character does not
/// occur in addresses.
pub(super) fn escaped(digits: &str) -> Option<char> {
    // `from_str_radix` would also accept a sign.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from(u8::from_str_radix(digits, 16).ok()?);
    "$%&*+-./=?_".contains(c).then_some(c)
}

/// A cursor that splits the part of an address after `?` into segments.
struct Cursor<'a> {
    characters: &'a [char],
    places: &'a [usize],
    at: usize,
}

impl Cursor<'_> {
    fn ended(&self) -> bool {
        self.at >= self.characters.len()
    }

    fn place(&self, at: usize) -> usize {
        self.places.get(at).or(self.places.last()).copied().unwrap_or_default()
    }

    /// Returns the characters up to the next slash, or up to the end of the address.
    fn segment(&mut self) -> Spanned<String> {
        let rest = self.characters.get(self.at..).unwrap_or_default();
        let value: String = rest.iter().take_while(|&&c| c != '/').collect();
        let end = self.at + value.chars().count();
        let span = Span::new(self.place(self.at), self.place(end));
        self.at = (end + 1).min(self.characters.len());
        Spanned::new(value, span)
    }

    /// Returns the remaining text without trailing slashes, and the offsets of its characters.
    fn rest(&self) -> (Spanned<String>, Vec<usize>) {
        let mut rest = self.characters.get(self.at..).unwrap_or_default();
        while let Some((&'/', shorter)) = rest.split_last() {
            rest = shorter;
        }
        let end = self.at + rest.len();
        let span = Span::new(self.place(self.at), self.place(end));
        let places = (self.at..=end).map(|at| self.place(at)).collect();
        (Spanned::new(rest.iter().collect(), span), places)
    }
}
