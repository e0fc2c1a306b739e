//! Numberlink and Amaze: join the pairs of equal numbers by paths that share no cell.
//!
//! Two kinds share this file, since they differ in one rule only: in [`AMAZE`] a path never lies beside itself, which
//! [`KIND`] asks for with `touch=no`, and the answer sought is the one with the least sum. The model of the one is that
//! of the other.
//!
//! `read` takes the boards from the formats, `encode` makes the constraint model, `rules` is the checker.

use gordian_encodings::Sense;

use super::{Formulation, Kind, ObjectiveRow, OptionRow, Puzzle, Reader, Request};
use crate::answer::{self, Answer, Field, Violation};
use crate::format::{InputError, Source, Syntax};
use crate::grid::Grid;
use crate::render::{Drawing, Role};

mod encode;
mod least;
mod read;
mod rules;
#[cfg(test)]
mod tests;

/// The row of `numberlink` in the table of kinds.
pub static KIND: Kind = Kind {
    name: "numberlink",
    aliases: &["numlin"],
    rules: "Each number stands twice. Paths of steps from side to side join the two cells of each number; no cell is on \
            two paths, and no path visits a cell twice.",
    options: &[
        OptionRow {
            name: "cells",
            values: &["any", "all"],
            summary: "all: every cell is on a path; any: cells may stay empty",
        },
        OptionRow {
            name: "touch",
            values: &["yes", "no"],
            summary: "no: cells of a path lie side by side only where it steps from one to the other",
        },
    ],
    objectives: &[CELLS, SUM],
    optimises: false,
    readers: &[
        Reader::Text(read::numberlink_from_text),
        Reader::Record { syntax: Syntax::Dzn, names: read::DZN, read: read::numberlink_from_dzn },
        Reader::Record { syntax: Syntax::Json, names: read::JSON, read: read::numberlink_from_json },
        Reader::Address { kinds: &["numlin", "numberlink"], read: read::from_address },
    ],
};

/// The row of `amaze` in the table of kinds.
pub static AMAZE: Kind = Kind {
    name: "amaze",
    aliases: &[],
    rules: "Each number stands twice. Paths of steps from side to side join the two cells of each number; no cell is on \
            two paths. A cell on a path has as many neighbours of its number as the path has steps there: one at its \
            ends, two between them. The sum of the numbers on all cells is to be as small as can be.",
    options: &[],
    objectives: &[SUM, CELLS],
    optimises: true,
    readers: &[
        Reader::Text(read::amaze_from_text),
        Reader::Record { syntax: Syntax::Dzn, names: read::DZN, read: read::amaze_from_dzn },
        Reader::Record { syntax: Syntax::Json, names: read::JSON, read: read::amaze_from_json },
    ],
};

const SUM: ObjectiveRow =
    ObjectiveRow { name: "sum", sense: Sense::Minimise, summary: "the sum of the numbers on all cells" };
const CELLS: ObjectiveRow =
    ObjectiveRow { name: "cells", sense: Sense::Minimise, summary: "the number of cells on paths" };

/// A board of number pairs.
#[derive(Debug, Clone)]
pub struct Numberlink {
    kind: &'static Kind,
    /// At the ends of a path the index of its pair.
    ends: Grid<Option<usize>>,
    pairs: Vec<Pair>,
    /// Whether every cell must be on a path.
    all_cells: bool,
    /// Whether a path may lie beside itself.
    touch: bool,
}

/// A number and the two cells it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    number: i128,
    cells: [usize; 2],
}

impl Puzzle for Numberlink {
    fn kind(&self) -> &'static Kind {
        self.kind
    }

    fn formulate(&self, request: &Request) -> Formulation {
        encode::formulate(self, request)
    }

    fn check(&self, answer: &Answer) -> Result<(), Violation> {
        let grid = answer.grid(self.ends.rows(), self.ends.columns())?;
        let board = rules::Board {
            ends: self.ends.map(|end| end.map(|pair| self.pairs[pair].number)),
            all_cells: self.all_cells,
            touch: self.touch,
        };
        match answer.get(LINES) {
            None => rules::check(&board, grid),
            Some(Field::Grid(lines)) => rules::check_lines(&board, grid, lines),
            Some(_) => Err(Violation::new("`lines` is no grid")),
        }
    }

    fn draw(&self, answer: Option<&Answer>) -> Drawing {
        let (rows, columns) = (self.ends.rows(), self.ends.columns());
        let grid = answer.and_then(|answer| answer.grid(rows, columns).ok());
        let lines = answer.and_then(|answer| match answer.get(LINES) {
            Some(Field::Grid(lines)) if (lines.rows(), lines.columns()) == (rows, columns) => Some(lines),
            _ => None,
        });
        let number = |cell: usize| match (self.ends[cell], grid) {
            (Some(pair), _) => (self.pairs[pair].number.to_string(), Role::Given),
            (None, Some(grid)) if grid[cell] != 0 => (grid[cell].to_string(), Role::Mark),
            (None, _) => (".".to_owned(), Role::Ground),
        };
        let line = |lines: &Grid<i128>, cell: usize| {
            let role = if self.ends[cell].is_some() { Role::Given } else { Role::Mark };
            let token = usize::try_from(lines[cell]).ok().and_then(|sides| LINE_TOKENS.get(sides));
            (token.unwrap_or(&"?").to_string(), if lines[cell] == 0 { Role::Ground } else { role })
        };
        let row = |row: usize| (row * columns..(row + 1) * columns).collect::<Vec<_>>();
        let numbers = (0..rows).map(|at| row(at).into_iter().map(number).collect());
        let lines = lines.into_iter().flat_map(|lines| {
            (0..rows).map(move |at| row(at).into_iter().map(|cell| line(lines, cell)).collect())
        });
        Drawing::new(numbers.chain(lines).collect())
    }

    fn read_answer(&self, source: &Source) -> Result<Answer, InputError> {
        let (rows, columns) = (self.ends.rows(), self.ends.columns());
        // The lines, if they are there, are as many rows again.
        let with_lines = crate::format::text::rows(source).len() > rows;
        let height = if with_lines { 2 * rows } else { rows };
        let answer = answer::grid_from_text(source, height, columns, |cell, token| {
            if cell < rows * columns {
                match token {
                    "." => Ok(0),
                    number => number.parse().map_err(|_| "a number, or `.` for an empty cell".to_owned()),
                }
            } else {
                LINE_TOKENS
                    .iter()
                    .position(|&known| known == token)
                    .map(|sides| sides as i128)
                    .ok_or_else(|| format!("one of {}", LINE_TOKENS.join(" ")))
            }
        })?;
        let Ok(cells) = answer.grid(height, columns) else { return Ok(answer) };
        let (numbers, lines) = cells.cells().split_at(rows * columns);
        let numbers = Answer::from_grid(Grid::new(rows, columns, numbers.to_vec()));
        Ok(if with_lines {
            numbers.with(LINES, Field::Grid(Grid::new(rows, columns, lines.to_vec())))
        } else {
            numbers
        })
    }
}

/// The field of an answer that says to which sides of its cell a path goes, where the numbers don't tell: the sum of
/// [`UP`], [`RIGHT`], [`DOWN`] and [`LEFT`].
const LINES: &str = "lines";
const UP: i128 = 1;
const RIGHT: i128 = 2;
const DOWN: i128 = 4;
const LEFT: i128 = 8;

/// How a cell is drawn whose path goes to these sides.
const LINE_TOKENS: [&str; 16] =
    [".", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];
