//! Several squares in each character: three with one of three states, or five with one of two.

use super::body::BodyReader;
use crate::source::InputError;

/// A number of squares in each character.
#[derive(Debug, Clone, Copy)]
struct Packing {
    squares: u32,
    states: u32,
}

const THREES: Packing = Packing { squares: 3, states: 3 };
const FIVES: Packing = Packing { squares: 5, states: 2 };

impl Packing {
    fn read(self, body: &mut BodyReader<'_>, count: usize) -> Result<Vec<u32>, InputError> {
        let mut cells = Vec::new();
        let radix = self.states.pow(self.squares);
        while cells.len() < count {
            let digit = body.peek().and_then(|c| c.to_digit(36)).filter(|&digit| digit < radix);
            let Some(digit) = digit else {
                return Err(body.error_here(format!("a digit for {} more squares", count - cells.len())));
            };
            body.next();
            let states = (0..self.squares).rev().map(|at| digit / self.states.pow(at) % self.states);
            cells.extend(states.take(count - cells.len()));
        }
        Ok(cells)
    }

    fn write(self, cells: &[u32]) -> String {
        let digit = |squares: &[u32]| {
            let missing = self.squares as usize - squares.len();
            let states = squares.iter().copied().chain(std::iter::repeat_n(0, missing));
            char::from_digit(states.fold(0, |digit, state| digit * self.states + state), 36)
        };
        cells.chunks(self.squares as usize).filter_map(digit).collect()
    }
}

