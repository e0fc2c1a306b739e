//! Shows boards as plain text, as box drawings on a terminal, or as SVG pictures.

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

/// The options that control how boards are shown.
#[derive(Debug, Args)]
pub(super) struct Looks {
    /// Draw the board with its solution as an SVG picture. For several pictures, FILE must be a directory; if its
    /// name ends in `/`, it is created
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw boards as plain text even on a terminal
    #[arg(long)]
    ascii: bool,
}

impl Looks {
    /// Returns how boards are printed on standard output.
    pub(super) fn on_stdout(&self) -> Look {
        /// The assumed width of a terminal that does not report its width.
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

    /// Returns the destination of pictures, or `None` if the option `--svg` is not given.
    pub(super) fn pictures(&self) -> Option<Pictures<'_>> {
        self.svg.as_deref().map(Pictures::at)
    }
}

/// How boards are printed on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Plain text, which gordian can read.
    Plain,
    /// Boxes, on a terminal.
    Boxes {
        /// The width of the terminal in columns.
        width: usize,
    },
}

impl Look {
    /// Returns a message if the terminal is too narrow for the board.
    pub(super) fn too_wide(self, scene: &Scene) -> Option<String> {
        let Self::Boxes { width } = self else { return None };
        let needed = scene.narrowest().filter(|&needed| needed > width)?;
        Some(format!(
            "gordian: the board takes {needed} columns, but the terminal has {width}: widen it, or draw a picture with \
             `--svg FILE`"
        ))
    }

    /// Returns the picture as text with escape codes for colours. The output stream removes the escape codes if it
    /// does not support colours.
    pub(super) fn show(self, scene: &Scene) -> String {
        match self {
            Self::Plain => scene.text(true),
            Self::Boxes { width } => scene.boxes(width),
        }
    }
}

/// The destination of pictures: a file for one picture, or a directory for several pictures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pictures<'a> {
    path: &'a Path,
}

impl<'a> Pictures<'a> {
    /// Creates the destination `path`, a file or a directory.
    pub(super) fn at(path: &'a Path) -> Self {
        Self { path }
    }

    /// Returns whether the destination is a directory, which may not exist yet.
    pub(super) fn is_directory(self) -> bool {
        self.path.is_dir() || self.path.as_os_str().as_encoded_bytes().ends_with(b"/")
    }

    /// Writes a picture to the file, or to the file `NAME.svg` in the directory.
    pub(super) fn write(self, name: &str, picture: &str) -> Result<(), Failure> {
        let mut path = self.path.to_owned();
        if self.is_directory() {
            std::fs::create_dir_all(&path).map_err(Failure::file(&path))?;
            path.push(format!("{name}.svg"));
        } else if path == Path::new("-") {
            std::io::stdout().lock().write_all(picture.as_bytes())?;
            return Ok(());
        }
        file::write(&path, |out| out.write_all(picture.as_bytes())).map_err(Failure::file(&path))
    }

    /// Returns an error if the destination is standard output, because other output goes there.
    pub(super) fn beside_output(self) -> Result<Self, Failure> {
        if self.path == Path::new("-") {
            let message = "--svg -: the solution already goes to standard output; name a file";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(self)
    }

    /// Returns an error if the destination is a file, because a file can't contain several pictures.
    pub(super) fn for_several(self, what: &str) -> Result<Self, Failure> {
        if self.is_directory() {
            return Ok(self);
        }
        let path = self.path.display();
        Err(Failure::Usage(format!("--svg {path}: {what} need a directory, as in `--svg pictures/`")))
    }
}

/// Derives a file name from the name of a board: removes directories and the extension, and replaces characters that
/// are special in shells or paths.
pub(super) fn file_name(name: &str) -> String {
    let stem = if name.contains('?') {
        // The name is an address. The part after `?` describes the board.
        name.split_once('?').map_or(name, |(_, query)| query)
    } else {
        Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
    };
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = stem.chars().map(plain).take(100).collect();
    if name.trim_matches(['-', '.']).is_empty() { "board".to_owned() } else { name }
}

/// The output settings and the output state of one board.
pub(super) struct Shown<'a> {
    /// How the board is printed on standard output.
    pub(super) look: Look,
    pictures: Option<Pictures<'a>>,
    /// The file name of the picture in a directory.
    name: String,
    /// True if the outcome has been printed.
    pub(super) printed: bool,
    /// The error that ended an enumeration because a picture could not be written.
    pub(super) failed: Option<Failure>,
}

impl<'a> Shown<'a> {
    /// Creates the output for the board called `source`. `number` is the index of the board if there are several.
    pub(super) fn of(
        look: Look,
        pictures: Option<Pictures<'a>>,
        source: &str,
        number: Option<usize>,
    ) -> Self {
        let name = match number {
            // The number distinguishes boards with the same name in different directories.
            Some(number) => format!("{}-{}", number + 1, file_name(source)),
            None => file_name(source),
        };
        Self { look, pictures, name, printed: false, failed: None }
    }

    /// Writes the picture of one solution of an enumeration.
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

    /// Writes the picture of the outcome of a query.
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

/// Draws the outcome of a query.
fn picture(puzzle: &dyn Puzzle, source: &str, outcome: &Outcome) -> String {
    let draw = |solution: &Solution| puzzle.draw(Some(solution));
    match (&outcome.solution, &outcome.other) {
        (Some(solution), Some(other)) => {
            let [first, second] = draw(solution).differing(draw(other));
            drawn(
                puzzle,
                source,
                &[(&first, "a solution"), (&second, "another solution; differences are marked")],
            )
        }
        (Some(solution), None) => drawn(puzzle, source, &[(&draw(solution), "")]),
        (None, _) if outcome.status == Status::None => {
            drawn(puzzle, source, &[(&puzzle.draw(None), "no solution")])
        }
        (None, _) => drawn(puzzle, source, &[(&puzzle.draw(None), "")]),
    }
}

/// Returns one SVG picture that contains all scenes of a board.
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
