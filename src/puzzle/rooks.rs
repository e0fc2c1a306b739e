//! Rook placement, also known as Akari or Light Up.
//!
//! Blocks divide each row and column into segments. The model has a literal "rook" for each empty square and a
//! literal "has a rook" for each segment. A segment contains at most one rook. An empty square is covered if its row
//! segment or its column segment has a rook.

use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause};
use gordian_encodings::{FALSE, Lit, Model, Objective, Sense};

use symmetry::{Interchanges, Symmetries};

use super::{
    ClueFormulation, Editor, FactWords, FieldRow, Formulation, Group, ObjectiveRow, OptionRow, Options, Part,
    Plain, Play, Puzzle, PuzzleType, Query, Read, Reader, Sample, Shape, Symmetry, Tokens, cell_name,
};
use crate::format::pzpr::{self, Address, NoAddress, Scheme, WrittenAddress};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Syntax};
use crate::render::{Cell, DOWN, Ground, LEFT, RIGHT, Role, Scene, Sign, UP};
use crate::rules::opb::RulesFormula;
use crate::rules::rooks::{Rooks, Square};
use crate::rules::{GRID, Grid, Place, Solution};
use crate::solution;

mod plain;
mod play;
pub mod symmetry;

/// The puzzle type `rooks`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "rooks",
    aliases: &["akari", "light_up", "bijutsukan", "美術館"],
    rules: "Rooks stand on empty squares. No two rooks may attack each other along a row or column; blocks stop \
            attacks. Every empty square must hold a rook or be attacked by one. A block with a number has that many \
            rooks on adjacent squares.",
    options: &[OptionRow {
        name: "zero-clues",
        values: &["no", "yes"],
        summary: "yes: in param data, 0 on a clue square is a clue that allows no adjacent rook; no: it is an error",
    }],
    objectives: &[
        ObjectiveRow { name: "fewest", sense: Sense::Minimise, summary: "the number of rooks" },
        ObjectiveRow { name: "most", sense: Sense::Maximise, summary: "the number of rooks" },
    ],
    optimises: false,
    fields: &[FieldRow::new(GRID, Shape::Rows, "1 for a rook, otherwise 0").with_words(WORDS)],
    readers: &[
        Reader::Text { sample: Sample::Text("rooks\n. . .\n. 4 .\n. . #\n"), read: from_text },
        Reader::Record {
            syntax: Syntax::Param,
            names: &["squareType", "clues"],
            sample: Sample::Text(
                "language ESSENCE' 1.0\nletting squareType be [[0, 0, 0], [0, 2, 0], [0, 0, 1]]\nletting clues be [[0, 0, 0], [0, 4, 0], [0, 0, 0]]\n",
            ),
            read: from_param,
        },
        Reader::Address {
            names: &["lightup", "akari"],
            sample: Sample::Text("https://puzz.link/p?lightup/3/3/j4i."),
            read: from_address,
        },
    ],
    sheet: None,
    group: Group::Objects,
};

const WORDS: FactWords = FactWords { zero: FREE, other: OCCUPIED };
const FREE: &str = "empty";
const OCCUPIED: &str = "rook";

fn from_text(document: &TextDocument, _: &'static PuzzleType, _: &Options) -> Read {
    document.record.only(&[])?;
    board(document.grid(|token| match token.value.as_bytes() {
        b"." => Ok(Square::Empty),
        b"#" => Ok(Square::Block),
        &[digit @ b'0'..=b'4'] => Ok(Square::Clue(digit - b'0')),
        _ => Err("`.`, `#` or a clue from 0 to 4".to_owned()),
    })?)
}

