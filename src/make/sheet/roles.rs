//! How the data of a sheet are made.

use std::ops::Range;
use std::sync::Arc;

use gordian_counting::Random;

use super::super::{Pattern, Spare};
use super::{areas, chains};
use crate::puzzle::sheet::clues::{self, UNKNOWN};
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{
    Assignment, Cell, DataBlock, DataValues, PlaceMap, Scheme, Sheet, SheetBoard, Size, Spot, Style, Value,
};

/// The data of a sheet by the way in which they are made.
#[derive(Debug)]
pub(in crate::make) struct Roles {
    /// Data whose entries are clues: all values that the rules accept for the solution.
    pub clues: Vec<usize>,
    /// Data on which the variables depend, drawn at random: the names of each block, which share their keys.
    pub shapes: Vec<Shape>,
    /// Data whose entries are the roots of components, with their sizes.
    pub roots: Vec<usize>,
    /// Data that are neither clues nor decide which variables exist. Their entries are chosen after the solution.
    pub fields: Vec<Field>,
    pub areas: Vec<usize>,
    pub numbers: Vec<usize>,
    /// True if clues can be left out.
    can_leave_out: bool,
}

/// The data of a block on which the variables depend.
#[derive(Debug)]
pub(in crate::make) struct Shape {
    pub data: Vec<usize>,
    pub making: Making,
}

/// How data on which the variables depend are made.
#[derive(Debug)]
pub(in crate::make) enum Making {
    /// The values are drawn at random.
    Drawn,
    /// The closed cells of sums are drawn at random; the first row and the first column are closed.
    Closed,
    /// The values follow from the solution. Until it is known, [`UNKNOWN`] stands for them. In most sheets, it is a clue
    /// without a number.
    Derived,
    /// The values are derived or drawn. The places of the variables that belong to the solution do not depend on them.
    Either,
    /// The variables depend on these values only, which are drawn. The others are clues.
    Holes(Vec<Value>),
    /// Chains, which are drawn.
    Chains,
}

/// The data of a block on which no variable depends, but that the rules use for other places than their keys, so that an
/// entry can both restrict and permit solutions.
#[derive(Debug)]
pub(in crate::make) struct Field {
    pub data: Vec<usize>,
    pub kind: FieldKind,
}

/// The kind of a [`Field`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::make) enum FieldKind {
    /// Some of the keys have values.
    Some,
    /// Each key has a value.
    Full,
    /// The data are chains.
    Chains,
    /// Numbers at places that other data have chosen. Without them, the rules still hold.
    Companion,
}

/// The share of the cells that have data on which variables depend: one in 4 to 10.
const SHAPES: Range<usize> = 4..11;
/// One of 4 to 20 cells has data on which the values of variables depend.
const BOUNDS: Range<usize> = 4..21;
/// At most one of 8 to 40 cells is a hole.
const HOLES: Range<usize> = 8..41;
/// The greatest number that is drawn at random, if the data can have greater ones.
const MANY: usize = 9;
/// The mean sizes of areas.
const AREAS: Range<usize> = 2..9;
/// The mean sizes of areas if they are the possible numbers of their cells.
const NUMBERED_AREAS: Range<usize> = 3..6;

