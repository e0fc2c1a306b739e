//! puzz.link addresses of boards: this file reads them, and `write` writes them.

use std::sync::Arc;

use super::block::{self, Filling, Rows};
use super::size;
use crate::format::pzpr::{
    Address, AddressClue, BodyReader, arrow_number16, castle, digits, digits::Borders, dot, four_cell,
    kakuro, makaro, marks, number16, number16::ClueOrSign, number36, one_cell, signs, signs::Signs, tapa,
    tile_sums,
};
use crate::format::{InputError, Span, Spanned, quote};
use crate::rules::sheet::{
    AddressPart, AddressScheme, DataBlock, DataSort, DataValues, Scheme, Sheet, SheetBoard, Size, Value,
};

mod write;

pub(super) use write::write;

/// The symbol of a clue without a number.
const UNKNOWN: &str = "?";
/// The symbol of a cell that does not belong to the board.
const MISSING: &str = "#";
/// The symbols of circles: none, white and black.
const CIRCLES: [&str; 3] = ["", "w", "b"];
/// The symbols of directions: none, up, down, left and right.
const DIRECTIONS: [&str; 5] = ["", "n", "s", "w", "e"];

/// The signs between neighbours in a row, and in a column: the first number is smaller, or greater.
const SIGNS: [[&str; 2]; 2] = [["<", ">"], ["^", "v"]];
/// The symbols of a start and a goal.
const ENDS: [&str; 2] = ["S", "G"];
/// The symbol of a circle.
const CIRCLE: &str = "o";
/// The colours of circles with numbers.
const COLOURS: [&str; 2] = ["w", "b"];

/// Returns the characters of a scheme in which each clue is one character.
fn signs(scheme: AddressScheme) -> Option<&'static Signs> {
    match scheme {
        AddressScheme::Number10 => Some(&signs::NUMBER10),
        AddressScheme::Number10Holes => Some(&signs::NUMBER10_HOLES),
        AddressScheme::Toichika => Some(&signs::TOICHIKA),
        AddressScheme::Tatamibari => Some(&signs::TATAMIBARI),
        AddressScheme::Pipelink => Some(&signs::PIPELINK),
        _ => None,
    }
}

/// Reads a board.
pub(super) fn read(sheet: &Arc<Sheet>, address: &Address) -> Result<SheetBoard, InputError> {
    let name = &address.puzzle_type;
    let mut rows = sheet.addresses.iter().filter(|row| row.names.contains(&name.value));
    let known: Vec<&str> = rows.clone().map(|row| row.letters.as_str()).collect();
    if known.is_empty() {
        return Err(InputError::at(&address.source, name, format!("an address of {}", sheet.name())));
    }
    address.check_variant(&known)?;
    let row = rows.find(|row| is_same(&row.letters, &address.variant.value));
    let row = row.expect("the letters are known");
    // A kakuro address leaves out the first row and the first column.
    let more = usize::from(row.parts.iter().any(|part| part.scheme == AddressScheme::Kakuro));
    let span = Span::new(address.columns.span.start, address.rows.span.end);
    let columns = address.columns.value + more;
    let Some(size) = size::checked(address.rows.value + more, columns) else {
        let found = quote(address.source.slice(span));
        return Err(InputError::new(&address.source, span, "a board of at most 1000000 cells", found));
    };
    let mut body = address.reader();
    let mut filling = Filling::new(sheet, &address.source, size);
    let mut borders = None;
    let mut areas = Vec::new();
    for (number, part) in row.parts.iter().enumerate() {
        let mut reading = Reading {
            sheet,
            size,
            body: &mut body,
            span: address.body.span,
            borders: &mut borders,
            areas: &mut areas,
        };
        for (data, values) in reading.part(part, number)? {
            fill(&mut filling, sheet, size, data, values)?;
        }
    }
    body.finish().map_err(|error| {
        error.with_help("a longer address can be one of a variant, which is not known here")
    })?;
    if let Some((at, a, b)) = borders.and_then(|borders| borders.inside(&areas)) {
        let cell = |cell: usize| format!("r{}c{}", cell / columns + 1, cell % columns + 1);
        let found = format!("a border between {} and {}, which are in the same area", cell(a), cell(b));
        return Err(body.error_at(at, "borders between areas", found));
    }
    filling.finish()
}

