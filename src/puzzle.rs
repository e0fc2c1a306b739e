//! Puzzles: the kinds there are, and what each of them can do.
//!
//! A kind is one file in `puzzle/` and one row in [`PUZZLES`]. The file holds the puzzle's data and how each format gives
//! it ([`Reader`]), its constraint model with the way back from an assignment to a solution ([`Puzzle::formulate`]), the
//! rules in plain Rust ([`Puzzle::check`], in a module `rules` that imports nothing of the encodings), and how it is
//! drawn.
//!
//! Over 400 lines: the table, what a row is, and the one way a document finds its row belong together.

use std::cell::OnceCell;
use std::fmt::Debug;

use gordian_encodings::{Assignment, IntVar, Lit, Model, Sense, TRUE, Value};

use crate::format::pzpr::{Address, NoAddress, Written};
use crate::format::text::{Choice, TextDocument};
use crate::format::{Document, InputError, Record, Source, Spanned, Syntax};
use crate::nearest::nearest;
use crate::render::Scene;
use crate::solution::{Content, Solution, Violation};

pub mod age;
pub mod cards;
pub mod labyrinth;
pub mod nines;
pub mod numberlink;
pub mod numcross;
mod numeral;
pub mod nurikabe;
mod paths;
pub mod powers;
pub mod rooks;
pub mod smallest;
pub mod triangle;

/// All puzzle types, in the order lists show them.
pub static PUZZLES: &[&PuzzleType] = &[
    &nurikabe::PUZZLE,
    &labyrinth::PUZZLE,
    &powers::PUZZLE,
    &cards::PUZZLE,
    &smallest::PUZZLE,
    &triangle::MAGIC,
    &triangle::MAX,
    &nines::PUZZLE,
    &age::PUZZLE,
    &numberlink::AMAZE,
    &numberlink::PUZZLE,
    &numcross::PUZZLE,
    &rooks::PUZZLE,
];

/// A puzzle type.
#[derive(Debug)]
pub struct PuzzleType {
    /// The word on the command line, on the first line of a text and in JSON.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// The rules in a few sentences.
    pub rules: &'static str,
    /// What may be chosen about a board beyond its data.
    pub options: &'static [OptionRow],
    /// What can make one solution better than another.
    pub objectives: &'static [ObjectiveRow],
    /// Whether the first objective is asked for when none is named.
    pub optimises: bool,
    /// The formats it is read from.
    pub readers: &'static [Reader],
}

/// An objective of a kind, chosen with `--objective NAME`.
#[derive(Debug, PartialEq, Eq)]
pub struct ObjectiveRow {
    /// Its name.
    pub name: &'static str,
    /// Which way it goes.
    pub sense: Sense,
    /// What is counted.
    pub summary: &'static str,
}

/// What a formulation is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    /// What to optimise, if anything.
    pub objective: Option<&'static ObjectiveRow>,
    /// Whether every solution matters. Where one is enough, the model may leave solutions out, as long as one (with an
    /// objective, a best one) is left.
    pub every: bool,
    /// Whether [`Formulation::parts`] are asked for. A kind that needs variables for them leaves them out otherwise.
    pub parts: bool,
}

/// The solutions of a formulation, as far as they matter to the next one.
#[derive(Debug)]
pub enum Found {
    /// There is none.
    None,
    /// This is the only one.
    One(Solution),
    /// There are several.
    Several,
}

/// An option of a kind: `name=value` on the first line of a text or after `--option`.
#[derive(Debug)]
pub struct OptionRow {
    /// Its name.
    pub name: &'static str,
    /// The values it can have, the default first.
    pub values: &'static [&'static str],
    /// What it does.
    pub summary: &'static str,
}

/// The result of reading a puzzle.
pub type Read = Result<Box<dyn Puzzle>, InputError>;

/// How a kind is read from one format.
#[derive(Debug)]
pub enum Reader {
    /// The native text.
    Text {
        /// A small board.
        sample: &'static str,
        /// Reads the board.
        read: fn(&TextDocument, &Options) -> Read,
    },
    /// Named values.
    Record {
        /// How they are written.
        syntax: Syntax,
        /// The names that must all be there; a kind is recognised by them.
        names: &'static [&'static str],
        /// A small board.
        sample: &'static str,
        /// Reads the data.
        read: fn(&Record, &Options) -> Read,
    },
    /// A puzz.link address.
    Address {
        /// What the address calls the kind.
        kinds: &'static [&'static str],
        /// A small board.
        sample: &'static str,
        /// Reads the board.
        read: fn(&Address, &Options) -> Read,
    },
}

