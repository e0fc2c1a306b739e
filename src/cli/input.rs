//! Reads the board that the command line names: a file, standard input, or an address.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::report::Failure;
use super::suggested::{self, Suggested};
use crate::backend::Limits;
use crate::file::{self, Ticking};
use crate::flatzinc;
use crate::format::{DataValue, InputError, Record, Source, Spanned};
use crate::minizinc::{self, CompileError};
use crate::puzzle::{Options, Puzzle, PuzzleType, sheet};
use crate::read::{self, Board, ReadOptions};

/// A board and the options for reading it.
#[derive(Debug, Args)]
pub(super) struct BoardArguments {
    /// The board: a file, `-` for standard input, or a puzz.link address
    #[arg(value_name = "BOARD")]
    name: String,
    #[command(flatten)]
    reading: ReadArguments,
}

/// The options for reading a board.
#[derive(Debug, Args)]
pub(super) struct ReadArguments {
    /// The puzzle type, if the data does not name it or fits several types
    #[arg(long, value_name = "TYPE", value_parser = Suggested(suggested::puzzle_types), hide_possible_values = true)]
    puzzle: Option<String>,
    /// A rule sheet that states the puzzle type of the board
    #[arg(long, value_name = "FILE", conflicts_with = "puzzle")]
    rules: Option<PathBuf>,
    /// An option of the puzzle type, as in `gordian puzzle TYPE` [repeatable]
    #[arg(long, value_name = "NAME=VALUE", value_parser = Suggested(suggested::options), hide_possible_values = true)]
    option: Vec<String>,
    /// A data file for a MiniZinc model [repeatable]
    #[arg(long, value_name = "FILE")]
    pub(super) data: Vec<PathBuf>,
}

impl BoardArguments {
    /// Reads the board. Prints a warning to standard error if the board's puzzle type is ambiguous.
    pub(super) fn read(&self, limits: &Limits) -> Result<Box<dyn Puzzle>, Failure> {
        self.read_from(&self.source(limits)?)
    }

    /// Works like [`BoardArguments::read`], but reads the board from a text that has already been loaded.
    pub(super) fn read_from(&self, source: &Source) -> Result<Box<dyn Puzzle>, Failure> {
        let options = self.reading.options()?;
        let board = read::board(source, &options)?;
        if let Some(warning) = ambiguity(&self.name, &board, &options) {
            eprintln!("gordian: {warning}");
        }
        Ok(board.puzzle)
    }

    /// Reads the text of the board. Standard input can be read only once.
    pub(super) fn source(&self, limits: &Limits) -> Result<Source, Failure> {
        file_or_address(&self.name, &self.reading.data, limits)
    }

    /// Works like [`BoardArguments::source`], but the constraints of a `MiniZinc` model are named by their places.
    pub(super) fn source_with_places(&self, limits: &Limits) -> Result<Source, Failure> {
        if is_minizinc(&self.name) {
            let compile = || minizinc::compile_named(Path::new(&self.name), &self.reading.data, limits);
            return compiled(&self.name, compile);
        }
        self.source(limits)
    }

    /// Returns the command-line options for reading the board.
    pub(super) fn words(&self) -> Vec<String> {
        self.reading.words()
    }

    /// Returns the name of the board in messages.
    pub(super) fn shown_name(&self) -> &str {
        shown_name(&self.name)
    }

    /// Returns the name of the board, as given on the command line.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

impl ReadArguments {
    /// Returns the command-line options for reading the board.
    pub(super) fn words(&self) -> Vec<String> {
        let given = self.puzzle.iter().map(|name| ["--puzzle", name]);
        let given = given.chain(self.option.iter().map(|option| ["--option", option]));
        let data = self.data.iter().filter_map(|path| path.to_str()).map(|path| ["--data", path]);
        let rules = self.rules.iter().filter_map(|path| path.to_str()).map(|path| ["--rules", path]);
        given.chain(data).chain(rules).flatten().map(str::to_owned).collect()
    }

