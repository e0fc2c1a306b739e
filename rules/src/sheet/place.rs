//! The places of a board: cells, corners, links, sides, and the outside.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::Place;

/// A place of a rectangular board. Rows and columns count from 0 at the top left.
///
/// The `Display` form counts from 1, as in `r2c3`, `r2c3-r2c4` for a link or a side between two cells, and
/// `corner r1c1` for the corner at the top left of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A cell.
    Cell(Cell),
    /// The corner at the top left of the cell in this row and column, which may be just outside of the board.
    Corner(Cell),
    /// The pair of a cell and the next one in a direction, which is right or down.
    Link(Cell, Axis),
    /// The edge from a corner to the next one in a direction, which is right or down.
    Side(Cell, Axis),
    /// The area around the board.
    Outside,
}

/// A row and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u16,
    /// The column, from 0 at the left.
    pub column: u16,
}

/// The direction of a link or a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// To the right.
    Across,
    /// Downwards.
    Down,
}

/// The four directions, in the order of the compass, with their steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Up.
    North,
    /// To the right.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All directions, clockwise from the north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Returns the symbol of the direction: `n`, `e`, `s` or `w`.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        ["n", "e", "s", "w"][self as usize]
    }

    /// Returns the direction with the given symbol.
    #[must_use]
    pub fn of(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.symbol() == symbol)
    }

    /// Returns the direction after a number of quarter turns clockwise.
    #[must_use]
    pub fn turned(self, quarters: usize) -> Self {
        Self::ALL[(self as usize + quarters) % 4]
    }

    fn step(self) -> (i64, i64) {
        [(-1, 0), (0, 1), (1, 0), (0, -1)][self as usize]
    }
}

/// The numbers of rows and columns of a board, and the numbering of its places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// The number of rows.
    pub rows: u16,
    /// The number of columns.
    pub columns: u16,
}

impl Hash for Spot {
    /// Places are keys of most tables, so they are hashed as a single number.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (layer, Cell { row, column }) = self.layer();
        state.write_u64((layer as u64) << 32 | u64::from(row) << 16 | u64::from(column));
    }
}

impl Spot {
    /// The number of kinds of places: a layer is the places of one kind.
    pub(super) const LAYERS: usize = 7;

    /// Returns the number of the place's kind, and its row and column.
    fn layer(self) -> (usize, Cell) {
        match self {
            Self::Cell(cell) => (0, cell),
            Self::Corner(cell) => (1, cell),
            Self::Link(cell, axis) => (2 + axis as usize, cell),
            Self::Side(cell, axis) => (4 + axis as usize, cell),
            Self::Outside => (6, Cell { row: 0, column: 0 }),
        }
    }
}

impl Size {
    /// Returns the cell in a row and column, or `None` if it is not on the board.
    #[must_use]
    pub fn cell(self, row: i64, column: i64) -> Option<Cell> {
        let row = u16::try_from(row).ok().filter(|&row| row < self.rows)?;
        let column = u16::try_from(column).ok().filter(|&column| column < self.columns)?;
        Some(Cell { row, column })
    }

    /// Returns the corner at the top left of a row and column, or `None` if there is none.
    #[must_use]
    pub fn corner(self, row: i64, column: i64) -> Option<Cell> {
        Self { rows: self.rows + 1, columns: self.columns + 1 }.cell(row, column)
    }

    /// Returns the next cell in a direction, or `None` at the border.
    #[must_use]
    pub fn step(self, from: Cell, direction: Direction) -> Option<Cell> {
        let (down, right) = direction.step();
        self.cell(i64::from(from.row) + down, i64::from(from.column) + right)
    }

    /// Returns the next corner in a direction, or `None` at the border.
    #[must_use]
    pub fn corner_step(self, from: Cell, direction: Direction) -> Option<Cell> {
        Self { rows: self.rows + 1, columns: self.columns + 1 }.step(from, direction)
    }

    /// Returns the link between a cell and the next one in a direction, or `None` at the border.
    #[must_use]
    pub fn link(self, from: Cell, direction: Direction) -> Option<Spot> {
        let to = self.step(from, direction)?;
        Some(Spot::Link(from.min(to), axis(direction)))
    }

    /// Returns the side of a cell in a direction.
    #[must_use]
    pub fn side(self, Cell { row, column }: Cell, direction: Direction) -> Spot {
        match direction {
            Direction::North => Spot::Side(Cell { row, column }, Axis::Across),
            Direction::East => Spot::Side(Cell { row, column: column + 1 }, Axis::Down),
            Direction::South => Spot::Side(Cell { row: row + 1, column }, Axis::Across),
            Direction::West => Spot::Side(Cell { row, column }, Axis::Down),
        }
    }

    /// Returns the side from a corner in a direction, or `None` at the border.
    #[must_use]
    pub fn corner_side(self, from: Cell, direction: Direction) -> Option<Spot> {
        let to = self.corner_step(from, direction)?;
        Some(Spot::Side(from.min(to), axis(direction)))
    }

    /// Returns the two cells or corners that a link or a side joins; `None` for other places.
    #[must_use]
    pub fn ends(self, edge: Spot) -> Option<[Spot; 2]> {
        let next = |Cell { row, column }: Cell, axis| match axis {
            Axis::Across => Cell { row, column: column + 1 },
            Axis::Down => Cell { row: row + 1, column },
        };
        match edge {
            Spot::Link(from, axis) => Some([Spot::Cell(from), Spot::Cell(next(from, axis))]),
            Spot::Side(from, axis) => Some([Spot::Corner(from), Spot::Corner(next(from, axis))]),
            _ => None,
        }
    }

