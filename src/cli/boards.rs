//! Finds the boards named on the command line: files, directories, addresses, and lists of addresses.
//!
//! A single file is a board. Among several files, in a directory or on the command line, as in `boards/*`, those that do
//! not look like boards are skipped, for example `NAME.expected.json`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::input;
use super::report::Failure;
use crate::backend::Limits;
use crate::file;
use crate::format::{Source, Syntax};
use crate::read::{self, Board, ReadError, ReadOptions};

/// A board named on the command line, before it is read.
#[derive(Debug)]
pub(super) struct NamedBoard {
    /// The name of the board: the command-line argument, the path of a file in a directory, or a line in a list of
    /// addresses.
    pub(super) name: String,
    location: Location,
}

/// The place from which a board is read.
#[derive(Debug)]
enum Location {
    /// A file or an address. The name of the board is the path of the file or the address itself.
    Name,
    /// A file that is named on the command line together with others. The name of the board is the path of the file.
    AmongOthers,
    /// A file found in a directory.
    InDirectory(PathBuf),
    /// A text that has already been read.
    Source(Source),
    /// A line in a list of puzz.link addresses.
    Address(Source),
    /// A board that can't be found or read, with the error.
    Missing(Failure),
}

impl NamedBoard {
    /// Returns the text of the board. If the board is in a file, a later call of [`NamedBoard::read`] reads the file
    /// again.
    pub(super) fn source(&self, data: &[PathBuf], limits: &Limits) -> Result<Source, Failure> {
        match &self.location {
            Location::Name | Location::AmongOthers | Location::Missing(_) => {
                input::file_or_address(&self.name, data, limits)
            }
            Location::InDirectory(path) => input::source(&path.display().to_string()),
            Location::Source(source) | Location::Address(source) => Ok(source.clone()),
        }
    }

    /// Reads the board. If the board is a `MiniZinc` model, compiles it with the data files `data`. Returns `None` if
    /// the board is one of several files and does not look like a board.
    pub(super) fn read(
        self,
        options: &ReadOptions,
        data: &[PathBuf],
        limits: &Limits,
    ) -> Result<Option<Board>, Failure> {
        let board = match self.location {
            Location::Name => read::board(&input::file_or_address(&self.name, data, limits)?, options)?,
            Location::Source(source) => read::board(&source, options)?,
            Location::Address(source) => {
                read::board(&source, &ReadOptions { syntax: Some(Syntax::Address), ..options.clone() })?
            }
            Location::AmongOthers => {
                let source = match input::file_or_address(&self.name, data, limits) {
                    // The file is not a text.
                    Err(Failure::Input(_)) if Syntax::of_name(&self.name).is_none() => return Ok(None),
                    source => source?,
                };
                return board_if_any(&source, options);
            }
            Location::InDirectory(path) => {
                let file = file::reader(&path).map_err(Failure::file(&self.name))?;
                let source = match input::source_from(&self.name, file) {
                    Err(failure @ Failure::File { .. }) if Syntax::of_name(&self.name).is_some() => {
                        return Err(failure);
                    }
                    Err(_) => return Ok(None),
                    Ok(source) => source,
                };
                return board_if_any(&source, options);
            }
            Location::Missing(failure) => return Err(failure),
        };
        Ok(Some(board))
    }
}

/// Reads a board. Returns `None` if the source does not look like a board.
fn board_if_any(source: &Source, options: &ReadOptions) -> Result<Option<Board>, Failure> {
    match read::board(source, options) {
        Err(ReadError::NotABoard(_)) => Ok(None),
        board => Ok(Some(board?)),
    }
}

/// Returns the boards named by the arguments, in the order of the arguments. Boards in a directory are sorted by name.
///
/// A file that can't be found or read is also returned; calling [`read`](NamedBoard::read) then fails.
pub(super) fn boards(arguments: &[String]) -> Vec<NamedBoard> {
    let mut boards = Vec::new();
    let mut stdin_read = false;
    for argument in arguments {
        let name = argument.clone();
        if argument == "-" {
            let source = if std::mem::replace(&mut stdin_read, true) {
                Err(Failure::Usage("standard input is given twice".to_owned()))
            } else {
                input::source(argument)
            };
            add_source(name, source, &mut boards);
            continue;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = boards.len();
                add_directory(path, &mut boards);
                if boards.len() == before {
                    let error = io::Error::other("there are no files in this directory");
                    boards.push(NamedBoard { location: missing(&name, error), name });
                }
            }
            // A regular file can be read a second time, but a pipe can be read only once.
            Ok(metadata) if metadata.is_file() && !starts_with_address(path) => {
                let location = if arguments.len() > 1 { Location::AmongOthers } else { Location::Name };
                boards.push(NamedBoard { name, location });
            }
            Ok(_) => add_source(name, input::source(argument), &mut boards),
            Err(_) => boards.push(NamedBoard { name, location: Location::Name }),
        }
    }
    boards
}

fn missing(name: &str, error: io::Error) -> Location {
    Location::Missing(Failure::file(name)(error))
}

/// Adds the files in a directory and its subdirectories, except hidden files and directories.
fn add_directory(directory: &Path, boards: &mut Vec<NamedBoard>) {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let name = directory.display().to_string();
            boards.push(NamedBoard { location: missing(&name, error), name });
            return;
        }
    };
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // Links to directories are not followed because they may form a cycle.
        if entry.file_type().is_ok_and(|file_type| file_type.is_dir()) {
            add_directory(&path, boards);
        } else if path.is_file() {
            let name = path.display().to_string();
            if starts_with_address(&path) {
                let source = input::source(&name);
                add_source(name, source, boards);
            } else {
                boards.push(NamedBoard { name, location: Location::InDirectory(path) });
            }
        }
    }
}

/// Returns whether the first line of a file is an address. Blank lines and comments are skipped.
fn starts_with_address(path: &Path) -> bool {
    const SEARCHED: u64 = 4096;
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SEARCHED).read_to_end(&mut start));
    read.is_ok()
        && lines(&String::from_utf8_lossy(&start))
            .next()
            .is_some_and(|(_, line)| read::is_address(line.trim()))
}

/// Returns all lines except blank lines and comments, with their line numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('%'))
}

/// Adds the boards in a source. A list of addresses has one board per line, and any other source is a single board.
fn add_source(name: String, source: Result<Source, Failure>, boards: &mut Vec<NamedBoard>) {
    let source = match source {
        Ok(source) => source,
        Err(failure) => return boards.push(NamedBoard { name, location: Location::Missing(failure) }),
    };
    let is_list = {
        let mut lines = lines(source.text()).map(|(_, line)| line.trim());
        lines.next().is_some_and(read::is_address) && lines.next().is_some()
    };
    if !is_list {
        return boards.push(NamedBoard { name, location: Location::Source(source) });
    }
    let list: Arc<str> = source.name().into();
    boards.extend(lines(source.text()).map(|(number, line)| NamedBoard {
        name: line.trim().to_owned(),
        location: Location::Address(Source::line(Arc::clone(&list), number, line)),
    }));
}
