//! Writes puzz.link addresses.

use super::{
    ANY, CIRCLES, MISSING, UNKNOWN, blocks, can_be_left_out, cells, lengths, letters, only_symbol, positions,
    shapes, squares, symbols, two_symbols,
};
use crate::format::pzpr::{
    self, AddressClue, NoAddress, WrittenAddress, digits, digits::Borders, dot, four_cell, marks, number16,
    number36, one_cell, signs, tile_sums,
};
use crate::format::quote;
use crate::puzzle::sheet::block;
use crate::rules::sheet::{AddressPart, AddressScheme, DataSort, Scheme, SheetBoard, Size, Value};

/// Writes the address of a board; `None` if the sheet has no addresses.
pub(in crate::puzzle::sheet) fn write(board: &SheetBoard) -> Option<Result<WrittenAddress, NoAddress>> {
    let rows = &board.sheet().addresses;
    rows.first()?;
    let Some(row) = rows.iter().find(|row| row.options.iter().copied().eq(board.options())) else {
        return Some(Err(unfit("these options")));
    };
    let is_kakuro = row.parts.iter().any(|part| part.scheme == AddressScheme::Kakuro);
    let less = usize::from(is_kakuro);
    let (rows, columns) = (usize::from(board.size().rows) - less, usize::from(board.size().columns) - less);
    if rows == 0 || columns == 0 {
        return Some(Err(NoAddress::Value("a board without open cells".to_owned())));
    }
    let parts: Result<Vec<String>, NoAddress> = row.parts.iter().map(|part| written(board, part)).collect();
    Some(parts.map(|mut parts| {
        // Holes are optional at the end, and so are the givens after clues outside of the board.
        let is_absent = |at: usize| {
            // As in pzpr, only givens after clues outside of the board or between cells are left out.
            let before = at.checked_sub(1).map(|before| row.parts[before].scheme);
            let is_kept = row.parts[at].scheme == AddressScheme::Number16
                && !matches!(before, Some(AddressScheme::Outside | AddressScheme::Number16));
            can_be_left_out(&row.parts[at], at)
                && !is_kept
                && values(board, row.parts[at].data[0])
                    .is_ok_and(|values| values.iter().all(|value| *value == Value::None))
        };
        while !parts.is_empty() && is_absent(parts.len() - 1) {
            parts.pop();
        }
        let slash = if row.letters.is_empty() { "" } else { "/" };
        let name = format!("{}{slash}{}", row.names[0], row.letters);
        pzpr::written(&name, rows, columns, &parts.concat())
    }))
}

pub(super) fn unfit(what: impl Into<String>) -> NoAddress {
    NoAddress::Value(what.into())
}

