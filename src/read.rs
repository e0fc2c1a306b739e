//! Reads a board: detects the syntax of a source, parses the source, and finds the puzzle type of the data.
//!
//! The formats are independent of the puzzle types. The module `read` connects formats and puzzle types: it parses
//! each source once, and then finds the [readers](Reader) of all puzzle types that accept the data.

mod formula;

#[cfg(feature = "flatzinc")]
use std::sync::Arc;

#[cfg(feature = "flatzinc")]
use gordian_flatzinc::Instance;

#[cfg(feature = "flatzinc")]
use crate::flatzinc::{self, Flat, SolutionFormat};
use crate::format::pzpr::{self, Address};
use crate::format::text::{self, TextDocument};
use crate::format::{DataValue, InputError, Record, Source, Spanned, Syntax, dzn, fpuzzles, json, param};
use crate::nearest::{nearest, similar, some_of};
use crate::puzzle::{self, Listed, Options, Puzzle, PuzzleType, Read, Reader};
pub(crate) use formula::Formula;

/// Options for reading a board. By default, everything is detected from the source.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The syntax of the source. By default, the file extension determines the syntax. If the extension is unknown,
    /// the syntax is guessed from the text.
    pub syntax: Option<Syntax>,
    /// The puzzle type of the board. The default is the type that the source names. If the source names no puzzle type,
    /// the default is the first type that accepts the data.
    pub puzzle_type: Option<&'static PuzzleType>,
    /// Options of the puzzle type. The given options override options in the source.
    pub options: Options,
}

impl ReadOptions {
    /// Returns the default options for reading boards of a puzzle type.
    #[must_use]
    pub fn of_type(puzzle_type: &'static PuzzleType) -> Self {
        Self { puzzle_type: Some(puzzle_type), ..Self::default() }
    }

    /// Returns the puzzle type if it is that of a user's own sheet, which is in no table.
    fn own(&self) -> Option<&'static PuzzleType> {
        let is_listed = |wanted: &PuzzleType| {
            let mut of_name = puzzle::listed().filter(|entry| entry.name() == wanted.name);
            of_name.any(|entry| std::ptr::eq(entry.puzzle_type(), wanted))
        };
        self.puzzle_type.filter(|wanted| !is_listed(wanted))
    }
}

/// A board that was read from a source, and the puzzle types that accept its data.
#[derive(Debug)]
pub struct Board {
    /// The board.
    pub puzzle: Box<dyn Puzzle>,
    /// The puzzle types that accept the data, starting with the chosen type. If there are several, the data alone does
    /// not determine the puzzle type.
    pub candidates: Vec<&'static PuzzleType>,
}

/// The reason why a source could not be read as a board.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadError {
    /// The source does not look like a board.
    #[error(transparent)]
    NotABoard(InputError),
    /// The source looks like a board but has an error.
    #[error(transparent)]
    Wrong(#[from] InputError),
}

impl From<ReadError> for InputError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::NotABoard(error) | ReadError::Wrong(error) => error,
        }
    }
}

/// Reads a board.
///
/// # Errors
/// Returns an error if the source is malformed, if its puzzle type is not recognised or not the requested type, if an
/// option is unknown, or if the data is not a valid board. If the source is malformed and its syntax was only guessed
/// from the text, the error is [`ReadError::NotABoard`].
pub fn board(source: &Source, options: &ReadOptions) -> Result<Board, ReadError> {
    let known = options.syntax.or_else(|| Syntax::of_name(source.name()));
    let syntax = known.unwrap_or_else(|| guess(source));
    let malformed = |error| {
        // An address of an unknown puzzle type is well-formed.
        let is_read = || pzpr::read(source).is_ok() || fpuzzles::json(source).is_some();
        let is_address = || syntax == Syntax::Address && is_read();
        if known.is_some() || is_address() { ReadError::Wrong(error) } else { ReadError::NotABoard(error) }
    };
    let empty = || {
        let found = "the end of the file";
        let expected = if known.is_some_and(Syntax::is_model) { "a model" } else { "a board" };
        Err(ReadError::NotABoard(InputError::new(source, source.end(), expected, found)))
    };
    if source.text().trim().is_empty() {
        return empty();
    }
    if options.puzzle_type.is_none()
        && !syntax.is_model()
        && let Some((formula, span)) = Formula::guess(source.text())
    {
        let error = formula.error(source, span);
        return Err(ReadError::NotABoard(match (known, formula.extension()) {
            // The extension of the file is that of boards.
            (Some(_), Some(extension)) => {
                error.with_help(format!("rename the file to end in `.{extension}`"))
            }
            _ => error,
        }));
    }
    match parse(source, syntax, options.own()).map_err(malformed)? {
        Document::Text(text) if text.is_empty() => empty(),
        Document::Text(text) => text_board(&text, options),
        Document::Record(record) if record.entries.is_empty() => empty(),
        Document::Record(record) => record_board(&record, options),
        Document::Address(address) => Ok(address_board(&address, options)?),
        #[cfg(feature = "flatzinc")]
        Document::Instance(instance) => Ok(flat_board(source, syntax, *instance, options)?),
    }
}

