//! Parts of an address with numbers and other clues in cells, whose characters only one or two puzzle types use: each is read
//! and written here.

use super::write::{clue, clues, is, number_of, state, unfit};
use super::{DIRECTIONS, MISSING, UNKNOWN, clue_value, clue_values, symbol_values};
use crate::format::pzpr::{
    AddressClue, BodyReader, NoAddress, black_cells, black_cells::Square, digits, lengths, number16,
    number16::ClueOrSign, pots,
};
use crate::format::{InputError, quote};
use crate::rules::sheet::{AddressScheme, Value};

/// The symbols for the letters from `g` on, between numbers.
const LINES: [&str; 7] = ["┼", "│", "─", "└", "┘", "┐", "┌"];
/// The symbol of a circle or a box, and its number in addresses of brownies.
const CIRCLE: &str = "o";
const CIRCLE_NUMBER: u32 = 9;
/// The symbol of a wall.
const WALL: &str = "#";
/// The symbol of a number that is never right.
const NEVER: &str = "∞";
/// The symbols for the number of cells with a number: any, and 1 to 4.
const FILLED: [&str; 5] = ["x", "a", "b", "c", "d"];
/// The number of directions, and of numbers of cells, with none.
const BASE: u32 = 5;

/// The values of each name of a part.
type Read = Result<Vec<Vec<Value>>, InputError>;
/// A part of an address, or `None` if it can't express a number.
type Written = Result<Option<String>, NoAddress>;

/// Reads a part with `count` cells. Returns `None` if the scheme is not one of this file.
pub(super) fn read(scheme: AddressScheme, body: &mut BodyReader<'_>, count: usize) -> Option<Read> {
    Some(match scheme {
        AddressScheme::Kakuru => read_black_cells(black_cells::Scheme::Kakuru, body, count),
        AddressScheme::WallLogic => read_black_cells(black_cells::Scheme::WallLogic, body, count),
        AddressScheme::LoopSpecial => read_lines(body, count),
        AddressScheme::Yosenabe => pots::read(body, count).map(|squares| read_pots(&squares)),
        AddressScheme::Yajisoko => read_boxes(body, count),
        AddressScheme::Brownies => number16::read(body, count).map(|clues| vec![read_circles(&clues)]),
        AddressScheme::Slovak => read_sums(body, count),
        AddressScheme::Lohkous => read_lengths(lengths::Scheme::Lohkous, body, count),
        AddressScheme::RailPool => read_lengths(lengths::Scheme::RailPool, body, count),
        _ => return None,
    })
}

/// Writes a part; `fields` are the values of its names. Returns `None` if the scheme is not one of this file.
pub(super) fn write(scheme: AddressScheme, fields: &[Vec<Value>]) -> Option<Written> {
    Some(match (scheme, fields) {
        (AddressScheme::Kakuru, [all]) => write_black_cells(black_cells::Scheme::Kakuru, all),
        (AddressScheme::WallLogic, [all]) => write_black_cells(black_cells::Scheme::WallLogic, all),
        (AddressScheme::LoopSpecial, [numbers, lines]) => write_lines(numbers, lines),
        (AddressScheme::Yosenabe, [circles, pots]) => write_pots(circles, pots),
        (AddressScheme::Yajisoko, [boxes, numbers, arrows]) => write_boxes(boxes, numbers, arrows),
        (AddressScheme::Brownies, [all]) => write_circles(all),
        (AddressScheme::Slovak, [sums, filled]) => write_sums(sums, filled),
        (AddressScheme::Lohkous, fields) => write_lengths(lengths::Scheme::Lohkous, fields),
        (AddressScheme::RailPool, fields) => write_lengths(lengths::Scheme::RailPool, fields),
        _ => return None,
    })
}

/// Reads numbers and black cells, which are values of the same data.
fn read_black_cells(scheme: black_cells::Scheme, body: &mut BodyReader<'_>, count: usize) -> Read {
    let value = |square: Option<Square>| match square {
        None => Value::None,
        Some(Square::Clue(clue)) => clue_value(clue),
        Some(Square::Black(_)) => Value::symbol(MISSING),
    };
    Ok(vec![black_cells::read(scheme, body, count)?.into_iter().map(value).collect()])
}

fn write_black_cells(scheme: black_cells::Scheme, all: &[Value]) -> Written {
    let square = |value: &Value| {
        if is(value, MISSING) {
            return Ok(Some(Square::Black(None)));
        }
        Ok(clue(value)?.map(Square::Clue))
    };
    Ok(black_cells::write(scheme, all.iter().map(square).collect::<Result<Vec<_>, NoAddress>>()?))
}

