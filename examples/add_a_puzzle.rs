//! An example of a complete puzzle type in one file: Latin squares. docs/add-a-puzzle.md explains it step by step.
//!
//! ```text
//! cargo run --release --example add_a_puzzle
//! ```

use std::io;

use gordian::format::text::{self, TextDocument};
use gordian::format::{InputError, Source};
use gordian::puzzle::{
    FieldRow, Formulation, Group, Options, Part, Puzzle, PuzzleType, Query, Read, Reader, Sample, Shape,
};
use gordian::query::{self, Observer};
use gordian::render::{Cell, Role, Scene};
use gordian::rules::{GRID, Grid, Rules, Solution, Violation};
use gordian::search::Config;
use gordian::solution;
use gordian_encodings::constraint::{AllDifferent, Clause};
use gordian_encodings::{Assignment, Domain, IntVar, Model};

/// The puzzle type. To add it to Gordian, list it in the table `PUZZLES`.
pub static PUZZLE: PuzzleType = PuzzleType {
    name: "latin",
    aliases: &[],
    rules: "Each row and each column of a square has each of the numbers from 1 to its length once.",
    options: &[],
    objectives: &[],
    optimises: false,
    fields: &[FieldRow::new(GRID, Shape::Rows, "the number in each cell")],
    readers: &[Reader::Text { sample: Sample::Text("latin\n1 . .\n. . 1\n. . .\n"), read: from_text }],
    sheet: None,
    group: Group::Numbers,
};

/// A partially filled square.
#[derive(Debug)]
struct Latin {
    /// The given numbers, where 0 is an empty cell.
    given: Grid<i128>,
}

fn from_text(document: &TextDocument, _: &'static PuzzleType, _: &Options) -> Read {
    // The native text of a Latin square has no `name = value` lines.
    document.record.only(&[])?;
    let length = document.rows.len();
    let given = document.grid(|token| value(&token.value, length).ok_or_else(|| expected(length)))?;
    if given.columns() != length {
        let (source, span) = (&document.source, document.rows[0].span);
        let found = format!("{} columns", given.columns());
        return Err(InputError::new(source, span, format!("{length} columns, as there are rows"), found));
    }
    Ok(Box::new(Latin { given }))
}

/// Returns the number that a token represents, which is 0 for an empty cell, or `None` if the token is invalid.
fn value(token: &str, length: usize) -> Option<i128> {
    if token == "." {
        Some(0)
    } else {
        token.parse().ok().filter(|number| (1..=length as i128).contains(number))
    }
}

fn expected(length: usize) -> String {
    format!("`.` or a number from 1 to {length}")
}

impl Rules for Latin {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let length = self.given.rows();
        let grid = solution.grid(length, length)?;
        for (cell, &given) in self.given.cells().iter().enumerate() {
            if given > 0 && grid[cell] != given {
                return Err(Violation::new(format!("not the {given} that is given")).at([grid.place(cell)]));
            }
        }
        for line in 0..length {
            for number in 1..=length as i128 {
                let in_row = (0..length).any(|column| grid[grid.index(line, column)] == number);
                let in_column = (0..length).any(|row| grid[grid.index(row, line)] == number);
                if !(in_row && in_column) {
                    let what = if in_row { "column" } else { "row" };
                    return Err(Violation::new(format!("no {number} in {what} {}", line + 1)));
                }
            }
        }
        Ok(())
    }
}

impl Puzzle for Latin {
    fn puzzle_type(&self) -> &'static PuzzleType {
        &PUZZLE
    }

    fn formulate(&self, _: &Query) -> Formulation {
        let length = self.given.rows();
        let mut model = Model::new();
        let cells: Vec<IntVar> =
            (0..length * length).map(|_| model.integer(Domain::interval(1, length as i128))).collect();
        for line in 0..length {
            let row = cells[line * length..][..length].to_vec();
            let column: Vec<IntVar> = cells.iter().copied().skip(line).step_by(length).collect();
            model.post_as(format!("row {}", line + 1), AllDifferent::new(row));
            model.post_as(format!("column {}", line + 1), AllDifferent::new(column));
        }
        for (cell, &given) in self.given.cells().iter().enumerate().filter(|&(_, &given)| given > 0) {
            let is = model.equals(cells[cell], given);
            model.post_as("given", Clause::new([is]));
        }
        // Assignments that agree on the literals `cell = number` describe the same solution.
        for cell in &cells {
            let lits: Vec<_> = (1..=length as i128).map(|number| model.equals(*cell, number)).collect();
            model.project(lits);
        }
        // The cells are the parts of the solution for which `backbone` reports values.
        let parts =
            cells.iter().enumerate().map(|(cell, &x)| Part::integer(GRID, cell, x, &mut model)).collect();
        let decode = move |assignment: &Assignment| {
            let numbers = cells.iter().map(|&cell| assignment.int(cell)).collect();
            Solution::from_grid(Grid::new(length, length, numbers))
        };
        Formulation { model, decode: Box::new(decode), parts, facts: Vec::new() }
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let length = self.given.rows();
        let grid = solution.and_then(|solution| solution.grid(length, length).ok());
        Scene::board(self.given.map_places(|place, &given| {
            let cell = self.given.index(place.row, place.column);
            match (given, grid.map(|grid| grid[cell])) {
                (0, None) => Cell::new(".", Role::Ground),
                (0, Some(found)) => Cell::label(found.to_string(), Role::Mark),
                (given, _) => Cell::label(given.to_string(), Role::Given),
            }
        }))
    }

    fn read_solution(&self, rows: &Source) -> Result<Solution, InputError> {
        let length = self.given.rows();
        solution::grid_from_text(rows, length, length, |_, token| {
            value(token, length).ok_or_else(|| expected(length))
        })
    }
}

/// An observer that stores the drawing of each solution.
#[derive(Default)]
struct Drawn(Vec<String>);

impl Observer for Drawn {
    fn solution(
        &mut self,
        puzzle: &dyn Puzzle,
        solution: &Solution,
        _: usize,
        _: Option<u128>,
    ) -> io::Result<()> {
        self.0.push(puzzle.draw(Some(solution)).text(false));
        Ok(())
    }
}

/// Returns the drawings of all solutions of a board.
///
/// # Errors
/// Returns an error if the text is not a valid board.
pub fn solutions(text: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    // If the puzzle type were in the table `PUZZLES`, `read::board` would find the reader.
    let document = text::read(&Source::new("board", text))?;
    let puzzle = from_text(&document, &PUZZLE, &Options::default())?;
    let mut drawn = Drawn::default();
    query::run(&*puzzle, Query::Enumerate { limit: None }, &Config::default(), &mut drawn)?;
    Ok(drawn.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for solution in solutions("latin\n1 . .\n. . 1\n. . .\n")? {
        println!("{solution}");
    }
    Ok(())
}