/// Iterates over the entries of all puzzle types. A user's own sheet replaces the puzzle type with its name.
fn entries(own: Option<&'static PuzzleType>) -> impl Iterator<Item = Listed> {
    let is_replaced = move |entry: &Listed| own.is_some_and(|own| own.name == entry.name());
    own.map(Listed::Type).into_iter().chain(puzzle::listed().filter(move |entry| !is_replaced(entry)))
}

/// Returns the puzzle type with the given name or alias.
///
/// # Errors
/// Returns an error if there is no such puzzle type. If no known name is similar to the given name, the error is
/// [`ReadError::NotABoard`].
pub fn puzzle_type(source: &Source, name: &Spanned<String>) -> Result<&'static PuzzleType, ReadError> {
    puzzle::find(&name.value).ok_or_else(|| {
        let names: Vec<_> = puzzle::listed().flat_map(Listed::names).collect();
        let error = InputError::at(source, name, "a puzzle type");
        match nearest(&name.value, &names) {
            Some(near) => ReadError::Wrong(
                error.with_help(format!("did you mean `{near}`? `gordian list` shows all puzzle types")),
            ),
            None => ReadError::NotABoard(error.with_help(format!(
                "there are {}; `gordian list puzzles` shows all puzzle types",
                some_of(&names)
            ))),
        }
    })
}

/// Returns an error if a source is a formula, for commands that read only other models.
#[cfg(feature = "tool")]
pub(crate) fn formula(source: &Source) -> Option<InputError> {
    let (formula, span) = Formula::guess(source.text())?;
    Some(formula.error(source, span))
}

/// A parsed source, with one variant for each type of syntax.
enum Document {
    Text(TextDocument),
    Record(Record),
    Address(Address),
    #[cfg(feature = "flatzinc")]
    Instance(Box<Instance>),
}

fn parse(source: &Source, syntax: Syntax, own: Option<&'static PuzzleType>) -> Result<Document, InputError> {
    match syntax {
        Syntax::Text => text::read(source).map(Document::Text),
        Syntax::Dzn => dzn::read(source).map(Document::Record),
        Syntax::Param => param::read(source).map(Document::Record),
        Syntax::Json => json::read(source).map(Document::Record),
        Syntax::Address => {
            if let Some(json) = fpuzzles::json(source) {
                return json::read(&json?).map(Document::Record);
            }
            // Other types may have no size, or one of another form, so the type is checked first.
            address_readers(source, &pzpr::puzzle_type(source)?, own)?;
            pzpr::read(source).map(Document::Address)
        }
        #[cfg(feature = "flatzinc")]
        Syntax::FlatZinc
        | Syntax::FlatZincJson
        | Syntax::Xcsp3
        | Syntax::Opb
        | Syntax::Cnf
        | Syntax::Knf
        | Syntax::Wcnf => {
            flatzinc::read(source, syntax).map(|instance| Document::Instance(Box::new(instance)))
        }
    }
}

/// Returns the syntax determined by the file extension of a source. If the extension is unknown, guesses the syntax
/// from the text.
#[must_use]
pub fn syntax(source: &Source) -> Syntax {
    Syntax::of_name(source.name()).unwrap_or_else(|| guess(source))
}

