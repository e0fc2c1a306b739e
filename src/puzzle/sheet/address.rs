//! puzz.link addresses of boards. `read` and `write` have the schemes that depend on the sheet or on other parts of the address;
//! `squares` and `symbols` have the others, each read and written beside each other.

use std::sync::Arc;

use super::block::{self, Filling, Rows};
use super::size;
use crate::format::pzpr::{Address, AddressClue};
use crate::format::{InputError, Span, Spanned, quote};
use crate::puzzle::Options;
use crate::rules::sheet::{
    AddressPart, AddressScheme, DataBlock, DataValues, Scheme, Sheet, SheetBoard, Size, Value,
};

mod cells;
mod positions;
mod read;
mod shapes;
mod squares;
mod symbols;
mod write;

use read::Reading;
pub(super) use write::write;

/// The symbol of a clue without a number.
const UNKNOWN: &str = "?";
/// The symbol of a cell that does not belong to the board.
const MISSING: &str = "#";
/// The symbol of any number of runs.
const ANY: &str = "*";
/// The symbols of circles: none, white and black.
const CIRCLES: [&str; 3] = ["", "w", "b"];
/// The symbols of directions: none, up, down, left and right.
const DIRECTIONS: [&str; 5] = ["", "n", "s", "w", "e"];

/// Reads a board.
pub(super) fn read(
    sheet: &Arc<Sheet>,
    address: &Address,
    options: &Options,
) -> Result<SheetBoard, InputError> {
    let name = &address.puzzle_type;
    let mut rows = sheet.addresses.iter().filter(|row| row.names.contains(&name.value));
    let known: Vec<&str> = rows.clone().map(|row| row.letters.as_str()).collect();
    if known.is_empty() {
        return Err(InputError::at(&address.source, name, format!("an address of {}", sheet.name())));
    }
    address.check_variant(&known)?;
    let row = rows.find(|row| is_same(&row.letters, &address.variant.value));
    let row = row.expect("the letters are known");
    // A kakuro address leaves out the first row and the first column.
    let more = usize::from(row.parts.iter().any(|part| part.scheme == AddressScheme::Kakuro));
    let span = Span::new(address.columns.span.start, address.rows.span.end);
    let columns = address.columns.value + more;
    let Some(size) = size::checked(address.rows.value + more, columns) else {
        let found = quote(address.source.slice(span));
        return Err(InputError::new(&address.source, span, "a board of at most 1000000 cells", found));
    };
    let mut body = address.reader();
    let mut filling = Filling::new(sheet, &address.source, size, options);
    row.options.iter().for_each(|&option| filling.option(option, true));
    let mut borders = None;
    let mut areas = Vec::new();
    for (number, part) in row.parts.iter().enumerate() {
        let mut reading = Reading {
            sheet,
            size,
            body: &mut body,
            span: address.body.span,
            borders: &mut borders,
            areas: &mut areas,
        };
        for (data, values) in reading.part(part, number)? {
            fill(&mut filling, sheet, size, data, values)?;
        }
    }
    body.finish().map_err(|error| {
        error.with_help("a longer address can be one of a variant, which is not known here")
    })?;
    if let Some((at, a, b)) = borders.and_then(|borders| borders.inside(&areas)) {
        let cell = |cell: usize| format!("r{}c{}", cell / columns + 1, cell % columns + 1);
        let found = format!("a border between {} and {}, which are in the same area", cell(a), cell(b));
        return Err(body.error_at(at, "borders between areas", found));
    }
    filling.finish()
}

/// Returns whether letters are the same, in any order; `sorted` is in alphabetical order.
fn is_same(sorted: &str, letters: &str) -> bool {
    let mut letters: Vec<char> = letters.chars().collect();
    letters.sort_unstable();
    sorted.chars().eq(letters)
}

/// Adds the values of a name to its blocks.
fn fill(
    filling: &mut Filling<'_>,
    sheet: &Arc<Sheet>,
    size: Size,
    data: usize,
    values: Vec<Spanned<Value>>,
) -> Result<(), InputError> {
    let mut values = values.into_iter();
    for (block, field) in blocks(sheet, data) {
        let lengths = lengths(block.scheme, size);
        let rows: Rows<Spanned<Value>> =
            lengths.into_iter().map(|length| values.by_ref().take(length).collect()).collect();
        let rows = if matches!(block.scheme, Scheme::ColumnLists | Scheme::RowLists) {
            let is_any = allows_any(&empty_board(sheet, size), data);
            let number = |value: Spanned<Value>| match value.value {
                Value::None => None,
                Value::Number(0) if is_any => Some(Spanned::new(Value::symbol(ANY), value.span)),
                _ => Some(value),
            };
            rows.into_iter().map(|row| row.into_iter().rev().filter_map(number).collect()).collect()
        } else {
            rows
        };
        filling.field(block, field, &rows)?;
    }
    Ok(())
}

