//! The boards that a command line names: files, folders, addresses, and lists of addresses.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::input::{self, Opened, Reading, STANDARD_INPUT};
use super::report::Failure;
use crate::format::{self, Document, Source, Syntax, pzpr};
use crate::puzzle::{self, Options};

/// A board that was given and is not read yet.
#[derive(Debug)]
pub(super) struct Given {
    /// What a person called it.
    pub(super) name: String,
    place: Place,
}

/// Where a board is.
#[derive(Debug)]
enum Place {
    /// What an argument stands for: a file or an address.
    Argument,
    /// A file that was found in a folder.
    InFolder(PathBuf),
    /// Read already.
    Read(Source),
    /// A line of a list of addresses.
    Line { list: Arc<str>, number: usize },
    /// Can't be read.
    Failed(Failure),
}

impl Given {
    /// Reads the board; `None` for a file in a folder that shows no sign of being one.
    pub(super) fn read(self, reading: &Reading) -> Result<Option<Opened>, Failure> {
        match self.place {
            Place::Argument => {
                let (source, hint) = input::read_board(&self.name)?;
                reading.open(&source, hint).map(Some)
            }
            Place::InFolder(path) => {
                // With the ending of a board's name it must be written like one.
                let named_as_board = Syntax::of_name(&self.name).is_some();
                let file =
                    File::open(&path).map_err(|error| Failure::File { path: self.name.clone(), error })?;
                let document =
                    input::read_from(&self.name, file).and_then(|source| Ok(format::read(&source, None)?));
                let document = match document {
                    Err(_) if !named_as_board => return Ok(None),
                    Err(Failure::Input(error)) if error.is_unrecognised() => return Ok(None),
                    document => document?,
                };
                match reading.open_document(&document) {
                    Err(Failure::Input(error)) if error.is_unrecognised() || is_other_data(&document) => {
                        Ok(None)
                    }
                    opened => opened.map(Some),
                }
            }
            Place::Read(source) => reading.open(&source, None).map(Some),
            Place::Line { list, number } => {
                let open = |text| reading.open(&Source::new(&*list, text), Some(Syntax::Address)).map(Some);
                // Once more with the lines before it, though empty, for an error that tells the line of the list.
                open(self.name.clone()).or_else(|_| open("\n".repeat(number - 1) + &self.name))
            }
            Place::Failed(failure) => Err(failure),
        }
    }
}

/// The boards that these arguments name, in their order; those in a folder in the order of their names.
///
/// What can't be found or read is a board of which reading fails.
pub(super) fn given(arguments: &[String]) -> Vec<Given> {
    let mut boards = Vec::new();
    let mut read_input = false;
    for argument in arguments {
        let name = argument.clone();
        if argument == "-" {
            let place = if std::mem::replace(&mut read_input, true) {
                Err(Failure::Usage("standard input is given twice".to_owned()))
            } else {
                input::read(argument)
            };
            of_source(name, place, &mut boards);
            continue;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = boards.len();
                of_folder(path, &mut boards);
                if boards.len() == before {
                    let error = io::Error::other("there are no files in this folder");
                    boards.push(Given { place: failed(&name, error), name });
                }
            }
            // A regular file can be read again, unlike what comes through a pipe.
            Ok(metadata) if metadata.is_file() && !begins_with_address(path) => {
                boards.push(Given { name, place: Place::Argument });
            }
            Ok(_) => of_source(name, input::read(argument), &mut boards),
            Err(_) => boards.push(Given { name, place: Place::Argument }),
        }
    }
    boards
}

/// Whether these are values that have nothing to do with any kind, such as an expected result beside its board.
fn is_other_data(document: &Document) -> bool {
    let opened = puzzle::open(document, None, &Options::default());
    matches!(document, Document::Record(_)) && opened.is_err_and(|error| error.is_unrecognised())
}

fn failed(name: &str, error: io::Error) -> Place {
    Place::Failed(Failure::File { path: name.to_owned(), error })
}

/// The files in a folder and in the folders in it, but for hidden ones.
fn of_folder(folder: &Path, boards: &mut Vec<Given>) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let name = folder.display().to_string();
            boards.push(Given { place: failed(&name, error), name });
            return;
        }
    };
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // The type of the entry itself: a link to a folder is not followed, it might lead in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            of_folder(&path, boards);
        } else if path.is_file() {
            let name = path.display().to_string();
            if begins_with_address(&path) {
                let source = input::read(&name);
                of_source(name, source, boards);
            } else {
                boards.push(Given { name, place: Place::InFolder(path) });
            }
        }
    }
}

/// Whether the first of a file's lines that says anything, if it is not far from the start, is an address.
fn begins_with_address(path: &Path) -> bool {
    const FAR: u64 = 4096;
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FAR).read_to_end(&mut start));
    read.is_ok()
        && lines(&String::from_utf8_lossy(&start)).next().is_some_and(|(_, line)| pzpr::is_address(line))
}

/// The lines that say anything, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('%'))
}

/// The boards of a list of addresses, one a line; of any other source, the one board that it is.
fn of_source(name: String, source: Result<Source, Failure>, boards: &mut Vec<Given>) {
    let source = match source {
        Ok(source) => source,
        Err(failure) => return boards.push(Given { name, place: Place::Failed(failure) }),
    };
    let one_line = lines(source.text()).nth(1).is_none();
    let first = lines(source.text()).next();
    if one_line || !first.is_some_and(|(_, line)| pzpr::is_address(line)) {
        return boards.push(Given { name, place: Place::Read(source) });
    }
    let list: Arc<str> = if name == "-" { STANDARD_INPUT.into() } else { name.into() };
    boards.extend(lines(source.text()).map(|(number, line)| Given {
        name: line.to_owned(),
        place: Place::Line { list: Arc::clone(&list), number },
    }));
}
