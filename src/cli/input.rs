//! What a board is given as: a file, standard input, or an address.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

use clap::Args;
use gordian_encodings::Encodings;

use super::known::{self, Known};
use super::report::Failure;
use crate::format::{self, Document, Source, Syntax, pzpr};
use crate::nearest::did_you_mean;
use crate::puzzle::{self, ObjectiveRow, Options, Puzzle, PuzzleType};

/// A board and how to read it.
#[derive(Debug, Args)]
pub(super) struct Board {
    /// The board: a file, `-` for standard input, or a puzz.link address
    #[arg(value_name = "BOARD")]
    name: String,
    #[command(flatten)]
    reading: Reading,
}

/// How to read a board.
#[derive(Debug, Args)]
pub(super) struct Reading {
    /// the puzzle type, where the data doesn't say or another kind reads it too
    #[arg(long, value_name = "TYPE", value_parser = Known(known::kinds), hide_possible_values = true)]
    puzzle: Option<String>,
    /// An option of the kind, as in `gordian puzzle PUZZLE` [repeatable]
    #[arg(long, value_name = "NAME=VALUE", value_parser = Known(known::options), hide_possible_values = true)]
    option: Vec<String>,
}

/// A board that was read.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) puzzle: Box<dyn Puzzle>,
    /// What a person should know of how it was read.
    pub(super) note: Option<String>,
}

/// Which kind a document is taken for, if it could be another one.
fn guess(document: &Document) -> Option<String> {
    let kinds = puzzle::kinds_of(document);
    let (taken, others) = kinds.split_first().filter(|(_, others)| !others.is_empty())?;
    let looks = others
        .iter()
        .map(|other| format!("data of `{}` looks the same, and needs `--puzzle {0}`", other.name));
    let looks: Vec<_> = looks.collect();
    Some(format!("{}: taken for `{}`; {}", document.source().name(), taken.name, looks.join("; ")))
}

impl Board {
    /// Reads the board.
    pub(super) fn read(&self) -> Result<Box<dyn Puzzle>, Failure> {
        let (source, hint) = read_board(&self.name)?;
        let Opened { puzzle, note } = self.reading.open(&source, hint)?;
        if let Some(note) = note {
            eprintln!("gordian: {note}");
        }
        Ok(puzzle)
    }

    /// What a person called the board.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

impl Reading {
    /// The same as words of a command line.
    pub(super) fn words(&self) -> Vec<String> {
        let given = self.puzzle.iter().map(|kind| ["--puzzle", kind]);
        let given = given.chain(self.option.iter().map(|option| ["--option", option]));
        given.flatten().map(str::to_owned).collect()
    }

    /// Makes a board of a source, written as `hint` says if it does.
    pub(super) fn open(&self, source: &Source, hint: Option<Syntax>) -> Result<Opened, Failure> {
        self.open_document(&format::read(source, hint)?)
    }

    /// Makes a board of a document.
    pub(super) fn open_document(&self, document: &Document) -> Result<Opened, Failure> {
        let kind = match &self.puzzle {
            None => None,
            Some(name) => {
                let source = Source::word("--puzzle", name.clone());
                let name = format::Spanned::new(name.clone(), source.all());
                Some(puzzle::named(&source, &name)?)
            }
        };
        let options = Options::from_words(&self.option)?;
        let puzzle = puzzle::open(document, kind, &options)?;
        let note = if kind.is_none() { guess(document) } else { None };
        Ok(Opened { puzzle, note })
    }
}

/// The choice of encodings that `--encode` makes.
pub(super) fn encodings(choices: &[String]) -> Result<Encodings, Failure> {
    let mut encodings = Encodings::auto();
    for choice in choices {
        encodings.choose_from(choice).map_err(|error| {
            let near = did_you_mean(&error.found, &error.known);
            Failure::Usage(format!("--encode {choice}: {error}{near}"))
        })?;
    }
    Ok(encodings)
}

/// What `--objective` says where no solution is better than another.
pub(super) const NO_OBJECTIVE: &str = "none";

/// The objective that `--objective` names, or by default the one that the puzzle type asks for.
pub(super) fn objective(
    kind: &'static PuzzleType,
    name: Option<&str>,
) -> Result<Option<&'static ObjectiveRow>, Failure> {
    let Some(name) = name else {
        return Ok(kind.objectives.first().filter(|_| kind.optimises));
    };
    if name == NO_OBJECTIVE {
        return Ok(None);
    }
    let found = kind.objectives.iter().find(|row| row.name == name);
    found.map(Some).ok_or_else(|| {
        let names: Vec<_> = kind.objectives.iter().map(|row| row.name).chain([NO_OBJECTIVE]).collect();
        let (near, names) = (did_you_mean(name, &names), names.join(", "));
        Failure::Usage(format!("--objective {name}: `{}` has the objectives {names}{near}", kind.name))
    })
}

/// What a board given as a word of the command line is called in errors.
const ADDRESS: &str = "address";
/// What standard input is called in errors.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// Reads the board that an argument stands for; with its syntax, if the argument itself is the board.
pub(super) fn read_board(argument: &str) -> Result<(Source, Option<Syntax>), Failure> {
    match read(argument) {
        Err(Failure::File { error, .. })
            if error.kind() == ErrorKind::NotFound && pzpr::is_address(argument) =>
        {
            Ok((Source::new(ADDRESS, argument), Some(Syntax::Address)))
        }
        read => read.map(|source| (source, None)),
    }
}

/// Reads what an argument stands for.
pub(super) fn read(argument: &str) -> Result<Source, Failure> {
    if argument == "-" {
        return read_from(STANDARD_INPUT, std::io::stdin().lock());
    }
    match File::open(argument) {
        Ok(file) => read_from(argument, file),
        Err(error) => Err(Failure::File { path: argument.to_owned(), error }),
    }
}

/// The most bytes of a board or a solution: what never ends, such as a device, must not take the machine's memory.
const MOST_BYTES: u64 = 1 << 28;

/// Reads all there is, under the name a person knows it by.
pub(super) fn read_from(name: &str, input: impl Read) -> Result<Source, Failure> {
    let failure = |error: io::Error| {
        let is_folder = error.kind() == ErrorKind::IsADirectory;
        let error = if is_folder { io::Error::other("a folder, where one file is asked for") } else { error };
        Failure::File { path: name.to_owned(), error }
    };
    let mut bytes = Vec::new();
    let read = input.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failure)?;
    if read as u64 > MOST_BYTES {
        return Err(failure(io::Error::other(format!("more than {MOST_BYTES} bytes"))));
    }
    Ok(Source::from_bytes(name, bytes)?)
}