    /// Returns the places on both sides of a side, each a cell or the outside: above and below, or left and right.
    #[must_use]
    pub fn beside(self, Cell { row, column }: Cell, axis: Axis) -> [Spot; 2] {
        let (row, column) = (i64::from(row), i64::from(column));
        let first = match axis {
            Axis::Across => self.cell(row - 1, column),
            Axis::Down => self.cell(row, column - 1),
        };
        [first, self.cell(row, column)].map(|cell| cell.map_or(Spot::Outside, Spot::Cell))
    }

    /// Returns the neighbours of a place: the cells that share a side with a cell, or the corners that share a side with a
    /// corner. The outside is a neighbour of the cells at the border, and they are its neighbours.
    #[must_use]
    pub fn neighbours(self, place: Spot) -> Vec<Spot> {
        let around = |from: Cell, step: fn(Self, Cell, Direction) -> Option<Cell>| {
            Direction::ALL.into_iter().filter_map(move |direction| step(self, from, direction))
        };
        match place {
            Spot::Cell(cell) => {
                let mut near: Vec<Spot> = around(cell, Self::step).map(Spot::Cell).collect();
                if near.len() < 4 {
                    near.push(Spot::Outside);
                }
                near
            }
            Spot::Corner(corner) => around(corner, Self::corner_step).map(Spot::Corner).collect(),
            Spot::Outside => {
                let is_border = |cell: &Cell| {
                    cell.row == 0
                        || cell.column == 0
                        || cell.row + 1 == self.rows
                        || cell.column + 1 == self.columns
                };
                self.cells().filter(is_border).map(Spot::Cell).collect()
            }
            Spot::Link(..) | Spot::Side(..) => Vec::new(),
        }
    }

    /// Iterates over the cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| Cell { row, column }))
    }

    /// Iterates over the corners, row by row.
    pub fn corners(self) -> impl Iterator<Item = Cell> {
        Self { rows: self.rows + 1, columns: self.columns + 1 }.cells()
    }

    /// Iterates over the links: first those to the right, then those down, each row by row.
    pub fn links(self) -> impl Iterator<Item = Spot> {
        let [across, down] = [(Direction::East, Axis::Across), (Direction::South, Axis::Down)].map(
            move |(direction, axis)| {
                let has_next = move |cell: &Cell| self.step(*cell, direction).is_some();
                self.cells().filter(has_next).map(move |cell| Spot::Link(cell, axis))
            },
        );
        across.chain(down)
    }

    /// Iterates over the sides: first those to the right, then those down, each row by row.
    pub fn sides(self) -> impl Iterator<Item = Spot> {
        let [across, down] = [(Direction::East, Axis::Across), (Direction::South, Axis::Down)].map(
            move |(direction, axis)| {
                let has_next = move |corner: &Cell| self.corner_step(*corner, direction).is_some();
                self.corners().filter(has_next).map(move |corner| Spot::Side(corner, axis))
            },
        );
        across.chain(down)
    }

    /// Returns the number of the kind of a place, and the number of the place among those of this kind on the board. The first
    /// is less than [`Spot::LAYERS`], and the second is less than [`Size::layer`].
    pub(super) fn number_in_layer(self, place: Spot) -> (usize, usize) {
        let (layer, Cell { row, column }) = place.layer();
        (layer, usize::from(row) * (usize::from(self.columns) + 1) + usize::from(column))
    }

    /// Returns the number of places in a layer.
    pub(super) fn layer(self) -> usize {
        (usize::from(self.rows) + 1) * (usize::from(self.columns) + 1)
    }
}

/// A table with an entry for some of the places of a board. Only the kinds of places that have entries take up memory.
#[derive(Debug, Clone)]
pub(super) struct PlaceTable<T> {
    layers: [Vec<Option<T>>; Spot::LAYERS],
}

impl<T> Default for PlaceTable<T> {
    fn default() -> Self {
        Self { layers: Default::default() }
    }
}

impl<T> PlaceTable<T> {
    /// Sets the entry of a place, and returns its previous entry. All calls for a table must give the size of the same board.
    pub(super) fn insert(&mut self, size: Size, place: Spot, entry: T) -> Option<T> {
        let (layer, at) = size.number_in_layer(place);
        let entries = &mut self.layers[layer];
        if entries.is_empty() {
            entries.resize_with(size.layer(), || None);
        }
        entries[at].replace(entry)
    }

    /// Removes the entry of a place.
    pub(super) fn remove(&mut self, size: Size, place: Spot) {
        let (layer, at) = size.number_in_layer(place);
        if let Some(entry) = self.layers[layer].get_mut(at) {
            *entry = None;
        }
    }

    /// Returns the entry of a place.
    pub(super) fn get(&self, size: Size, place: Spot) -> Option<&T> {
        let (layer, at) = size.number_in_layer(place);
        self.layers[layer].get(at)?.as_ref()
    }
}

fn axis(direction: Direction) -> Axis {
    match direction {
        Direction::East | Direction::West => Axis::Across,
        Direction::North | Direction::South => Axis::Down,
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Place { row: self.row.into(), column: self.column.into() }.fmt(f)
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = |Cell { row, column }: Cell, axis| match axis {
            Axis::Across => Cell { row, column: column + 1 },
            Axis::Down => Cell { row: row + 1, column },
        };
        match *self {
            Self::Cell(cell) => cell.fmt(f),
            Self::Corner(cell) => write!(f, "corner {cell}"),
            Self::Link(cell, axis) => write!(f, "{cell}-{}", next(cell, axis)),
            Self::Side(cell, Axis::Across) => write!(f, "the top side of {cell}"),
            Self::Side(cell, Axis::Down) => write!(f, "the left side of {cell}"),
            Self::Outside => f.write_str("outside"),
        }
    }
}