/// Decodes squares with a state from 0 to 2.
pub(crate) fn read_threes(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<u32>, InputError> {
    THREES.read(body, count)
}

/// Encodes squares with a state from 0 to 2.
pub(crate) fn write_threes(cells: &[u32]) -> String {
    THREES.write(cells)
}

/// Decodes squares with a state from 0 to 1.
pub(crate) fn read_fives(body: &mut BodyReader<'_>, count: usize) -> Result<Vec<u32>, InputError> {
    FIVES.read(body, count)
}

/// Encodes squares with a state from 0 to 1.
pub(crate) fn write_fives(cells: &[u32]) -> String {
    FIVES.write(cells)
}

/// The borders between areas: those between the columns, row by row, and those between the rows.
#[derive(Debug)]
pub(crate) struct Borders {
    rows: usize,
    columns: usize,
    beside: Vec<u32>,
    below: Vec<u32>,
    /// The indices in the body of the characters with the first borders of each kind.
    starts: [usize; 2],
}

impl Borders {
    /// Decodes the borders of a board.
    pub(crate) fn read(body: &mut BodyReader<'_>, rows: usize, columns: usize) -> Result<Self, InputError> {
        let across = body.at();
        let beside = read_fives(body, rows * (columns - 1))?;
        let down = body.at();
        let below = read_fives(body, (rows - 1) * columns)?;
        Ok(Self { rows, columns, beside, below, starts: [across, down] })
    }

    /// Returns the borders of a board without any.
    pub(crate) fn none(rows: usize, columns: usize) -> Self {
        let (beside, below) = (vec![0; rows * (columns - 1)], vec![0; (rows - 1) * columns]);
        Self { rows, columns, beside, below, starts: [0; 2] }
    }

    /// Decodes the places between neighbours that are not borders, without a gap between both kinds.
    pub(crate) fn read_joined(
        body: &mut BodyReader<'_>,
        rows: usize,
        columns: usize,
    ) -> Result<Self, InputError> {
        let start = body.at();
        let across = rows * (columns - 1);
        let joined = read_fives(body, across + (rows - 1) * columns)?;
        let mut beside: Vec<u32> = joined.into_iter().map(|joined| 1 - joined).collect();
        let below = beside.split_off(across);
        Ok(Self { rows, columns, beside, below, starts: [start; 2] })
    }

    /// Returns the first border between two squares of the same area: the index of its character in the body, and the squares.
    pub(crate) fn inside(&self, areas: &[Option<usize>]) -> Option<(usize, usize, usize)> {
        let loose = |a: usize, b: usize| areas[a].is_some() && areas[a] == areas[b];
        let inner = (self.columns - 1).max(1);
        let across = self.beside.iter().enumerate().map(|(at, border)| {
            let square = at / inner * self.columns + at % inner;
            (*border, self.starts[0] + at / FIVES.squares as usize, square, square + 1)
        });
        let down = self.below.iter().enumerate().map(|(square, border)| {
            (*border, self.starts[1] + square / FIVES.squares as usize, square, square + self.columns)
        });
        let found = across.chain(down).find(|&(border, _, a, b)| border == 1 && loose(a, b));
        found.map(|(_, at, a, b)| (at, a, b))
    }

    /// Returns the number of the area of each square, in the order of the first squares; `None` for the squares that belong
    /// to no area.
    pub(crate) fn areas(&self, belongs: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let mut areas: Vec<Option<usize>> = vec![None; self.rows * self.columns];
        let mut count = 0;
        for start in 0..areas.len() {
            if areas[start].is_some() || !belongs(start) {
                continue;
            }
            areas[start] = Some(count);
            let mut open = vec![start];
            while let Some(square) = open.pop() {
                for next in self.near(square).into_iter().flatten() {
                    if areas[next].is_none() && belongs(next) {
                        areas[next] = Some(count);
                        open.push(next);
                    }
                }
            }
            count += 1;
        }
        areas
    }

    /// Returns the neighbours of a square without a border between them.
    fn near(&self, square: usize) -> [Option<usize>; 4] {
        let (row, column) = (square / self.columns, square % self.columns);
        let beside = row * (self.columns - 1) + column;
        [
            (column > 0 && self.beside[beside - 1] == 0).then(|| square - 1),
            (column + 1 < self.columns && self.beside[beside] == 0).then(|| square + 1),
            (row > 0 && self.below[square - self.columns] == 0).then(|| square - self.columns),
            (row + 1 < self.rows && self.below[square] == 0).then(|| square + self.columns),
        ]
    }
}

/// Encodes areas, given by the number of the area of each square, or `None` for a square that belongs to no area. Returns
/// `None` if an area is not connected, because borders can't express it.
pub(crate) fn write_areas(areas: &[Option<usize>], columns: usize) -> Option<String> {
    let [beside, below] = borders_of(areas, columns)?;
    Some(write_fives(&beside) + &write_fives(&below))
}

/// Encodes the places between neighbours of the same area, as [`Borders::read_joined`] decodes them.
pub(crate) fn write_joined(areas: &[Option<usize>], columns: usize) -> Option<String> {
    let joined: Vec<u32> =
        borders_of(areas, columns)?.concat().into_iter().map(|border| 1 - border).collect();
    Some(write_fives(&joined))
}

/// Returns the borders between the columns, and those between the rows, or `None` if an area is not connected.
fn borders_of(areas: &[Option<usize>], columns: usize) -> Option<[Vec<u32>; 2]> {
    let rows = areas.len() / columns;
    let border = |a: usize, b: usize| u32::from(areas[a] != areas[b]);
    let beside = (0..areas.len())
        .filter(|square| (square + 1) % columns != 0)
        .map(|square| border(square, square + 1));
    let below = (0..areas.len() - columns).map(|square| border(square, square + columns));
    let (beside, below): (Vec<u32>, Vec<u32>) = (beside.collect(), below.collect());
    let mut parts = (0..areas.len()).collect::<Vec<_>>();
    let mut joined = areas.iter().flatten().count();
    for (a, b) in neighbours(rows, columns) {
        let (a, b, differ) = (root(&mut parts, a), root(&mut parts, b), areas[a] != areas[b]);
        if !differ && a != b && areas[a].is_some() {
            parts[a.max(b)] = a.min(b);
            joined -= 1;
        }
    }
    let mut names: Vec<usize> = areas.iter().copied().flatten().collect();
    names.sort_unstable();
    names.dedup();
    (names.len() == joined).then_some([beside, below])
}

fn neighbours(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let squares = 0..rows * columns;
    squares.flat_map(move |square| {
        let right = ((square + 1) % columns != 0).then_some((square, square + 1));
        let below = (square + columns < rows * columns).then_some((square, square + columns));
        right.into_iter().chain(below)
    })
}

fn root(parts: &mut [usize], mut at: usize) -> usize {
    while parts[at] != at {
        parts[at] = parts[parts[at]];
        at = parts[at];
    }
    at
}