/// Writes a part.
fn written(board: &SheetBoard, part: &AddressPart) -> Result<String, NoAddress> {
    let sheet = board.sheet();
    let size = board.size();
    let columns = usize::from(size.columns);
    let values = |field: usize| values(board, part.data[field]);
    if part.scheme == AddressScheme::Slash {
        return Ok("/".to_owned());
    }
    let fields: Vec<Vec<Value>> = (0..part.data.len()).map(values).collect::<Result<_, _>>()?;
    let all = &fields[0];
    let text = match part.scheme {
        AddressScheme::FourCell => four_cell::write(clues(all)?),
        AddressScheme::Number16 | AddressScheme::Outside => number16::write(clues(all)?),
        AddressScheme::Number36 => number36::write(clues(all)?),
        AddressScheme::Circle => {
            let states: Result<Vec<u32>, _> = all.iter().map(|value| state(value, &CIRCLES)).collect();
            Some(digits::write_threes(&states?))
        }
        AddressScheme::Marks if sheet.data[part.data[0]].sort == DataSort::Areas => {
            Some(marks::write(&all.iter().map(|label| *label == Value::None).collect::<Vec<_>>()))
        }
        AddressScheme::TileSums => {
            let numbers: Result<Vec<_>, NoAddress> = all.iter().map(number_of).collect();
            tile_sums::write(usize::from(size.rows) * columns, numbers?)
        }
        AddressScheme::EmptyOrSlash if !all.contains(&Value::None) => Some("/".to_owned()),
        AddressScheme::EmptyOrSlash | AddressScheme::Empty
            if sheet.data[part.data[0]].sort == DataSort::Areas =>
        {
            let left_out: Vec<u32> = all.iter().map(|label| u32::from(*label == Value::None)).collect();
            Some(if left_out.contains(&1) { digits::write_fives(&left_out) } else { String::new() })
        }
        AddressScheme::Empty | AddressScheme::OneCell | AddressScheme::Marks | AddressScheme::Walls => {
            let symbol = only_symbol(board, part.data[0]);
            let states: Result<Vec<u32>, _> = all.iter().map(|value| state(value, &["", &symbol])).collect();
            let states = states?;
            let marked: Vec<bool> = states.iter().map(|&state| state == 1).collect();
            Some(match part.scheme {
                AddressScheme::OneCell => one_cell::write(&marked),
                AddressScheme::Marks => marks::write(&marked),
                AddressScheme::Walls => {
                    let (across, down) = states.split_at(usize::from(size.rows) * (columns - 1));
                    digits::write_fives(across) + &digits::write_fives(down)
                }
                _ => digits::write_fives(&states),
            })
        }
        AddressScheme::Letters => symbols::write_letters(all, &letters(board, part.data[0]))?,
        AddressScheme::StarCount => match &all[..] {
            [Value::Number(number @ 1..)] => Some(format!("{number}/")),
            _ => None,
        },
        AddressScheme::Border => return borders(board, part, all),
        AddressScheme::Joined if all.contains(&Value::None) => return Err(unfit("a cell without an area")),
        AddressScheme::Joined => Some(
            digits::write_joined(&areas(all), columns)
                .ok_or_else(|| unfit("an area that is not connected"))?,
        ),
        AddressScheme::Ice => {
            let areas = areas(all);
            let groups = Borders::none(size.rows.into(), columns).areas(|cell| areas[cell].is_some());
            if groups != areas {
                return Err(unfit(format!("areas of {} that touch", quote(&sheet.data[part.data[0]].name))));
            }
            let marked: Vec<u32> = areas.iter().map(|area| u32::from(area.is_some())).collect();
            Some(digits::write_fives(&marked))
        }
        AddressScheme::Stones => {
            let empty: Vec<u32> = all.iter().map(|value| u32::from(*value == Value::None)).collect();
            Some(digits::write_fives(&empty))
        }
        AddressScheme::Three | AddressScheme::Letters10 | AddressScheme::Dots => {
            by_symbols(board, part, &fields)?
        }
        AddressScheme::OuterBorder => Some(positions::write_outer(&fields)),
        AddressScheme::Tateyoko => cells::write_numbered(all, &fields[1])?,
        AddressScheme::Magnets => positions::write_pairs(all, &fields[1])?,
        AddressScheme::Box => positions::write_sums(all)?,
        AddressScheme::Arrows => positions::write_arrows(all, (size.rows.into(), columns))?,
        AddressScheme::PieceBank => shapes::write_shapes(&areas(all), columns),
        AddressScheme::Fleet => shapes::write_fleet(all.first().unwrap_or(&Value::None))?,
        AddressScheme::RoomNumber16 => room_numbers(all, &areas(&fields[1]))?,
        AddressScheme::Stars => {
            let missing: Vec<u32> = all.iter().map(|value| u32::from(is_missing(value))).collect();
            let holes = if missing.contains(&1) { digits::write_fives(&missing) } else { String::new() };
            Some(dot::write(&points(all, size)?) + &holes)
        }
        scheme => {
            let written = squares::write(scheme, &fields, size);
            let written = written.or_else(|| cells::write(scheme, &fields));
            written.or_else(|| symbols::write(scheme, &fields, columns)).unwrap_or(Ok(None))?
        }
    };
    text.ok_or_else(|| unfit_value(board, part))
}

/// Writes a part whose characters depend on the symbols that the data can have.
fn by_symbols(
    board: &SheetBoard,
    part: &AddressPart,
    fields: &[Vec<Value>],
) -> Result<Option<String>, NoAddress> {
    let (data, size) = (part.data[0], board.size());
    Ok(match part.scheme {
        AddressScheme::Three => {
            let numbers = numbers_of(&fields[0], &two_symbols(board, data))?;
            Some(digits::write_threes(&numbers.into_iter().flatten().collect::<Vec<_>>()))
        }
        AddressScheme::Letters10 => {
            let sign = |number: Option<u32>| match number {
                None => Some('?'),
                Some(0) => None,
                Some(number) => char::from_digit(number, 10),
            };
            let numbers = numbers_of(&fields[0], &letters(board, data))?;
            signs::NUMBER10.write(numbers.into_iter().map(sign))
        }
        _ => {
            let letters = letters(board, data);
            let only = if let [only] = &letters[..] { Some(only.to_string()) } else { None };
            positions::write_dots(fields, (size.rows.into(), size.columns.into()), only.as_deref())?
        }
    })
}

/// Returns whether a value is a symbol.
pub(super) fn is(value: &Value, symbol: &str) -> bool {
    matches!(value, Value::Symbol(found) if **found == *symbol)
}

/// Returns the index of the symbol of a value.
pub(super) fn state(value: &Value, symbols: &[&str]) -> Result<u32, NoAddress> {
    let text = if *value == Value::None { String::new() } else { value.to_string() };
    let state = symbols.iter().position(|symbol| *symbol == text);
    state.and_then(|state| u32::try_from(state).ok()).ok_or_else(|| unfit(quote(&text)))
}