/// Returns a board without data, which has the same possible values.
fn empty_board(sheet: &Arc<Sheet>, size: Size) -> SheetBoard {
    let empty = sheet.data.iter().map(|data| DataValues::empty(&data.sort, size)).collect();
    SheetBoard::new(Arc::clone(sheet), size, empty)
}

/// Returns whether a clue can stand for any number of runs, which is 0 in addresses.
fn allows_any(board: &SheetBoard, data: usize) -> bool {
    let possible = board.possible(data).ok().flatten();
    possible.is_some_and(|values| values.items().contains(&Value::symbol(ANY)))
}

/// Returns whether a part of an address, counted from 0, can be missing if it has no data and nothing follows it.
fn can_be_left_out(part: &AddressPart, number: usize) -> bool {
    matches!(part.scheme, AddressScheme::Empty | AddressScheme::Marks | AddressScheme::Three)
        || part.scheme == AddressScheme::Number16 && number > 0
}

/// Iterates over the blocks that contain a name, each with the index of the name in the block.
fn blocks(sheet: &Sheet, data: usize) -> impl Iterator<Item = (&DataBlock, usize)> {
    let field = move |block: &DataBlock| block.fields.iter().position(|field| *field == data);
    sheet.blocks.iter().filter_map(move |block| Some((block, field(block)?)))
}

/// Returns the number of values in each row of a block, as addresses list them. A column or row of a list has as many places as
/// it can have runs.
fn lengths(scheme: Scheme, size: Size) -> Vec<usize> {
    let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
    match scheme {
        Scheme::ColumnLists => vec![rows.div_ceil(2); columns],
        Scheme::RowLists => vec![columns.div_ceil(2); rows],
        Scheme::Number => vec![1],
        Scheme::Option => Vec::new(),
        scheme => block::lengths(scheme, size),
    }
}

/// Returns the number of values of a name.
fn count(sheet: &Sheet, data: usize, size: Size) -> usize {
    blocks(sheet, data).map(|(block, _)| lengths(block.scheme, size).iter().sum::<usize>()).sum()
}

fn clue_value(clue: AddressClue) -> Value {
    match clue {
        AddressClue::Number(number) => Value::Number(number.into()),
        AddressClue::Unknown => Value::symbol(UNKNOWN),
    }
}

fn clue_values(clues: &[Option<AddressClue>]) -> Vec<Value> {
    clues.iter().map(|clue| clue.map_or(Value::None, clue_value)).collect()
}

fn symbol_values(states: impl IntoIterator<Item = u32>, symbols: &[&str]) -> Vec<Value> {
    let symbol = |state: u32| match symbols.get(state as usize) {
        None | Some(&"") => Value::None,
        Some(symbol) => Value::symbol(symbol),
    };
    states.into_iter().map(symbol).collect()
}

fn states(marked: Vec<bool>) -> Vec<u32> {
    marked.into_iter().map(u32::from).collect()
}

fn number_value(number: Option<u32>) -> Value {
    number.map_or(Value::None, |number| Value::Number(number.into()))
}

fn star_code(row: usize, column: usize) -> i64 {
    1 + i64::from(row % 2 == 1) + 2 * i64::from(column % 2 == 1)
}

/// Returns the symbols that data can have, without holes and clues without a number.
fn letters(board: &SheetBoard, data: usize) -> Vec<Value> {
    let possible = board.possible(data).ok().flatten();
    let possible = possible.iter().flat_map(Value::items);
    let special = [MISSING, UNKNOWN].map(Value::symbol);
    possible.filter(|value| !special.contains(value)).cloned().collect()
}

/// Returns the two symbols that data can have.
fn two_symbols(board: &SheetBoard, data: usize) -> Vec<Value> {
    let possible = board.possible(data).ok().flatten();
    possible.iter().flat_map(Value::items).cloned().collect()
}

/// Returns the only symbol that data can have.
fn only_symbol(board: &SheetBoard, data: usize) -> String {
    match board.possible(data) {
        Ok(Some(Value::Set(values))) if values.items().len() == 1 => values.items()[0].to_string(),
        _ => "#".to_owned(),
    }
}
