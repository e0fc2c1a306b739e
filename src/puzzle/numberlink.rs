//! Numberlink and Amaze: connect the pairs of equal numbers by disjoint paths.
//!
//! Numberlink and Amaze share this file and a model because they differ in only one rule. In [`AMAZE`], a path never
//! touches itself, and the sum of the numbers is minimised. In [`PUZZLE`], the option `touch=no` forbids paths that
//! touch themselves.
//!
//! The module `read` contains the readers, `encode` the constraint model, and `literals` its variables. The modules
//! `turns` and `least` contain further constraints.

use super::{
    Editor, FieldRow, FormulateOther, Formulation, Group, OptionRow, Plain, Play, Puzzle, PuzzleType, Query,
    Reader, Sample, Shape, Stages, Tokens,
};
use crate::format::pzpr::{self, NoAddress, Scheme, WrittenAddress};
use crate::format::{InputError, Source, Syntax};
use crate::render::{self, Cell, Role, SIDE_TOKENS, Scene, Sign};
use crate::rules::numberlink::{DOWN, LEFT, LINES, Numberlink, RIGHT, UP, Variant};
use crate::rules::opb::RulesFormula;
use crate::rules::{Field, GRID, Grid, Place, Rules, Solution, Violation};
use crate::solution;

use encode::{CELLS, SUM};

mod detours;
mod encode;
mod least;
mod literals;
mod plain;
mod play;
mod proof;
mod read;
#[cfg(test)]
mod tests;
mod touching;
mod turns;

/// The puzzle type `numberlink`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "numberlink",
    aliases: &["numlin", "ナンバーリンク"],
    rules: "Each number occurs in two cells. A path that moves between adjacent cells connects the two cells of each \
            number. No cell is on two paths, and no path visits a cell twice.",
    options: &[
        OptionRow {
            name: "cells",
            values: &["any", "all"],
            summary: "all: every cell must be on a path; any: cells may stay empty",
        },
        OptionRow {
            name: "touch",
            values: &["yes", "no"],
            summary: "no: two cells of a path are adjacent only if the path steps from one to the other",
        },
        LEAST,
    ],
    objectives: &[CELLS, SUM],
    optimises: false,
    fields: &[
        FieldRow::new(GRID, Shape::Rows, NUMBER),
        FieldRow::new(
            LINES,
            Shape::Rows,
            "only if paths may touch themselves: the sides through which the path leaves the cell, as the sum of 1 \
            up, 2 right, 4 down, 8 left",
        ),
    ],
    readers: &[
        Reader::Text { sample: Sample::Text("numberlink\n1 . 2\n. . .\n1 . 2\n"), read: read::from_text },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: read::DZN,
            sample: Sample::Text(
                "X = 3;\nY = 3;\nN = 2;\nend_points_start_x = [1, 3];\nend_points_start_y = [1, 1];\nend_points_end_x = [1, 3];\nend_points_end_y = [3, 3];\n",
            ),
            read: read::from_dzn,
        },
        Reader::Record {
            syntax: Syntax::Json,
            names: read::JSON,
            sample: Sample::Text("{\"n\": 3, \"m\": 3, \"points\": [[[1, 1], [1, 3]], [[3, 1], [3, 3]]]}\n"),
            read: read::from_json,
        },
        Reader::Address {
            names: &["numlin", "numberlink"],
            sample: Sample::Text("https://puzz.link/p?numlin/3/3/1g2i1g2"),
            read: read::from_address,
        },
    ],
    sheet: None,
    group: Group::Lines,
};

/// The puzzle type `amaze`.
pub static AMAZE: PuzzleType = PuzzleType {
    name: "amaze",
    aliases: &[],
    rules: "Each number occurs in two cells. A path that moves between adjacent cells connects the two cells of each \
            number. No cell is on two paths. A path never touches itself: its end cells have one neighbour with the \
            same number, its other cells have two. Minimise the sum of the numbers on all cells.",
    options: &[LEAST],
    objectives: &[SUM, CELLS],
    optimises: true,
    fields: &[FieldRow::new(GRID, Shape::Rows, NUMBER)],
    readers: &[
        Reader::Text { sample: Sample::Text("amaze\n1 . 2\n. . .\n1 . 2\n"), read: read::from_text },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: read::DZN,
            sample: Sample::Text(
                "X = 3;\nY = 3;\nN = 2;\nend_points_start_x = [1, 3];\nend_points_start_y = [1, 1];\nend_points_end_x = [1, 3];\nend_points_end_y = [3, 3];\n",
            ),
            read: read::from_dzn,
        },
        Reader::Record {
            syntax: Syntax::Json,
            names: read::JSON,
            sample: Sample::Text("{\"n\": 3, \"m\": 3, \"points\": [[[1, 1], [1, 3]], [[3, 1], [3, 3]]]}\n"),
            read: read::from_json,
        },
    ],
    sheet: None,
    group: Group::Lines,
};

