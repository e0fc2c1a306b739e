//! Parts of an address that list shapes: areas of a board on which their places have no meaning, or ships.

use super::write::unfit;
use crate::format::pzpr::bank::{self, Piece};
use crate::format::pzpr::{BodyReader, NoAddress};
use crate::format::{InputError, counted};
use crate::rules::sheet::Value;

/// Reads shapes. Returns the number of the shape of each cell.
pub(super) fn read_shapes(
    body: &mut BodyReader<'_>,
    (rows, columns): (usize, usize),
) -> Result<Vec<Value>, InputError> {
    let at = body.at();
    let pieces = bank::read(body, bank::SHAPES)?;
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    let mut labels = placed(&pieces, &order, (rows, columns));
    if labels.is_none() {
        // Large shapes first need less room.
        order.sort_by_key(|&at| std::cmp::Reverse(pieces[at].squares.len()));
        labels = placed(&pieces, &order, (rows, columns));
    }
    let labels = labels.ok_or_else(|| {
        let found = counted(pieces.len(), "shape");
        body.error_at(at, "shapes that have room beside each other on the board", found)
    })?;
    let value = |label: Option<usize>| label.and_then(|label| i64::try_from(label).ok());
    Ok(labels.into_iter().map(|label| value(label).map_or(Value::None, Value::Number)).collect())
}

/// Places shapes, each as it is or turned, at the first place where it has room.
fn placed(pieces: &[Piece], order: &[usize], (rows, columns): (usize, usize)) -> Option<Vec<Option<usize>>> {
    let mut labels = vec![None; rows * columns];
    for &number in order {
        let free = pieces[number].turned().into_iter().find_map(|piece| {
            let cells = |start: usize| {
                let squares = piece.squares.iter().enumerate().filter(|(_, is_in)| **is_in);
                let places = squares.map(move |(at, _)| {
                    let (row, column) =
                        (start / columns + at / piece.columns, start % columns + at % piece.columns);
                    (row < rows && column < columns).then_some(row * columns + column)
                });
                places.collect::<Option<Vec<usize>>>()
            };
            let is_free = |cells: &Vec<usize>| cells.iter().all(|&cell| labels[cell].is_none());
            (0..rows * columns).filter_map(cells).find(is_free)
        });
        for cell in free? {
            labels[cell] = Some(number);
        }
    }
    Some(labels)
}

/// Writes shapes as [`read_shapes`] reads them; `areas` are the numbers of the shapes of all cells.
pub(super) fn write_shapes(areas: &[Option<usize>], columns: usize) -> Option<String> {
    let count = areas.iter().flatten().max().map_or(0, |most| most + 1);
    let piece = |number: usize| {
        let cells: Vec<(usize, usize)> = (0..areas.len())
            .filter(|&cell| areas[cell] == Some(number))
            .map(|cell| (cell / columns, cell % columns))
            .collect();
        let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let bottom = cells.iter().map(|cell| cell.0).max().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let right = cells.iter().map(|cell| cell.1).max().unwrap_or(0);
        let places = (top..=bottom).flat_map(|row| (left..=right).map(move |column| (row, column)));
        Piece { columns: right - left + 1, squares: places.map(|place| cells.contains(&place)).collect() }
    };
    bank::write(&(0..count).map(piece).collect::<Vec<_>>(), bank::SHAPES)
}

/// Reads a fleet. Returns the length of the longest ship.
pub(super) fn read_fleet(body: &mut BodyReader<'_>) -> Result<Value, InputError> {
    let at = body.at();
    let pieces = bank::read(body, bank::SHIPS)?;
    let longest = pieces.iter().map(|piece| piece.squares.len()).max().unwrap_or(0);
    let mut counts = vec![0; longest + 1];
    for piece in &pieces {
        let is_straight = piece.columns == 1 || piece.columns == piece.squares.len();
        if !is_straight || piece.squares.contains(&false) {
            return Err(body.error_at(at, "straight ships", "another shape".to_owned()));
        }
        counts[piece.squares.len()] += 1;
    }
    if (1..=longest).any(|length| counts[length] != longest + 1 - length) || longest == 0 {
        let expected = "one longest ship, two ships that are one cell shorter, and so on";
        return Err(body.error_at(at, expected, "another fleet".to_owned()));
    }
    Ok(i64::try_from(longest).map_or(Value::None, Value::Number))
}

/// Writes the fleet with the given longest ship.
pub(super) fn write_fleet(longest: &Value) -> Result<Option<String>, NoAddress> {
    let longest = longest.number().and_then(|longest| usize::try_from(longest).ok());
    let Some(longest) = longest.filter(|&longest| longest > 0) else {
        return Err(unfit("a board without the length of the longest ship"));
    };
    if longest > 35 {
        return Ok(None);
    }
    let ships = (1..=longest).flat_map(|length| {
        let ship = Piece { columns: length, squares: vec![true; length] };
        std::iter::repeat_n(ship, longest + 1 - length)
    });
    Ok(bank::write(&ships.collect::<Vec<_>>(), bank::SHIPS))
}