fn from_param(record: &Record, _: &'static PuzzleType, options: &Options) -> Read {
    record.only(&["n", "squareType", "clues"])?;
    let types = record.matrix("squareType")?;
    let (rows, columns) = (types.len(), types.first().map_or(0, Vec::len));
    if let Some(n) = record.optional_integer("n")?
        && (n.value != rows as i128 || n.value != columns as i128)
    {
        let expected = format!("{rows}, the rows of `squareType`, which has {columns} columns");
        return Err(InputError::at(&record.source, &n, expected));
    }
    if columns == 0 {
        let span = record.required("squareType")?.span;
        return Err(InputError::new(&record.source, span, "a square", "an empty matrix"));
    }
    let clues = record.matrix_of("clues", rows, columns)?;
    let zero_is_a_clue = options.is("zero-clues", "yes");
    let mut cells = Vec::with_capacity(rows * columns);
    for (index, (square, clue)) in types.iter().flatten().zip(clues.iter().flatten()).enumerate() {
        let place = Place { row: index / columns, column: index % columns };
        let clue_error = |expected: String| InputError::at(&record.source, clue, expected);
        cells.push(match (square.value, clue.value) {
            (0, 0) => Square::Empty,
            (1, 0) => Square::Block,
            (0 | 1, _) => return Err(clue_error(format!("0, since {place} is not a clue square"))),
            (2, 0) if !zero_is_a_clue => {
                let error = clue_error(format!("a clue from 1 to 4 for the clue square {place}"));
                return Err(error
                    .with_help("`--option zero-clues=yes` reads 0 as a clue that allows no adjacent rook"));
            }
            (2, clue) => match u8::try_from(clue) {
                Ok(clue @ 0..=4) => Square::Clue(clue),
                _ => return Err(clue_error(format!("a clue from 0 to 4 for the clue square {place}"))),
            },
            _ => return Err(InputError::at(&record.source, square, "0 (empty), 1 (block) or 2 (clue)")),
        });
    }
    board(Grid::new(rows, columns, cells))
}

fn from_address(address: &Address, _: &'static PuzzleType, _: &Options) -> Read {
    let cells = address.four_cell()?;
    let square = |cell: &Option<pzpr::AddressClue>| match cell {
        None => Ok(Square::Empty),
        Some(pzpr::AddressClue::Unknown) => Ok(Square::Block),
        Some(pzpr::AddressClue::Number(number)) => {
            let clue = u8::try_from(*number).ok().filter(|&clue| clue <= 4).map(Square::Clue);
            clue.ok_or_else(|| {
                let found = format!("the clue {number}");
                InputError::new(&address.source, address.body.span, "clues from 0 to 4", found)
            })
        }
    };
    let cells = cells.iter().flatten().map(square).collect::<Result<_, _>>()?;
    board(Grid::new(address.rows.value, address.columns.value, cells))
}

#[expect(clippy::unnecessary_wraps, reason = "what readers return")]
fn board(squares: Grid<Square>) -> Read {
    Ok(Box::new(Rooks { squares }))
}

