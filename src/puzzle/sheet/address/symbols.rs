//! Parts of an address in which numbers stand for symbols, or symbols are written beside numbers: each is read and written
//! here.

use super::write::{clue, clues, is, number_of, state, unfit};
use super::{DIRECTIONS, MISSING, UNKNOWN, clue_value, clue_values, number_value, symbol_values};
use crate::format::pzpr::{
    AddressClue, BodyReader, NoAddress, arrow_number16, compass, compass::Compass, digits, four_cell,
    number16, number16::ClueOrSign, reflect, reflect::Mark, signs, signs::Signs,
};
use crate::format::{InputError, quote};
use crate::rules::sheet::{AddressScheme, Value};

/// The number of a cell that does not belong to the board.
const HOLE: u32 = 12;
/// The symbol of a cell without a number that belongs to no area.
const CROSS: &str = "x";
/// The symbol of the only goal on the board.
const GOAL: &str = "x";
/// The symbols for the letters from `g` on, between numbers. The first letter of herugolf is not used.
const HERUGOLF: [&str; 2] = ["", "H"];
/// The symbols of mirrors and of crossings.
const MIRRORS: [&str; 4] = ["└", "┘", "┐", "┌"];
const CROSSING: &str = "┼";

/// The symbols of black cells and of the start, and the longest run of black cells without a number.
const BLACK: &str = "#";
const START: &str = "o";
const BLACK_RUN: u32 = 20;

/// A value for each name of the part, in the order of the cells, or `None` if the scheme is not one of this file.
type Read = Option<Result<Vec<Vec<Value>>, InputError>>;
/// A part of an address, or `None` if it can't express a number.
type Written = Result<Option<String>, NoAddress>;

/// Reads a part with a value for each cell.
pub(super) fn read(
    scheme: AddressScheme,
    body: &mut BodyReader<'_>,
    (rows, columns): (usize, usize),
) -> Read {
    let count = rows * columns;
    let one = |values: Result<Vec<Value>, InputError>| Some(values.map(|values| vec![values]));
    match scheme {
        AddressScheme::Bosanowa => one(read_crosses(body, count)),
        AddressScheme::Herugolf => one(read_signs(body, count)),
        AddressScheme::Reflect => Some(read_mirrors(body, count)),
        AddressScheme::Slalom => Some(read_slalom(body, count)),
        AddressScheme::GuideArrow => one(read_goal(body, rows, columns)),
        AddressScheme::Compass => Some(read_compasses(body, count)),
        scheme => {
            let values = signs(scheme)?.read(body, count);
            Some(values.map(|values| vec![values.into_iter().map(sign_value).collect()]))
        }
    }
}

/// Writes a part; `fields` are the values of its names. Returns `None` if the scheme is not one of this file.
pub(super) fn write(scheme: AddressScheme, fields: &[Vec<Value>], columns: usize) -> Option<Written> {
    let all = &fields[0];
    match scheme {
        AddressScheme::Bosanowa => Some(write_crosses(all)),
        AddressScheme::Herugolf => Some(write_signs(all)),
        AddressScheme::Reflect => Some(write_mirrors(all, &fields[1])),
        AddressScheme::Slalom => Some(write_slalom(all, &fields[1], &fields[2])),
        AddressScheme::GuideArrow => Some(write_goal(all, columns)),
        AddressScheme::Compass => Some(write_compasses(fields)),
        scheme => {
            let signs = signs(scheme)?;
            Some(all.iter().map(sign).collect::<Result<Vec<_>, _>>().map(|all| signs.write(all)))
        }
    }
}

/// Returns the characters of a scheme in which each clue is one character.
fn signs(scheme: AddressScheme) -> Option<&'static Signs> {
    match scheme {
        AddressScheme::Number10 => Some(&signs::NUMBER10),
        AddressScheme::Number10Holes => Some(&signs::NUMBER10_HOLES),
        AddressScheme::Toichika => Some(&signs::TOICHIKA),
        AddressScheme::Tatamibari => Some(&signs::TATAMIBARI),
        AddressScheme::Pipelink => Some(&signs::PIPELINK),
        AddressScheme::Shugaku => Some(&signs::SHUGAKU),
        AddressScheme::NuriMaze => Some(&signs::NURIMAZE),
        _ => None,
    }
}