const NUMBER: &str = "the number of the path through the cell, 0 for an empty cell";
const OPEN: &str = "open";
const LINE: &str = "line";

const LEAST: OptionRow = OptionRow {
    name: "least",
    values: &["yes", "no"],
    summary: "no: does not restrict queries for one solution to least solutions",
};

/// A board with the options of its model.
#[derive(Debug, Clone)]
struct NumberlinkInstance {
    board: Numberlink,
    /// True if queries for one solution may be restricted to least solutions, which use the fewest cells.
    least: bool,
}

impl Rules for NumberlinkInstance {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        self.board.check(solution)
    }
}

impl NumberlinkInstance {
    /// Returns the options of a numberlink board that differ from the defaults.
    fn options(&self) -> impl Iterator<Item = &'static str> {
        let is_amaze = self.board.variant() == Variant::Amaze;
        let options = [("cells=all", self.board.all_cells()), ("touch=no", !self.board.touch())];
        options.into_iter().filter(move |&(_, chosen)| chosen && !is_amaze).map(|(word, _)| word)
    }

    /// Returns the sides through which the paths of a solution leave each cell, or `None` if the solution does not fit the
    /// board.
    fn lines_of(&self, solution: &Solution) -> Option<Grid<i128>> {
        let (rows, columns) = (self.board.ends().rows(), self.board.ends().columns());
        match solution.get(LINES) {
            Some(Field::Grid(lines)) => {
                ((lines.rows(), lines.columns()) == (rows, columns)).then(|| lines.clone())
            }
            _ => Some(self.board.lines(solution.grid(rows, columns).ok()?)),
        }
    }
}