    pub(super) fn options(&self) -> Result<ReadOptions, Failure> {
        let puzzle_type = match &self.rules {
            Some(path) => Some(sheet::of_text(&source(&path.to_string_lossy())?)?),
            None => self.puzzle.as_deref().map(|name| puzzle_type("--puzzle", name)).transpose()?,
        };
        Ok(ReadOptions { syntax: None, puzzle_type, options: Options::from_words(&self.option)? })
    }
}

impl ReadArguments {
    /// Reads the field `arguments` of a certificate: the options for reading its board.
    pub(super) fn of_certificate(certificate: &Record) -> Result<Self, Failure> {
        let mut reading = Self { puzzle: None, rules: None, option: Vec::new(), data: Vec::new() };
        let Some(arguments) = certificate.get("arguments") else { return Ok(reading) };
        let DataValue::Array(words) = &arguments.value else {
            let found = arguments.value.description();
            let expected = "a list of options for `arguments`";
            return Err(InputError::new(&certificate.source, arguments.span, expected, found).into());
        };
        for pair in words.chunks(2) {
            match pair.iter().map(|word| &word.value).collect::<Vec<_>>()[..] {
                [DataValue::Text(name), DataValue::Text(value)] if name == "--puzzle" => {
                    reading.puzzle = Some(value.clone());
                }
                [DataValue::Text(name), DataValue::Text(value)] if name == "--rules" => {
                    reading.rules = Some(value.into());
                }
                [DataValue::Text(name), DataValue::Text(value)] if name == "--option" => {
                    reading.option.push(value.clone());
                }
                _ => {
                    let expected = "`--puzzle`, `--rules` or `--option`, and a value";
                    let found = pair[0].value.description();
                    return Err(InputError::new(&certificate.source, pair[0].span, expected, found).into());
                }
            }
        }
        Ok(reading)
    }
}

/// Returns the puzzle type with the given name. Error messages contain `option`, the name of the command-line option.
pub(super) fn puzzle_type(option: &str, name: &str) -> Result<&'static PuzzleType, Failure> {
    let source = Source::word(option, name);
    Ok(read::puzzle_type(&source, &Spanned::new(name.to_owned(), source.all()))?)
}

/// Returns the word for an instance in messages.
pub(super) fn subject(puzzle: &dyn Puzzle) -> &'static str {
    if puzzle.puzzle_type().name == flatzinc::NAME { "model" } else { "board" }
}

/// Returns a warning if the data fits several puzzle types and the option `--puzzle` is not given.
pub(super) fn ambiguity(name: &str, board: &Board, options: &ReadOptions) -> Option<String> {
    let [taken, others @ ..] = &board.candidates[..] else { return None };
    if others.is_empty() || options.puzzle_type.is_some() {
        return None;
    }
    let others = others
        .iter()
        .map(|other| format!("for `{}`, which has the same data format, add `--puzzle {0}`", other.name));
    let others: Vec<_> = others.collect();
    let name = shown_name(name);
    Some(format!("{name}: read as `{}`; {}", taken.name, others.join("; ")))
}

fn shown_name(name: &str) -> &str {
    if name == "-" { STANDARD_INPUT } else { name }
}

/// The name of standard input in error messages.
const STANDARD_INPUT: &str = "standard input";

/// Reads a file, standard input (`-`) or an address. A `MiniZinc` model is compiled into FlatZinc with the data files
/// `data`.
pub(super) fn file_or_address(argument: &str, data: &[PathBuf], limits: &Limits) -> Result<Source, Failure> {
    if is_minizinc(argument) {
        return compiled(argument, || minizinc::compile(Path::new(argument), data, limits));
    }
    match source(argument) {
        Err(Failure::File { error, .. })
            if error.kind() == ErrorKind::NotFound && read::is_address(argument) =>
        {
            Ok(Source::new("address", argument))
        }
        source => source,
    }
}

/// Returns whether a file is a `MiniZinc` model.
fn is_minizinc(argument: &str) -> bool {
    Path::new(argument).extension().is_some_and(|extension| extension == "mzn")
}

/// Compiles a `MiniZinc` model into FlatZinc. Prints the warnings to standard error.
fn compiled(
    model: &str,
    compile: impl FnOnce() -> Result<(Vec<u8>, String), CompileError>,
) -> Result<Source, Failure> {
    let failure = |error: CompileError| match error {
        CompileError::Stopped => Failure::Stopped,
        CompileError::File(error) => Failure::File { path: model.to_owned(), error },
        error => Failure::Usage(format!("{model}: {error}")),
    };
    File::open(model).map_err(|error| failure(error.into()))?;
    let (text, warnings) = compile().map_err(failure)?;
    eprint!("{warnings}");
    source_from(&format!("{model}.fzn"), &text[..])
}

/// Reads a file, or standard input if the argument is `-`. The extension of the file selects decompression.
pub(super) fn source(argument: &str) -> Result<Source, Failure> {
    let name = if argument == "-" { STANDARD_INPUT } else { argument };
    source_from(name, file::reader(Path::new(argument)).map_err(Failure::file(argument))?)
}

/// The maximum size of an input in bytes. Without this limit, an endless device such as `/dev/zero` would exhaust the
/// memory.
const MOST_BYTES: u64 = 1 << 28;

/// Reads `input` to its end, up to the maximum size.
pub(super) fn source_from(name: &str, input: impl Read) -> Result<Source, Failure> {
    let failure = |error: io::Error| {
        let is_directory = error.kind() == ErrorKind::IsADirectory;
        let error = if is_directory { io::Error::other("expected a file, found a directory") } else { error };
        Failure::file(name)(error)
    };
    let mut bytes = Vec::new();
    let read = Ticking(input).take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failure)?;
    if read as u64 > MOST_BYTES {
        return Err(failure(io::Error::other(format!("expected at most {MOST_BYTES} bytes, found more"))));
    }
    Ok(Source::from_bytes(name, bytes)?)
}
