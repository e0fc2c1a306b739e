//! Random boards, and random changes of their areas and of data on which variables depend.

use std::ops::Range;
use std::sync::Arc;

use gordian_counting::Random;

use super::super::{MakeOptions, Pattern};
use super::roles::{FieldKind, Making, Roles, Shape};
use super::{areas, chains};
use crate::puzzle::sheet::clues::UNKNOWN;
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{Assignment, Cell, DataValues, PlaceMap, Sheet, SheetBoard, Size, Spot, Value};

/// The share of the cells that have data on which variables depend: one in 4 to 10.
pub(super) const SHAPES: Range<usize> = 4..11;
/// The same for half of the drafts, once each way was tried: one in 2 to 5.
pub(super) const MANY_SHAPES: Range<usize> = 2..6;
/// One of 4 to 20 cells has data on which the values of variables depend.
const BOUNDS: Range<usize> = 4..21;
/// At most one of 8 to 40 cells is a hole.
const HOLES: Range<usize> = 8..41;
/// Random values are among this many smallest ones of the data.
const MANY: usize = 9;
/// The mean sizes of areas.
const AREAS: Range<usize> = 2..9;
/// The mean sizes of areas if they are the possible numbers of their cells.
const NUMBERED_AREAS: Range<usize> = 3..6;

impl Roles {
    /// Returns the board without some values at a cell and in its row and column, of data with a value for each cell.
    pub(super) fn without_values(&self, board: &SheetBoard, cell: Cell, random: &mut Random) -> SheetBoard {
        let Size { rows, columns } = board.size();
        let mut row = |side: u16| u16::try_from(random.index(side.into())).expect("a row or a column");
        let others = [Cell { row: row(rows), ..cell }, Cell { column: row(columns), ..cell }, cell];
        let kept = random.index(others.len());
        let mut board = board.clone();
        for data in
            self.fields.iter().filter(|field| field.kind == FieldKind::Full).flat_map(|field| &field.data)
        {
            for (number, &cell) in others.iter().enumerate() {
                if number != kept {
                    board = with_entry(&board, *data, &partial::key(cell), Value::None);
                }
            }
        }
        board
    }

    /// Returns how dull the components are: the number of those of a single place, and of places beyond the side of a square
    /// board in large ones.
    pub(super) fn dullness(&self, board: &SheetBoard) -> i64 {
        let most = i64::try_from(board.size().cells().count().isqrt()).unwrap_or(i64::MAX);
        let sizes = self.roots.iter().flat_map(|&data| match &board.data()[data] {
            DataValues::Map(map) => map.iter().filter_map(|(_, size)| size.number()).collect(),
            _ => Vec::new(),
        });
        sizes.map(|size| i64::from(size == 1) + (size - most).max(0)).sum()
    }

    /// Returns the board with the root of a component moved to a cell of it, or beside it.
    pub(super) fn with_other_root(
        &self,
        board: &SheetBoard,
        assignment: &Assignment,
        cell: Cell,
        random: &mut Random,
    ) -> Option<SheetBoard> {
        let data = self.roots[random.index(self.roots.len())];
        let near = board.size().neighbours(Spot::Cell(cell)).into_iter().map(Value::from);
        let near: Vec<Value> = [partial::key(cell)].into_iter().chain(near).collect();
        let key = &near[random.index(near.len())];
        let components = board.components(data, assignment).ok()?;
        let component = components.iter().find(|component| component.contains(key))?;
        let root = component.iter().find(|other| board.lookup(data, other) != Value::None)?;
        let size = board.lookup(data, root);
        (root != key).then(|| with_entry(&with_entry(board, data, root, Value::None), data, key, size))
    }