impl Puzzle for Rooks {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, query: &Query) -> Formulation {
        formulate(&self.squares, query, false)
    }

    /// In clausal form, each clause must follow from one inequality about the rooks. Therefore, a lower bound is imposed on
    /// the number of rooks, not on the number of segments with a rook.
    fn formulate_better(
        &self,
        query: &Query,
        value: i128,
        clausal: bool,
    ) -> Result<Option<Formulation>, String> {
        let is_maximised = query.objective().is_some_and(|row| row.sense == Sense::Maximise);
        Ok((clausal && is_maximised).then(|| {
            let mut formulation = formulate(&self.squares, query, true);
            formulation.require_better(value);
            formulation
        }))
    }

    fn plain(&self) -> Plain {
        plain::formulate(&self.squares)
    }

    fn clues(&self) -> Option<ClueFormulation<'_>> {
        let tokens = (0..=4).map(|clue: u8| clue.to_string()).collect();
        Some(ClueFormulation::of_cells(self, self.plain(), "#", tokens))
    }

    fn symmetry(&self) -> Option<Box<dyn Symmetry>> {
        Some(Box::new(Symmetries::of(self, Interchanges::All)))
    }

    fn address(&self) -> Result<WrittenAddress, NoAddress> {
        let clues = self.squares.map(|square| match square {
            Square::Empty => None,
            Square::Block => Some(pzpr::AddressClue::Unknown),
            Square::Clue(clue) => Some(pzpr::AddressClue::Number((*clue).into())),
        });
        pzpr::write("akari", Scheme::FourCell, &clues)
    }

    fn editor(&self) -> Option<Editor> {
        let (clues, marks) = ([".", "#", "0", "1", "2", "3", "4"], [".", ROOK]);
        let header = PUZZLE.name.to_owned();
        Some(Editor { header, clues: Tokens::only(&clues), marks: Tokens::only(&marks) })
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn play(&self) -> Option<&dyn Play> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let grid =
            solution.and_then(|solution| solution.grid(self.squares.rows(), self.squares.columns()).ok());
        let sights = grid.map(|grid| sights(&self.squares, grid));
        Scene::board(self.squares.map_places(|place, square| {
            let cell = self.squares.index(place.row, place.column);
            let sides = sights.as_ref().map_or(0, |sights| sights[cell]);
            let seen = if sides == 0 { Ground::Open } else { Ground::Seen };
            match square {
                Square::Block => Cell::new("#", Role::Block).on(Ground::Block),
                Square::Clue(clue) => Cell::label(clue.to_string(), Role::Given).on(Ground::Block),
                Square::Empty if grid.is_some_and(|grid| grid[cell] == 1) => {
                    Cell::new(ROOK, Role::Mark).with(Sign::Rook).lines_to(sides).on(Ground::Seen)
                }
                Square::Empty => Cell::new(".", Role::Ground).lines_to(sides).on(seen),
            }
        }))
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        let value = |cell, token: &str| value(self.squares[cell], token);
        solution::grid_from_text(source, self.squares.rows(), self.squares.columns(), value)
    }

    fn read_partial(&self, source: &Source) -> Option<Result<Grid<Option<i128>>, InputError>> {
        let (rows, columns) = (self.squares.rows(), self.squares.columns());
        let value = |cell, token: &str| value(self.squares[cell], token).map(Some);
        Some(solution::partial_grid_from_text(source, rows, columns, value))
    }
}

/// Returns the value of a square in a solution: 1 for a rook, and 0 otherwise. If the token does not fit the square,
/// returns a description of the expected token.
fn value(square: Square, token: &str) -> Result<i128, String> {
    match (square, token) {
        (Square::Empty, ROOK | "1") => Ok(1),
        (Square::Empty, "." | "0") | (Square::Block, "#" | "0") | (Square::Clue(_), "0") => Ok(0),
        (Square::Clue(clue), token) if token == clue.to_string() => Ok(0),
        (Square::Empty, _) => Err(format!("`{ROOK}` or `.`")),
        (Square::Block, _) => Err("`#`".to_owned()),
        (Square::Clue(clue), _) => Err(format!("`{clue}`")),
    }
}

/// The token that represents a rook in text.
const ROOK: &str = "R";

/// Returns the sides of each square that are crossed by a rook's line of attack. Drawings show these lines.
fn sights(squares: &Grid<Square>, rooks: &Grid<i128>) -> Vec<u8> {
    let mut sights = vec![0; squares.len()];
    for (run, [on, back]) in segments(squares)
        .into_iter()
        .zip([[RIGHT, LEFT], [DOWN, UP]])
        .flat_map(|(runs, sides)| runs.into_iter().map(move |run| (run, sides)))
    {
        if run.iter().any(|&cell| rooks[cell] == 1) {
            for pair in run.windows(2) {
                sights[pair[0]] |= on;
                sights[pair[1]] |= back;
            }
        }
    }
    sights
}

