//! How boards are shown: as text, in boxes on a terminal, and as pictures in files.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use terminal_size::Width;

use super::report::Failure;
use crate::file;
use crate::puzzle::Puzzle;
use crate::query::{Outcome, Status};
use crate::render::{self, Scene};
use crate::rules::Solution;

/// How boards are shown.
#[derive(Debug, Args)]
pub(super) struct Looks {
    /// Draw the board with its solution as an SVG picture; in a folder, made if the name ends in `/`, for several pictures
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw boards on a terminal as plain text, as in files and pipes
    #[arg(long)]
    ascii: bool,
}

impl Looks {
    /// How boards look on standard output.
    pub(super) fn on_stdout(&self) -> Look {
        /// The columns of a terminal that doesn't tell.
        const USUAL: u16 = 80;
        if self.ascii
            || !std::io::stdout().is_terminal()
            || !supports_unicode::on(supports_unicode::Stream::Stdout)
        {
            return Look::Plain;
        }
        let width =
            terminal_size::terminal_size_of(std::io::stdout()).map_or(USUAL, |(Width(width), _)| width);
        Look::Boxes { width: width.into() }
    }

    /// Where pictures go, if anywhere.
    pub(super) fn pictures(&self) -> Option<Pictures<'_>> {
        self.svg.as_deref().map(Pictures::at)
    }
}

/// How a board looks among text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// As text that is read back.
    Plain,
    /// In boxes, on a terminal of so many columns.
    Boxes {
        /// The columns.
        width: usize,
    },
}

impl Look {
    /// What to tell of a board that this terminal is too narrow for.
    pub(super) fn too_wide(self, scene: &Scene) -> Option<String> {
        let Self::Boxes { width } = self else { return None };
        let needed = scene.narrowest().filter(|&needed| needed > width)?;
        Some(format!(
            "gordian: the board takes {needed} columns and this terminal has {width}: make it wider, or see a picture \
             with `--svg FILE`"
        ))
    }

    /// The scene as text, with escape codes for colour, which whoever writes it leaves out where there is no colour.
    pub(super) fn show(self, scene: &Scene) -> String {
        match self {
            Self::Plain => scene.text(true),
            Self::Boxes { width } => scene.boxes(width),
        }
    }
}

/// A file for a picture, or a folder for pictures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pictures<'a> {
    path: &'a Path,
}

impl<'a> Pictures<'a> {
    /// A file, or a folder.
    pub(super) fn at(path: &'a Path) -> Self {
        Self { path }
    }

    /// Whether it is a folder, or is to be one.
    pub(super) fn is_folder(self) -> bool {
        self.path.is_dir() || self.path.as_os_str().as_encoded_bytes().ends_with(b"/")
    }

    /// Writes a picture: into the file, or into one of this name, as [`file_name`] gives it, in the folder.
    pub(super) fn write(self, name: &str, picture: &str) -> Result<(), Failure> {
        let mut path = self.path.to_owned();
        if self.is_folder() {
            std::fs::create_dir_all(&path).map_err(|error| failure(&path, error))?;
            path.push(format!("{name}.svg"));
        } else if path == Path::new("-") {
            std::io::stdout().lock().write_all(picture.as_bytes())?;
            return Ok(());
        }
        file::write(&path, |out| out.write_all(picture.as_bytes())).map_err(|error| failure(&path, error))
    }

