//! Writes puzz.link addresses.

use super::{CIRCLES, DIRECTIONS, MISSING, UNKNOWN, blocks, can_be_left_out, lengths, only_symbol};
use crate::format::pzpr::{
    self, AddressClue, NoAddress, WrittenAddress, arrow_number16, digits, dot, four_cell, kakuro, number16,
    number36, one_cell,
};
use crate::format::quote;
use crate::puzzle::sheet::block;
use crate::rules::sheet::{AddressPart, AddressScheme, DataSort, Scheme, SheetBoard, Size, Value};

/// Writes the address of a board; `None` if the sheet has no addresses.
pub(in crate::puzzle::sheet) fn write(board: &SheetBoard) -> Option<Result<WrittenAddress, NoAddress>> {
    let row = board.sheet().addresses.first()?;
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
            can_be_left_out(&row.parts[at], at)
                && values(board, row.parts[at].data[0])
                    .is_ok_and(|values| values.iter().all(|value| *value == Value::None))
        };
        while !parts.is_empty() && is_absent(parts.len() - 1) {
            parts.pop();
        }
        pzpr::written(&row.names[0], rows, columns, &parts.concat())
    }))
}

fn unfit(what: impl Into<String>) -> NoAddress {
    NoAddress::Value(what.into())
}

/// Writes a part.
fn written(board: &SheetBoard, part: &AddressPart) -> Result<String, NoAddress> {
    let sheet = board.sheet();
    let size = board.size();
    let values = |field: usize| values(board, part.data[field]);
    let all = values(0)?;
    let state = |value: &Value, symbols: &[&str]| {
        let text = if *value == Value::None { String::new() } else { value.to_string() };
        let state = symbols.iter().position(|symbol| *symbol == text);
        state.and_then(|state| u32::try_from(state).ok()).ok_or_else(|| unfit(quote(&text)))
    };
    let text = match part.scheme {
        AddressScheme::FourCell => four_cell::write(clues(&all)?),
        AddressScheme::Number16 | AddressScheme::Outside => number16::write(clues(&all)?),
        AddressScheme::Number36 => number36::write(clues(&all)?),
        AddressScheme::Circle => {
            let states: Result<Vec<u32>, _> = all.iter().map(|value| state(value, &CIRCLES)).collect();
            Some(digits::write_threes(&states?))
        }
        AddressScheme::Empty if sheet.data[part.data[0]].sort == DataSort::Areas => {
            let left_out: Vec<u32> = all.iter().map(|label| u32::from(*label == Value::None)).collect();
            Some(if left_out.contains(&1) { digits::write_fives(&left_out) } else { String::new() })
        }
        AddressScheme::Empty | AddressScheme::OneCell => {
            let symbol = only_symbol(board, part.data[0]);
            let states: Result<Vec<u32>, _> = all.iter().map(|value| state(value, &["", &symbol])).collect();
            let states = states?;
            Some(match part.scheme {
                AddressScheme::OneCell => {
                    one_cell::write(&states.iter().map(|&state| state == 1).collect::<Vec<_>>())
                }
                _ if states.contains(&1) => digits::write_fives(&states),
                _ => String::new(),
            })
        }
        AddressScheme::StarCount => match &all[..] {
            [Value::Number(number @ 1..)] => Some(format!("{number}/")),
            _ => None,
        },
        AddressScheme::Border => {
            let areas = areas(&all);
            let parts = sheet.addresses.iter().flat_map(|address| &address.parts);
            let has_holes = parts
                .into_iter()
                .any(|other| other.scheme == AddressScheme::Empty && other.data == part.data);
            if !has_holes && areas.contains(&None) {
                return Err(unfit("a cell without an area"));
            }
            let text = digits::write_areas(&areas, size.columns.into());
            return text.ok_or_else(|| unfit("an area that is not connected"));
        }
        AddressScheme::RoomNumber16 => {
            let areas = areas(&self::values(board, part.data[1])?);
            let mut numbers = vec![Value::None; areas.iter().flatten().max().map_or(0, |most| most + 1)];
            for (area, value) in areas.iter().zip(&all).filter(|(_, value)| **value != Value::None) {
                let area = area.ok_or_else(|| unfit("a number in a cell without an area"))?;
                if numbers[area] != Value::None {
                    return Err(unfit("an area with two numbers"));
                }
                numbers[area] = value.clone();
            }
            number16::write(clues(&numbers)?)
        }
        AddressScheme::ArrowNumber16 => {
            let squares = all.iter().zip(values(1)?).map(|(number, direction)| {
                let direction = state(&direction, &DIRECTIONS)?;
                Ok(match clue(number)? {
                    None if direction == 0 => None,
                    clue => Some((direction, clue.unwrap_or(AddressClue::Unknown))),
                })
            });
            arrow_number16::write(squares.collect::<Result<Vec<_>, NoAddress>>()?)
        }
        AddressScheme::Stars => {
            let missing: Vec<u32> = all.iter().map(|value| u32::from(is_missing(value))).collect();
            let holes = if missing.contains(&1) { digits::write_fives(&missing) } else { String::new() };
            Some(dot::write(&points(&all, size)?) + &holes)
        }
        AddressScheme::Kakuro => {
            let [downs, acrosses, closed] = [values(0)?, values(1)?, values(2)?];
            let mut cells = Vec::with_capacity(all.len());
            for ((down, across), closed) in downs.iter().zip(&acrosses).zip(&closed) {
                let sum = |value: &Value| match clue(value)? {
                    Some(AddressClue::Number(number)) => Ok(Some(number)),
                    Some(AddressClue::Unknown) => Err(unfit("a sum that is not known")),
                    None => Ok(None),
                };
                let sums = [sum(down)?, sum(across)?];
                cells.push((*closed != Value::None).then_some(sums));
            }
            let text = kakuro::write(&cells, size.columns.into());
            return text.ok_or_else(|| unfit("a sum above 45, or an open cell in the first row or column"));
        }
    };
    text.ok_or_else(|| unfit(format!("a number of {}", quote(&sheet.data[part.data[0]].name))))
}

/// Returns the values of a name, in the order of addresses.
fn values(board: &SheetBoard, data: usize) -> Result<Vec<Value>, NoAddress> {
    let mut all = Vec::new();
    for (block, field) in blocks(board.sheet(), data) {
        let lengths = lengths(block.scheme, board.size());
        for (mut row, length) in block::rows(board, block, field).into_iter().zip(lengths) {
            if matches!(block.scheme, Scheme::ColumnLists | Scheme::RowLists) {
                row.reverse();
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
    matches!(value, Value::Symbol(symbol) if **symbol == *MISSING)
}

fn clue(value: &Value) -> Result<Option<AddressClue>, NoAddress> {
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

fn clues(values: &[Value]) -> Result<Vec<Option<AddressClue>>, NoAddress> {
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
