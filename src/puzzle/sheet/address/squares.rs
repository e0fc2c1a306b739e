//! Parts of an address whose squares combine several values, or signs with numbers: each is read and written here.

use super::write::{clue, is, number_of, state, unfit};
use super::{CIRCLES, DIRECTIONS, UNKNOWN, clue_value, clue_values, number_value, symbol_values};
use crate::format::pzpr::{
    AddressClue, BodyReader, NoAddress, arrow_number16, castle, kakuro, makaro, number16,
    number16::ClueOrSign, tapa,
};
use crate::format::{InputError, quote};
use crate::rules::sheet::{AddressScheme, Size, Value};

/// The signs between neighbours in a row, and in a column: the first number is smaller, or greater.
const SIGNS: [[&str; 2]; 2] = [["<", ">"], ["^", "v"]];
/// The symbols of a start and a goal.
const ENDS: [&str; 2] = ["S", "G"];
/// The symbol of a circle.
const CIRCLE: &str = "o";
/// The colours of circles with numbers.
const COLOURS: [&str; 2] = ["w", "b"];

/// The values of each name of a part.
type Read = Result<Vec<Vec<Value>>, InputError>;
/// A part of an address, or `None` if it can't express a number.
type Written = Result<Option<String>, NoAddress>;

/// Reads a part of a board with some numbers of rows and columns. Returns `None` if the scheme is not one of this file.
pub(super) fn read(
    scheme: AddressScheme,
    body: &mut BodyReader<'_>,
    (rows, columns): (usize, usize),
) -> Option<Read> {
    let count = rows * columns;
    Some(match scheme {
        AddressScheme::Balance => number16::read(body, count).map(|clues| read_circles(&clues)),
        AddressScheme::Castle => castle::read(body, count).map(|squares| read_castle(&squares)),
        AddressScheme::Sashigane => read_sashigane(body, count),
        AddressScheme::StartGoal => read_ends(body, rows, columns),
        AddressScheme::Tapa => read_tapa(body, count),
        AddressScheme::Minarism => read_minarism(body, rows, columns),
        AddressScheme::ArrowNumber16 => {
            arrow_number16::read(body, count).map(|squares| read_arrows(&squares))
        }
        AddressScheme::Kakuro => kakuro::read(body, rows - 1, columns - 1).map(|cells| read_kakuro(&cells)),
        _ => return None,
    })
}

/// Writes a part; `fields` are the values of its names. Returns `None` if the scheme is not one of this file.
pub(super) fn write(scheme: AddressScheme, fields: &[Vec<Value>], size: Size) -> Option<Written> {
    let columns = usize::from(size.columns);
    Some(match (scheme, fields) {
        (AddressScheme::Balance, [numbers, colours]) => write_circles(numbers, colours).map(number16::write),
        (AddressScheme::Makaro, [numbers, directions, areas]) => write_makaro(numbers, directions, areas),
        (AddressScheme::Castle, [numbers, directions, colours]) => write_castle(numbers, directions, colours),
        (AddressScheme::Sashigane, [numbers, marks]) => write_sashigane(numbers, marks),
        (AddressScheme::StartGoal, [all]) => write_ends(all, columns),
        (AddressScheme::Tapa, [all]) => write_tapa(all),
        (AddressScheme::Minarism, [all]) => write_minarism(all, size),
        (AddressScheme::ArrowNumber16, [numbers, directions]) => write_arrows(numbers, directions),
        (AddressScheme::Kakuro, [downs, acrosses, closed]) => {
            write_kakuro(downs, acrosses, closed, columns).map(Some)
        }
        _ => return None,
    })
}

/// Returns the codes of circles: twice the number, and 1 more for a black circle.
/// Returns the numbers and the colours of circles: twice the number, and 1 more for a black circle.
fn read_circles(clues: &[Option<AddressClue>]) -> Vec<Vec<Value>> {
    let code = |clue: &Option<AddressClue>| match clue {
        Some(AddressClue::Number(code)) => Some(*code),
        _ => None,
    };
    let number = |clue| code(clue).map(|code| code / 2).filter(|number| *number > 0);
    let colour = |clue| code(clue).map_or(Value::None, |code| Value::symbol(COLOURS[code as usize % 2]));
    vec![clues.iter().map(|clue| number_value(number(clue))).collect(), clues.iter().map(colour).collect()]
}

fn write_circles(numbers: &[Value], colours: &[Value]) -> Result<Vec<Option<AddressClue>>, NoAddress> {
    let code = |(number, colour): (&Value, &Value)| {
        let number = number_of(number)?;
        match COLOURS.iter().position(|known| is(colour, known)) {
            Some(code) => Ok(Some(AddressClue::Number(2 * number.unwrap_or(0) + u32::from(code == 1)))),
            None if number.is_some() => Err(unfit("a number without a circle")),
            None => Ok(None),
        }
    };
    numbers.iter().zip(colours).map(code).collect()
}