/// Guesses the syntax of a source from the first line that is neither blank nor a comment.
fn guess(source: &Source) -> Syntax {
    let text = source.text();
    let comment = |line: &str| ["%", "$", "//"].iter().any(|start| line.starts_with(start));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !comment(line));
    let line = lines.next().unwrap_or_default();
    let word = line.split(char::is_whitespace).next().unwrap_or_default();
    #[cfg(feature = "flatzinc")]
    if let Some(syntax) =
        flatzinc::guess(text, word).or_else(|| Formula::guess(text).and_then(|(formula, _)| formula.syntax()))
    {
        return syntax;
    }
    if is_address(line) || pzpr::type_without_host(line).is_some() {
        Syntax::Address
    } else if line.starts_with('{') {
        Syntax::Json
    } else if word == "letting" || (word == "language" && line.contains("ESSENCE")) {
        Syntax::Param
    } else if line.starts_with("/*") || (text::assigned_name(line).is_some() && has_semicolon(text)) {
        Syntax::Dzn
    } else {
        Syntax::Text
    }
}

/// Returns whether `text` contains a semicolon outside comments.
fn has_semicolon(text: &str) -> bool {
    text.lines().any(|line| line.split('%').next().is_some_and(|line| line.contains(';')))
}

fn text_board(text: &TextDocument, options: &ReadOptions) -> Result<Board, ReadError> {
    // The chosen type may be that of a sheet which is in no table.
    let named = |name: &Spanned<String>| match options.puzzle_type {
        Some(wanted) if wanted.names().any(|known| known == name.value) => Ok(wanted),
        _ => puzzle_type(&text.source, name),
    };
    let named = text.puzzle_type.as_ref().map(named).transpose()?;
    let puzzle_type = match (named, options.puzzle_type, &text.puzzle_type) {
        (Some(named), Some(wanted), Some(name)) if named.name != wanted.name => {
            let expected = format!("`{}`, as `--puzzle` says", wanted.name);
            return Err(InputError::at(&text.source, name, expected).into());
        }
        (Some(puzzle_type), ..) | (None, Some(puzzle_type), _) => puzzle_type,
        (None, None, _) => {
            let start = text.rows.first().map_or(text.source.start(), |row| row.cells[0].span);
            let found = match text.source.slice(start) {
                "" => "the end of the file".to_owned(),
                word => format!("`{word}`"),
            };
            let error = InputError::new(&text.source, start, "the puzzle type on the first line", found);
            let fitting = fitting(text);
            let help = match &fitting[..] {
                [] => "name it there, as in `nurikabe`, or with `--puzzle`".to_owned(),
                [only] => format!("the rows fit `{only}`: name it there, or with `--puzzle`"),
                names => {
                    format!("the rows fit {}: name one of them there, or with `--puzzle`", some_of(names))
                }
            };
            return Err(ReadError::NotABoard(error.with_help(help)));
        }
    };
    let options = options.options.over_those_of(text)?;
    options.check(puzzle_type)?;
    let read = puzzle_type.readers.iter().find_map(|reader| match reader {
        Reader::Text { read, .. } => Some(read),
        _ => None,
    });
    let read = read.ok_or_else(|| unreadable(&text.source, puzzle_type, Syntax::Text))?;
    Ok(Board { puzzle: read(text, puzzle_type, &options)?, candidates: vec![puzzle_type] })
}

/// Returns the puzzle types whose data the rows of a text can be.
fn fitting(text: &TextDocument) -> Vec<&'static str> {
    let fits = |puzzle_type: &&'static PuzzleType| match &puzzle_type.sheet {
        Some(sheet) => puzzle::sheet::fits(sheet, text),
        None => puzzle_type.readers.iter().any(|reader| match reader {
            Reader::Text { read, .. } => read(text, puzzle_type, &Options::default()).is_ok(),
            _ => false,
        }),
    };
    puzzle::all().filter(fits).map(|puzzle_type| puzzle_type.name).collect()
}

/// A reader that accepts the syntax of a record. The record may lack some of the names that the reader requires.
struct RecordReader {
    entry: Listed,
    /// The number of the reader among those of its puzzle type for the syntax.
    number: usize,
    names: &'static [&'static str],
    /// The number of names that the reader requires and the record contains.
    present: usize,
}