/// Returns the value of a clue of one character.
fn sign_value(sign: Option<char>) -> Value {
    match sign {
        None => Value::None,
        Some(sign) => match sign.to_digit(10) {
            Some(digit) => Value::Number(digit.into()),
            None => Value::symbol(&sign.to_string()),
        },
    }
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

/// Reads numbers that stand for the symbols `letters`, counted from 0.
pub(super) fn read_letters(
    body: &mut BodyReader<'_>,
    count: usize,
    letters: &[Value],
) -> Result<Vec<Value>, InputError> {
    let at = body.at();
    let mut values = Vec::with_capacity(count);
    for clue in number16::read(body, count)? {
        values.push(match clue {
            None => Value::None,
            Some(AddressClue::Unknown) => Value::symbol(UNKNOWN),
            Some(AddressClue::Number(HOLE)) => Value::symbol(MISSING),
            Some(AddressClue::Number(number)) => {
                let Some(letter) = letters.get(number as usize) else {
                    let expected = format!("numbers below {}, or {HOLE}", letters.len());
                    return Err(body.error_at(at, expected, quote(&number.to_string())));
                };
                letter.clone()
            }
        });
    }
    Ok(values)
}

/// Writes symbols as [`read_letters`] reads them.
pub(super) fn write_letters(all: &[Value], letters: &[Value]) -> Written {
    let number = |value: &Value| {
        if is(value, MISSING) {
            return Ok(Some(AddressClue::Number(HOLE)));
        }
        match letters.iter().position(|letter| letter == value) {
            Some(at) => Ok(u32::try_from(at).ok().map(AddressClue::Number)),
            None => clue(value),
        }
    };
    Ok(number16::write(all.iter().map(number).collect::<Result<Vec<_>, _>>()?))
}

/// Reads the cells with crosses, and the numbers of the others.
fn read_crosses(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Value>, InputError> {
    let crosses = digits::read_fives(body, count)?;
    let numbers = clue_values(&number16::read(body, count)?);
    let value = |(cross, number)| if cross == 1 { Value::symbol(CROSS) } else { number };
    Ok(crosses.into_iter().zip(numbers).map(value).collect())
}

fn write_crosses(all: &[Value]) -> Written {
    let crosses: Vec<u32> = all.iter().map(|value| u32::from(is(value, CROSS))).collect();
    let number = |value: &Value| if is(value, CROSS) { Ok(None) } else { clue(value) };
    let numbers = number16::write(all.iter().map(number).collect::<Result<Vec<_>, _>>()?);
    Ok(numbers.map(|numbers| digits::write_fives(&crosses) + &numbers))
}

/// Reads numbers and symbols.
fn read_signs(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Value>, InputError> {
    let at = body.at();
    let mut values = Vec::with_capacity(count);
    for square in number16::read_with_signs(body, count, u32::try_from(HERUGOLF.len()).unwrap_or(0))? {
        values.push(match square {
            None => Value::None,
            Some(ClueOrSign::Clue(clue)) => clue_value(clue),
            Some(ClueOrSign::Sign(sign)) => match HERUGOLF[sign as usize] {
                "" => return Err(body.error_at(at, "numbers, `h` and empty squares", quote("g"))),
                symbol => Value::symbol(symbol),
            },
        });
    }
    Ok(values)
}

fn write_signs(all: &[Value]) -> Written {
    let square = |value: &Value| match HERUGOLF.iter().position(|sign| is(value, sign)) {
        Some(sign) => Ok(u32::try_from(sign).ok().map(ClueOrSign::Sign)),
        None => Ok(clue(value)?.map(ClueOrSign::Clue)),
    };
    let squares = all.iter().map(square).collect::<Result<Vec<_>, NoAddress>>()?;
    Ok(number16::write_with_signs(squares, u32::try_from(HERUGOLF.len()).unwrap_or(0)))
}

/// Reads mirrors and crossings: their numbers and their symbols.
fn read_mirrors(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Vec<Value>>, InputError> {
    let squares = reflect::read(body, count)?;
    let number = |square: &Option<Mark>| match square {
        Some(Mark::Mirror(_, number)) => number_value(*number),
        _ => Value::None,
    };
    let symbol = |square: &Option<Mark>| match square {
        None => Value::None,
        Some(Mark::Crossing) => Value::symbol(CROSSING),
        Some(Mark::Mirror(mirror, _)) => Value::symbol(MIRRORS[*mirror as usize]),
    };
    Ok(vec![squares.iter().map(number).collect(), squares.iter().map(symbol).collect()])
}

fn write_mirrors(numbers: &[Value], all: &[Value]) -> Written {
    let square = |(number, value): (&Value, &Value)| {
        let number = number_of(number)?;
        match MIRRORS.iter().position(|mirror| is(value, mirror)) {
            Some(mirror) => Ok(u32::try_from(mirror).ok().map(|mirror| Mark::Mirror(mirror, number))),
            None if number.is_some() => Err(unfit("a number without a mirror")),
            None if is(value, CROSSING) => Ok(Some(Mark::Crossing)),
            None => Ok(None),
        }
    };
    Ok(reflect::write(numbers.iter().zip(all).map(square).collect::<Result<Vec<_>, NoAddress>>()?))
}

/// Reads black cells and gates, the numbers and directions of the black cells, and the number of the start.
fn read_slalom(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Vec<Value>>, InputError> {
    let kinds = signs::SLALOM.read(body, count)?;
    let mut kinds: Vec<Value> = kinds.into_iter().map(sign_value).collect();
    let black: Vec<usize> = (0..count).filter(|&cell| is(&kinds[cell], BLACK)).collect();
    let (mut numbers, mut arrows) = (vec![Value::None; count], vec![Value::None; count]);
    for (cell, clue) in black.iter().zip(arrow_number16::read_with_runs(body, black.len(), BLACK_RUN)?) {
        if let Some((direction, clue)) = clue {
            numbers[*cell] = clue_value(clue);
            arrows[*cell] = symbol_values([direction], &DIRECTIONS).remove(0);
        }
    }
    let expected = "`/` and the number of the cell of the start, counted from 0 row by row";
    if body.next() != Some('/') {
        return Err(body.error_here(expected));
    }
    let (at, mut start) = (body.at(), 0_usize);
    while let Some(digit) = body.peek().and_then(|c| c.to_digit(10)).filter(|_| start < count) {
        body.next();
        start = 10 * start + digit as usize;
    }
    if start >= count || kinds[start] != Value::None {
        return Err(body.error_at(at, "the number of an empty cell of the board", quote(&start.to_string())));
    }
    kinds[start] = Value::symbol(START);
    Ok(vec![kinds, numbers, arrows])
}

fn write_slalom(kinds: &[Value], numbers: &[Value], arrows: &[Value]) -> Written {
    let mut starts = (0..kinds.len()).filter(|&cell| is(&kinds[cell], START));
    let (Some(start), None) = (starts.next(), starts.next()) else {
        return Err(unfit(format!("a number of cells with {} that is not 1", quote(START))));
    };
    let kind = |value: &Value| if is(value, START) { Ok(None) } else { sign(value) };
    let signs = signs::SLALOM.write(kinds.iter().map(kind).collect::<Result<Vec<_>, NoAddress>>()?);
    let mut clues = Vec::new();
    for (cell, (number, arrow)) in numbers.iter().zip(arrows).enumerate() {
        let (number, direction) = (number_of(number)?, state(arrow, &DIRECTIONS)?);
        match number {
            _ if !is(&kinds[cell], BLACK) => {
                if number.is_some() || direction > 0 {
                    return Err(unfit("a number or a direction in a cell that is not black"));
                }
            }
            None if direction > 0 => return Err(unfit("a direction without a number")),
            number => clues.push(number.map(|number| (direction, AddressClue::Number(number)))),
        }
    }
    let clues = arrow_number16::write_with_runs(clues, BLACK_RUN);
    Ok(signs.zip(clues).map(|(signs, clues)| format!("{signs}{clues}/{start}")))
}

/// Reads the column and the row of the goal, and arrows.
fn read_goal(body: &mut BodyReader<'_>, rows: usize, columns: usize) -> Result<Vec<Value>, InputError> {
    let place = number16::read(body, 2)?;
    let side = |clue: Option<AddressClue>, most: usize| match clue {
        Some(AddressClue::Number(number)) => Some(number as usize).filter(|at| (1..=most).contains(at)),
        _ => None,
    };
    let (Some(column), Some(row)) = (side(place[0], columns), side(place[1], rows)) else {
        return Err(body.error_here("the column and the row of a goal on the board"));
    };
    let at = body.at();
    let arrows = four_cell::read(body, rows * columns)?;
    if arrows.contains(&Some(AddressClue::Number(0))) {
        return Err(body.error_at(at, "directions from 1 to 4", quote("0")));
    }
    let mut values: Vec<Value> = arrows
        .into_iter()
        .map(|arrow| match arrow {
            None => Value::None,
            Some(AddressClue::Unknown) => Value::symbol(UNKNOWN),
            Some(AddressClue::Number(number)) => symbol_values([number], &DIRECTIONS).remove(0),
        })
        .collect();
    values[(row - 1) * columns + column - 1] = Value::symbol(GOAL);
    Ok(values)
}

fn write_goal(all: &[Value], columns: usize) -> Written {
    let mut goals = (0..all.len()).filter(|&cell| is(&all[cell], GOAL));
    let (Some(goal), None) = (goals.next(), goals.next()) else {
        return Err(unfit(format!("a number of cells with {} that is not 1", quote(GOAL))));
    };
    let arrow = |value: &Value| {
        if *value == Value::None || is(value, GOAL) {
            return Ok(None);
        }
        if is(value, UNKNOWN) {
            return Ok(Some(AddressClue::Unknown));
        }
        let number = DIRECTIONS.iter().skip(1).position(|direction| is(value, direction));
        let number = number.and_then(|number| u32::try_from(number + 1).ok());
        number.map(|number| Some(AddressClue::Number(number))).ok_or_else(|| unfit(quote(&value.to_string())))
    };
    let place = [goal % columns + 1, goal / columns + 1];
    let place = place.map(|at| u32::try_from(at).ok().map(AddressClue::Number));
    let arrows = all.iter().map(arrow).collect::<Result<Vec<_>, NoAddress>>()?;
    Ok(number16::write(place).zip(four_cell::write(arrows)).map(|(place, arrows)| place + &arrows))
}

/// Reads compasses: the numbers up, right, down and left of each. A symbol takes the place of the first number if the
/// compass has no such number, or if the cell does not belong to the board.
fn read_compasses(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<Vec<Value>>, InputError> {
    let mut fields = vec![Vec::new(); 4];
    for square in compass::read(body, count)? {
        let values = match square {
            None => [const { Value::None }; 4],
            Some(Compass::Hole) => [Value::symbol(MISSING), Value::None, Value::None, Value::None],
            Some(Compass::Numbers([up, down, left, right])) => {
                let known = |clue| if clue == AddressClue::Unknown { Value::None } else { clue_value(clue) };
                [clue_value(up), known(right), known(down), known(left)]
            }
        };
        for (field, value) in fields.iter_mut().zip(values) {
            field.push(value);
        }
    }
    Ok(fields)
}

fn write_compasses(fields: &[Vec<Value>]) -> Written {
    let mut squares = Vec::new();
    for cell in 0..fields[0].len() {
        let values: Vec<Value> = fields.iter().map(|field| field[cell].clone()).collect();
        if is(&values[0], MISSING) {
            if values[1..].iter().any(|value| *value != Value::None) {
                return Err(unfit("a number in a cell that does not belong to the board"));
            }
            squares.push(Some(Compass::Hole));
            continue;
        }
        let clues = clues(&values)?;
        let is_empty = clues.iter().all(Option::is_none);
        let number = |at: usize| clues[at].unwrap_or(AddressClue::Unknown);
        squares.push((!is_empty).then(|| Compass::Numbers([number(0), number(2), number(3), number(1)])));
    }
    Ok(compass::write(squares))
}