fn write_makaro(numbers: &[Value], directions: &[Value], areas: &[Value]) -> Written {
    let squares = numbers.iter().zip(directions).zip(areas).map(|((number, direction), area)| {
        Ok(match (number_of(number)?, *area == Value::None) {
            (None, false) if *direction == Value::None => None,
            (Some(number), false) if *direction == Value::None => Some(makaro::Square::Number(number)),
            (None, true) => Some(makaro::Square::Closed(state(direction, &DIRECTIONS)?)),
            (_, false) => return Err(unfit("a direction in a cell of an area")),
            (_, true) => return Err(unfit("a number in a cell without an area")),
        })
    });
    Ok(makaro::write(squares.collect::<Result<Vec<_>, NoAddress>>()?))
}

fn read_castle(squares: &[Option<(u32, arrow_number16::ArrowClue)>]) -> Vec<Vec<Value>> {
    let numbers: Vec<_> = squares.iter().map(|square| square.map(|(_, clue)| clue.1)).collect();
    let directions = squares.iter().map(|square| square.map_or(0, |(_, clue)| clue.0));
    let colours = squares.iter().map(|square| square.map_or(0, |(colour, _)| colour));
    vec![clue_values(&numbers), symbol_values(directions, &DIRECTIONS), symbol_values(colours, &CIRCLES)]
}

fn write_castle(numbers: &[Value], directions: &[Value], colours: &[Value]) -> Written {
    let squares = numbers.iter().zip(directions).zip(colours).map(|((number, direction), colour)| {
        let (direction, colour) = (state(direction, &DIRECTIONS)?, state(colour, &CIRCLES)?);
        Ok(match clue(number)? {
            None if direction == 0 && colour == 0 => None,
            clue => Some((colour, (direction, clue.unwrap_or(AddressClue::Unknown)))),
        })
    });
    Ok(castle::write(squares.collect::<Result<Vec<_>, NoAddress>>()?))
}

fn read_arrows(squares: &[Option<arrow_number16::ArrowClue>]) -> Vec<Vec<Value>> {
    let numbers: Vec<_> = squares.iter().map(|square| square.map(|square| square.1)).collect();
    let directions = squares.iter().map(|square| square.map_or(0, |square| square.0));
    vec![clue_values(&numbers), symbol_values(directions, &DIRECTIONS)]
}

fn write_arrows(numbers: &[Value], directions: &[Value]) -> Written {
    let squares = numbers.iter().zip(directions).map(|(number, direction)| {
        let direction = state(direction, &DIRECTIONS)?;
        Ok(match clue(number)? {
            None if direction == 0 => None,
            clue => Some((direction, clue.unwrap_or(AddressClue::Unknown))),
        })
    });
    Ok(arrow_number16::write(squares.collect::<Result<Vec<_>, NoAddress>>()?))
}

/// Reads the numbers in circles, and the marks.
fn read_sashigane(body: &mut BodyReader<'_>, count: usize) -> Read {
    let squares = number16::read_with_signs(body, count, 4)?;
    let (mut numbers, mut marks) = (Vec::new(), Vec::new());
    for square in squares {
        let (number, mark) = match square {
            None => (Value::None, Value::None),
            Some(ClueOrSign::Sign(sign)) => (Value::None, Value::symbol(DIRECTIONS[sign as usize + 1])),
            Some(ClueOrSign::Clue(AddressClue::Unknown)) => (Value::None, Value::symbol(CIRCLE)),
            Some(ClueOrSign::Clue(AddressClue::Number(number @ 0..256))) => {
                (Value::Number(number.into()), Value::symbol(CIRCLE))
            }
            Some(ClueOrSign::Clue(AddressClue::Number(_))) => {
                return Err(body.error_here("numbers up to 255, and no unknown direction"));
            }
        };
        numbers.push(number);
        marks.push(mark);
    }
    Ok(vec![numbers, marks])
}

fn write_sashigane(numbers: &[Value], marks: &[Value]) -> Written {
    let squares = numbers.iter().zip(marks).map(|(number, mark)| {
        Ok(match (number_of(number)?, is(mark, CIRCLE)) {
            (Some(number @ 0..256), true) => Some(ClueOrSign::Clue(AddressClue::Number(number))),
            (None, true) => Some(ClueOrSign::Clue(AddressClue::Unknown)),
            (None, false) => state(mark, &DIRECTIONS)?.checked_sub(1).map(ClueOrSign::Sign),
            (Some(_), _) => return Err(unfit("a number without a circle, or above 255")),
        })
    });
    Ok(number16::write_with_signs(squares.collect::<Result<Vec<_>, NoAddress>>()?, 4))
}