impl Roles {
    /// Returns how the data of a sheet are made.
    ///
    /// # Errors
    /// Returns the reason if the generator can't make some of them.
    pub(in crate::make) fn of(sheet: &Sheet) -> Result<Self, String> {
        let mut roles = Self {
            clues: Vec::new(),
            shapes: Vec::new(),
            roots: Vec::new(),
            fields: Vec::new(),
            areas: Vec::new(),
            numbers: Vec::new(),
            can_leave_out: !clues::data(sheet).is_empty(),
        };
        // Numbers on which the values of variables depend, and that are not unknown at first.
        let mut numbers = Vec::new();
        // Boards without optional blocks are boards, too.
        for block in sheet.blocks.iter().filter(|block| !block.is_optional) {
            let fields = block.fields.clone();
            let is_any = |has: fn(&Sheet, usize) -> bool| fields.iter().any(|&data| has(sheet, data));
            let is_chains = block.scheme == Scheme::Chains;
            match (block.scheme, &fields[..]) {
                (Scheme::Option, _) => {}
                (Scheme::Areas, _) => roles.areas.extend(fields),
                (Scheme::Number, _) => roles.numbers.extend(fields),
                (Scheme::Sums, &[below, right, closed])
                    if [below, right].iter().all(|&data| sheet.is_clue(data)) =>
                {
                    roles.clues.extend([below, right]);
                    roles.shapes.push(Shape { data: vec![closed], making: Making::Closed });
                }
                _ if fields.iter().all(|&data| sheet.is_clue(data)) => {
                    roles.clues.extend(&fields);
                    let holes: Vec<Value> =
                        fields.iter().flat_map(|&data| sheet.holes(data).unwrap_or_default()).collect();
                    if !holes.is_empty() {
                        roles.shapes.push(Shape { data: fields, making: Making::Holes(holes) });
                    }
                }
                (Scheme::Grid, &[data]) if sheet.is_size(data) => roles.roots.push(data),
                (Scheme::Grid | Scheme::Chains, _) if is_any(Sheet::shapes_variables) => {
                    let is_numeric = sheet.is_numeric(fields[0]);
                    let bounds = is_any(Sheet::bounds_variables);
                    let can_be_unknown = sheet.has_symbol(fields[0], |symbol| symbol == UNKNOWN);
                    let making = match (is_numeric, can_be_unknown) {
                        _ if is_chains => Making::Chains,
                        (true, true) if bounds || !is_any(Sheet::shapes_solution) => Making::Either,
                        (true, true) => Making::Derived,
                        (true, false) if !bounds => Making::Derived,
                        _ => Making::Drawn,
                    };
                    let shapes = match making {
                        Making::Drawn if is_numeric => &mut numbers,
                        _ => &mut roles.shapes,
                    };
                    shapes.push(Shape { data: fields, making });
                }
                _ if is_any(Sheet::shapes_variables) => {
                    let names: Vec<&str> = fields.iter().map(|&data| &*sheet.data[data].name).collect();
                    let names = names.join("` and `");
                    return Err(format!("it can't choose `{names}`, on which the variables depend"));
                }
                _ => {
                    let kind = match () {
                        () if is_chains => FieldKind::Chains,
                        () if is_any(Sheet::fills_all_cells) => FieldKind::Full,
                        () => FieldKind::Some,
                    };
                    roles.fields.push(Field { data: fields, kind });
                }
            }
        }
        // If the cells with such numbers have other data, too, the numbers follow from the solution.
        if roles.shapes.is_empty() {
            roles.shapes = numbers;
        } else {
            let field = |shape: Shape| Field { data: shape.data, kind: FieldKind::Companion };
            roles.fields.extend(numbers.into_iter().map(field));
        }
        // A name can have several blocks, which follow each other.
        roles.clues.dedup();
        roles.can_leave_out |= roles.fields.iter().any(Field::can_leave_out);
        let is_empty = !roles.follows() && !roles.can_change();
        if is_empty { Err("boards have no data".to_owned()) } else { Ok(roles) }
    }

    /// Returns how many superfluous clues boards keep by default, if they have clues that can be left out. Published boards
    /// show the sizes of components.
    pub(in crate::make) fn spare(&self) -> Option<Spare> {
        let spare = if self.roots.is_empty() { Spare::Number(0) } else { Spare::All };
        self.can_leave_out.then_some(spare)
    }

    /// Returns whether the generator derives some data of the board from the solution, such as clues.
    pub(super) fn follows(&self) -> bool {
        let is_empty = [&self.clues, &self.roots].iter().all(|data| data.is_empty());
        !is_empty || !self.fields.is_empty() || self.shapes.iter().any(Shape::is_derived)
    }

    /// Returns whether there are data with a value for each cell.
    pub(super) fn has_full_fields(&self) -> bool {
        self.fields.iter().any(|field| field.kind == FieldKind::Full)
    }

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

    /// Returns whether there are areas, or data on which variables depend.
    pub(super) fn can_change(&self) -> bool {
        !self.areas.is_empty() || !self.shapes.is_empty()
    }

    /// Returns whether a rule can only be checked once all data is known.
    pub(super) fn is_derived(&self, sheet: &Sheet, rule: usize) -> bool {
        let is_clue = sheet.rules[rule].name == crate::puzzle::plain::CLUE;
        let mut derived =
            self.shapes.iter().filter(|shape| is_clue && shape.is_derived()).flat_map(|shape| &shape.data);
        let fields = self.fields.iter().filter(|field| field.kind != FieldKind::Companion);
        derived.any(|&data| sheet.uses(rule, data))
            || fields.flat_map(|field| &field.data).any(|&data| sheet.uses(rule, data))
            || self.roots.iter().any(|&data| sheet.uses(rule, data))
    }