impl RecordReader {
    fn is_complete(&self) -> bool {
        self.present == self.names.len()
    }

    fn name(&self) -> &'static str {
        self.entry.name()
    }

    fn read(&self, record: &Record, options: &Options) -> Read {
        let puzzle_type = self.entry.puzzle_type();
        options.check(puzzle_type)?;
        let readers = puzzle_type.readers.iter().filter_map(|reader| match *reader {
            Reader::Record { syntax, read, .. } if syntax == record.syntax => Some(read),
            _ => None,
        });
        let read = readers.into_iter().nth(self.number).expect("the entry lists the readers");
        read(record, puzzle_type, options)
    }
}

/// Returns all readers that accept the syntax of the record.
fn record_readers(record: &Record, own: Option<&'static PuzzleType>) -> Vec<RecordReader> {
    let of_entry = |entry: Listed| {
        entry.record_names(record.syntax).enumerate().map(move |(number, names)| {
            let present = names.iter().filter(|name| record.get(name).is_some()).count();
            RecordReader { entry, number, names, present }
        })
    };
    entries(own).flat_map(of_entry).collect()
}

fn record_board(record: &Record, options: &ReadOptions) -> Result<Board, ReadError> {
    let named = match record.get("puzzle").map(|name| &name.value) {
        Some(DataValue::Text(name)) => puzzle::find(name),
        _ => None,
    };
    let readers = record_readers(record, options.own());
    let complete: Vec<_> = readers.iter().filter(|reader| reader.is_complete()).collect();
    let most = complete.iter().map(|reader| reader.present).max();
    let mut candidates = complete;
    candidates.retain(|reader| Some(reader.present) == most);
    // A puzzle type may occur several times, because it may have several readers.
    candidates.dedup_by_key(|reader| reader.name());
    let reader = match options.puzzle_type.or(named) {
        None => candidates.first().copied().ok_or_else(|| unrecognised(record, &readers)),
        // If no reader of this type finds all names that it requires, the reader that finds the most reports the error.
        Some(wanted) => {
            let of_type = readers.iter().rev().filter(|reader| reader.name() == wanted.name);
            of_type
                .max_by_key(|reader| (reader.is_complete(), reader.present))
                .ok_or_else(|| unreadable(&record.source, wanted, record.syntax))
        }
    };
    match reader.and_then(|reader| reader.read(record, &options.options)) {
        Ok(puzzle) => {
            let candidates = candidates.iter().map(|reader| reader.entry.puzzle_type()).collect();
            Ok(Board { puzzle, candidates })
        }
        // If no reader requires any name in the record, the record is not a board. For example, it may be the expected
        // result of a board.
        Err(error) if readers.iter().all(|reader| reader.present == 0) => Err(ReadError::NotABoard(error)),
        Err(error) => Err(error.into()),
    }
}

/// Returns the error for a record in which no reader finds all names that it requires.
fn unrecognised(record: &Record, readers: &[RecordReader]) -> InputError {
    // If the record contains names that some readers require, the error is about the reader with the fewest missing
    // names.
    let partial = readers.iter().filter(|reader| reader.present > 0);
    if let Some(reader) = partial.min_by_key(|reader| reader.names.len() - reader.present) {
        let missing = reader.names.iter().find(|name| record.get(name).is_none());
        let error = record.error_missing(missing.copied().unwrap_or_default());
        return error.with_help(format!("the names are those of `{}`", reader.name()));
    }
    let at = record.entries.first().map_or(record.source.start(), |entry| entry.name.span);
    let found = format!("the name `{}`", record.source.slice(at));
    let names: Vec<_> = puzzle::listed().map(Listed::name).collect();
    let error = InputError::new(&record.source, at, "the data of a puzzle", found);
    error.with_help(format!(
        "name the puzzle type with `--puzzle`: {} (see `gordian list puzzles`)",
        some_of(&names)
    ))
}