/// Writes the column and the row of a start, and those of a goal.
/// Reads the column and the row of the start, and those of the goal.
fn read_ends(body: &mut BodyReader<'_>, rows: usize, columns: usize) -> Read {
    let mut values = vec![Value::None; rows * columns];
    for symbol in ENDS {
        let place: Vec<usize> = number16::read(body, 2)?
            .into_iter()
            .map(|clue| if let Some(AddressClue::Number(at)) = clue { at as usize } else { 0 })
            .collect();
        if !(1..=columns).contains(&place[0]) || !(1..=rows).contains(&place[1]) {
            return Err(body.error_here("the column and the row of a start and a goal on the board"));
        }
        values[(place[1] - 1) * columns + place[0] - 1] = Value::symbol(symbol);
    }
    Ok(vec![values])
}

fn write_ends(all: &[Value], columns: usize) -> Written {
    let mut places = Vec::new();
    for symbol in ENDS {
        let mut cells = (0..all.len()).filter(|&cell| is(&all[cell], symbol));
        let (Some(cell), None) = (cells.next(), cells.next()) else {
            return Err(unfit(format!("a number of cells with {} that is not 1", quote(symbol))));
        };
        for at in [cell % columns + 1, cell / columns + 1] {
            places.push(u32::try_from(at).ok().map(AddressClue::Number));
        }
    }
    Ok(number16::write(places))
}

/// Reads several numbers in a cell, which become the digits of one number.
fn read_tapa(body: &mut BodyReader<'_>, count: usize) -> Read {
    let mut values = Vec::new();
    for numbers in tapa::read(body, count)? {
        values.push(match numbers {
            None => Value::None,
            Some(numbers) if numbers == [None] => Value::symbol(UNKNOWN),
            Some(mut numbers) => {
                numbers.sort_unstable();
                let digits: Option<i64> =
                    numbers.iter().try_fold(0, |all, digit| Some(10 * all + i64::from((*digit)?)));
                let Some(digits) = digits else {
                    return Err(body.error_here("no clue with some numbers that are not known"));
                };
                Value::Number(digits)
            }
        });
    }
    Ok(vec![values])
}

fn write_tapa(all: &[Value]) -> Written {
    let digits = |number: u32| number.to_string().chars().map(|c| c.to_digit(10)).collect();
    let numbers = all.iter().map(|value| {
        Ok(match clue(value)? {
            None => None,
            Some(AddressClue::Unknown) => Some(vec![None]),
            Some(AddressClue::Number(number)) => Some(digits(number)),
        })
    });
    Ok(tapa::write(numbers.collect::<Result<Vec<_>, NoAddress>>()?))
}

fn read_minarism(body: &mut BodyReader<'_>, rows: usize, columns: usize) -> Read {
    let across = rows * (columns - 1);
    let squares = number16::read_with_signs(body, across + (rows - 1) * columns, 2)?;
    let value = |(at, square): (usize, Option<ClueOrSign>)| match square {
        None => Value::None,
        Some(ClueOrSign::Clue(clue)) => clue_value(clue),
        Some(ClueOrSign::Sign(sign)) => Value::symbol(SIGNS[usize::from(at >= across)][sign as usize]),
    };
    Ok(vec![squares.into_iter().enumerate().map(value).collect()])
}

fn write_minarism(all: &[Value], size: Size) -> Written {
    let across = usize::from(size.rows) * (usize::from(size.columns) - 1);
    let squares = all.iter().enumerate().map(|(at, value)| {
        match SIGNS[usize::from(at >= across)].iter().position(|sign| is(value, sign)) {
            Some(sign) => Ok(u32::try_from(sign).ok().map(ClueOrSign::Sign)),
            None => Ok(clue(value)?.map(ClueOrSign::Clue)),
        }
    });
    Ok(number16::write_with_signs(squares.collect::<Result<Vec<_>, NoAddress>>()?, 2))
}

fn read_kakuro(cells: &[Option<kakuro::Sums>]) -> Vec<Vec<Value>> {
    let sums =
        |at: usize| cells.iter().map(|cell| number_value(cell.as_ref().and_then(|sums| sums[at]))).collect();
    let closed = |cell: &Option<kakuro::Sums>| if cell.is_some() { Value::Bool(true) } else { Value::None };
    vec![sums(0), sums(1), cells.iter().map(closed).collect()]
}

fn write_kakuro(
    downs: &[Value],
    acrosses: &[Value],
    closed: &[Value],
    columns: usize,
) -> Result<String, NoAddress> {
    let mut cells = Vec::with_capacity(downs.len());
    for ((down, across), closed) in downs.iter().zip(acrosses).zip(closed) {
        let sums = [number_of(down)?, number_of(across)?];
        cells.push((*closed != Value::None).then_some(sums));
    }
    let text = kakuro::write(&cells, columns);
    text.ok_or_else(|| unfit("a sum above 45, or an open cell in the first row or column"))
}
