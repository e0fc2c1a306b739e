//! The built-in sets and functions of rule sheets: one row each, with the sorts, the meaning and the computation.
//!
//! The file has over 400 lines because it is one table.

use super::geometry::Geometry;
use super::place::{Axis, Cell, Direction, Spot};
use super::sort::Sort;
use super::value::Value;

/// The sort of a parameter or a result. `T` stands for any sort, the same at each of its occurrences in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the same as in `Sort`")]
pub enum Shape {
    T,
    Bool,
    Number,
    Symbol,
    Cell,
    Corner,
    Link,
    Side,
    Place,
    Set(&'static Shape),
}

use Shape::{Bool, Corner as CornerSort, Link, Number, Place, Set, Side, Symbol, T};

const CELLS: Shape = Set(&Shape::Cell);
const CORNERS: Shape = Set(&CornerSort);
const LINES: Shape = Set(&CELLS);
const NUMBERS: Shape = Set(&Number);

/// A built-in set, constant or function.
#[derive(Debug)]
pub struct Builtin {
    /// The name.
    pub name: &'static str,
    /// The sorts of the arguments.
    pub parameters: &'static [Shape],
    /// The sort of the result.
    pub result: Shape,
    /// What the name stands for.
    pub summary: &'static str,
    /// Computes the value.
    pub(super) value: fn(&Geometry, &[Value]) -> Value,
}

impl Shape {
    /// Returns the sort, with `t` for `T`.
    #[must_use]
    pub fn sort(self, t: &Sort) -> Sort {
        match self {
            Self::T => t.clone(),
            Self::Bool => Sort::Bool,
            Self::Number => Sort::Number,
            Self::Symbol => Sort::Symbol,
            Self::Cell => Sort::Cell,
            Self::Corner => Sort::Corner,
            Self::Link => Sort::Link,
            Self::Side => Sort::Side,
            Self::Place => Sort::Place,
            Self::Set(element) => element.sort(t).set(),
        }
    }

    /// Returns the sort that `T` must contain for an argument of the given sort; `None` if the argument does not fit.
    fn infer(self, argument: &Sort) -> Option<Sort> {
        match self {
            Self::T => Some(argument.clone()),
            Self::Set(element) => element.infer(argument.element()?),
            shape => argument.fits(&shape.sort(&Sort::Any)).then_some(Sort::Any),
        }
    }
}

impl Builtin {
    /// Returns whether the function stands for a set of places around a place. There are few of them, or they are a row
    /// or a column, so an evaluator keeps the set.
    pub(super) fn is_around_place(&self) -> bool {
        matches!(self.parameters, [Shape::Cell | CornerSort | Link | Side])
            && matches!(self.result, Set(Shape::Cell | CornerSort | Link | Side | Place))
    }

    /// Returns the sort of the result for arguments of the given sorts, or `None` if they do not fit.
    #[must_use]
    pub fn result_for(&self, arguments: &[Sort]) -> Option<Sort> {
        if arguments.len() != self.parameters.len() {
            return None;
        }
        let mut t = Sort::Any;
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            t = t.join(&parameter.infer(argument)?)?;
        }
        Some(self.result.sort(&t))
    }
}

macro_rules! builtins {
    ($($name:literal ($($parameter:expr),*) -> $result:expr, $summary:literal, $value:expr;)+) => {
        /// The built-in sets and functions. Names can occur several times, with parameters of other sorts.
        pub static BUILTINS: &[Builtin] = &[$(Builtin {
            name: $name,
            parameters: &[$($parameter),*],
            result: $result,
            summary: $summary,
            value: $value,
        }),+];
    };
}