impl Puzzle for NumberlinkInstance {
    fn puzzle_type(&self) -> &'static PuzzleType {
        match self.board.variant() {
            Variant::Numberlink { .. } => &PUZZLE,
            Variant::Amaze => &AMAZE,
        }
    }

    fn formulate(&self, query: &Query) -> Formulation {
        encode::formulate(&self.board, self.least, query)
    }

    fn formulate_all(&self, query: &Query) -> Formulation {
        encode::formulate_all(&self.board, query)
    }

    fn formulate_for_sweep(&self, query: &Query) -> Option<Formulation> {
        encode::formulate_for_sweep(&self.board, query)
    }

    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        Ok(Some(proof::formulate(&self.board, query)))
    }

    fn formulate_other(&self) -> Option<FormulateOther<'_>> {
        Some(Box::new(|solution| proof::formulate_other(&self.board, solution)))
    }

    fn plain(&self) -> Plain {
        plain::formulate(&self.board)
    }

    fn states(&self, solution: &Solution, place: &str) -> Option<bool> {
        let ends = self.board.ends();
        let (a, b) = place.split_once('-')?;
        let cell = |name| {
            let Place { row, column } = Place::parse(name)?;
            (row < ends.rows() && column < ends.columns()).then(|| ends.index(row, column))
        };
        let (a, b) = (cell(a)?, cell(b)?);
        let lines = self.lines_of(solution)?;
        let side = if ends.place(a).row == ends.place(b).row { RIGHT } else { DOWN };
        Some(lines[a] & side != 0)
    }

    fn stages<'a>(&'a self, query: &'a Query) -> Stages<'a> {
        encode::stages(&self.board, self.least, query)
    }

    fn address(&self) -> Result<WrittenAddress, NoAddress> {
        if self.board.variant() == Variant::Amaze {
            return Err(NoAddress::PuzzleType(AMAZE.name));
        }
        let number = |pair: usize| u32::try_from(self.board.pairs()[pair].number).unwrap_or(u32::MAX);
        let clues = self.board.ends().map(|end| end.map(|pair| pzpr::AddressClue::Number(number(pair))));
        let written = pzpr::write("numlin", Scheme::Number16, &clues)?;
        let left_out = self.options().map(str::to_owned).collect();
        Ok(WrittenAddress { left_out, ..written })
    }

    fn editor(&self) -> Option<Editor> {
        let least = if self.least { None } else { Some("least=no") };
        let words = [self.puzzle_type().name].into_iter().chain(self.options()).chain(least);
        let header = words.collect::<Vec<_>>().join(" ");
        let tokens = Tokens::and_numbers(&["."]);
        Some(Editor { header, clues: tokens.clone(), marks: tokens })
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(&self.board)
    }

    fn play(&self) -> Option<&dyn Play> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let (rows, columns) = (self.board.ends().rows(), self.board.ends().columns());
        let grid = solution.and_then(|solution| solution.grid(rows, columns).ok());
        let said = solution.and_then(|solution| match solution.get(LINES) {
            Some(Field::Grid(lines)) if (lines.rows(), lines.columns()) == (rows, columns) => Some(lines),
            _ => None,
        });
        let computed = if said.is_none() { grid.map(|grid| self.board.lines(grid)) } else { None };
        let sides: Option<Grid<u8>> = said
            .or(computed.as_ref())
            .map(|lines| lines.map(|&sides| u8::try_from(sides).unwrap_or_default() & 15));
        let scene = Scene::board(self.board.ends().map_places(|place, end| {
            let cell = self.board.ends().index(place.row, place.column);
            let number = match end {
                Some(pair) => self.board.pairs()[*pair].number,
                None => grid.map_or(0, |grid| grid[cell]),
            };
            let drawn = match end {
                Some(_) => Cell::new(number.to_string(), Role::Given).with(Sign::End(number.to_string())),
                None if number == 0 => Cell::new(".", Role::Ground),
                None => Cell::new(number.to_string(), Role::Mark),
            };
            // The pairs are sorted by their numbers.
            match self.board.pairs().binary_search_by_key(&number, |pair| pair.number) {
                Ok(pair) => drawn.coloured(pair).lines_to(sides.as_ref().map_or(0, |sides| sides[cell])),
                Err(_) => drawn,
            }
        }));
        let Some(lines) = said else { return scene };
        let token = |cell: usize| {
            let role = if self.board.ends()[cell].is_some() { Role::Given } else { Role::Mark };
            let token = usize::try_from(lines[cell]).ok().and_then(|sides| SIDE_TOKENS.get(sides));
            (token.unwrap_or(&"?").to_string(), if lines[cell] == 0 { Role::Ground } else { role })
        };
        scene.with_rows(
            (0..rows).map(|row| (row * columns..(row + 1) * columns).map(token).collect()).collect(),
        )
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        let (rows, columns) = (self.board.ends().rows(), self.board.ends().columns());
        // If a solution contains the lines of the paths, its text has twice as many rows as the board.
        let with_lines = crate::format::text::rows(source).len() > rows;
        let height = if with_lines { 2 * rows } else { rows };
        let solution = solution::grid_from_text(source, height, columns, |cell, token| {
            if cell < rows * columns {
                match token {
                    "." => Ok(0),
                    number => number.parse().map_err(|_| "a number, or `.` for an empty cell".to_owned()),
                }
            } else {
                SIDE_TOKENS
                    .iter()
                    .position(|&known| known == token)
                    .map(|sides| sides as i128)
                    .ok_or_else(|| format!("one of {}", SIDE_TOKENS.join(" ")))
            }
        })?;
        let Ok(cells) = solution.grid(height, columns) else { return Ok(solution) };
        let (numbers, lines) = cells.cells().split_at(rows * columns);
        let numbers = Solution::from_grid(Grid::new(rows, columns, numbers.to_vec()));
        Ok(if with_lines {
            numbers.with(LINES, Field::Grid(Grid::new(rows, columns, lines.to_vec())))
        } else {
            numbers
        })
    }
}

// Drawings and solutions use the same numbers for the sides of a cell.
const _: () = assert!(
    UP == render::UP as i128
        && RIGHT == render::RIGHT as i128
        && DOWN == render::DOWN as i128
        && LEFT == render::LEFT as i128
);
