//! Writes puzz.link addresses.

use super::{
    CIRCLES, COLOURS, DIRECTIONS, MISSING, SIGNS, UNKNOWN, blocks, can_be_left_out, lengths, only_symbol,
    signs,
};
use crate::format::pzpr::{
    self, AddressClue, NoAddress, WrittenAddress, arrow_number16, digits, dot, four_cell, kakuro, makaro,
    marks, number16, number16::ClueOrSign, number36, one_cell, tapa, tile_sums,
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
        let slash = if row.letters.is_empty() { "" } else { "/" };
        let name = format!("{}{slash}{}", row.names[0], row.letters);
        pzpr::written(&name, rows, columns, &parts.concat())
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
    if part.scheme == AddressScheme::Slash {
        return Ok("/".to_owned());
    }
    let all = values(0)?;
    let state = |value: &Value, symbols: &[&str]| {
        let text = if *value == Value::None { String::new() } else { value.to_string() };
        let state = symbols.iter().position(|symbol| *symbol == text);
        state.and_then(|state| u32::try_from(state).ok()).ok_or_else(|| unfit(quote(&text)))
    };
    if let Some(signs) = signs(part.scheme) {
        let all: Result<Vec<Option<char>>, NoAddress> = all.iter().map(sign).collect();
        return signs.write(all?).ok_or_else(|| unfit_value(board, part));
    }
    let text = match part.scheme {
        AddressScheme::FourCell => four_cell::write(clues(&all)?),
        AddressScheme::Number16 | AddressScheme::Outside => number16::write(clues(&all)?),
        AddressScheme::Number36 => number36::write(clues(&all)?),
        AddressScheme::Circle => {
            let states: Result<Vec<u32>, _> = all.iter().map(|value| state(value, &CIRCLES)).collect();
            Some(digits::write_threes(&states?))
        }
        AddressScheme::Balance => number16::write(circles(&all, &values(1)?)?),
        AddressScheme::Makaro => {
            let areas = values(2)?;
            let squares = all.iter().zip(values(1)?).zip(&areas).map(|((number, direction), area)| {
                Ok(match (number_of(number)?, *area == Value::None) {
                    (None, false) if direction == Value::None => None,
                    (Some(number), false) if direction == Value::None => Some(makaro::Square::Number(number)),
                    (None, true) => Some(makaro::Square::Closed(state(&direction, &DIRECTIONS)?)),
                    (_, false) => return Err(unfit("a direction in a cell of an area")),
                    (_, true) => return Err(unfit("a number in a cell without an area")),
                })
            });
            makaro::write(squares.collect::<Result<Vec<_>, NoAddress>>()?)
        }
        AddressScheme::Tapa => {
            let digits = |number: u32| number.to_string().chars().map(|c| c.to_digit(10)).collect();
            let numbers = all.iter().map(|value| {
                Ok(match clue(value)? {
                    None => None,
                    Some(AddressClue::Unknown) => Some(vec![None]),
                    Some(AddressClue::Number(number)) => Some(digits(number)),
                })
            });
            tapa::write(numbers.collect::<Result<Vec<_>, NoAddress>>()?)
        }
        AddressScheme::Minarism => {
            let sign = |value: &Value| {
                let is = |sign: &&str| matches!(value, Value::Symbol(symbol) if **symbol == **sign);
                (0..2).find(|&sign| SIGNS.iter().any(|signs| is(&signs[sign])))
            };
            let squares = all.iter().map(|value| match sign(value) {
                Some(sign) => Ok(u32::try_from(sign).ok().map(ClueOrSign::Sign)),
                None => Ok(clue(value)?.map(ClueOrSign::Clue)),
            });
            number16::write_with_signs(squares.collect::<Result<Vec<_>, NoAddress>>()?, 2)
        }
        AddressScheme::Marks => {
            Some(marks::write(&all.iter().map(|label| *label == Value::None).collect::<Vec<_>>()))
        }
        AddressScheme::TileSums => {
            let numbers: Result<Vec<_>, NoAddress> = all.iter().map(number_of).collect();
            tile_sums::write(usize::from(size.rows) * usize::from(size.columns), numbers?)
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
            let mut parts = sheet.addresses.iter().flat_map(|address| &address.parts);
            let holes = [AddressScheme::Empty, AddressScheme::Marks, AddressScheme::Makaro];
            let has_holes =
                parts.any(|other| holes.contains(&other.scheme) && other.data.last() == part.data.last());
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
                let sums = [number_of(down)?, number_of(across)?];
                cells.push((*closed != Value::None).then_some(sums));
            }
            let text = kakuro::write(&cells, size.columns.into());
            return text.ok_or_else(|| unfit("a sum above 45, or an open cell in the first row or column"));
        }
        AddressScheme::Slash
        | AddressScheme::Number10
        | AddressScheme::Number10Holes
        | AddressScheme::Toichika
        | AddressScheme::Tatamibari
        | AddressScheme::Pipelink => None,
    };
    text.ok_or_else(|| unfit_value(board, part))
}

fn unfit_value(board: &SheetBoard, part: &AddressPart) -> NoAddress {
    unfit(format!("a value of {}", quote(&board.sheet().data[part.data[0]].name)))
}

/// Returns the character that stands for a value.
fn sign(value: &Value) -> Result<Option<char>, NoAddress> {
    if *value == Value::None {
        return Ok(None);
    }
    let text = value.to_string();
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(sign), None) => Ok(Some(sign)),
        _ => Err(unfit(quote(&text))),
    }
}

/// Returns a number that is known, if there is one.
fn number_of(value: &Value) -> Result<Option<u32>, NoAddress> {
    match clue(value)? {
        Some(AddressClue::Number(number)) => Ok(Some(number)),
        Some(AddressClue::Unknown) => Err(unfit("a number that is not known")),
        None => Ok(None),
    }
}

/// Returns the codes of circles.
fn circles(numbers: &[Value], colours: &[Value]) -> Result<Vec<Option<AddressClue>>, NoAddress> {
    let code = |(number, colour): (&Value, &Value)| {
        let number = number_of(number)?;
        let is_colour = |known: &&str| matches!(colour, Value::Symbol(symbol) if **symbol == **known);
        match COLOURS.iter().position(|known| is_colour(&known)) {
            Some(code) => Ok(Some(AddressClue::Number(2 * number.unwrap_or(0) + u32::from(code == 1)))),
            None if number.is_some() => Err(unfit("a number without a circle")),
            None => Ok(None),
        }
    };
    numbers.iter().zip(colours).map(code).collect()
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
