//! Parts of an address that run through other places than cells: sides, corners, or numbers outside of the board.

use std::collections::BTreeMap;

use super::write::{clue, is, number_of, state, unfit};
use super::{clue_values, symbol_values};
use crate::format::InputError;
use crate::format::pzpr::{AddressClue, BodyReader, NoAddress, digits, number16, steps};
use crate::puzzle::sheet::block;
use crate::rules::sheet::{Size, Value};

/// The symbols of dots: none, black, grey and white.
const DOTS: [&str; 4] = ["", "b", "g", "w"];

/// The values of each name of a part.
type Read = Result<Vec<Vec<Value>>, InputError>;

/// A place of a dot: a cell, a side between two cells or a corner of four cells, with its index in the values of the data.
#[derive(Debug, Clone, Copy)]
enum Dot {
    Cell(usize),
    Link(usize),
    Corner(usize),
}

/// Iterates over the places of dots, row by row in half steps.
fn dots(rows: usize, columns: usize) -> impl Iterator<Item = Dot> {
    let width = 2 * columns - 1;
    (0..(2 * rows - 1) * width).map(move |at| {
        let (row, column) = (at / width, at % width);
        match (row % 2, column % 2) {
            (0, 0) => Dot::Cell(row / 2 * columns + column / 2),
            (0, _) => Dot::Link(row / 2 * (columns - 1) + column / 2),
            (_, 0) => Dot::Link(rows * (columns - 1) + row / 2 * columns + column / 2),
            _ => Dot::Corner((row / 2 + 1) * (columns + 1) + column / 2 + 1),
        }
    })
}

/// Reads dots in cells, on sides and at corners. `only` is the symbol of cells, if there is only one.
pub(super) fn read_dots(
    body: &mut BodyReader<'_>,
    (rows, columns): (usize, usize),
    only: Option<&str>,
) -> Read {
    let places: Vec<Dot> = dots(rows, columns).collect();
    let at = body.at();
    let codes = number16::read(body, places.len().div_ceil(2))?;
    let mut values = vec![
        vec![Value::None; rows * columns],
        vec![Value::None; rows * (columns - 1) + (rows - 1) * columns],
        vec![Value::None; (rows + 1) * (columns + 1)],
    ];
    for (code, pair) in codes.iter().zip(places.chunks(2)) {
        let code = match code {
            None => 0,
            Some(AddressClue::Number(code @ 0..16)) => *code,
            Some(_) => return Err(body.error_at(at, "numbers up to 15", "another clue".to_owned())),
        };
        for (place, dot) in pair.iter().zip([code / 4, code % 4]) {
            let symbol = DOTS[dot as usize];
            let (field, index) = match *place {
                Dot::Cell(index) => (0, index),
                Dot::Link(index) => (1, index),
                Dot::Corner(index) => (2, index),
            };
            let symbol = only.filter(|_| field == 0 && dot > 0).unwrap_or(symbol);
            if !symbol.is_empty() {
                values[field][index] = Value::symbol(symbol);
            }
        }
    }
    Ok(values)
}

/// Writes dots as [`read_dots`] reads them.
pub(super) fn write_dots(
    fields: &[Vec<Value>],
    (rows, columns): (usize, usize),
    only: Option<&str>,
) -> Result<Option<String>, NoAddress> {
    let places: Vec<Dot> = dots(rows, columns).collect();
    let inner =
        places.iter().filter_map(|dot| if let Dot::Corner(index) = dot { Some(*index) } else { None });
    let inner: Vec<usize> = inner.collect();
    if fields[2].iter().enumerate().any(|(at, value)| *value != Value::None && !inner.contains(&at)) {
        return Err(unfit("a dot at the border of the board"));
    }
    let dot = |place: &Dot| match *place {
        Dot::Cell(index) if only.is_some_and(|only| is(&fields[0][index], only)) => Ok(1),
        Dot::Cell(index) => state(&fields[0][index], &DOTS),
        Dot::Link(index) => state(&fields[1][index], &DOTS),
        Dot::Corner(index) => state(&fields[2][index], &DOTS),
    };
    let dots = places.iter().map(dot).collect::<Result<Vec<u32>, NoAddress>>()?;
    let codes = dots.chunks(2).map(|pair| 4 * pair[0] + pair.get(1).copied().unwrap_or(0));
    let clues = codes.map(|code| (code > 0).then_some(AddressClue::Number(code)));
    Ok(number16::write(clues))
}

/// Reads symbols between neighbours, and at the border of the board, if there are any.
pub(super) fn read_outer(body: &mut BodyReader<'_>, size: Size, symbol: &str) -> Read {
    let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
    let inner = rows * (columns - 1) + (rows - 1) * columns;
    let mut marked = Vec::new();
    // The characters at the end are left out if the border has no symbols.
    let all = inner + 2 * (rows + columns);
    while marked.len() < all && !(body.is_empty() && marked.len() >= inner) {
        marked.extend(digits::read_fives(body, (all - marked.len()).min(5))?);
    }
    marked.resize(all, 0);
    let outer = marked.split_off(inner);
    Ok(vec![symbol_values(marked, &["", symbol]), symbol_values(outer, &["", symbol])])
}

/// Writes symbols as [`read_outer`] reads them.
pub(super) fn write_outer(fields: &[Vec<Value>]) -> String {
    let marked = |values: &[Value]| values.iter().map(|value| u32::from(*value != Value::None)).collect();
    let (mut inner, outer): (Vec<u32>, Vec<u32>) = (marked(&fields[0]), marked(&fields[1]));
    if outer.contains(&1) {
        inner.extend(outer);
    }
    digits::write_fives(&inner)
}