/// Returns whether letters are the same, in any order; `sorted` is in alphabetical order.
fn is_same(sorted: &str, letters: &str) -> bool {
    let mut letters: Vec<char> = letters.chars().collect();
    letters.sort_unstable();
    sorted.chars().eq(letters)
}

/// Adds the values of a name to its blocks.
fn fill(
    filling: &mut Filling<'_>,
    sheet: &Sheet,
    size: Size,
    data: usize,
    values: Vec<Spanned<Value>>,
) -> Result<(), InputError> {
    let mut values = values.into_iter();
    for (block, field) in blocks(sheet, data) {
        let lengths = lengths(block.scheme, size);
        let rows: Rows<Spanned<Value>> =
            lengths.into_iter().map(|length| values.by_ref().take(length).collect()).collect();
        let rows = if matches!(block.scheme, Scheme::ColumnLists | Scheme::RowLists) {
            rows.into_iter()
                .map(|row| row.into_iter().rev().filter(|value| value.value != Value::None).collect())
                .collect()
        } else {
            rows
        };
        filling.field(block, field, &rows)?;
    }
    Ok(())
}

/// Returns whether a part of an address, counted from 0, can be missing if it has no data and nothing follows it.
fn can_be_left_out(part: &AddressPart, number: usize) -> bool {
    matches!(part.scheme, AddressScheme::Empty | AddressScheme::Marks)
        || part.scheme == AddressScheme::Number16 && number > 0
}

/// Iterates over the blocks that contain a name, each with the index of the name in the block.
fn blocks(sheet: &Sheet, data: usize) -> impl Iterator<Item = (&DataBlock, usize)> {
    let field = move |block: &DataBlock| block.fields.iter().position(|field| *field == data);
    sheet.blocks.iter().filter_map(move |block| Some((block, field(block)?)))
}

/// Returns the number of values in each row of a block, as addresses list them. A column or row of a list has as many places as
/// it can have runs.
fn lengths(scheme: Scheme, size: Size) -> Vec<usize> {
    let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
    match scheme {
        Scheme::ColumnLists => vec![rows.div_ceil(2); columns],
        Scheme::RowLists => vec![columns.div_ceil(2); rows],
        Scheme::Number => vec![1],
        scheme => block::lengths(scheme, size),
    }
}

/// Returns the number of values of a name.
fn count(sheet: &Sheet, data: usize, size: Size) -> usize {
    blocks(sheet, data).map(|(block, _)| lengths(block.scheme, size).iter().sum::<usize>()).sum()
}

fn clue_value(clue: AddressClue) -> Value {
    match clue {
        AddressClue::Number(number) => Value::Number(number.into()),
        AddressClue::Unknown => Value::symbol(UNKNOWN),
    }
}

fn clue_values(clues: &[Option<AddressClue>]) -> Vec<Value> {
    clues.iter().map(|clue| clue.map_or(Value::None, clue_value)).collect()
}

fn symbols(states: impl IntoIterator<Item = u32>, symbols: &[&str]) -> Vec<Value> {
    let symbol = |state: u32| match symbols.get(state as usize) {
        None | Some(&"") => Value::None,
        Some(symbol) => Value::symbol(symbol),
    };
    states.into_iter().map(symbol).collect()
}

struct Reading<'r, 'a> {
    sheet: &'r Arc<Sheet>,
    size: Size,
    body: &'r mut BodyReader<'a>,
    span: Span,
    /// The borders between areas, once known.
    borders: &'r mut Option<Borders>,
    /// The number of the area of each cell, once known.
    areas: &'r mut Vec<Option<usize>>,
}

/// A name of data, by its index, with its values in the order of their keys.
type FieldValues = (usize, Vec<Spanned<Value>>);