/// The options given for a board, checked against the rows of its kind.
#[derive(Debug, Default)]
pub struct Options {
    given: Vec<(Source, Choice)>,
}

impl Options {
    /// Options from the command line, each `name=value`.
    ///
    /// # Errors
    /// If there is no `=` in a word.
    pub fn from_words(words: &[String]) -> Result<Self, InputError> {
        let mut options = Self::default();
        for word in words {
            let source = Source::word("--option", word.clone());
            let Some((name, value)) = word.split_once('=') else {
                let found = format!("`{word}`");
                return Err(InputError::new(&source, source.all(), "an option `name=value`", found));
            };
            let at = name.len();
            let name = Spanned::new(name.to_owned(), crate::format::Span::new(0, at));
            let value = Spanned::new(value.to_owned(), crate::format::Span::new(at + 1, word.len()));
            options.given.push((source, (name, value)));
        }
        Ok(options)
    }

    /// Whether the option has this value.
    #[must_use]
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.given
            .iter()
            .rev()
            .find(|(_, choice)| choice.0.value == name)
            .is_some_and(|(_, choice)| choice.1.value == value)
    }

    /// These options and those of a text; the command line's go first.
    ///
    /// # Errors
    /// If a word behind the kind is not an option at all.
    fn and_of(&self, document: &TextDocument) -> Result<Self, InputError> {
        let of_text = document.options.clone()?.into_iter().map(|choice| (document.source.clone(), choice));
        Ok(Self { given: of_text.chain(self.given.iter().cloned()).collect() })
    }

    fn checked_for(&self, kind: &PuzzleType) -> Result<(), InputError> {
        for (source, (name, value)) in &self.given {
            let names: Vec<_> = kind.options.iter().map(|row| row.name).collect();
            let Some(row) = kind.options.iter().find(|row| row.name == name.value) else {
                let expected = match &names[..] {
                    [] => format!("no options for `{}`", kind.name),
                    names => format!("an option of `{}`: {}", kind.name, names.join(", ")),
                };
                let error = InputError::new(source, name.span, expected, format!("`{}`", name.value));
                return Err(with_nearest(error, &name.value, &names));
            };
            if !row.values.contains(&value.value.as_str()) {
                let expected = format!("{} for `{}`", row.values.join(" or "), row.name);
                let error = InputError::new(source, value.span, expected, format!("`{}`", value.value));
                return Err(with_nearest(error, &value.value, row.values));
            }
        }
        Ok(())
    }
}

/// The error with the word that was most likely meant as its help.
fn with_nearest(error: InputError, given: &str, names: &[&str]) -> InputError {
    match nearest(given, names) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// A board: an instance of a kind.
pub trait Puzzle: Debug + Send + Sync {
    /// Its kind.
    fn puzzle_type(&self) -> &'static PuzzleType;

    /// The constraints, and the way back to a solution.
    fn formulate(&self, request: &Request) -> Formulation;

    /// The formulations to ask one after the other: the solutions of the board are those of the first, then those of the
    /// second, and so on, no solution twice; with an objective, each has only solutions better than all that follow. Where
    /// one formulation has everything, as most have, it is the only one.
    ///
    /// For boards whose solutions may be of any size: small ones are looked for in a small model. [`Puzzle::formulate`]
    /// is then the formulation that has a solution if any has, and a best one. If the solutions have no end, neither have
    /// the formulations.
    fn stages<'a>(&'a self, request: &'a Request) -> Box<dyn Iterator<Item = Formulation> + 'a> {
        Box::new(std::iter::once_with(|| self.formulate(request)))
    }

    /// The formulations to ask one after the other for what is the same whichever solutions come twice: whether there is just
    /// one, and what all have in common. The first has a solution if the board has any, and all together have all solutions.
    /// What came of the first is in `found` before the second is asked for.
    ///
    /// For boards on which some solutions are found more easily than others: what is to be known of these can make the rest
    /// easier.
    fn stages_easiest_first<'a>(
        &'a self,
        request: &'a Request,
        found: &'a OnceCell<Found>,
    ) -> Box<dyn Iterator<Item = Formulation> + 'a> {
        let _ = found;
        self.stages(request)
    }

    /// Whether the solution keeps the rules. Shares nothing with [`Puzzle::formulate`].
    ///
    /// # Errors
    /// The first rule found broken, and where.
    fn check(&self, solution: &Solution) -> Result<(), Violation>;

    /// The symmetries of the board, if the kind knows of any that boards can have.
    fn symmetry(&self) -> Option<Box<dyn Symmetry>> {
        None
    }

    /// The address of the board on puzz.link, for kinds that have a reader of addresses.
    ///
    /// # Errors
    /// If boards of its kind have none, or this one can't be written as one.
    fn address(&self) -> Result<Written, NoAddress> {
        Err(NoAddress::PuzzleType(self.puzzle_type().name))
    }

    /// What there is to see of the board, with a solution on it if there is one. [`Puzzle::read_solution`] reads the
    /// [text](Scene::text) of it back.
    fn draw(&self, solution: Option<&Solution>) -> Scene;

    /// Reads a solution from rows of tokens as the text of [`Puzzle::draw`] has them.
    ///
    /// # Errors
    /// If the rows are not those of a solution to this board.
    fn read_solution(&self, rows: &Source) -> Result<Solution, InputError>;
}

