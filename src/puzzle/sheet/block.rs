//! The blocks of a board's data: rows of values, as text and JSON write them, and the data that they stand for.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::format::{InputError, Source, Span, Spanned, quote};
use crate::puzzle::Options;
use crate::rules::sheet::{
    Axis, Cell, Data, DataBlock, DataSort, DataValues, EvalError, Geometry, PlaceMap, Scheme, Sheet,
    SheetBoard, Size, Spot, Value,
};

/// The rows of a block, with one value for each token. An absent value is [`Value::None`].
pub(super) type Rows<T> = Vec<Vec<T>>;

/// The token of an absent value.
pub(super) const NOTHING: &str = ".";
/// The value of an option that is chosen.
pub(super) const YES: &str = "yes";
/// The token of a cell that belongs to no area.
pub(super) const NO_AREA: &str = "#";

/// Returns the data of a board without entries, with the options that the user states.
pub(super) fn without_entries(sheet: &Sheet, size: Size, options: &Options) -> Vec<DataValues> {
    let value = |data: &Data| match data.sort {
        DataSort::Option => DataValues::Plain(Value::Bool(options.is(&data.name, YES))),
        _ => DataValues::empty(&data.sort, size),
    };
    sheet.data.iter().map(value).collect()
}

/// Reads the blocks of a board one after the other.
#[derive(Debug)]
pub(super) struct Filling<'a> {
    sheet: &'a Arc<Sheet>,
    source: &'a Source,
    geometry: Arc<Geometry>,
    /// The options that the user states, which take precedence over those in the source.
    options: &'a Options,
    data: Vec<DataValues>,
    /// The values of each name of data, with their places in the source.
    given: Vec<(usize, Spanned<Value>)>,
}

impl<'a> Filling<'a> {
    /// Starts with an empty board, for which `options` states the data of the scheme `option`.
    pub(super) fn new(sheet: &'a Arc<Sheet>, source: &'a Source, size: Size, options: &'a Options) -> Self {
        let data = without_entries(sheet, size, options);
        Self { sheet, source, geometry: Arc::new(Geometry::new(size)), options, data, given: Vec::new() }
    }

    fn error<T>(&self, span: Span, expected: impl Into<String>) -> Result<T, InputError> {
        Err(InputError::new(self.source, span, expected, quote(self.source.slice(span))))
    }

    /// Adds what the source says about an option.
    pub(super) fn option(&mut self, data: usize, is_chosen: bool) {
        if self.options.get(&self.sheet.data[data].name).is_none() {
            self.data[data] = DataValues::Plain(Value::Bool(is_chosen));
        }
    }