builtins! {
    "none" () -> T, "the absence of a value", |_, _| Value::None;
    "true" () -> Bool, "true", |_, _| Value::Bool(true);
    "false" () -> Bool, "false", |_, _| Value::Bool(false);
    "height" () -> Number, "the number of rows", |at, _| number(usize::from(at.size.rows));
    "width" () -> Number, "the number of columns", |at, _| number(usize::from(at.size.columns));
    "cells" () -> CELLS, "the cells, row by row", |at, _| places(at.size.cells().map(Spot::Cell));
    "corners" () -> CORNERS, "the corners of cells, row by row", |at, _| places(at.size.corners().map(Spot::Corner));
    "links" () -> Set(&Link), "the pairs of cells that share a side", |at, _| places(at.size.links());
    "sides" () -> Set(&Side), "the sides of cells", |at, _| places(at.size.sides());
    "rows" () -> LINES, "the rows, from top to bottom, each from left to right", |at, _| at.rows.clone();
    "columns" () -> LINES, "the columns, from left to right, each from top to bottom", |at, _| at.columns.clone();
    "lines" () -> LINES, "the rows and the columns", |at, _| joined(&at.rows, &at.columns);
    "dirs" () -> Set(&Symbol), "the directions `'n'`, `'e'`, `'s'` and `'w'`",
        |_, _| Value::set(Direction::ALL.map(|direction| Value::symbol(direction.symbol())));
    "outside" () -> Place, "the area around the board, a neighbour of the cells at the border",
        |_, _| Spot::Outside.into();
    "boxes" () -> LINES, "the boxes of a Sudoku: as nearly square as the width allows, wider rather than higher",
        |at, _| at.boxes();
    "diagonals" () -> LINES, "the two diagonals of a square board", |at, _| at.diagonals();

    "row" (Number) -> CELLS, "a row, counted from 1", |at, args| nth(&at.rows, &args[0]);
    "column" (Number) -> CELLS, "a column, counted from 1", |at, args| nth(&at.columns, &args[0]);
    "row" (Shape::Cell) -> CELLS, "the row of a cell",
        |at, args| cell(&args[0]).map_or(Value::None, |cell| at.rows.items()[usize::from(cell.row)].clone());
    "column" (Shape::Cell) -> CELLS, "the column of a cell",
        |at, args| cell(&args[0]).map_or(Value::None, |cell| at.columns.items()[usize::from(cell.column)].clone());
    "y" (Shape::Cell) -> Number, "the row of a cell, as a number from 1",
        |_, args| cell(&args[0]).map_or(Value::None, |cell| number(usize::from(cell.row) + 1));
    "x" (Shape::Cell) -> Number, "the column of a cell, as a number from 1",
        |_, args| cell(&args[0]).map_or(Value::None, |cell| number(usize::from(cell.column) + 1));
    "y" (CornerSort) -> Number, "the row of a corner, as a number from 1",
        |_, args| corner(&args[0]).map_or(Value::None, |corner| number(usize::from(corner.row) + 1));
    "x" (CornerSort) -> Number, "the column of a corner, as a number from 1",
        |_, args| corner(&args[0]).map_or(Value::None, |corner| number(usize::from(corner.column) + 1));
    "cell" (Number, Number) -> Shape::Cell, "the cell in a row and a column, counted from 1",
        |at, args| match (args[0].number(), args[1].number()) {
            (Some(row), Some(column)) => place(at.size.cell(row - 1, column - 1).map(Spot::Cell)),
            _ => Value::None,
        };
    "step" (Shape::Cell, Symbol) -> Shape::Cell, "the next cell in a direction; none at the border",
        |at, args| match (cell(&args[0]), direction(&args[1])) {
            (Some(cell), Some(direction)) => place(at.size.step(cell, direction).map(Spot::Cell)),
            _ => Value::None,
        };
    "back" (Symbol) -> Symbol, "the opposite direction", |_, args| turned(&args[0], 2);
    "turn" (Symbol) -> Symbol, "the direction after a quarter turn clockwise", |_, args| turned(&args[0], 1);
    "ray" (Shape::Cell, Symbol) -> CELLS, "the cells from a cell, which is left out, to the border",
        |at, args| match (cell(&args[0]), direction(&args[1])) {
            (Some(cell), Some(direction)) => {
                let next = |cell: &Cell| at.size.step(*cell, direction);
                places(std::iter::successors(next(&cell), next).map(Spot::Cell))
            }
            _ => Value::None,
        };
    "neighbours" (Shape::Cell) -> CELLS, "the cells that share a side with a cell", |at, args| near(at, &args[0]);
    "neighbours" (CornerSort) -> CORNERS, "the corners that share a side with a corner", |at, args| near(at, &args[0]);
    "around" (Shape::Cell) -> CELLS, "the up to eight cells that share a side or a corner with a cell",
        |at, args| offsets(at, &args[0], &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);
    "knights" (Shape::Cell) -> CELLS, "the cells that are a knight's move away",
        |at, args| offsets(at, &args[0], &[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
    "touching" (CornerSort) -> CELLS, "the up to four cells at a corner, row by row",
        |at, args| offsets(at, &args[0], &[(-1, -1), (-1, 0), (0, -1), (0, 0)]);
    "corners" (Shape::Cell) -> CORNERS, "the four corners of a cell, row by row",
        |_, args| cell(&args[0]).map_or(Value::None, |Cell { row, column }| {
            let corner = |(down, right)| Spot::Corner(Cell { row: row + down, column: column + right });
            places([(0, 0), (0, 1), (1, 0), (1, 1)].map(corner))
        });
    "diagonals" (Shape::Cell) -> LINES_OF_CORNERS,
        "the two diagonals of a cell, as pairs of corners: from the top left, and from the top right",
        |_, args| cell(&args[0]).map_or(Value::None, |Cell { row, column }| {
            let corner = |down, right| Spot::Corner(Cell { row: row + down, column: column + right });
            Value::set([places([corner(0, 0), corner(1, 1)]), places([corner(0, 1), corner(1, 0)])])
        });
    "link" (Shape::Cell, Symbol) -> Link, "the link from a cell in a direction; none at the border",
        |at, args| match (cell(&args[0]), direction(&args[1])) {
            (Some(cell), Some(direction)) => place(at.size.link(cell, direction)),
            _ => Value::None,
        };
    "link" (Shape::Cell, Shape::Cell) -> Link, "the link between two neighbouring cells",
        |at, args| match (cell(&args[0]), cell(&args[1])) {
            (Some(from), Some(to)) => {
                let joins = |direction: &Direction| at.size.step(from, *direction) == Some(to);
                let direction = Direction::ALL.into_iter().find(joins);
                place(direction.and_then(|direction| at.size.link(from, direction)))
            }
            _ => Value::None,
        };
    "links" (Shape::Cell) -> Set(&Link), "the links of a cell: up, right, down, left",
        |at, args| cell(&args[0]).map_or(Value::None, |cell| {
            places(Direction::ALL.into_iter().filter_map(|direction| at.size.link(cell, direction)))
        });
    "side" (Shape::Cell, Symbol) -> Side, "the side of a cell in a direction",
        |at, args| match (cell(&args[0]), direction(&args[1])) {
            (Some(cell), Some(direction)) => at.size.side(cell, direction).into(),
            _ => Value::None,
        };
    "sides" (Shape::Cell) -> Set(&Side), "the sides of a cell: top, right, bottom, left",
        |at, args| cell(&args[0]).map_or(Value::None, |cell| {
            places(Direction::ALL.map(|direction| at.size.side(cell, direction)))
        });
    "sides" (CornerSort) -> Set(&Side), "the sides at a corner: up, right, down, left",
        |at, args| corner(&args[0]).map_or(Value::None, |corner| {
            places(Direction::ALL.into_iter().filter_map(|direction| at.size.corner_side(corner, direction)))
        });
    "ends" (Link) -> CELLS, "the two cells of a link", |at, args| ends(at, &args[0]);
    "ends" (Side) -> CORNERS, "the two corners of a side", |at, args| ends(at, &args[0]);
    "beside" (Side) -> Set(&Place), "what is on both sides of a side: cells, or the outside",
        |at, args| match &args[0] {
            Value::Place(Spot::Side(from, axis)) => places(at.size.beside(*from, *axis)),
            _ => Value::None,
        };
    "side" (Link) -> Side, "the side between the two cells of a link", |at, args| match &args[0] {
        Value::Place(Spot::Link(from, axis)) => {
            at.size.side(*from, if *axis == Axis::Across { Direction::East } else { Direction::South }).into()
        }
        _ => Value::None,
    };

    "squares" (Number) -> LINES, "the squares of k x k cells, each row by row",
        |at, args| args[0].number().map_or(Value::None, |k| at.blocks(k, k));
    "blocks" (Number, Number) -> LINES, "the rectangles of h x w cells, each row by row",
        |at, args| match (args[0].number(), args[1].number()) {
            (Some(rows), Some(columns)) => at.blocks(rows, columns),
            _ => Value::None,
        };
    "block" (Shape::Cell, Number, Number) -> CELLS,
        "the rectangle of h x w cells with this cell at its top left; none if it leaves the board",
        |at, args| match (cell(&args[0]), args[1].number(), args[2].number()) {
            (Some(from), Some(rows), Some(columns)) => at.block(from, rows, columns),
            _ => Value::None,
        };
    "rectangles" (Shape::Cell, Number) -> LINES, "the rectangles of k cells that contain a cell",
        |at, args| match (cell(&args[0]), args[1].number()) {
            (Some(from), Some(area)) => at.rectangles(from, area),
            _ => Value::None,
        };
    "rectangles" (Shape::Cell) -> LINES, "all rectangles that contain a cell",
        |at, args| cell(&args[0]).map_or(Value::None, |from| {
            let most = i64::from(at.size.rows) * i64::from(at.size.columns);
            Value::set((1..=most).flat_map(|area| at.rectangles(from, area).items().to_vec()))
        });
    "straights" (Number) -> LINES, "the straight rows of k cells, across and down",
        |at, args| args[0].number().map_or(Value::None, |k| {
            joined(&at.blocks(1, k), &if k == 1 { Value::set([]) } else { at.blocks(k, 1) })
        });
    "spans" (LINES, Number) -> LINES,
        "the shortest stretches of a row or column that reach from one of the given areas into the k-th area",
        |at, args| args[1].number().map_or(Value::None, |k| at.spans(&args[0], k));
    "placements" (Symbol, CELLS) -> LINES,
        "the copies of a shape such as `'###/#..'`, turned and mirrored, inside a set of cells",
        |at, args| match &args[0] {
            Value::Symbol(shape) => at.placements(shape, &args[1]),
            _ => Value::None,
        };
    "mirror" (Shape::Cell, Number, Number) -> Shape::Cell,
        "the cell at row h - y and column w - x for a cell at row y and column x, counted from 1",
        |at, args| match (cell(&args[0]), args[1].number(), args[2].number()) {
            (Some(from), Some(rows), Some(columns)) => {
                let mirrored = |whole: i64, part: u16| whole.checked_sub(i64::from(part) + 2);
                let both = mirrored(rows, from.row).zip(mirrored(columns, from.column));
                place(both.and_then(|(row, column)| at.size.cell(row, column)).map(Spot::Cell))
            }
            _ => Value::None,
        };

    "at" (Set(&T), Number) -> T, "the k-th element, counted from 1", |_, args| nth(&args[0], &args[1]);
    "index" (Set(&T), T) -> Number, "the position of an element, counted from 1",
        |_, args| position(&args[0], &args[1]).map_or(Value::None, |at| number(at + 1));
    "before" (Set(&T), T) -> Set(&T), "the elements before an element",
        |_, args| position(&args[0], &args[1]).map_or(Value::None, |at| part(&args[0], ..at));
    "after" (Set(&T), T) -> Set(&T), "the elements after an element",
        |_, args| position(&args[0], &args[1]).map_or(Value::None, |at| part(&args[0], at + 1..));
    "pairs" (Set(&T)) -> Set(&Set(&T)), "the pairs of elements, each as a set of two",
        |_, args| {
            let items = args[0].items();
            let pair = |(j, i): (usize, usize)| Value::set([items[i].clone(), items[j].clone()]);
            Value::set((0..items.len()).flat_map(|j| (0..j).map(move |i| (j, i))).map(pair))
        };
    "successive" (Set(&T)) -> Set(&Set(&T)), "the pairs of successive elements, each as a set of two",
        |_, args| Value::set(args[0].items().windows(2).map(|pair| Value::set(pair.to_vec())));
    "containing" (Set(&Set(&T)), T) -> Set(&Set(&T)), "the sets that contain an element",
        |_, args| match &args[0] {
            Value::Set(sets) => Value::set(sets.containing(&args[1])),
            _ => Value::None,
        };
    "reversed" (Set(&T)) -> Set(&T), "the elements in the opposite order",
        |_, args| match &args[0] {
            Value::Set(set) => Value::set(set.items().iter().rev().cloned()),
            _ => Value::None,
        };
    "sorted" (Set(&T)) -> Set(&T), "the elements in ascending order; places row by row",
        |_, args| match &args[0] {
            Value::Set(set) => {
                let mut items = set.items().to_vec();
                items.sort();
                Value::set(items)
            }
            _ => Value::None,
        };
    "largest" (NUMBERS) -> Number, "the largest number of a set",
        |_, args| args[0].items().iter().filter_map(Value::number).max().map_or(Value::None, Value::Number);
    "smallest" (NUMBERS) -> Number, "the smallest number of a set",
        |_, args| args[0].items().iter().filter_map(Value::number).min().map_or(Value::None, Value::Number);
    "union" (Set(&Set(&T))) -> Set(&T), "the elements of all sets, each once",
        |_, args| {
            let mut seen = rustc_hash::FxHashSet::default();
            let items = args[0].items().iter().flat_map(Value::items);
            Value::set(items.filter(|item| seen.insert((*item).clone())).cloned().collect::<Vec<_>>())
        };
}

const LINES_OF_CORNERS: Shape = Set(&CORNERS);

fn number(value: usize) -> Value {
    i64::try_from(value).map_or(Value::None, Value::Number)
}

fn places(places: impl IntoIterator<Item = Spot>) -> Value {
    Value::set(places.into_iter().map(Value::Place))
}

fn place(place: Option<Spot>) -> Value {
    place.map_or(Value::None, Value::Place)
}

fn cell(value: &Value) -> Option<Cell> {
    match value {
        Value::Place(Spot::Cell(cell)) => Some(*cell),
        _ => None,
    }
}

fn corner(value: &Value) -> Option<Cell> {
    match value {
        Value::Place(Spot::Corner(corner)) => Some(*corner),
        _ => None,
    }
}

fn direction(value: &Value) -> Option<Direction> {
    match value {
        Value::Symbol(symbol) => Direction::of(symbol),
        _ => None,
    }
}

fn turned(value: &Value, quarters: usize) -> Value {
    direction(value).map_or(Value::None, |direction| Value::symbol(direction.turned(quarters).symbol()))
}

fn ends(at: &Geometry, edge: &Value) -> Value {
    match edge {
        Value::Place(edge) => at.size.ends(*edge).map_or(Value::None, places),
        _ => Value::None,
    }
}

/// The neighbours of a cell or a corner, without the outside.
fn near(at: &Geometry, of: &Value) -> Value {
    match of {
        Value::Place(of) => {
            places(at.size.neighbours(*of).into_iter().filter(|place| *place != Spot::Outside))
        }
        _ => Value::None,
    }
}

/// The cells at offsets from a cell or a corner.
fn offsets(at: &Geometry, from: &Value, offsets: &[(i64, i64)]) -> Value {
    let Some(Cell { row, column }) = cell(from).or_else(|| corner(from)) else { return Value::None };
    let to = |&(down, right): &(i64, i64)| at.size.cell(i64::from(row) + down, i64::from(column) + right);
    places(offsets.iter().filter_map(to).map(Spot::Cell))
}

pub(super) fn joined(first: &Value, second: &Value) -> Value {
    Value::set(first.items().iter().chain(second.items()).cloned())
}

fn nth(set: &Value, k: &Value) -> Value {
    let at = k.number().and_then(|k| usize::try_from(k - 1).ok());
    at.and_then(|at| set.items().get(at)).cloned().unwrap_or(Value::None)
}

fn position(set: &Value, item: &Value) -> Option<usize> {
    match set {
        Value::Set(set) => set.position(item),
        _ => None,
    }
}

fn part(set: &Value, range: impl std::slice::SliceIndex<[Value], Output = [Value]>) -> Value {
    Value::set(set.items()[range].iter().cloned())
}
