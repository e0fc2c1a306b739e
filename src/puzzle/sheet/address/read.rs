//! Reads the parts of an address.

use std::sync::Arc;

use super::{
    CIRCLES, DIRECTIONS, MISSING, UNKNOWN, can_be_left_out, cells, clue_values, count, empty_board, letters,
    number_value, only_symbol, positions, shapes, squares, star_code, states, symbol_values, symbols,
    two_symbols,
};
use crate::format::pzpr::{
    BodyReader, digits, digits::Borders, dot, four_cell, makaro, marks, number16, number36, one_cell, signs,
    tile_sums,
};
use crate::format::{InputError, Span, Spanned};
use crate::rules::sheet::{AddressPart, AddressScheme, DataSort, Sheet, Size, Value};

/// What the parts of an address need to be read.
pub(super) struct Reading<'r, 'a> {
    pub(super) sheet: &'r Arc<Sheet>,
    pub(super) size: Size,
    pub(super) body: &'r mut BodyReader<'a>,
    pub(super) span: Span,
    /// The borders between areas, once known.
    pub(super) borders: &'r mut Option<Borders>,
    /// The number of the area of each cell, once known.
    pub(super) areas: &'r mut Vec<Option<usize>>,
}

/// A name of data, by its index, with its values in the order of their keys.
type FieldValues = (usize, Vec<Spanned<Value>>);

impl Reading<'_, '_> {
    /// Reads a part: the values of its names. `number` counts the parts from 0.
    pub(super) fn part(&mut self, part: &AddressPart, number: usize) -> Result<Vec<FieldValues>, InputError> {
        let Some(&data) = part.data.first() else {
            self.slash()?;
            return Ok(Vec::new());
        };
        let count = count(self.sheet, data, self.size);
        if self.body.is_empty() && can_be_left_out(part, number) {
            let areas = self.sheet.data[data].sort == DataSort::Areas;
            return Ok(if areas { Vec::new() } else { vec![(data, self.absent(count))] });
        }
        let values = self.values(part, data, count)?;
        let spanned =
            |values: Vec<Value>| values.into_iter().map(|value| Spanned::new(value, self.span)).collect();
        Ok(part.data.iter().copied().zip(values.into_iter().map(spanned)).collect())
    }