/// Symmetries of a board: ways to turn each of its solutions into another one.
pub trait Symmetry: Debug {
    /// What was found, in words; nothing if the board has no symmetry.
    fn names(&self) -> Vec<String>;

    /// Requires of a model of the board that its solutions come first among those they can be turned into.
    fn break_in(&self, model: &mut Model);

    /// Begins to look which solutions can be turned into one another.
    fn census(&self) -> Box<dyn Census + '_>;
}

/// Counts solutions that can be turned into one another once.
pub trait Census {
    /// Takes a solution, unless one came before that can be turned into it.
    fn keep(&mut self, solution: &Solution) -> Option<Kept>;
}

/// A solution that is the first of its orbit to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// How many solutions it can be turned into, itself included; `None` if more than 2^128.
    pub orbit: Option<u128>,
}

/// A board as a constraint model.
pub struct Formulation {
    /// What must hold.
    pub model: Model,
    /// The solution that an assignment of the model's variables stands for.
    pub decode: Box<dyn Fn(&Assignment) -> Solution + Send + Sync>,
    /// The parts of the solution that can be told alone, such as its cells.
    pub parts: Vec<Part>,
}

/// A part of a solution, with the values that it can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name of the solution's field that it is in; or another name, for what the solution says in other words.
    pub field: &'static str,
    /// Its place there: the number of the cell, from zero.
    pub index: usize,
    /// Each value with the literals that all hold where the part has it; in each solution, those of one value only. A
    /// value may stand more than once, if it can come about in several ways.
    pub values: Vec<(Content, Vec<Lit>)>,
}

impl Part {
    /// The part that is 1 where the literal holds, else 0.
    #[must_use]
    pub fn yes_or_no(field: &'static str, index: usize, lit: Lit) -> Self {
        Self { field, index, values: vec![(Content::Number(1), vec![lit]), (Content::Number(0), vec![!lit])] }
    }

    /// The part that is the value of an integer.
    pub fn integer(field: &'static str, index: usize, x: IntVar, model: &mut Model) -> Self {
        let values: Vec<Value> = model.domain(x).values().collect();
        let mut last = None;
        let values = values.into_iter().map(|value| {
            let above = last.replace(value).map(|last| !model.at_most(x, last));
            let lits = above.into_iter().chain([model.at_most(x, value)]);
            (Content::Number(value), lits.filter(|&lit| lit != TRUE).collect())
        });
        Self { field, index, values: values.collect() }
    }
}

impl Debug for Formulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formulation").field("model", &self.model).finish_non_exhaustive()
    }
}

/// The kind with this name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static PuzzleType> {
    PUZZLES.iter().copied().find(|kind| kind.name == name || kind.aliases.contains(&name))
}

/// All names and aliases.
fn names() -> Vec<&'static str> {
    PUZZLES.iter().flat_map(|kind| std::iter::once(kind.name).chain(kind.aliases.iter().copied())).collect()
}