    /// Returns a board with random areas, numbers and data on which variables depend, and without other data.
    /// With a pattern, exactly its cells have data on which variables depend, except for holes, which are in other cells.
    pub(super) fn random(
        &self,
        sheet: &Arc<Sheet>,
        size: Size,
        options: &MakeOptions,
        random: &mut Random,
    ) -> SheetBoard {
        let pattern = options.pattern.as_ref();
        let mut board = partial::without_entries(sheet, size, &options.puzzle);
        let cells = size.cells().count();
        for &data in &self.areas {
            // Some rules only allow as many areas as there are rows.
            let sizes = if sheet.shapes_variables(data) { NUMBERED_AREAS } else { AREAS };
            let count = match random.index(3) {
                0 if !sheet.shapes_variables(data) => usize::from(size.rows),
                _ => cells / (sizes.start + random.index(sizes.len())),
            };
            let mut areas = areas::random(size, count.max(1), random);
            if self.has_holes(sheet, data) {
                let holes = cells / (SHAPES.start + random.index(SHAPES.len()));
                let mut order: Vec<Cell> = size.cells().collect();
                random.shuffle(&mut order);
                for cell in order.into_iter().take(holes) {
                    areas = areas::with_hole(size, &areas, cell).unwrap_or(areas);
                }
            }
            board = board.with_data(data, DataValues::areas(size, areas));
        }
        for &data in &self.numbers {
            // Either the greatest number in a line, or how often something occurs in it.
            let side = i64::from(size.columns);
            let numbers = if sheet.bounds_variables(data) { (side + 1) / 2..=side } else { 1..=2 };
            let numbers: Vec<i64> = numbers.collect();
            let number = numbers[random.index(numbers.len())];
            board = board.with_data(data, DataValues::Plain(Value::Number(number)));
        }
        for shape in &self.shapes {
            if let Making::Chains = shape.making {
                let chains = chains::random(size, random);
                board = board.with_data(shape.data[0], chains::data(&chains));
                continue;
            }
            let shares = if shape.has_holes() {
                HOLES
            } else if sheet.bounds_variables(shape.data[0]) {
                BOUNDS
            } else {
                self.shares.clone()
            };
            let count = cells / (shares.start + random.index(shares.len()));
            let count = if shape.has_holes() { random.index(count + 1) } else { count.max(1) };
            let mut order: Vec<Cell> = size.cells().collect();
            random.shuffle(&mut order);
            let count = match pattern {
                Some(pattern) => {
                    order.retain(|cell| contains(pattern, *cell) != shape.has_holes());
                    if shape.has_holes() { count } else { order.len() }
                }
                None => count,
            };
            let singles = shape.singles(sheet);
            let (single, others) = order.split_at(singles.len().min(order.len()));
            for (&cell, (data, value)) in single.iter().zip(singles) {
                board = with_entry(&board, data, &partial::key(cell), value);
            }
            let margin = size.cells().filter(|&cell| shape.is_margin(cell));
            let draws = matches!(shape.making, Making::Either) && random.index(2) == 0;
            for cell in others.iter().copied().take(count).chain(margin) {
                board = shape.with_cell(&board, cell, draws, random);
            }
        }
        board
    }

    /// Returns the board without the data that follows from the solution.
    pub(super) fn underived(&self, board: &SheetBoard) -> SheetBoard {
        let sheet = board.sheet();
        let mut empty = board.clone();
        let fields = self.fields.iter().flat_map(|field| &field.data);
        for &data in self.clues.iter().chain(&self.roots).chain(fields) {
            empty = empty.with_data(data, DataValues::empty(&sheet.data[data].sort, board.size()));
        }
        for shape in self.shapes.iter().filter(|shape| shape.has_holes()) {
            for key in shape.keys(board) {
                let value = board.lookup(shape.data[0], &key);
                empty = shape.with_values(&empty, &key, &[value]);
            }
        }
        for shape in self.shapes.iter().filter(|shape| matches!(shape.making, Making::Derived)) {
            for key in shape.keys(&empty) {
                if !shape.draws_symbols() || empty.lookup(shape.data[0], &key).number().is_some() {
                    empty = shape.with_values(&empty, &key, &[Value::symbol(UNKNOWN)]);
                }
            }
        }
        empty
    }

