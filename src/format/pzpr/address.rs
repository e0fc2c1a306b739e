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
    /// The letters between the puzzle type and the size, which select a variant; usually none.
    pub variant: Spanned<String>,
    /// The width of the board.
    pub columns: Spanned<usize>,
    /// The height of the board.
    pub rows: Spanned<usize>,
    /// The part after the size, with percent escapes decoded.
    pub body: Spanned<String>,
    /// The offset of each character of the body in the source. The last entry is the offset of the body's end.
    pub(super) places: Vec<usize>,
}

/// Returns whether a line looks like an address with a host: it starts with `http://` or `https://`, or has the form
/// `host/path?type/...` and contains no whitespace.
pub(crate) fn has_host(line: &str) -> bool {
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

/// Returns the puzzle type of an address without a host, such as `nurikabe/10/10/BODY`. Returns `None` if the line has
/// another form.
pub(crate) fn type_without_host(line: &str) -> Option<&str> {
    let mut parts = line.split('/');
    let (name, next) = (parts.next()?, parts.next()?);
    let columns = if is_variant(next) { parts.next()? } else { next };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_in_name);
    let is_address = is_name && is_number(columns) && is_number(parts.next()?);
    (is_address && !line.contains(char::is_whitespace)).then(|| without_page(name))
}

/// Returns whether the names of puzzle types contain `c`.
fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Returns whether a segment before the size selects a variant of the rules.
fn is_variant(segment: &str) -> bool {
    segment.starts_with("v:") || segment.chars().all(|c| c.is_ascii_alphabetic())
}

/// Returns the puzzle type without the name of the site's page.
fn without_page(puzzle_type: &str) -> &str {
    ["_edit", "_play"].into_iter().fold(puzzle_type, |name, page| name.strip_suffix(page).unwrap_or(name))
}

/// Parses only the puzzle type of an address.
///
/// # Errors
/// Returns an error if the puzzle type is missing, or if there is text after the address.
pub(crate) fn puzzle_type(source: &Source) -> Result<Spanned<String>, InputError> {
    Ok(Cursor::behind_type(source)?.0)
}

/// Returns the error for a part of an address.
fn error(source: &Source, span: Span, expected: &str) -> InputError {
    let found = if span.start == span.end { END.to_owned() } else { quote(source.slice(span)) };
    InputError::new(source, span, expected, found)
}

/// Parses an address.
///
/// # Errors
/// Returns an error if the puzzle type or the size is missing, if the size is zero or too large, or if there is text
/// after the address.
pub fn read(source: &Source) -> Result<Address, InputError> {
    let error = |span: Span, expected: &str| error(source, span, expected);
    let (puzzle_type, mut cursor) = Cursor::behind_type(source)?;
    let mut width = cursor.segment();
    if width.value.is_empty() && !cursor.ended() {
        width = cursor.segment();
    }
    let mut variant = Spanned::new(String::new(), Span::new(width.span.start, width.span.start));
    if !width.value.is_empty() && is_variant(&width.value) {
        variant = width;
        width = cursor.segment();
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
    Ok(Address { source: source.clone(), puzzle_type, variant, columns, rows, body, places })
}

impl Address {
    /// Checks that the letters before the size are known, which are given in alphabetical order. Their order does not matter.
    ///
    /// # Errors
    /// Returns an error if the address has other letters.
    pub(crate) fn check_variant(&self, known: &[&str]) -> Result<(), InputError> {
        let mut letters: Vec<char> = self.variant.value.chars().collect();
        letters.sort_unstable();
        let letters: String = letters.into_iter().collect();
        if known.contains(&letters.as_str()) {
            return Ok(());
        }
        let name = quote(&self.puzzle_type.value);
        let known: Vec<String> =
            known.iter().filter(|known| !known.is_empty()).map(|known| quote(known)).collect();
        let known =
            if known.is_empty() { "none is".to_owned() } else { format!("only {} is", known.join(" or ")) };
        if letters.is_empty() {
            let help = format!("letters before the size select a variant of {name}; {known} known");
            return Err(
                InputError::at(&self.source, &self.columns, "letters before the size").with_help(help)
            );
        }
        let help = format!("letters before the size select a variant of the rules of {name}; {known} known");
        Err(InputError::at(&self.source, &self.variant, "the number of columns").with_help(help))
    }
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
struct Cursor {
    characters: Vec<char>,
    places: Vec<usize>,
    at: usize,
}

impl Cursor {
    /// Returns the puzzle type of an address, and a cursor at the segment after it.
    fn behind_type(source: &Source) -> Result<(Spanned<String>, Self), InputError> {
        let span = address_span(source)?;
        let address = source.slice(span);
        let before = match address.split_once('?') {
            Some((place, _)) => place.len() + 1,
            None if type_without_host(address).is_some() => 0,
            None => return Err(error(source, Span::new(span.end, span.end), "`?` and the puzzle type")),
        };
        let query = Span::new(span.start + before, span.end);
        let (characters, mut places) = unescape(source.slice(query), query.start);
        places.push(span.end);
        let mut cursor = Self { characters, places, at: 0 };
        let mut puzzle_type = cursor.segment();
        // Settings of the web page may precede the puzzle type, as in `type=editor&nurikabe`.
        if let Some(at) = puzzle_type.value.rfind('&') {
            let cut = puzzle_type.value.split_off(at + 1);
            puzzle_type = Spanned::new(cut, Span::new(puzzle_type.span.start + at + 1, puzzle_type.span.end));
        }
        let length = without_page(&puzzle_type.value).len();
        puzzle_type.value.truncate(length);
        // Names of puzzle types contain no hyphen.
        puzzle_type.value = puzzle_type.value.replace('-', "_");
        if puzzle_type.value.is_empty() || !puzzle_type.value.chars().all(is_in_name) {
            return Err(error(source, puzzle_type.span, "the puzzle type"));
        }
        Ok((puzzle_type, cursor))
    }

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