/// Returns whether a line looks like an address. An address without a host must start with the name of a puzzle type in
/// addresses, or with a similar name, because it looks like a path.
pub(crate) fn is_address(line: &str) -> bool {
    let names = || puzzle::listed().flat_map(Listed::address_names).collect::<Vec<_>>();
    pzpr::has_host(line)
        || fpuzzles::is_link(line)
        || pzpr::type_without_host(line).is_some_and(|name| nearest(name, &names()).is_some())
}

/// A reader of addresses.
struct AddressReader {
    puzzle_type: &'static PuzzleType,
    /// The names of the puzzle type in addresses.
    names: &'static [&'static str],
    read: fn(&Address, &'static PuzzleType, &Options) -> Read,
}

fn of_addresses(types: impl Iterator<Item = &'static PuzzleType>) -> impl Iterator<Item = AddressReader> {
    types.flat_map(|puzzle_type| {
        puzzle_type.readers.iter().filter_map(move |reader| match *reader {
            Reader::Address { names, read, .. } => Some(AddressReader { puzzle_type, names, read }),
            _ => None,
        })
    })
}

/// Returns the readers of the addresses of a puzzle type, of which there is at least one.
///
/// # Errors
/// Returns an error if no puzzle type has this name in addresses.
fn address_readers(
    source: &Source,
    name: &Spanned<String>,
    own: Option<&'static PuzzleType>,
) -> Result<Vec<AddressReader>, InputError> {
    let named = entries(own).filter(|entry| entry.has_address(&name.value));
    let readers = of_addresses(named.map(Listed::puzzle_type));
    let readers: Vec<_> = readers.filter(|reader| reader.names.contains(&name.value.as_str())).collect();
    if !readers.is_empty() {
        return Ok(readers);
    }
    let names: Vec<_> = entries(own).flat_map(Listed::address_names).collect();
    let error = InputError::at(source, name, "a puzzle type that is known in addresses");
    let near: Vec<String> =
        similar(&name.value, &names).iter().take(3).map(|near| format!("`{near}`")).collect();
    Err(error.with_help(if near.is_empty() {
        format!("there are {}; `gordian list puzzles` shows all puzzle types", some_of(&names))
    } else {
        format!("did you mean {}?", near.join(" or "))
    }))
}

fn address_board(address: &Address, options: &ReadOptions) -> Result<Board, InputError> {
    let name = &address.puzzle_type;
    let readers = address_readers(&address.source, name, options.own())?;
    let candidates = readers.iter().map(|reader| reader.puzzle_type).collect();
    let wanted = |found: &PuzzleType| options.puzzle_type.is_none_or(|wanted| wanted.name == found.name);
    let Some(reader) = readers.iter().find(|reader| wanted(reader.puzzle_type)) else {
        let wanted = options.puzzle_type.unwrap_or(readers[0].puzzle_type).name;
        return Err(InputError::at(&address.source, name, format!("the address of a `{wanted}`")));
    };
    options.options.check(reader.puzzle_type)?;
    Ok(Board { puzzle: (reader.read)(address, reader.puzzle_type, &options.options)?, candidates })
}

#[cfg(feature = "flatzinc")]
fn flat_board(
    source: &Source,
    syntax: Syntax,
    instance: Instance,
    options: &ReadOptions,
) -> Result<Board, InputError> {
    if let Some(wanted) = options.puzzle_type {
        let expected = format!("a `{}`, as `--puzzle` says", wanted.name);
        return Err(InputError::new(source, source.start(), expected, "a constraint model"));
    }
    let flat = Flat::new(Arc::new(instance)).map_err(|error| flatzinc::input_error(source, &error))?;
    let flat = flat.in_format(SolutionFormat::of(syntax));
    let candidates = vec![flat.puzzle_type()];
    Ok(Board { puzzle: Box::new(flat), candidates })
}

/// Returns the error for a source whose `syntax` the puzzle type does not support. The error lists the supported
/// syntaxes.
fn unreadable(source: &Source, puzzle_type: &PuzzleType, syntax: Syntax) -> InputError {
    let known: Vec<_> = puzzle_type.readers.iter().map(Reader::format).collect();
    let expected = format!("a `{}` as {}", puzzle_type.name, known.join(" or "));
    InputError::new(source, source.start(), expected, syntax.name())
}

#[cfg(test)]
mod tests;