    /// Returns a board with random areas, numbers and data on which variables depend, and without other data.
    /// With a pattern, exactly its cells have data on which variables depend, except for holes, which are in other cells.
    pub(super) fn random(
        &self,
        sheet: &Arc<Sheet>,
        size: Size,
        pattern: Option<&Pattern>,
        random: &mut Random,
    ) -> SheetBoard {
        let data = sheet.data.iter().map(|data| DataValues::empty(&data.sort, size)).collect();
        let mut board = SheetBoard::new(Arc::clone(sheet), size, data);
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
                SHAPES
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
            let margin = size.cells().filter(|&cell| shape.is_margin(cell));
            let draws = matches!(shape.making, Making::Either) && random.index(2) == 0;
            for cell in order.into_iter().take(count).chain(margin) {
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
                empty = shape.with_values(&empty, &key, &[Value::symbol(UNKNOWN)]);
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
        !self.follows() && sheet.shapes_variables(areas)
    }

    /// Returns the default size of boards.
    pub(in crate::make) fn size(&self, sheet: &Sheet) -> (usize, usize) {
        if sheet.uses_builtin("boxes") {
            (9, 9)
        } else if sheet.shown.iter().any(|shown| shown.style == Style::Numbers) {
            // Numbers have many values, so that their boards are harder to make, and to solve.
            (6, 6)
        } else if !self.follows() && self.numbers.is_empty() && self.shapes.is_empty() {
            // Only the areas can exclude other solutions.
            (6, 6)
        } else if !self.shapes.is_empty() || self.has_full_fields() {
            (8, 8)
        } else {
            (10, 10)
        }
    }

    /// Returns whether the cells that may have clues can be chosen: all data but areas, numbers and options are in cells.
    pub(in crate::make) fn is_patterned(&self, sheet: &Sheet) -> bool {
        let is_given = |block: &DataBlock| match block.scheme {
            Scheme::Grid | Scheme::Areas | Scheme::Number | Scheme::Option => true,
            _ => block.is_optional,
        };
        self.can_leave_out
            && self.roots.is_empty()
            && self.fields.iter().all(Field::can_leave_out)
            && sheet.blocks.iter().all(is_given)
    }

    /// Returns whether clues can be arranged symmetrically: all data are clues in cells or at corners.
    pub(in crate::make) fn is_symmetric(&self, sheet: &Sheet) -> bool {
        let is_grid =
            |block: &DataBlock| matches!(block.scheme, Scheme::Grid | Scheme::Corners | Scheme::Option);
        self.can_leave_out
            && self.numbers.is_empty()
            && self.fields.is_empty()
            && self.roots.is_empty()
            && !self.can_change()
            && sheet.blocks.iter().all(is_grid)
    }
}

fn contains(pattern: &Pattern, cell: Cell) -> bool {
    pattern.contains(cell.row.into(), cell.column.into())
}

fn cells(area: &Value) -> Vec<Cell> {
    let places = area.places().into_iter();
    places.filter_map(|place| if let Spot::Cell(cell) = place { Some(cell) } else { None }).collect()
}

impl Shape {
    /// Returns whether values follow from the solution, unless they are drawn.
    pub(super) fn is_derived(&self) -> bool {
        matches!(self.making, Making::Derived | Making::Either)
    }

    fn has_holes(&self) -> bool {
        matches!(self.making, Making::Holes(_))
    }

    /// Returns whether a cell has a value on every board.
    fn is_margin(&self, cell: Cell) -> bool {
        matches!(self.making, Making::Closed) && (cell.row == 0 || cell.column == 0)
    }

    /// Returns whether a key has a value on which variables depend.
    fn has(&self, board: &SheetBoard, key: &Value) -> bool {
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

    /// Returns the board with values for a cell: random ones, unless the first one follows from the solution and `draws` is
    /// false.
    fn with_cell(&self, board: &SheetBoard, cell: Cell, draws: bool, random: &mut Random) -> SheetBoard {
        let mut drawn = |values: &[Value]| values[random.index(values.len()).min(random.index(MANY))].clone();
        let mut value = |name: usize, data: usize| {
            if name == 0 && self.is_derived() && !draws {
                return Value::symbol(UNKNOWN);
            }
            let possible = board.possible(data).ok().flatten();
            possible
                .filter(|values| !values.items().is_empty())
                .map_or(Value::None, |values| drawn(values.items()))
        };
        let values = match &self.making {
            Making::Closed => vec![Value::Bool(true)],
            Making::Holes(holes) => vec![drawn(holes)],
            _ => self.data.iter().enumerate().map(|(name, &data)| value(name, data)).collect(),
        };
        self.with_values(board, &partial::key(cell), &values)
    }

    /// Returns the board with values for a key. Missing values are removed.
    pub(super) fn with_values(&self, board: &SheetBoard, key: &Value, values: &[Value]) -> SheetBoard {
        with_entries(board, &self.data, key, values)
    }
}

impl Field {
    /// Returns whether entries can be left out. Chains show what is special about a board, so they stay.
    pub(super) fn can_leave_out(&self) -> bool {
        matches!(self.kind, FieldKind::Some | FieldKind::Companion)
    }
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