fn borders(board: &SheetBoard, part: &AddressPart, labels: &[Value]) -> Result<String, NoAddress> {
    let areas = areas(labels);
    let mut parts = board.sheet().addresses.iter().flat_map(|address| &address.parts);
    let holes =
        [AddressScheme::Empty, AddressScheme::EmptyOrSlash, AddressScheme::Marks, AddressScheme::Makaro];
    let has_holes = parts.any(|other| holes.contains(&other.scheme) && other.data.last() == part.data.last());
    if !has_holes && areas.contains(&None) {
        return Err(unfit("a cell without an area"));
    }
    let text = digits::write_areas(&areas, board.size().columns.into());
    text.ok_or_else(|| unfit("an area that is not connected"))
}

fn room_numbers(all: &[Value], areas: &[Option<usize>]) -> Result<Option<String>, NoAddress> {
    let mut numbers = vec![Value::None; areas.iter().flatten().max().map_or(0, |most| most + 1)];
    for (area, value) in areas.iter().zip(all).filter(|(_, value)| **value != Value::None) {
        let area = area.ok_or_else(|| unfit("a number in a cell without an area"))?;
        if numbers[area] != Value::None {
            return Err(unfit("an area with two numbers"));
        }
        numbers[area] = value.clone();
    }
    Ok(number16::write(clues(&numbers)?))
}

/// Returns the number of each value: 0 for none, and otherwise that of its symbol, counted from 1. `?` has no number.
fn numbers_of(all: &[Value], symbols: &[Value]) -> Result<Vec<Option<u32>>, NoAddress> {
    let number = |value: &Value| match symbols.iter().position(|symbol| symbol == value) {
        Some(at) => Ok(u32::try_from(at + 1).ok()),
        None if *value == Value::None => Ok(Some(0)),
        None if is(value, UNKNOWN) => Ok(None),
        None => Err(unfit(quote(&value.to_string()))),
    };
    all.iter().map(number).collect()
}

fn unfit_value(board: &SheetBoard, part: &AddressPart) -> NoAddress {
    unfit(format!("a value of {}", quote(&board.sheet().data[part.data[0]].name)))
}

/// Returns a number that is known, if there is one.
pub(super) fn number_of(value: &Value) -> Result<Option<u32>, NoAddress> {
    match clue(value)? {
        Some(AddressClue::Number(number)) => Ok(Some(number)),
        Some(AddressClue::Unknown) => Err(unfit("a number that is not known")),
        None => Ok(None),
    }
}

/// Returns the values of a name, in the order of addresses.
fn values(board: &SheetBoard, data: usize) -> Result<Vec<Value>, NoAddress> {
    let mut all = Vec::new();
    for (block, field) in blocks(board.sheet(), data) {
        let lengths = lengths(block.scheme, board.size());
        for (mut row, length) in block::rows(board, block, field).into_iter().zip(lengths) {
            if matches!(block.scheme, Scheme::ColumnLists | Scheme::RowLists) {
                row.reverse();
                row.iter_mut().filter(|value| is(value, ANY)).for_each(|value| *value = Value::Number(0));
            }
            if row.len() > length {
                return Err(unfit("more numbers than a row or column can have runs"));
            }
            row.resize(length, Value::None);
            all.extend(row);
        }
    }
    Ok(all)
}

fn is_missing(value: &Value) -> bool {
    is(value, MISSING)
}

pub(super) fn clue(value: &Value) -> Result<Option<AddressClue>, NoAddress> {
    match value {
        Value::None => Ok(None),
        Value::Number(number) => match u32::try_from(*number) {
            Ok(number) => Ok(Some(AddressClue::Number(number))),
            Err(_) => Err(unfit(format!("the number {number}"))),
        },
        Value::Symbol(symbol) if **symbol == *UNKNOWN => Ok(Some(AddressClue::Unknown)),
        other => Err(unfit(quote(&other.to_string()))),
    }
}

pub(super) fn clues(values: &[Value]) -> Result<Vec<Option<AddressClue>>, NoAddress> {
    values.iter().map(clue).collect()
}

/// Returns the number of the area of each cell, in the order of the first cells; `None` for a cell that belongs to no area.
fn areas(labels: &[Value]) -> Vec<Option<usize>> {
    let mut numbers = std::collections::HashMap::new();
    let number = |label: &Value| {
        let next = numbers.len();
        (*label != Value::None).then(|| *numbers.entry(label.clone()).or_insert(next))
    };
    labels.iter().map(number).collect()
}

/// Returns the points inside of the board, of which those with a star have a colour.
fn points(codes: &[Value], size: Size) -> Result<Vec<Option<bool>>, NoAddress> {
    let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
    let width = 2 * columns - 1;
    let mut points = vec![None; (2 * rows - 1) * width];
    for (cell, code) in codes.iter().enumerate() {
        if *code == Value::None || is_missing(code) {
            continue;
        }
        let found = code.number().and_then(|code| usize::try_from(code - 1).ok()).filter(|code| *code < 4);
        let code = found.ok_or_else(|| unfit(quote(&code.to_string())))?;
        let (row, column) = (2 * (cell / columns) + code % 2, 2 * (cell % columns) + code / 2);
        if row >= 2 * rows - 1 || column >= width {
            return Err(unfit("a star at the border of the board"));
        }
        points[row * width + column] = Some(false);
    }
    Ok(points)
}