    /// Returns the board after a random change of its areas, or of its data on which variables depend, at a cell or beside
    /// it.
    pub(super) fn changed(
        &self,
        board: &SheetBoard,
        cell: Cell,
        pattern: Option<&Pattern>,
        random: &mut Random,
    ) -> Option<SheetBoard> {
        let size = board.size();
        let near: Vec<Cell> = size
            .neighbours(Spot::Cell(cell))
            .into_iter()
            .filter_map(|spot| if let Spot::Cell(cell) = spot { Some(cell) } else { None })
            .collect();
        let cell = match random.index(2) {
            0 if !near.is_empty() => near[random.index(near.len())],
            _ => cell,
        };
        let number = random.index(self.areas.len() + self.shapes.len());
        if let Some(&data) = self.areas.get(number) {
            let areas: Vec<Vec<Cell>> = board.keys(data).items().iter().map(cells).collect();
            let areas = if self.has_holes(board.sheet(), data) && random.index(3) == 0 {
                areas::with_hole(size, &areas, cell)?
            } else {
                areas::moved(size, &areas, cell, random)?
            };
            return Some(board.with_data(data, DataValues::areas(size, areas)));
        }
        let shape = &self.shapes[number - self.areas.len()];
        let key = partial::key(cell);
        if shape.is_margin(cell) {
            return None;
        }
        if let Some(moved) = shape.with_single_at(board, &key, random) {
            return Some(moved);
        }
        if let Making::Chains = shape.making {
            let chains: Vec<Vec<Cell>> = board.keys(shape.data[0]).items().iter().map(cells).collect();
            let chains = chains::changed(size, &chains, cell, random);
            return Some(board.with_data(shape.data[0], chains::data(&chains)));
        }
        if let Some(pattern) = pattern
            && !shape.has_holes()
        {
            let is_replaced = contains(pattern, cell) && !matches!(shape.making, Making::Derived);
            return is_replaced.then(|| shape.with_cell(board, cell, true, random));
        }
        if pattern.is_some_and(|pattern| contains(pattern, cell)) {
            return None;
        }
        if !shape.has(board, &key) {
            // Half of the time, the new entry replaces one beside it.
            let draws = matches!(shape.making, Making::Either) && random.index(2) == 0;
            let board = shape.with_cell(board, cell, draws, random);
            let others = near.into_iter().filter(|&cell| !shape.is_margin(cell)).map(partial::key);
            let old = others.into_iter().find(|key| shape.has(&board, key));
            return Some(match old {
                Some(old) if random.index(2) == 0 => shape.with_values(&board, &old, &[]),
                _ => board,
            });
        }
        let is_replaced = !matches!(shape.making, Making::Derived) && random.index(2) == 0;
        Some(if is_replaced {
            shape.with_cell(board, cell, true, random)
        } else {
            shape.with_values(board, &key, &[])
        })
    }

    /// Returns whether some cells belong to no area. In most published boards of other puzzle types, the areas cover the
    /// board.
    fn has_holes(&self, sheet: &Sheet, areas: usize) -> bool {
        let is_entries = |shape: &Shape| matches!(shape.making, Making::Entries);
        !self.follows() && !self.shapes.iter().any(is_entries) && sheet.shapes_variables(areas)
    }
}

impl Shape {
    /// Returns whether values follow from the solution, unless they are drawn.
    pub(super) fn is_derived(&self) -> bool {
        matches!(self.making, Making::Derived | Making::Either)
    }

    pub(super) fn has_holes(&self) -> bool {
        matches!(self.making, Making::Holes(_))
    }

    /// Returns whether symbols are drawn, although numbers follow from the solution. The entries of a block with several
    /// names belong together, so all of them follow.
    fn draws_symbols(&self) -> bool {
        self.is_derived() && self.data.len() == 1
    }

    /// Returns whether a cell has a value on every board.
    fn is_margin(&self, cell: Cell) -> bool {
        matches!(self.making, Making::Closed) && (cell.row == 0 || cell.column == 0)
    }

    /// Returns whether a key has a value on which variables depend.
    pub(super) fn has(&self, board: &SheetBoard, key: &Value) -> bool {
        self.data.iter().any(|&data| match (board.lookup(data, key), &self.making) {
            (Value::None, _) => false,
            (value, Making::Holes(holes)) => holes.contains(&value),
            _ => true,
        })
    }

    /// Returns the keys with values on which variables depend.
    pub(super) fn keys(&self, board: &SheetBoard) -> Vec<Value> {
        let mut keys: Vec<Value> =
            self.data.iter().flat_map(|&data| board.keys(data).items().to_vec()).collect();
        keys.retain(|key| self.has(board, key));
        keys.sort();
        keys.dedup();
        keys
    }

