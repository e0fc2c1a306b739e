//! Sets of cells on a board: boxes, blocks, rectangles, spans and placements of shapes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::place::{Cell, Size, Spot};
use super::value::Value;

/// The size of a board, with its rows and columns.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// The numbers of rows and columns.
    pub size: Size,
    /// The rows, each a set of cells.
    pub rows: Value,
    /// The columns, each a set of cells.
    pub columns: Value,
}

impl Geometry {
    /// Creates the geometry of a board.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let Size { rows, columns } = size;
        let cell = |row, column| Spot::Cell(Cell { row, column }).into();
        let row = |row| Value::set((0..columns).map(|column| cell(row, column)));
        let column = |column| Value::set((0..rows).map(|row| cell(row, column)));
        Self { size, rows: Value::set((0..rows).map(row)), columns: Value::set((0..columns).map(column)) }
    }

    /// The rectangle of `rows` x `columns` cells whose top left cell is `from`; no value if it leaves the board.
    pub(super) fn block(&self, from: Cell, rows: i64, columns: i64) -> Value {
        let (top, left) = (i64::from(from.row), i64::from(from.column));
        let fits = rows > 0
            && columns > 0
            && rows <= i64::from(self.size.rows) - top
            && columns <= i64::from(self.size.columns) - left;
        if !fits {
            return Value::None;
        }
        let cell = |row, column| self.size.cell(top + row, left + column);
        let cells = (0..rows).flat_map(|row| (0..columns).filter_map(move |column| cell(row, column)));
        Value::set(cells.map(|cell| Spot::Cell(cell).into()))
    }

    /// All rectangles of `rows` x `columns` cells.
    pub(super) fn blocks(&self, rows: i64, columns: i64) -> Value {
        let blocks = self.size.cells().map(|cell| self.block(cell, rows, columns));
        Value::set(blocks.filter(|block| *block != Value::None))
    }

    /// Returns the boxes of a Sudoku, which are as nearly square as the width allows.
    #[must_use]
    pub fn boxes(&self) -> Value {
        let width = i64::from(self.size.columns);
        let Some(high) =
            (1..=width).take_while(|high| high * high <= width).filter(|high| width % high == 0).last()
        else {
            return Value::set([]);
        };
        let wide = width / high;
        let starts = self
            .size
            .cells()
            .filter(|cell| i64::from(cell.row) % high == 0 && i64::from(cell.column) % wide == 0);
        Value::set(starts.map(|cell| self.block(cell, high, wide)).filter(|block| *block != Value::None))
    }

    pub(super) fn diagonals(&self) -> Value {
        let Size { rows, columns } = self.size;
        if rows != columns {
            return Value::set([]);
        }
        let down = (0..rows).map(|at| Spot::Cell(Cell { row: at, column: at }).into());
        let up = (0..rows).map(|at| Spot::Cell(Cell { row: at, column: columns - 1 - at }).into());
        Value::set([Value::set(down), Value::set(up)])
    }

    /// The rectangles of `area` cells that contain a cell.
    pub(super) fn rectangles(&self, from: Cell, area: i64) -> Value {
        let (bottom, right) = (i64::from(from.row), i64::from(from.column));
        let (most_rows, most_columns) = (i64::from(self.size.rows), i64::from(self.size.columns));
        let mut found = Vec::new();
        for rows in (1..=area.min(most_rows)).filter(|rows| area % rows == 0 && area / rows <= most_columns) {
            let columns = area / rows;
            for top in (bottom - rows + 1).max(0)..=bottom {
                for left in (right - columns + 1).max(0)..=right {
                    if let Some(start) = self.size.cell(top, left) {
                        found.push(self.block(start, rows, columns));
                    }
                }
            }
        }
        found.retain(|block| *block != Value::None);
        Value::set(found)
    }

    /// The shortest stretches of a line that reach from one of the areas into the `k`-th area. The stretch starts with
    /// the last cell of the first area, and ends with the first cell of the last area.
    pub(super) fn spans(&self, areas: &Value, k: i64) -> Value {
        let mut area_of: FxHashMap<&Value, usize> = FxHashMap::default();
        for (number, area) in areas.items().iter().enumerate() {
            area_of.extend(area.items().iter().map(|cell| (cell, number)));
        }
        let mut found = Vec::new();
        for line in self.rows.items().iter().chain(self.columns.items()) {
            let cells = line.items();
            // The stretches of one area after another: where each starts.
            let mut starts: Vec<usize> = Vec::new();
            for (at, cell) in cells.iter().enumerate() {
                if at == 0 || area_of.get(cell) != area_of.get(&cells[at - 1]) {
                    starts.push(at);
                }
            }
            let Some(steps) = usize::try_from(k - 1).ok().filter(|&steps| steps > 0) else { continue };
            for (first, &end) in starts.iter().skip(1).zip(starts.iter().skip(steps)) {
                found.push(Value::set(cells[first - 1..=end].iter().cloned()));
            }
        }
        Value::set(found)
    }

    /// The copies of a shape, turned and mirrored, inside a set of cells. `#` is a cell of the shape; `/` separates rows.
    pub(super) fn placements(&self, shape: &str, within: &Value) -> Value {
        let rows = (0..).zip(shape.split('/'));
        let mut cells: Vec<(i64, i64)> = rows
            .flat_map(|(row, text)| {
                (0..).zip(text.chars()).filter(|&(_, c)| c == '#').map(move |(column, _)| (row, column))
            })
            .collect();
        let mut forms = BTreeSet::new();
        for turn in 0..8 {
            cells = cells.iter().map(|&(row, column)| (column, -row)).collect();
            if turn == 4 {
                cells = cells.iter().map(|&(row, column)| (row, -column)).collect();
            }
            let mut form = cells.clone();
            form.sort_unstable();
            let Some(&(top, left)) = form.first() else { return Value::set([]) };
            forms.insert(form.iter().map(|&(row, column)| (row - top, column - left)).collect::<Vec<_>>());
        }
        let inside: FxHashSet<&Value> = within.items().iter().collect();
        let mut found = Vec::new();
        for start in within.items() {
            let Value::Place(Spot::Cell(start)) = start else { continue };
            let (top, left) = (i64::from(start.row), i64::from(start.column));
            for form in &forms {
                let cell = |&(row, column): &(i64, i64)| self.size.cell(top + row, left + column);
                let copy = form.iter().map(|offset| cell(offset).map(|cell| Value::from(Spot::Cell(cell))));
                let Some(copy) = copy.collect::<Option<Vec<_>>>() else { continue };
                if copy.iter().all(|cell| inside.contains(cell)) {
                    found.push(Value::set(copy));
                }
            }
        }
        Value::set(found)
    }
}
