//! Random boards, and random changes of their areas and of data on which variables depend.

use std::ops::Range;
use std::sync::Arc;

use gordian_counting::Random;

use super::super::{MakeOptions, Pattern};
use super::roles::{FieldKind, Making, Roles, Shape};
use super::shapes::with_entry;
use super::{areas, chains};
use crate::puzzle::sheet::clues::UNKNOWN;
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{
    Assignment, Cell, DataValues, PlaceMap, Sheet, SheetBoard, Size, Spot, Value, cells_of,
};

/// The share of the cells that have data on which variables depend: one in 4 to 10.
pub(super) const SHAPES: Range<usize> = 4..11;
/// The same for half of the drafts, once each way was tried: one in 2 to 5.
pub(super) const MANY_SHAPES: Range<usize> = 2..6;
/// One of 4 to 20 cells has data on which the values of variables depend.
const BOUNDS: Range<usize> = 4..21;
/// At most one of 8 to 40 cells is a hole.
const HOLES: Range<usize> = 8..41;
/// The mean sizes of areas.
const AREAS: Range<usize> = 2..9;
/// The mean sizes of large areas.
const LARGE_AREAS: Range<usize> = 6..19;
/// If not all cells belong to an area, areas are left out until at most this many tenths of the cells belong to one.
const COVERED: Range<usize> = 3..8;
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
            // Variables depend on these areas, or only exist in them.
            let shapes_variables = sheet.shapes_variables(data);
            let sizes = match shapes_variables {
                _ if self.is_sparse() && random.index(2) == 0 => LARGE_AREAS,
                true => NUMBERED_AREAS,
                false => AREAS,
            };
            // Some rules only allow as many areas as there are rows.
            let count = match random.index(3) {
                0 if !shapes_variables => usize::from(size.rows),
                _ => cells / (sizes.start + random.index(sizes.len())),
            };
            let mut areas = areas::random(size, count.max(1), random);
            if self.is_sparse() && shapes_variables && random.index(2) == 0 {
                let most = cells * (COVERED.start + random.index(COVERED.len())) / 10;
                while areas.len() > 1 && areas.iter().map(Vec::len).sum::<usize>() > most {
                    areas.remove(random.index(areas.len()));
                }
            }
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
                let side = usize::from(size.rows.max(size.columns));
                let most = if self.is_sparse() { 1 + random.index(side) } else { cells };
                let chains = chains::random(size, most, random);
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
            if shape.is_on_links(sheet) {
                let mut keys = partial::keys(&board, shape.data[0]);
                random.shuffle(&mut keys);
                let count = keys.len() / (shares.start + random.index(shares.len()));
                for key in keys.into_iter().take(count.max(1)) {
                    board = shape.with_key(&board, &key, false, random);
                }
                continue;
            }
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
        if pattern.is_none() { self.one_in_each_area(board) } else { board }
    }

    /// Returns the board without the data that follows from the solution.
    pub(super) fn underived(&self, board: &SheetBoard) -> SheetBoard {
        let sheet = board.sheet();
        let mut empty = board.clone();
        let fields = self.fields.iter().flat_map(|field| &field.data);
        for &data in self.clues.iter().chain(&self.roots).chain(fields).chain(self.lists.iter().flatten()) {
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

    /// Returns the board with at most one drawn number in each area, in its first cell, if addresses have one number for each
    /// area.
    fn one_in_each_area(&self, mut board: SheetBoard) -> SheetBoard {
        let sheet = Arc::clone(board.sheet());
        for &data in self.shapes.iter().flat_map(|shape| &shape.data) {
            let (Some(areas), DataValues::Map(map)) = (sheet.numbered_areas(data), &board.data()[data])
            else {
                continue;
            };
            let mut first = PlaceMap::new(board.size());
            for area in board.keys(areas).items() {
                let value = area.items().iter().find_map(|cell| map.get(cell));
                if let (Some(cell), Some(value)) = (area.items().first(), value) {
                    first.insert(cell.clone(), value.clone());
                }
            }
            board = board.with_data(data, DataValues::Map(first));
        }
        board
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
        let changed = self.with_change(board, cell, pattern, random)?;
        // The cells of a pattern all have a number.
        Some(if pattern.is_none() { self.one_in_each_area(changed) } else { changed })
    }

    fn with_change(
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
        if shape.is_on_links(board.sheet()) {
            let mut keys = partial::keys(board, shape.data[0]);
            keys.retain(|key| cells_of(size, [key.clone()]).contains(&cell));
            let key = keys.get(random.index(keys.len().max(1)))?;
            return Some(if shape.has(board, key) {
                shape.with_values(board, key, &[])
            } else {
                shape.with_key(board, key, false, random)
            });
        }
        let key = partial::key(cell);
        if shape.is_margin(cell) {
            return None;
        }
        if let Some(moved) = shape.with_single_at(board, &key, random) {
            return Some(moved);
        }
        if let Making::Chains = shape.making {
            let chains: Vec<Vec<Cell>> = board.keys(shape.data[0]).items().iter().map(cells).collect();
            let most = if self.is_sparse() { chains.len().max(1) } else { usize::MAX };
            let chains = chains::changed(size, &chains, cell, most, random);
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

fn contains(pattern: &Pattern, cell: Cell) -> bool {
    pattern.contains(cell.row.into(), cell.column.into())
}

fn cells(area: &Value) -> Vec<Cell> {
    let places = area.places().into_iter();
    places.filter_map(|place| if let Spot::Cell(cell) = place { Some(cell) } else { None }).collect()
}
