//! Parts of an address whose squares combine several values, or signs with numbers.

use super::super::{CIRCLE, CIRCLES, COLOURS, DIRECTIONS, ENDS, SIGNS};
use super::{clue, number_of, state, unfit};
use crate::format::pzpr::{
    AddressClue, NoAddress, arrow_number16, castle, kakuro, makaro, number16, number16::ClueOrSign, tapa,
};
use crate::format::quote;
use crate::rules::sheet::{Size, Value};

/// A part of an address, or `None` if it can't express a number.
type Written = Result<Option<String>, NoAddress>;

fn is(value: &Value, symbol: &str) -> bool {
    matches!(value, Value::Symbol(found) if **found == *symbol)
}

/// Returns the codes of circles: twice the number, and 1 more for a black circle.
pub(super) fn circles(numbers: &[Value], colours: &[Value]) -> Result<Vec<Option<AddressClue>>, NoAddress> {
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

pub(super) fn makaro(numbers: &[Value], directions: &[Value], areas: &[Value]) -> Written {
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

pub(super) fn castle(numbers: &[Value], directions: &[Value], colours: &[Value]) -> Written {
    let squares = numbers.iter().zip(directions).zip(colours).map(|((number, direction), colour)| {
        let (direction, colour) = (state(direction, &DIRECTIONS)?, state(colour, &CIRCLES)?);
        Ok(match clue(number)? {
            None if direction == 0 && colour == 0 => None,
            clue => Some((colour, (direction, clue.unwrap_or(AddressClue::Unknown)))),
        })
    });
    Ok(castle::write(squares.collect::<Result<Vec<_>, NoAddress>>()?))
}

pub(super) fn arrows(numbers: &[Value], directions: &[Value]) -> Written {
    let squares = numbers.iter().zip(directions).map(|(number, direction)| {
        let direction = state(direction, &DIRECTIONS)?;
        Ok(match clue(number)? {
            None if direction == 0 => None,
            clue => Some((direction, clue.unwrap_or(AddressClue::Unknown))),
        })
    });
    Ok(arrow_number16::write(squares.collect::<Result<Vec<_>, NoAddress>>()?))
}

pub(super) fn sashigane(numbers: &[Value], marks: &[Value]) -> Written {
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
pub(super) fn ends(all: &[Value], columns: usize) -> Written {
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

pub(super) fn tapa(all: &[Value]) -> Written {
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

pub(super) fn minarism(all: &[Value], size: Size) -> Written {
    let across = usize::from(size.rows) * (usize::from(size.columns) - 1);
    let squares = all.iter().enumerate().map(|(at, value)| {
        match SIGNS[usize::from(at >= across)].iter().position(|sign| is(value, sign)) {
            Some(sign) => Ok(u32::try_from(sign).ok().map(ClueOrSign::Sign)),
            None => Ok(clue(value)?.map(ClueOrSign::Clue)),
        }
    });
    Ok(number16::write_with_signs(squares.collect::<Result<Vec<_>, NoAddress>>()?, 2))
}

pub(super) fn kakuro(
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