/// Reads two numbers for each row and column, the inner one first.
pub(super) fn read_pairs(body: &mut BodyReader<'_>, count: usize) -> Read {
    let clues = clue_values(&number16::read(body, 2 * count)?);
    let field = |at: usize| clues.iter().skip(at).step_by(2).cloned().collect();
    Ok(vec![field(1), field(0)])
}

/// Writes numbers as [`read_pairs`] reads them.
pub(super) fn write_pairs(outer: &[Value], inner: &[Value]) -> Result<Option<String>, NoAddress> {
    let clues = inner.iter().zip(outer).flat_map(|(inner, outer)| [clue(inner), clue(outer)]);
    Ok(number16::write(clues.collect::<Result<Vec<_>, _>>()?))
}

/// Reads a number for each row and column: one digit or letter up to `v`, or `-` and two of them.
pub(super) fn read_sums(body: &mut BodyReader<'_>, count: usize) -> Read {
    let mut sums = Vec::new();
    while sums.len() < count {
        let is_long = body.peek() == Some('-');
        if is_long {
            body.next();
        }
        let mut sum = 0;
        for _ in 0..=usize::from(is_long) {
            let Some(digit) = body.peek().and_then(|c| c.to_digit(32)) else {
                return Err(body.error_here("a digit, or a letter up to `v`"));
            };
            sum = 32 * sum + i64::from(digit);
            body.next();
        }
        sums.push(Value::Number(sum));
    }
    Ok(vec![sums])
}

/// Writes numbers as [`read_sums`] reads them.
pub(super) fn write_sums(all: &[Value]) -> Result<Option<String>, NoAddress> {
    let mut text = String::new();
    for value in all {
        match number_of(value)? {
            None => return Err(unfit("a row or column without a number")),
            Some(sum @ 0..32) => text.extend(char::from_digit(sum, 32)),
            Some(sum @ 32..1024) => {
                text.push('-');
                text.extend([sum / 32, sum % 32].into_iter().filter_map(|digit| char::from_digit(digit, 32)));
            }
            Some(_) => return Ok(None),
        }
    }
    Ok(Some(text))
}

/// Returns the pairs of neighbours: those in each row, then those between each row and the next.
fn neighbours(rows: usize, columns: usize) -> Vec<(usize, usize)> {
    let cells = 0..rows * columns;
    let across = cells.clone().filter(|cell| (cell + 1) % columns != 0).map(|cell| (cell, cell + 1));
    let down = cells.filter(|cell| cell + columns < rows * columns).map(|cell| (cell, cell + columns));
    across.chain(down).collect()
}

/// Reads paths of arrows, as the tokens of chains.
pub(super) fn read_arrows(body: &mut BodyReader<'_>, (rows, columns): (usize, usize)) -> Read {
    let at = body.at();
    let pairs = neighbours(rows, columns);
    let back = steps::read(body, pairs.len())?;
    let forward = steps::read(body, pairs.len())?;
    let mut next = vec![None; rows * columns];
    let mut is_start = vec![true; rows * columns];
    let mut count = 0;
    for (&(a, b), (back, forward)) in pairs.iter().zip(back.into_iter().zip(forward)) {
        for (from, to) in
            [(a, b), (b, a)].into_iter().zip([forward, back]).filter_map(|(step, is)| is.then_some(step))
        {
            if next[from].is_some() || !is_start[to] {
                let found = format!("two arrows at r{}c{}", from / columns + 1, from % columns + 1);
                return Err(body.error_at(at, "arrows without branches", found));
            }
            next[from] = Some(to);
            is_start[to] = false;
            count += 1;
        }
    }
    let mut values = vec![Value::None; rows * columns];
    let starts = (0..rows * columns).filter(|&cell| is_start[cell] && next[cell].is_some());
    for (number, start) in starts.enumerate() {
        let (mut cell, mut position) = (Some(start), 0);
        while let Some(at) = cell {
            position += 1;
            values[at] = Value::symbol(&format!("{}{position}", block::letters(number)));
            cell = next[at];
        }
        count -= position - 1;
    }
    if count > 0 {
        return Err(body.error_at(at, "arrows with a start", "arrows in a circle".to_owned()));
    }
    Ok(vec![values])
}

/// Writes paths as [`read_arrows`] reads them.
pub(super) fn write_arrows(
    tokens: &[Value],
    (rows, columns): (usize, usize),
) -> Result<Option<String>, NoAddress> {
    let mut chains: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (cell, token) in tokens.iter().enumerate().filter(|(_, token)| **token != Value::None) {
        let token = token.to_string();
        let digits = token.find(|c: char| c.is_ascii_digit()).unwrap_or(token.len());
        let (letters, position) = token.split_at(digits);
        let position = position.parse().map_err(|_| unfit("a cell of two chains"))?;
        chains.entry(letters.to_owned()).or_default().push((position, cell));
    }
    let pairs = neighbours(rows, columns);
    let (mut back, mut forward) = (vec![false; pairs.len()], vec![false; pairs.len()]);
    for chain in chains.values_mut() {
        chain.sort_unstable();
        if chain.len() == 1 {
            return Err(unfit("a chain of one cell"));
        }
        for pair in chain.windows(2) {
            let (from, to) = (pair[0].1, pair[1].1);
            if let Some(at) = pairs.iter().position(|&pair| pair == (from, to)) {
                forward[at] = true;
            } else if let Some(at) = pairs.iter().position(|&pair| pair == (to, from)) {
                back[at] = true;
            } else {
                return Err(unfit("a chain whose successive cells do not share a side"));
            }
        }
    }
    Ok(Some(steps::write(&back) + &steps::write(&forward)))
}