    /// Reads the values of each name of a part. The first name is `data`, and each has `count` values.
    fn values(
        &mut self,
        part: &AddressPart,
        data: usize,
        count: usize,
    ) -> Result<Vec<Vec<Value>>, InputError> {
        let (rows, columns) = (usize::from(self.size.rows), usize::from(self.size.columns));
        let values = match part.scheme {
            AddressScheme::FourCell => vec![clue_values(&four_cell::read(self.body, count)?)],
            AddressScheme::Number16 | AddressScheme::Outside => {
                vec![clue_values(&number16::read(self.body, count)?)]
            }
            AddressScheme::Number36 => vec![clue_values(&number36::read(self.body, count)?)],
            AddressScheme::TileSums => {
                let numbers = tile_sums::read(self.body, rows * columns, count)?;
                vec![numbers.into_iter().map(number_value).collect()]
            }
            AddressScheme::Circle => vec![symbol_values(digits::read_threes(self.body, count)?, &CIRCLES)],
            AddressScheme::Makaro => self.makaro(count)?,
            AddressScheme::Empty if self.sheet.data[data].sort == DataSort::Areas => {
                let left_out = digits::read_fives(self.body, count)?;
                vec![self.area_labels(|cell| left_out[cell] == 0)?]
            }
            AddressScheme::Marks if self.sheet.data[data].sort == DataSort::Areas => {
                let left_out = marks::read(self.body, count)?;
                vec![self.area_labels(|cell| !left_out[cell])?]
            }
            AddressScheme::Empty | AddressScheme::OneCell | AddressScheme::Marks | AddressScheme::Walls => {
                let symbol = self.only_symbol(data);
                let marked = match part.scheme {
                    AddressScheme::Empty => digits::read_fives(self.body, count)?,
                    AddressScheme::Walls => {
                        let across = rows * (columns - 1);
                        let mut walls = digits::read_fives(self.body, across)?;
                        walls.extend(digits::read_fives(self.body, count - across)?);
                        walls
                    }
                    AddressScheme::OneCell => states(one_cell::read(self.body, count)?),
                    _ => states(marks::read(self.body, count)?),
                };
                vec![symbol_values(marked, &["", &symbol])]
            }
            AddressScheme::Letters => {
                let letters = letters(&empty_board(self.sheet, self.size), data);
                vec![symbols::read_letters(self.body, count, &letters)?]
            }
            AddressScheme::StarCount => vec![vec![self.star_count()?]],
            AddressScheme::Border => {
                *self.borders = Some(Borders::read(self.body, rows, columns)?);
                vec![self.area_labels(|_| true)?]
            }
            AddressScheme::Joined => {
                *self.borders = Some(Borders::read_joined(self.body, rows, columns)?);
                vec![self.area_labels(|_| true)?]
            }
            AddressScheme::Ice => {
                let marked = digits::read_fives(self.body, count)?;
                vec![labels(&Borders::none(rows, columns).areas(|cell| marked[cell] == 1))]
            }
            AddressScheme::EmptyOrSlash if self.body.peek() == Some('/') => {
                self.slash()?;
                vec![self.area_labels(|_| true)?]
            }
            AddressScheme::EmptyOrSlash => {
                let left_out = digits::read_fives(self.body, count)?;
                vec![self.area_labels(|cell| left_out[cell] == 0)?]
            }
            AddressScheme::Three | AddressScheme::Letters10 => {
                vec![self.two_or_more(part.scheme, data, count)?]
            }
            AddressScheme::Stones => {
                let empty = digits::read_fives(self.body, count)?;
                vec![symbol_values(empty.into_iter().map(|empty| 1 - empty), &["", &self.only_symbol(data)])]
            }
            AddressScheme::Dots => {
                let only = self.only_letter(data);
                positions::read_dots(self.body, (rows, columns), only.as_deref())?
            }
            AddressScheme::OuterBorder => {
                let symbol = self.only_symbol(data);
                positions::read_outer(self.body, self.size, &symbol)?
            }
            AddressScheme::Tateyoko => {
                let black = self.only_symbol(part.data[1]);
                cells::read_numbered(self.body, count, &black)?
            }
            AddressScheme::Magnets => positions::read_pairs(self.body, count)?,
            AddressScheme::Box => positions::read_sums(self.body, count)?,
            AddressScheme::Arrows => positions::read_arrows(self.body, (rows, columns))?,
            AddressScheme::PieceBank => vec![shapes::read_shapes(self.body, (rows, columns))?],
            AddressScheme::Fleet => vec![vec![shapes::read_fleet(self.body)?]],
            AddressScheme::RoomNumber16 => vec![self.room_numbers()?],
            AddressScheme::Stars => vec![self.stars(rows, columns)?],
            scheme => {
                let mut values = squares::read(scheme, self.body, (rows, columns));
                if values.is_none() {
                    values = cells::read(scheme, self.body, count);
                }
                if values.is_none() {
                    values = symbols::read(scheme, self.body, (rows, columns));
                }
                return values.unwrap_or_else(|| Ok(Vec::new()));
            }
        };
        Ok(values)
    }

    fn slash(&mut self) -> Result<(), InputError> {
        if self.body.peek() != Some('/') {
            return Err(self.body.error_here("`/`"));
        }
        self.body.next();
        Ok(())
    }

    /// Reads numbers and closed cells, which belong to no area.
    fn makaro(&mut self, count: usize) -> Result<Vec<Vec<Value>>, InputError> {
        let squares = makaro::read(self.body, count)?;
        let number = |square: &Option<makaro::Square>| match square {
            Some(makaro::Square::Number(number)) => Value::Number((*number).into()),
            _ => Value::None,
        };
        let closed = |square: &Option<makaro::Square>| match square {
            Some(makaro::Square::Closed(direction)) => Some(*direction),
            _ => None,
        };
        let directions = squares.iter().map(|square| closed(square).unwrap_or(0));
        let directions = symbol_values(directions, &DIRECTIONS);
        let areas = self.area_labels(|cell| closed(&squares[cell]).is_none())?;
        Ok(vec![squares.iter().map(number).collect(), directions, areas])
    }

    fn absent(&self, count: usize) -> Vec<Spanned<Value>> {
        vec![Spanned::new(Value::None, self.span); count]
    }

    fn only_symbol(&self, data: usize) -> String {
        only_symbol(&empty_board(self.sheet, self.size), data)
    }