    /// Returns the board with values for a cell. They are random, unless the first one follows from the solution and `draws`
    /// is false: then it is [`UNKNOWN`] or [another symbol](Self::draws_symbols), if there is one.
    fn with_cell(&self, board: &SheetBoard, cell: Cell, draws: bool, random: &mut Random) -> SheetBoard {
        let singles = self.singles(board.sheet());
        let is_entries = matches!(self.making, Making::Entries);
        let mut drawn = |values: &[Value]| {
            // Symbols such as holes are as frequent as all numbers together.
            let first_symbol = values.iter().position(|value| value.number().is_none());
            let values = match first_symbol.unwrap_or(0) {
                numbers if numbers > 0 && is_entries && random.index(2) == 0 => &values[numbers..],
                numbers if numbers > 0 && is_entries => &values[..numbers],
                _ => values,
            };
            values[random.index(values.len()).min(random.index(MANY))].clone()
        };
        let mut value = |name: usize, data: usize| {
            let possible = board.possible(data).ok().flatten();
            let mut values = possible.map_or(Vec::new(), |values| values.items().to_vec());
            values.retain(|value| !singles.iter().any(|(_, single)| single == value));
            if name == 0 && self.is_derived() && !draws {
                let unknown = Value::symbol(UNKNOWN);
                values.retain(|value| value.number().is_none() && *value != unknown);
                if values.is_empty() || !self.draws_symbols() {
                    return unknown;
                }
                values.push(unknown);
            }
            if values.is_empty() { Value::None } else { drawn(&values) }
        };
        let values = match &self.making {
            Making::Closed => vec![Value::Bool(true)],
            Making::Holes(holes) => vec![drawn(holes)],
            _ => self.data.iter().enumerate().map(|(name, &data)| value(name, data)).collect(),
        };
        self.with_values(board, &partial::key(cell), &values)
    }

    /// Returns the symbols that occur once on each board, with their data.
    fn singles(&self, sheet: &Sheet) -> Vec<(usize, Value)> {
        let is_drawn = matches!(self.making, Making::Entries | Making::Drawn);
        let data: &[usize] = if is_drawn { &self.data } else { &[] };
        let of_data = |&data: &usize| sheet.singles(data).into_iter().map(move |symbol| (data, symbol));
        data.iter().flat_map(of_data).collect()
    }

    /// Returns the board with one of the symbols that occur once moved to a key, or from this key to another one. Returns
    /// `None` if there are no such symbols, or half of the time if there are other entries and the key has no such symbol.
    fn with_single_at(&self, board: &SheetBoard, key: &Value, random: &mut Random) -> Option<SheetBoard> {
        let singles = self.singles(board.sheet());
        if singles.is_empty() {
            return None;
        }
        let at = |value: &Value| {
            let keys = self.keys(board);
            keys.into_iter().find(|key| self.data.iter().any(|&data| board.lookup(data, key) == *value))
        };
        let own = singles.iter().find(|(data, value)| board.lookup(*data, key) == *value);
        let (from, to, value) = match own {
            Some((data, value)) => {
                let mut free = partial::keys(board, *data);
                free.retain(|key| !self.has(board, key));
                (key.clone(), free.get(random.index(free.len().max(1)))?.clone(), (*data, value))
            }
            None if random.index(2) == 0 => {
                let (data, value) = &singles[random.index(singles.len())];
                (at(value)?, key.clone(), (*data, value))
            }
            None => return None,
        };
        let board = self.with_values(board, &from, &[]);
        let board = self.with_values(&board, &to, &[]);
        Some(with_entry(&board, value.0, &to, value.1.clone()))
    }

    /// Returns the board with values for a key. Missing values are removed.
    pub(super) fn with_values(&self, board: &SheetBoard, key: &Value, values: &[Value]) -> SheetBoard {
        with_entries(board, &self.data, key, values)
    }
}

fn contains(pattern: &Pattern, cell: Cell) -> bool {
    pattern.contains(cell.row.into(), cell.column.into())
}

fn cells(area: &Value) -> Vec<Cell> {
    let places = area.places().into_iter();
    places.filter_map(|place| if let Spot::Cell(cell) = place { Some(cell) } else { None }).collect()
}

/// Returns the board with other values of a block for a key. Missing values are removed.
pub(super) fn with_entries(board: &SheetBoard, data: &[usize], key: &Value, values: &[Value]) -> SheetBoard {
    let mut board = board.clone();
    for (number, &data) in data.iter().enumerate() {
        let value = values.get(number).cloned().unwrap_or(Value::None);
        board = with_entry(&board, data, key, value);
    }
    board
}

/// Returns the board with another value for a key.
pub(super) fn with_entry(board: &SheetBoard, data: usize, key: &Value, value: Value) -> SheetBoard {
    let DataValues::Map(map) = &board.data()[data] else { return board.clone() };
    let mut map: PlaceMap<Value> = map.clone();
    if value == Value::None {
        map.retain(|other| other != key);
    } else {
        map.insert(key.clone(), value);
    }
    board.with_data(data, DataValues::Map(map))
}