    /// Refuses standard output, where other things are printed.
    pub(super) fn beside_output(self) -> Result<Self, Failure> {
        if self.path == Path::new("-") {
            let message = "--svg -: standard output has the solution; name a file";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(self)
    }

    /// Refuses a file where there may be several pictures.
    pub(super) fn for_several(self, what: &str) -> Result<Self, Failure> {
        if self.is_folder() {
            return Ok(self);
        }
        let path = self.path.display();
        Err(Failure::Usage(format!("--svg {path}: {what} need a folder; name one, as in `--svg pictures/`")))
    }
}

fn failure(path: &Path, error: std::io::Error) -> Failure {
    Failure::File { path: path.display().to_string(), error }
}

/// The name of a board as the name of a file: without folders and extension, and no character that means anything
/// elsewhere.
pub(super) fn file_name(name: &str) -> String {
    let stem = if name.contains('?') {
        // An address.
        name.split_once('?').map_or(name, |(_, query)| query)
    } else {
        Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
    };
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = stem.chars().map(plain).take(100).collect();
    if name.trim_matches(['-', '.']).is_empty() { "board".to_owned() } else { name }
}

/// How a board is shown, among text and as a picture.
pub(super) struct Shown<'a> {
    /// Among text.
    pub(super) look: Look,
    pictures: Option<Pictures<'a>>,
    /// What its picture is called in a folder.
    name: String,
    /// Whether the outcome is printed.
    pub(super) printed: bool,
    /// Why the picture of one of many solutions could not be written, which ended the search.
    pub(super) failed: Option<Failure>,
}

impl<'a> Shown<'a> {
    /// Of a board that a person calls `source`; it is the one with this number, from zero, if there are several.
    pub(super) fn of(
        look: Look,
        pictures: Option<Pictures<'a>>,
        source: &str,
        number: Option<usize>,
    ) -> Self {
        let name = match number {
            // Boards in different folders may have the same name.
            Some(number) => format!("{}-{}", number + 1, file_name(source)),
            None => file_name(source),
        };
        Self { look, pictures, name, printed: false, failed: None }
    }

    /// Draws one of many solutions where pictures go.
    pub(super) fn one_of_many(
        &mut self,
        puzzle: &dyn Puzzle,
        source: &str,
        solution: &Solution,
        number: usize,
    ) -> io::Result<()> {
        let Some(pictures) = self.pictures else { return Ok(()) };
        let picture = drawn(puzzle, source, &[(&puzzle.draw(Some(solution)), "")]);
        pictures.write(&format!("{}-{number}", self.name), &picture).map_err(|failure| {
            let error = io::Error::other(failure.to_string());
            self.failed = Some(failure);
            error
        })
    }

    /// Draws what came of a board where pictures go.
    pub(super) fn outcome(
        &self,
        puzzle: &dyn Puzzle,
        source: &str,
        outcome: &Outcome,
    ) -> Result<(), Failure> {
        match self.pictures {
            Some(pictures) => pictures.write(&self.name, &picture(puzzle, source, outcome)),
            None => Ok(()),
        }
    }
}

/// The picture of what came of a board.
fn picture(puzzle: &dyn Puzzle, source: &str, outcome: &Outcome) -> String {
    let draw = |solution: &Solution| puzzle.draw(Some(solution));
    match (&outcome.solution, &outcome.other) {
        (Some(solution), Some(other)) => {
            let [first, second] = draw(solution).differing(draw(other));
            drawn(puzzle, source, &[(&first, "a solution"), (&second, "another, different where marked")])
        }
        (Some(solution), None) => drawn(puzzle, source, &[(&draw(solution), "")]),
        (None, _) if outcome.status == Status::None => {
            drawn(puzzle, source, &[(&puzzle.draw(None), "no solution")])
        }
        (None, _) => drawn(puzzle, source, &[(&puzzle.draw(None), "")]),
    }
}

/// Scenes of a board as a picture.
pub(super) fn drawn(puzzle: &dyn Puzzle, source: &str, scenes: &[(&Scene, &str)]) -> String {
    render::picture(&format!("{}: {source}", puzzle.puzzle_type().name), scenes)
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_boards_are_names_of_files() {
        let cases = [
            ("instances/rooks/document-3x3.param", "document-3x3"),
            ("https://puzz.link/p?nurikabe/3/3/1g1i1g1", "nurikabe-3-3-1g1i1g1"),
            ("-", "board"),
            ("..", "board"),
            ("a b/../c:d*.txt", "c-d-"),
        ];
        for (name, file) in cases {
            assert_eq!(file_name(name), file);
        }
        assert_eq!(file_name(&"x".repeat(5000)).len(), 100);
    }
}