/// The kind with this name, or the error of someone who typed it at `span`.
///
/// # Errors
/// If there is none.
pub fn named(source: &Source, name: &Spanned<String>) -> Result<&'static PuzzleType, InputError> {
    find(&name.value).ok_or_else(|| {
        let found = format!("`{}`", name.value);
        let error = InputError::new(source, name.span, "a puzzle type", found);
        match nearest(&name.value, &names()) {
            Some(near) => error.with_help(format!("did you mean `{near}`? `gordian list` shows all kinds")),
            None => error.with_help(format!("there are {}", names().join(", "))).unrecognised(),
        }
    })
}

/// Makes a puzzle of a document: of the given kind, or of the one the document names or is recognised as.
///
/// # Errors
/// If no kind, or another than the given one, is recognised, an option is unknown, or the data is wrong.
pub fn open(document: &Document, kind: Option<&'static PuzzleType>, options: &Options) -> Read {
    match document {
        Document::Text(text) => open_text(text, kind, options),
        Document::Record(record) => open_record(record, kind, options),
        Document::Address(address) => open_address(address, kind, options),
    }
}

fn open_text(text: &TextDocument, kind: Option<&'static PuzzleType>, options: &Options) -> Read {
    let own = text.kind.as_ref().map(|name| named(&text.source, name)).transpose()?;
    let kind = match (own, kind, &text.kind) {
        (Some(own), Some(kind), Some(name)) if own.name != kind.name => {
            let expected = format!("`{}`, as `--puzzle` says", kind.name);
            return Err(InputError::new(&text.source, name.span, expected, format!("`{}`", name.value)));
        }
        (Some(kind), ..) | (None, Some(kind), _) => kind,
        (None, None, _) => {
            let start = text.rows.first().map_or(text.source.start(), |row| row.cells[0].span);
            let found = match text.source.slice(start) {
                "" => "the end of the file".to_owned(),
                word => format!("`{word}`"),
            };
            let error = InputError::new(&text.source, start, "the puzzle type on the first line", found);
            return Err(error
                .with_help("name it there, as in `nurikabe`, or with `--puzzle`")
                .unrecognised());
        }
    };
    let options = options.and_of(text)?;
    options.checked_for(kind)?;
    let read = kind.readers.iter().find_map(|reader| match reader {
        Reader::Text { read, .. } => Some(read),
        _ => None,
    });
    match read {
        Some(read) => read(text, &options),
        None => Err(unreadable(&text.source, kind, "the native text")),
    }
}

/// The kinds whose data this document is, by what is in it, the one that [`open`] takes it for first; none if it names no
/// kind and is not recognised.
///
/// Two kinds may be read from the same data: then only a person knows which one is meant.
#[must_use]
pub fn kinds_of(document: &Document) -> Vec<&'static PuzzleType> {
    match document {
        Document::Text(text) => text.kind.iter().filter_map(|name| find(&name.value)).collect(),
        Document::Record(record) => {
            let complete = |row: &&RecordReader| row.matching(record) == row.names.len();
            let rows: Vec<_> = record_readers(record.syntax, None).filter(|row| complete(&row)).collect();
            let most = rows.iter().map(|row| row.names.len()).max();
            let mut kinds: Vec<_> =
                rows.iter().filter(|row| Some(row.names.len()) == most).map(|row| row.kind).collect();
            // One that has several ways to be read.
            kinds.dedup_by_key(|kind| kind.name);
            kinds
        }
        Document::Address(address) => address_readers(address).map(|(kind, _)| kind).collect(),
    }
}

/// A way to read named values.
struct RecordReader {
    kind: &'static PuzzleType,
    names: &'static [&'static str],
    read: fn(&Record, &Options) -> Read,
}

impl RecordReader {
    /// How many of its names are there.
    fn matching(&self, record: &Record) -> usize {
        self.names.iter().filter(|name| record.get(name).is_some()).count()
    }
}