/// Reads numbers, and black cells with a symbol and perhaps a number.
pub(super) fn read_numbered(body: &mut BodyReader<'_>, count: usize, black: &str) -> Read {
    let squares = black_cells::read(black_cells::Scheme::Tateyoko, body, count)?;
    let number = |square: &Option<Square>| match *square {
        Some(Square::Clue(clue)) => clue_value(clue),
        Some(Square::Black(Some(number))) => Value::Number(number.into()),
        _ => Value::None,
    };
    let is_black = squares.iter().map(|square| u32::from(matches!(square, Some(Square::Black(_)))));
    Ok(vec![squares.iter().map(number).collect(), symbol_values(is_black, &["", black])])
}

/// Writes numbers and black cells as [`read_numbered`] reads them.
pub(super) fn write_numbered(numbers: &[Value], black: &[Value]) -> Written {
    let square = |(number, black): (&Value, &Value)| {
        if *black == Value::None {
            return Ok(clue(number)?.map(Square::Clue));
        }
        Ok(Some(Square::Black(number_of(number)?)))
    };
    let squares = numbers.iter().zip(black).map(square).collect::<Result<Vec<_>, NoAddress>>()?;
    Ok(black_cells::write(black_cells::Scheme::Tateyoko, squares))
}

/// Reads numbers and pieces of lines.
fn read_lines(body: &mut BodyReader<'_>, count: usize) -> Read {
    let squares = number16::read_with_signs(body, count, u32::try_from(LINES.len()).unwrap_or(0))?;
    let number = |square: &Option<ClueOrSign>| match square {
        Some(ClueOrSign::Clue(clue)) => clue_value(*clue),
        _ => Value::None,
    };
    let line = |square: &Option<ClueOrSign>| match square {
        Some(ClueOrSign::Sign(sign)) => Value::symbol(LINES[*sign as usize]),
        _ => Value::None,
    };
    Ok(vec![squares.iter().map(number).collect(), squares.iter().map(line).collect()])
}

fn write_lines(numbers: &[Value], lines: &[Value]) -> Written {
    let square = |(number, line): (&Value, &Value)| {
        let number = clue(number)?.map(ClueOrSign::Clue);
        match LINES.iter().position(|known| is(line, known)) {
            None => Ok(number),
            Some(_) if number.is_some() => Err(unfit("a number in a cell with given lines")),
            Some(sign) => Ok(u32::try_from(sign).ok().map(ClueOrSign::Sign)),
        }
    };
    let squares = numbers.iter().zip(lines).map(square).collect::<Result<Vec<_>, NoAddress>>()?;
    Ok(number16::write_with_signs(squares, u32::try_from(LINES.len()).unwrap_or(0)))
}

fn read_pots(squares: &[Option<pots::Square>]) -> Vec<Vec<Value>> {
    let circle = |square: &Option<pots::Square>| match square {
        Some(pots::Square::Circle(clue)) => clue_value(*clue),
        _ => Value::None,
    };
    let pot = |square: &Option<pots::Square>| match square {
        Some(pots::Square::Pot(clue)) => clue_value(*clue),
        _ => Value::None,
    };
    vec![squares.iter().map(circle).collect(), squares.iter().map(pot).collect()]
}

fn write_pots(circles: &[Value], all: &[Value]) -> Written {
    let square = |(circle, pot): (&Value, &Value)| match (clue(circle)?, clue(pot)?) {
        (Some(_), Some(_)) => Err(unfit("the number of a pot in a cell with a circle")),
        (Some(circle), None) => Ok(Some(pots::Square::Circle(circle))),
        (None, pot) => Ok(pot.map(pots::Square::Pot)),
    };
    Ok(pots::write(circles.iter().zip(all).map(square).collect::<Result<Vec<_>, NoAddress>>()?))
}

/// Reads boxes and numbers with directions, and then walls, if there are any. The code of a number is its direction, and five
/// times the number and two more.
fn read_boxes(body: &mut BodyReader<'_>, count: usize) -> Read {
    let squares = number16::read(body, count)?;
    let walls = if body.is_empty() { vec![0; count] } else { digits::read_fives(body, count)? };
    let code = |square: &Option<AddressClue>| match square {
        Some(AddressClue::Number(code)) => Some(*code),
        _ => None,
    };
    let boxed = squares.iter().zip(walls).map(|(square, wall)| match square {
        _ if wall == 1 => Value::symbol(WALL),
        Some(AddressClue::Unknown) => Value::symbol(CIRCLE),
        _ => Value::None,
    });
    let number = squares.iter().map(|square| match code(square).map(|code| code / BASE) {
        None => Value::None,
        Some(0) => Value::symbol(NEVER),
        Some(1) => Value::symbol(UNKNOWN),
        Some(number) => Value::Number(i64::from(number - 2)),
    });
    let directions = squares.iter().map(|square| code(square).map_or(0, |code| code % BASE));
    Ok(vec![boxed.collect(), number.collect(), symbol_values(directions, &DIRECTIONS)])
}