impl Reading<'_, '_> {
    /// Reads a part: the values of its names. `number` counts the parts from 0.
    fn part(&mut self, part: &AddressPart, number: usize) -> Result<Vec<FieldValues>, InputError> {
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

    /// Reads the values of each name of a part, of which `data` is the first, with `count` values.
    fn values(
        &mut self,
        part: &AddressPart,
        data: usize,
        count: usize,
    ) -> Result<Vec<Vec<Value>>, InputError> {
        let (rows, columns) = (usize::from(self.size.rows), usize::from(self.size.columns));
        if let Some(signs) = signs(part.scheme) {
            return Ok(vec![signs.read(self.body, count)?.into_iter().map(sign_value).collect()]);
        }
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
            AddressScheme::Circle => vec![symbols(digits::read_threes(self.body, count)?, &CIRCLES)],
            AddressScheme::Balance => circles(&number16::read(self.body, count)?),
            AddressScheme::Makaro => self.makaro(count)?,
            AddressScheme::Castle => {
                let squares = castle::read(self.body, count)?;
                let numbers: Vec<_> = squares.iter().map(|square| square.map(|(_, clue)| clue.1)).collect();
                let directions = squares.iter().map(|square| square.map_or(0, |(_, clue)| clue.0));
                let colours = squares.iter().map(|square| square.map_or(0, |(colour, _)| colour));
                vec![clue_values(&numbers), symbols(directions, &DIRECTIONS), symbols(colours, &CIRCLES)]
            }
            AddressScheme::Sashigane => self.sashigane(count)?,
            AddressScheme::StartGoal => vec![self.ends(rows, columns)?],
            AddressScheme::Tapa => vec![self.tapa(count)?],
            AddressScheme::Minarism => {
                let squares = number16::read_with_signs(self.body, count, 2)?;
                let across = rows * (columns - 1);
                let value = |(at, square): (usize, Option<ClueOrSign>)| match square {
                    None => Value::None,
                    Some(ClueOrSign::Clue(clue)) => clue_value(clue),
                    Some(ClueOrSign::Sign(sign)) => {
                        Value::symbol(SIGNS[usize::from(at >= across)][sign as usize])
                    }
                };
                vec![squares.into_iter().enumerate().map(value).collect()]
            }
            AddressScheme::Empty if self.sheet.data[data].sort == DataSort::Areas => {
                let left_out = digits::read_fives(self.body, count)?;
                vec![self.area_labels(|cell| left_out[cell] == 0)?]
            }
            AddressScheme::Marks => {
                let left_out = marks::read(self.body, count)?;
                vec![self.area_labels(|cell| !left_out[cell])?]
            }
            AddressScheme::Empty => {
                let symbol = self.only_symbol(data);
                vec![symbols(digits::read_fives(self.body, count)?, &["", &symbol])]
            }
            AddressScheme::OneCell => {
                let symbol = self.only_symbol(data);
                vec![symbols(one_cell::read(self.body, count)?.into_iter().map(u32::from), &["", &symbol])]
            }
            AddressScheme::StarCount => vec![vec![self.star_count()?]],
            AddressScheme::Border => {
                *self.borders = Some(Borders::read(self.body, rows, columns)?);
                vec![self.area_labels(|_| true)?]
            }
            AddressScheme::RoomNumber16 => vec![self.room_numbers()?],
            AddressScheme::ArrowNumber16 => {
                let squares = arrow_number16::read(self.body, count)?;
                let numbers: Vec<_> = squares.iter().map(|square| square.map(|square| square.1)).collect();
                let directions = squares.iter().map(|square| square.map_or(0, |square| square.0));
                vec![clue_values(&numbers), symbols(directions, &DIRECTIONS)]
            }
            AddressScheme::Stars => vec![self.stars(rows, columns)?],
            AddressScheme::Kakuro => kakuro_values(&kakuro::read(self.body, rows - 1, columns - 1)?),
            AddressScheme::Slash
            | AddressScheme::Number10
            | AddressScheme::Number10Holes
            | AddressScheme::Toichika
            | AddressScheme::Tatamibari
            | AddressScheme::Pipelink => Vec::new(),
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

    /// Reads the numbers in circles, and the marks.
    fn sashigane(&mut self, count: usize) -> Result<Vec<Vec<Value>>, InputError> {
        let squares = number16::read_with_signs(self.body, count, 4)?;
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
                    return Err(self.body.error_here("numbers up to 255, and no unknown direction"));
                }
            };
            numbers.push(number);
            marks.push(mark);
        }
        Ok(vec![numbers, marks])
    }

    /// Reads the column and the row of the start, and those of the goal.
    fn ends(&mut self, rows: usize, columns: usize) -> Result<Vec<Value>, InputError> {
        let mut values = vec![Value::None; rows * columns];
        for symbol in ENDS {
            let place: Vec<usize> = number16::read(self.body, 2)?
                .into_iter()
                .map(|clue| if let Some(AddressClue::Number(at)) = clue { at as usize } else { 0 })
                .collect();
            if !(1..=columns).contains(&place[0]) || !(1..=rows).contains(&place[1]) {
                return Err(self
                    .body
                    .error_here("the column and the row of a start and a goal on the board"));
            }
            values[(place[1] - 1) * columns + place[0] - 1] = Value::symbol(symbol);
        }
        Ok(values)
    }

    /// Reads several numbers in a cell, which become the digits of one number.
    fn tapa(&mut self, count: usize) -> Result<Vec<Value>, InputError> {
        let mut values = Vec::new();
        for numbers in tapa::read(self.body, count)? {
            values.push(match numbers {
                None => Value::None,
                Some(numbers) if numbers == [None] => Value::symbol(UNKNOWN),
                Some(mut numbers) => {
                    numbers.sort_unstable();
                    let digits: Option<i64> =
                        numbers.iter().try_fold(0, |all, digit| Some(10 * all + i64::from((*digit)?)));
                    let Some(digits) = digits else {
                        return Err(self.body.error_here("no clue with some numbers that are not known"));
                    };
                    Value::Number(digits)
                }
            });
        }
        Ok(values)
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
        let directions = symbols(directions, &DIRECTIONS);
        let areas = self.area_labels(|cell| closed(&squares[cell]).is_none())?;
        Ok(vec![squares.iter().map(number).collect(), directions, areas])
    }

    fn absent(&self, count: usize) -> Vec<Spanned<Value>> {
        vec![Spanned::new(Value::None, self.span); count]
    }

    fn only_symbol(&self, data: usize) -> String {
        let empty = self.sheet.data.iter().map(|data| DataValues::empty(&data.sort, self.size)).collect();
        only_symbol(&SheetBoard::new(Arc::clone(self.sheet), self.size, empty), data)
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
        let label = |area: &Option<usize>| {
            area.and_then(|area| i64::try_from(area).ok()).map_or(Value::None, Value::Number)
        };
        Ok(self.areas.iter().map(label).collect())
    }

    /// Reads a number for each area, which belongs to its first cell.
    fn room_numbers(&mut self) -> Result<Vec<Value>, InputError> {
        let areas: Vec<usize> = self.borders()?.areas(|_| true).into_iter().flatten().collect();
        let count = areas.iter().max().map_or(0, |most| most + 1);
        let clues = clue_values(&number16::read(self.body, count)?);
        let mut next = 0;
        let values = areas.iter().map(|&area| {
            let is_first = area == next;
            next += usize::from(is_first);
            if is_first { clues[area].clone() } else { Value::None }
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

fn number_value(number: Option<u32>) -> Value {
    number.map_or(Value::None, |number| Value::Number(number.into()))
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

/// Returns the numbers and the colours of circles: twice the number, and 1 more for a black circle.
fn circles(clues: &[Option<AddressClue>]) -> Vec<Vec<Value>> {
    let code = |clue: &Option<AddressClue>| match clue {
        Some(AddressClue::Number(code)) => Some(*code),
        _ => None,
    };
    let number = |clue| code(clue).map(|code| code / 2).filter(|number| *number > 0);
    let colour = |clue| code(clue).map_or(Value::None, |code| Value::symbol(COLOURS[code as usize % 2]));
    vec![clues.iter().map(|clue| number_value(number(clue))).collect(), clues.iter().map(colour).collect()]
}

fn kakuro_values(cells: &[Option<kakuro::Sums>]) -> Vec<Vec<Value>> {
    let sums =
        |at: usize| cells.iter().map(|cell| number_value(cell.as_ref().and_then(|sums| sums[at]))).collect();
    let closed = |cell: &Option<kakuro::Sums>| if cell.is_some() { Value::Bool(true) } else { Value::None };
    vec![sums(0), sums(1), cells.iter().map(closed).collect()]
}

fn star_code(row: usize, column: usize) -> i64 {
    1 + i64::from(row % 2 == 1) + 2 * i64::from(column % 2 == 1)
}

/// Returns the only symbol that data can have.
fn only_symbol(board: &SheetBoard, data: usize) -> String {
    match board.possible(data) {
        Ok(Some(Value::Set(values))) if values.items().len() == 1 => values.items()[0].to_string(),
        _ => "#".to_owned(),
    }
}