    /// Adds the data of one name of a block. The rows have the right number and lengths.
    pub(super) fn field(
        &mut self,
        block: &DataBlock,
        field: usize,
        rows: &Rows<Spanned<Value>>,
    ) -> Result<(), InputError> {
        let data = block.fields[field];
        let geometry = Arc::clone(&self.geometry);
        match block.scheme {
            Scheme::Areas => self.data[data] = areas(self.geometry.size, rows),
            Scheme::Chains => self.data[data] = DataValues::Plain(self.chains(rows)?),
            Scheme::Sums if field == 2 => {
                for (cell, closed) in keyed(&geometry, Scheme::Grid, rows) {
                    if closed.value != Value::None {
                        self.insert(data, cell, Value::Bool(true), closed.span)?;
                    }
                }
            }
            Scheme::ColumnLists | Scheme::RowLists => {
                let lines = if block.scheme == Scheme::RowLists { &geometry.rows } else { &geometry.columns };
                for (line, row) in lines.items().iter().zip(rows) {
                    let list = self.list(data, row)?;
                    let span = row.first().map_or(self.source.start(), |number| number.span);
                    self.insert(data, line.clone(), list, span)?;
                }
            }
            // An option has no rows.
            Scheme::Option => {}
            Scheme::Number => {
                if let Some(number) = rows.first().and_then(|row| row.first()) {
                    self.given.push((data, number.clone()));
                    self.data[data] = DataValues::Plain(number.value.clone());
                }
            }
            Scheme::Grid
            | Scheme::Corners
            | Scheme::Links
            | Scheme::Columns
            | Scheme::Rows
            | Scheme::Views
            | Scheme::Sums => {
                for (key, value) in keyed(&geometry, block.scheme, rows) {
                    if value.value != Value::None {
                        self.given.push((data, value.clone()));
                        self.insert(data, key, value.value.clone(), value.span)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a value. A line of one cell can be both a row and a column, and looks the same from both ends.
    fn insert(&mut self, data: usize, key: Value, value: Value, span: Span) -> Result<(), InputError> {
        let DataValues::Map(map) = &mut self.data[data] else { return Ok(()) };
        match map.get(&key) {
            Some(other) if *other != value => {
                let expected = format!("{}, which is given for the same line", quote(&other.to_string()));
                self.error(span, expected)
            }
            _ => {
                map.insert(key, value);
                Ok(())
            }
        }
    }

    /// Returns the list of a line. A single 0 stands for the empty list.
    fn list(&mut self, data: usize, row: &[Spanned<Value>]) -> Result<Value, InputError> {
        let zero = Value::Number(0);
        let row = if let [only] = row { if only.value == zero { &[][..] } else { row } } else { row };
        for number in row {
            if number.value == zero {
                let name = quote(&self.sheet.data[data].name);
                return self.error(number.span, format!("another number for {name}, or only `0` for none"));
            }
            self.given.push((data, number.clone()));
        }
        Ok(Value::set(row.iter().map(|number| number.value.clone())))
    }

    /// Returns the chains, in the order of their letters.
    fn chains(&self, rows: &Rows<Spanned<Value>>) -> Result<Value, InputError> {
        let mut chains: BTreeMap<(usize, String), BTreeMap<u32, Value>> = BTreeMap::new();
        for (cell, value) in keyed(&self.geometry, Scheme::Grid, rows) {
            let mut rest = match &value.value {
                Value::None => continue,
                Value::Symbol(text) => &**text,
                _ => "",
            };
            loop {
                let letters;
                (letters, rest) =
                    rest.split_at(rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()));
                let position;
                (position, rest) =
                    rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
                let (Ok(position), false) = (position.parse(), letters.is_empty()) else {
                    return self.error(value.span, "`.`, or letters with positions such as `a1` or `a1b4`");
                };
                let chain = chains.entry((letters.len(), letters.to_owned())).or_default();
                if chain.insert(position, cell.clone()).is_some() {
                    return self.error(value.span, "another position: two cells of a chain have the same");
                }
                if rest.is_empty() {
                    break;
                }
            }
        }
        Ok(Value::set(chains.into_values().map(|chain| Value::set(chain.into_values()))))
    }

    /// Returns the board, whose values must be possible.
    pub(super) fn finish(self) -> Result<SheetBoard, InputError> {
        let board = SheetBoard::new(Arc::clone(self.sheet), self.geometry.size, self.data);
        for (data, given) in &self.given {
            let name = quote(&self.sheet.data[*data].name);
            let uncomputed = |error: EvalError| {
                let expected = format!("a board for which the values of {name} can be computed");
                InputError::new(self.source, self.source.start(), expected, error.to_string())
            };
            if !board.is_possible(*data, &given.value).map_err(uncomputed)? {
                let possible = board.possible(*data).map_err(uncomputed)?.unwrap_or(Value::None);
                let most = board.most_possible(*data).map_err(uncomputed)?;
                let expected = format!("{} for {name}", listed(possible.items(), most));
                let found = quote(&given.value.to_string());
                return Err(InputError::new(self.source, given.span, expected, found));
            }
        }
        Ok(board)
    }
}

/// Describes a set of possible values. `most` is the greatest number, if `values` lacks numbers.
fn listed(values: &[Value], most: Option<i64>) -> String {
    let mut numbers: Vec<i64> = values.iter().filter_map(Value::number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut words: Vec<String> = match numbers[..] {
        [first, .., last]
            if last.checked_sub(first).and_then(|d| usize::try_from(d).ok()) == Some(numbers.len() - 1) =>
        {
            vec![format!("a number from {first} to {}", most.unwrap_or(last))]
        }
        [only] if most.is_some_and(|most| most > only) => {
            vec![format!("a number from {only} to {}", most.unwrap_or(only))]
        }
        _ => numbers.iter().map(|number| quote(&number.to_string())).collect(),
    };
    words.extend(
        values.iter().filter(|value| value.number().is_none()).map(|value| quote(&value.to_string())),
    );
    match &words[..] {
        [] => "no value".to_owned(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Returns the key of each value in the rows of a scheme whose values have keys of their own.
pub(super) fn keyed<'r, T>(
    geometry: &Geometry,
    scheme: Scheme,
    rows: &'r Rows<T>,
) -> impl Iterator<Item = (Value, &'r T)> {
    let first = rows_of_neighbours(geometry.size);
    let key = move |row: usize, column: usize| {
        let cell = || Cell { row: narrow(row), column: narrow(column) };
        let line = |lines: &Value| lines.items()[column].clone();
        let back = |lines: &Value| Value::set(lines.items()[column].items().iter().rev().cloned());
        match (scheme, row) {
            (Scheme::Corners, _) => Spot::Corner(cell()).into(),
            (Scheme::Links, _) if row < first => Spot::Link(cell(), Axis::Across).into(),
            (Scheme::Links, _) => {
                let above = Cell { row: narrow(row - first), ..cell() };
                Spot::Link(above, Axis::Down).into()
            }
            (Scheme::Columns, _) | (Scheme::Views, 0) => line(&geometry.columns),
            (Scheme::Views, 1) => back(&geometry.columns),
            (Scheme::Rows, _) | (Scheme::Views, 2) => line(&geometry.rows),
            (Scheme::Views, _) => back(&geometry.rows),
            _ => Spot::Cell(cell()).into(),
        }
    };
    let values = rows
        .iter()
        .enumerate()
        .flat_map(|(row, values)| values.iter().enumerate().map(move |(column, value)| (row, column, value)));
    values.map(move |(row, column, value)| (key(row, column), value))
}

/// Converts a row or a column, which is below [`u16::MAX`] on every board.
pub(super) fn narrow(side: usize) -> u16 {
    u16::try_from(side).unwrap_or(u16::MAX)
}

/// Returns the areas of cells with the same label, in the order of their first cells.
fn areas(size: Size, rows: &Rows<Spanned<Value>>) -> DataValues {
    let mut areas: Vec<Vec<Cell>> = Vec::new();
    let mut numbers: HashMap<&Value, usize> = HashMap::new();
    for (cell, label) in size.cells().zip(rows.iter().flatten()) {
        if label.value != Value::None {
            let number = *numbers.entry(&label.value).or_insert_with(|| {
                areas.push(Vec::new());
                areas.len() - 1
            });
            areas[number].push(cell);
        }
    }
    DataValues::areas(size, areas)
}

/// Returns the keys of the data with a name, in the order in which its blocks list them. Areas, numbers, options and
/// chains have no keys.
pub(super) fn keys(sheet: &Sheet, data: usize, size: Size) -> Vec<Value> {
    let geometry = Geometry::new(size);
    let blocks = sheet.blocks.iter().filter(|block| block.fields.contains(&data));
    let keys = blocks.flat_map(|block| match block.scheme {
        Scheme::Areas | Scheme::Number | Scheme::Option | Scheme::Chains => Vec::new(),
        Scheme::ColumnLists => geometry.columns.items().to_vec(),
        Scheme::RowLists => geometry.rows.items().to_vec(),
        scheme => keyed(&geometry, scheme, &blank(scheme, size)).map(|(key, ())| key).collect(),
    });
    keys.collect()
}

/// Returns the number of rows of a block with a token for each pair of neighbours that belong to rows of cells.
fn rows_of_neighbours(size: Size) -> usize {
    if size.columns > 1 { size.rows.into() } else { 0 }
}

/// Returns the number of values in each row of a block whose values have keys of their own.
pub(super) fn lengths(scheme: Scheme, size: Size) -> Vec<usize> {
    let (height, width) = (usize::from(size.rows), usize::from(size.columns));
    match scheme {
        Scheme::Corners => vec![width + 1; height + 1],
        Scheme::Links => {
            let first = vec![width - 1; rows_of_neighbours(size)];
            first.into_iter().chain(vec![width; height - 1]).collect()
        }
        Scheme::Columns => vec![width],
        Scheme::Rows => vec![height],
        Scheme::Views => vec![width, width, height, height],
        _ => vec![width; height],
    }
}

/// Returns the rows of a block whose values have keys of their own, without values.
fn blank(scheme: Scheme, size: Size) -> Rows<()> {
    lengths(scheme, size).into_iter().map(|length| vec![(); length]).collect()
}

/// Returns the rows of one name of a block: the inverse of [`Filling::field`].
pub(super) fn rows(board: &SheetBoard, block: &DataBlock, field: usize) -> Rows<Value> {
    let size = board.size();
    let data = &board.data()[block.fields[field]];
    let geometry = Geometry::new(size);
    match block.scheme {
        Scheme::Areas => return area_rows(size, data),
        Scheme::Chains => return chain_rows(size, data),
        Scheme::Option => return Vec::new(),
        Scheme::Number => {
            return vec![vec![if let DataValues::Plain(value) = data { value.clone() } else { Value::None }]];
        }
        Scheme::ColumnLists => return lists(&geometry.columns, data),
        Scheme::RowLists => return lists(&geometry.rows, data),
        Scheme::Grid
        | Scheme::Sums
        | Scheme::Corners
        | Scheme::Links
        | Scheme::Columns
        | Scheme::Rows
        | Scheme::Views => {}
    }
    let shape = blank(block.scheme, size);
    let mut values = keyed(&geometry, block.scheme, &shape).map(|(key, ())| match data {
        DataValues::Map(map) => map.get(&key).cloned().unwrap_or(Value::None),
        _ => Value::None,
    });
    shape.iter().map(|row| values.by_ref().take(row.len()).collect()).collect()
}

/// Returns the blocks that a board has: those that are not optional, and those with data.
pub(super) fn present(board: &SheetBoard) -> Vec<&DataBlock> {
    let has_data = |data: &usize| match &board.data()[*data] {
        DataValues::Map(map) => !map.keys().is_empty(),
        DataValues::Areas(areas, _) => !areas.items().is_empty(),
        DataValues::Plain(value) => !value.items().is_empty(),
    };
    let blocks = board.sheet().blocks.iter();
    blocks.filter(|block| !block.is_optional || block.fields.iter().any(has_data)).collect()
}

/// Returns the number of rows of each block that a board has.
pub(super) fn counts(board: &SheetBoard) -> Vec<usize> {
    let count = |block: &DataBlock| if block.scheme.has_rows() { rows(board, block, 0).len() } else { 0 };
    present(board).into_iter().map(count).collect()
}

fn lists(lines: &Value, data: &DataValues) -> Rows<Value> {
    let map = if let DataValues::Map(map) = data { Some(map) } else { None };
    let list =
        |line: &Value| map.and_then(|map| map.get(line)).map_or(Vec::new(), |list| list.items().to_vec());
    lines.items().iter().map(list).collect()
}

/// Returns the number of the area of each cell, counted from 1 in the order of the areas.
fn area_rows(size: Size, data: &DataValues) -> Rows<Value> {
    let mut numbers = PlaceMap::new(size);
    if let DataValues::Areas(areas, _) = data {
        for (number, area) in (1..).zip(areas.items()) {
            for cell in area.items() {
                numbers.insert(cell.clone(), Value::Number(number));
            }
        }
    }
    cell_rows(size, &numbers)
}

fn chain_rows(size: Size, data: &DataValues) -> Rows<Value> {
    let mut tokens: PlaceMap<String> = PlaceMap::new(size);
    if let DataValues::Plain(chains) = data {
        for (number, chain) in chains.items().iter().enumerate() {
            for (position, cell) in (1..).zip(chain.items()) {
                let others = tokens.get(cell).cloned().unwrap_or_default();
                tokens.insert(cell.clone(), format!("{others}{}{position}", letters(number)));
            }
        }
    }
    let mut values = PlaceMap::new(size);
    for (cell, token) in tokens.iter() {
        values.insert(cell.clone(), Value::symbol(token));
    }
    cell_rows(size, &values)
}

/// Returns a cell as a value.
pub(super) fn cell(row: usize, column: usize) -> Value {
    Spot::Cell(Cell { row: narrow(row), column: narrow(column) }).into()
}

fn cell_rows(size: Size, values: &PlaceMap<Value>) -> Rows<Value> {
    let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
    let value = |row, column| values.get(&cell(row, column)).cloned().unwrap_or(Value::None);
    (0..rows).map(|row| (0..columns).map(|column| value(row, column)).collect()).collect()
}

/// Returns the letters for a number from 0: `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn letters(number: usize) -> String {
    let (more, last) = (number / 26, number % 26);
    let last = char::from(b'a' + u8::try_from(last).unwrap_or_default());
    if more == 0 { last.to_string() } else { format!("{}{last}", letters(more - 1)) }
}