/// Returns the maximal runs of empty squares along rows and along columns.
fn segments(squares: &Grid<Square>) -> [Vec<Vec<usize>>; 2] {
    let (rows, columns) = (squares.rows(), squares.columns());
    let runs = |lines: usize, length: usize, cell: &dyn Fn(usize, usize) -> usize| {
        let mut runs = Vec::new();
        for line in 0..lines {
            let cells: Vec<usize> = (0..length).map(|at| cell(line, at)).collect();
            let split = cells.split(|&cell| squares[cell] != Square::Empty);
            runs.extend(split.filter(|run| !run.is_empty()).map(<[usize]>::to_vec));
        }
        runs
    };
    [
        runs(rows, columns, &|row, column| row * columns + column),
        runs(columns, rows, &|column, row| row * columns + column),
    ]
}

/// Returns the formulation for a query. The objective is the number of segments with a rook or, if `count_rooks` is true,
/// the number of rooks.
fn formulate(squares: &Grid<Square>, query: &Query, count_rooks: bool) -> Formulation {
    let mut model = Model::new();
    let rooks: Vec<Lit> = (0..squares.len())
        .map(|cell| if squares[cell] == Square::Empty { model.boolean() } else { FALSE })
        .collect();
    for (cell, &rook) in rooks.iter().enumerate() {
        model.name(rook, cell_name("rook", squares.place(cell)));
    }
    // Maps each square to the "has a rook" literals of its row segment and its column segment.
    let mut covers = vec![Vec::with_capacity(2); squares.len()];
    // The "has a rook" literals of the row segments and of the column segments. In either list, the number of true
    // literals is the number of rooks.
    let mut sums = [Vec::new(), Vec::new()];
    for (direction, segment) in
        (0..).zip(segments(squares)).flat_map(|(d, runs)| runs.into_iter().map(move |run| (d, run)))
    {
        let lits: Vec<Lit> = segment.iter().map(|&cell| rooks[cell]).collect();
        let has_rook = if let [lit] = lits[..] { lit } else { model.boolean() };
        if lits.len() > 1 {
            let what = ["row-segment", "column-segment"][direction];
            model.name(has_rook, cell_name(what, squares.place(segment[0])));
            let name = format!("at most one rook in sight of {}", squares.place(segment[0]));
            if matches!(query, Query::Count | Query::CountValues) {
                // The single cardinality constraint is encoded as a chain of auxiliary variables, which a model counter
                // can split in the middle.
                let lits = [&lits[..], &[!has_rook]].concat();
                model.post_as(name, Cardinality::exactly(lits, 1));
            } else {
                for &lit in &lits {
                    model.post(Clause::new([!lit, has_rook]));
                }
                model.post(Clause::new([&[!has_rook], &lits[..]].concat()));
                model.declare_any(has_rook, lits.as_slice());
                model.post_as(name, AtMostOne::new(lits));
            }
        }
        sums[direction].push((1, has_rook));
        for cell in segment {
            covers[cell].push(has_rook);
        }
    }
    for (cell, covers) in covers.into_iter().enumerate() {
        match squares[cell] {
            Square::Empty => model.post_as(format!("cover {}", squares.place(cell)), Clause::new(covers)),
            Square::Block => {}
            Square::Clue(clue) => {
                let beside: Vec<Lit> = squares.neighbours(cell).map(|near| rooks[near]).collect();
                let name = format!("clue {clue} at {}", squares.place(cell));
                model.post_as(name, Cardinality::exactly(beside, clue.into()));
            }
        }
    }
    if let Some(objective) = query.objective() {
        let [rows, columns] = sums;
        model.set_objective(if count_rooks {
            Objective::new(objective.sense, rooks.iter().map(|&rook| (1, rook)))
        } else {
            Objective::new(objective.sense, rows).and_equal(columns)
        });
    }
    model.project(rooks.iter().copied().filter(|&lit| lit != FALSE));
    let parts = rooks.iter().enumerate().map(|(index, &rook)| Part::yes_or_no(GRID, index, rook)).collect();
    let (rows, columns) = (squares.rows(), squares.columns());
    Formulation {
        model,
        parts,
        facts: Vec::new(),
        decode: Box::new(move |assignment| {
            let grid = rooks.iter().map(|&lit| i128::from(assignment.lit(lit))).collect();
            Solution::from_grid(Grid::new(rows, columns, grid))
        }),
    }
}