/// The readers of values as they are written here, of all kinds or of one.
fn record_readers(syntax: Syntax, of: Option<&'static PuzzleType>) -> impl Iterator<Item = RecordReader> {
    let kinds = PUZZLES.iter().copied().filter(move |kind| of.is_none_or(|of| of.name == kind.name));
    kinds.flat_map(move |kind| {
        kind.readers.iter().filter_map(move |reader| match *reader {
            Reader::Record { syntax: written, names, read, .. } if written == syntax => {
                Some(RecordReader { kind, names, read })
            }
            _ => None,
        })
    })
}

fn open_record(record: &Record, kind: Option<&'static PuzzleType>, options: &Options) -> Read {
    let rows: Vec<RecordReader> = record_readers(record.syntax, kind).collect();
    // With a kind given, the reader that fits best says what is missing; without, everything must be there. Of equals the
    // first is taken: the data that two kinds share is that of the one before.
    let fit = |row: &&RecordReader| (row.matching(record) == row.names.len(), row.matching(record));
    let best = rows.iter().rev().filter(|row| kind.is_some() || fit(row).0).max_by_key(fit);
    match (best, kind) {
        (Some(row), _) => {
            options.checked_for(row.kind)?;
            (row.read)(record, options)
        }
        (None, Some(kind)) => Err(unreadable(&record.source, kind, record.syntax.name())),
        (None, None) => {
            // The data of some kind, but for a name or two? Of those that match, the one of which least is missing.
            let found = rows.iter().filter(|row| row.matching(record) > 0);
            if let Some(row) = found.min_by_key(|row| row.names.len() - row.matching(record)) {
                let missing = row.names.iter().find(|name| record.get(name).is_none());
                let error = record.error_missing(missing.copied().unwrap_or_default());
                return Err(error.with_help(format!("the names are those of `{}`", row.kind.name)));
            }
            let at = record.entries.first().map_or(record.source.start(), |entry| entry.name.span);
            let found = format!("the name `{}`", record.source.slice(at));
            let error = InputError::new(&record.source, at, "the data of a puzzle", found);
            let help = format!("say which kind it is with `--puzzle`: {}", names().join(", "));
            Err(error.with_help(help).unrecognised())
        }
    }
}

/// How an address is read, and of which kind it is.
fn address_readers(
    address: &Address,
) -> impl Iterator<Item = (&'static PuzzleType, fn(&Address, &Options) -> Read)> {
    PUZZLES.iter().flat_map(move |&known| {
        known.readers.iter().filter_map(move |reader| match *reader {
            Reader::Address { kinds, read, .. } if kinds.contains(&address.kind.value.as_str()) => {
                Some((known, read))
            }
            _ => None,
        })
    })
}

fn open_address(address: &Address, kind: Option<&'static PuzzleType>, options: &Options) -> Read {
    if let Some((known, read)) = address_readers(address).next() {
        if let Some(kind) = kind.filter(|kind| kind.name != known.name) {
            let expected = format!("the address of a `{}`", kind.name);
            let found = format!("`{}`", address.kind.value);
            return Err(InputError::new(&address.source, address.kind.span, expected, found));
        }
        options.checked_for(known)?;
        return read(address, options);
    }
    let known: Vec<_> = PUZZLES
        .iter()
        .flat_map(|kind| kind.readers)
        .filter_map(|reader| match reader {
            Reader::Address { kinds, .. } => Some(*kinds),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    let expected = format!("an address of {}", known.join(", "));
    Err(InputError::new(&address.source, address.kind.span, expected, format!("`{}`", address.kind.value)))
}

fn unreadable(source: &Source, kind: &PuzzleType, format: &str) -> InputError {
    let formats: Vec<_> = kind.readers.iter().map(Reader::format).collect();
    let expected = format!("a `{}` as {}", kind.name, formats.join(" or "));
    InputError::new(source, source.start(), expected, format.to_owned())
}

impl Reader {
    /// How it is written.
    #[must_use]
    pub fn syntax(&self) -> Syntax {
        match self {
            Self::Text { .. } => Syntax::Text,
            Self::Record { syntax, .. } => *syntax,
            Self::Address { .. } => Syntax::Address,
        }
    }

    /// The name of the format.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.syntax().name()
    }

    /// A small board in the format, which it reads.
    #[must_use]
    pub fn sample(&self) -> &'static str {
        match self {
            Self::Text { sample, .. } | Self::Record { sample, .. } | Self::Address { sample, .. } => sample,
        }
    }
}