fn write_boxes(boxes: &[Value], numbers: &[Value], arrows: &[Value]) -> Written {
    let square = |((boxed, number), arrow): ((&Value, &Value), &Value)| {
        let direction = state(arrow, &DIRECTIONS)?;
        let number = if is(number, NEVER) { Some(0) } else { clue(number)?.map(after_never) };
        match number {
            Some(_) if *boxed != Value::None => Err(unfit("a number in a cell with a box or a wall")),
            Some(number) => Ok(Some(AddressClue::Number(BASE * number + direction))),
            None if direction > 0 => Err(unfit("a direction without a number")),
            None => Ok(is(boxed, CIRCLE).then_some(AddressClue::Unknown)),
        }
    };
    let squares = boxes.iter().zip(numbers).zip(arrows).map(square).collect::<Result<Vec<_>, NoAddress>>()?;
    let walls: Vec<u32> = boxes.iter().map(|boxed| u32::from(is(boxed, WALL))).collect();
    let walls = if walls.contains(&1) { digits::write_fives(&walls) } else { String::new() };
    Ok(number16::write(squares).map(|squares| squares + &walls))
}

/// Returns the code of a clue, where 0 is a number that is never right, and 1 an unknown number.
fn after_never(clue: AddressClue) -> u32 {
    match clue {
        AddressClue::Unknown => 1,
        AddressClue::Number(number) => number.saturating_add(2).min(u32::MAX / BASE - 1),
    }
}

fn read_circles(clues: &[Option<AddressClue>]) -> Vec<Value> {
    let circle = |value: Value| match value {
        Value::Number(number) if number == i64::from(CIRCLE_NUMBER) => Value::symbol(CIRCLE),
        value => value,
    };
    clue_values(clues).into_iter().map(circle).collect()
}

fn write_circles(all: &[Value]) -> Written {
    let square = |value: &Value| match clue(value) {
        _ if is(value, CIRCLE) => Ok(Some(AddressClue::Number(CIRCLE_NUMBER))),
        Ok(Some(AddressClue::Number(CIRCLE_NUMBER))) => Err(unfit(quote(&value.to_string()))),
        clue => clue,
    };
    Ok(number16::write(all.iter().map(square).collect::<Result<Vec<_>, NoAddress>>()?))
}

/// Reads sums, and the numbers of cells with a number. A code is the number of cells, and five times the sum and one more.
fn read_sums(body: &mut BodyReader<'_>, count: usize) -> Read {
    let (mut sums, mut filled) = (Vec::new(), Vec::new());
    for square in number16::read(body, count)? {
        let code = match square {
            None => None,
            Some(AddressClue::Unknown) => Some(0),
            Some(AddressClue::Number(code)) => Some(code),
        };
        let sum = code.and_then(|code| (code / BASE).checked_sub(1));
        let cells = code.map(|code| (code % BASE) as usize);
        sums.push(sum.map_or(Value::None, |sum| Value::Number(sum.into())));
        let is_stated = |cells: &usize| *cells > 0 || sum.is_none();
        filled.push(cells.filter(is_stated).map_or(Value::None, |cells| Value::symbol(FILLED[cells])));
    }
    Ok(vec![sums, filled])
}

fn write_sums(sums: &[Value], filled: &[Value]) -> Written {
    let square = |(sum, cells): (&Value, &Value)| {
        let cells =
            FILLED.iter().position(|known| is(cells, known)).and_then(|cells| u32::try_from(cells).ok());
        match (number_of(sum)?, cells) {
            (None, cells) => Ok(cells.map(AddressClue::Number)),
            (Some(_), Some(0)) => Err(unfit(format!("a sum with {}", quote(FILLED[0])))),
            (Some(sum @ 0..100_000), cells) => {
                Ok(Some(AddressClue::Number(BASE * (sum + 1) + cells.unwrap_or(0))))
            }
            (Some(sum), _) => Err(unfit(format!("the number {sum}"))),
        }
    };
    Ok(number16::write(sums.iter().zip(filled).map(square).collect::<Result<Vec<_>, NoAddress>>()?))
}

/// Reads up to four numbers in each cell.
fn read_lengths(scheme: lengths::Scheme, body: &mut BodyReader<'_>, count: usize) -> Read {
    let squares = lengths::read(scheme, body, count)?;
    if squares.iter().any(|numbers| numbers.len() > 4) {
        return Err(body.error_here("no cell with more than four numbers"));
    }
    let field = |at: usize| {
        squares.iter().map(|numbers| numbers.get(at).map_or(Value::None, |clue| clue_value(*clue))).collect()
    };
    Ok((0..4).map(field).collect())
}

fn write_lengths(scheme: lengths::Scheme, fields: &[Vec<Value>]) -> Written {
    let mut squares = Vec::new();
    for cell in 0..fields[0].len() {
        let values: Vec<Value> = fields.iter().map(|field| field[cell].clone()).collect();
        let numbers = clues(&values)?;
        if numbers.windows(2).any(|pair| pair[0].is_none() && pair[1].is_some()) {
            return Err(unfit("a further number in a cell without a previous one"));
        }
        squares.push(numbers.into_iter().flatten().collect());
    }
    Ok(lengths::write(scheme, &squares))
}