    /// Returns the symbol that data can have, if there is only one.
    fn only_letter(&self, data: usize) -> Option<String> {
        match &letters(&empty_board(self.sheet, self.size), data)[..] {
            [only] => Some(only.to_string()),
            _ => None,
        }
    }

    /// Reads numbers from 1 that stand for the symbols that the data can have.
    fn two_or_more(
        &mut self,
        scheme: AddressScheme,
        data: usize,
        count: usize,
    ) -> Result<Vec<Value>, InputError> {
        let board = empty_board(self.sheet, self.size);
        let at = self.body.at();
        let numbers: Vec<Option<u32>> = if scheme == AddressScheme::Three {
            digits::read_threes(self.body, count)?.into_iter().map(Some).collect()
        } else {
            let signs = signs::NUMBER10.read(self.body, count)?;
            signs.into_iter().map(|sign| sign.map_or(Some(0), |sign| sign.to_digit(10))).collect()
        };
        let symbols = match scheme {
            AddressScheme::Three => two_symbols(&board, data),
            _ => letters(&board, data),
        };
        let value = |number: Option<u32>| match number {
            None => Ok(Value::symbol(UNKNOWN)),
            Some(0) => Ok(Value::None),
            Some(number) => symbols.get(number as usize - 1).cloned().ok_or_else(|| {
                let found = format!("`{number}`");
                self.body.error_at(at, format!("numbers up to {}", symbols.len()), found)
            }),
        };
        numbers.into_iter().map(value).collect()
    }

    fn star_count(&mut self) -> Result<Value, InputError> {
        let mut number = 0_i64;
        loop {
            match self.body.peek() {
                Some('/') | None if number > 0 => {
                    // The slash is left out if nothing follows it.
                    self.body.next();
                    return Ok(Value::Number(number));
                }
                Some(c @ '0'..='9') if number < 100_000 => {
                    number = 10 * number + i64::from(c.to_digit(10).unwrap_or_default());
                    self.body.next();
                }
                _ => return Err(self.body.error_here("a number and `/`")),
            }
        }
    }

    fn borders(&self) -> Result<&Borders, InputError> {
        self.borders.as_ref().ok_or_else(|| self.body.error_here("the borders of the areas first"))
    }

    /// Returns the label of the area of each cell, none for cells that belong to no area.
    fn area_labels(&mut self, belongs: impl Fn(usize) -> bool) -> Result<Vec<Value>, InputError> {
        *self.areas = self.borders()?.areas(belongs);
        Ok(labels(self.areas))
    }

    /// Reads a number for each area, which belongs to its first cell.
    fn room_numbers(&mut self) -> Result<Vec<Value>, InputError> {
        self.borders()?;
        let count = self.areas.iter().flatten().max().map_or(0, |most| most + 1);
        let clues = clue_values(&number16::read(self.body, count)?);
        let mut next = 0;
        let values = self.areas.iter().map(|&area| match area {
            Some(area) if area == next => {
                next += 1;
                clues[area].clone()
            }
            _ => Value::None,
        });
        Ok(values.collect())
    }

    /// Reads stars, and the cells that do not belong to the board. The colours of stars, which only make the picture nicer,
    /// are left out.
    fn stars(&mut self, rows: usize, columns: usize) -> Result<Vec<Value>, InputError> {
        let width = 2 * columns - 1;
        let points = dot::read(self.body, (2 * rows - 1) * width)?;
        let mut values = vec![Value::None; rows * columns];
        for at in (0..points.len()).filter(|&at| points[at].is_some()) {
            let (row, column) = (at / width, at % width);
            let cell = row / 2 * columns + column / 2;
            if values[cell] != Value::None {
                let found = format!("two stars at r{}c{}", row / 2 + 1, column / 2 + 1);
                return Err(self.body.error_here(format!("one star for each cell, not {found}")));
            }
            values[cell] = Value::Number(star_code(row, column));
        }
        if !self.body.is_empty() {
            for (cell, missing) in digits::read_fives(self.body, rows * columns)?.into_iter().enumerate() {
                if missing == 1 {
                    values[cell] = Value::symbol(MISSING);
                }
            }
        }
        Ok(values)
    }
}

/// Returns the numbers of areas as labels.
fn labels(areas: &[Option<usize>]) -> Vec<Value> {
    let label = |area: &Option<usize>| {
        area.and_then(|area| i64::try_from(area).ok()).map_or(Value::None, Value::Number)
    };
    areas.iter().map(label).collect()
}
