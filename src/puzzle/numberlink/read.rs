//! Readers of Numberlink and Amaze: native text, `MiniZinc` Challenge data, data files of `PyCSP3` models, and
//! puzz.link addresses.

use super::{AMAZE, NumberlinkInstance, PUZZLE};
use crate::format::pzpr::{self, Address};
use crate::format::text::TextDocument;
use crate::format::{DataValue, InputError, Record, Source, Span, Spanned};
use crate::puzzle::{Options, PuzzleType, Read};
use crate::rules::Grid;
use crate::rules::numberlink::{Numberlink, Variant};

/// The names of the values in `MiniZinc` Challenge data.
pub(super) const DZN: &[&str] =
    &["X", "Y", "N", "end_points_start_x", "end_points_start_y", "end_points_end_x", "end_points_end_y"];
/// The names of the values in JSON data.
pub(super) const JSON: &[&str] = &["n", "m", "points"];

/// The maximum number of cells. The limit ensures that a short input does not exhaust the memory.
const MOST_CELLS: i128 = 1_000_000;

pub(super) fn from_text(
    document: &TextDocument,
    puzzle_type: &'static PuzzleType,
    options: &Options,
) -> Read {
    document.record.only(&[])?;
    let numbers = document.grid(|token| match token.value.as_str() {
        "." => Ok(None),
        number => match number.parse() {
            Ok(number) if Numberlink::NUMBERS.contains(&number) => Ok(Some((number, token.span))),
            _ => Err(format!("`.` or a number from 1 to {}", Numberlink::NUMBERS.end())),
        },
    })?;
    Reading { source: document.source.clone(), numbers }.finish(puzzle_type, options)
}

pub(super) fn from_address(address: &Address, _: &'static PuzzleType, options: &Options) -> Read {
    let cells = address.number16()?;
    let span = address.body.span;
    let mut board = Reading::new(&address.source, address.rows.value, address.columns.value);
    for (cell, clue) in cells.iter().flatten().enumerate() {
        match clue {
            None => {}
            Some(pzpr::AddressClue::Number(number @ 1..)) => board.put(cell, (*number).into(), span)?,
            Some(clue) => {
                let found = match clue {
                    pzpr::AddressClue::Number(number) => format!("the number {number}"),
                    pzpr::AddressClue::Unknown => "`?`".to_owned(),
                };
                return Err(InputError::new(&address.source, span, "numbers from 1", found));
            }
        }
    }
    board.finish(&PUZZLE, options)
}

/// Reads a board with `X` rows and `Y` columns. Pair i consists of the cells (`start_x[i]`, `start_y[i]`) and
/// (`end_x[i]`, `end_y[i]`).
pub(super) fn from_dzn(record: &Record, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    record.only(DZN)?;
    let mut board = sized(record, "X", "Y")?;
    let count = record.integer("N")?;
    let mut coordinates = Vec::new();
    for &name in &DZN[3..] {
        let values = record.integers(name)?;
        if values.len() as i128 != count.value {
            let expected = format!("{} numbers in `{name}`, since `N = {}`", count.value, count.value);
            let span = record.required(name)?.span;
            return Err(InputError::new(&record.source, span, expected, format!("{}", values.len())));
        }
        coordinates.push(values);
    }
    for (number, pair) in (1..).zip(0..coordinates[0].len()) {
        for end in [0, 2] {
            board.put_at(number, coordinates[end][pair], coordinates[end + 1][pair])?;
        }
    }
    board.finish(puzzle_type, options)
}

/// Reads a board with `n` rows and `m` columns. The list `points` contains two points for each pair, and a point
/// consists of a row and a column, counted from 1.
pub(super) fn from_json(record: &Record, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    record.only(JSON)?;
    let mut board = sized(record, "n", "m")?;
    let points = record.required("points")?;
    let unfit = |given: &Spanned<DataValue>, expected: &str| {
        InputError::new(&record.source, given.span, expected, given.value.description())
    };
    let list = |given: &Spanned<DataValue>, expected: &str| match &given.value {
        DataValue::Array(items) => Ok(items.clone()),
        _ => Err(unfit(given, expected)),
    };
    let two = |given: &Spanned<DataValue>, expected: &str| match <[_; 2]>::try_from(list(given, expected)?) {
        Ok(two) => Ok(two),
        Err(items) => {
            Err(InputError::new(&record.source, given.span, expected, format!("{} of them", items.len())))
        }
    };
    for (number, pair) in (1..).zip(list(points, "an array of pairs of points")?) {
        for point in two(&pair, "two points, [[row, column], [row, column]]")? {
            let [row, column] = two(&point, "a point [row, column]")?;
            let coordinate = |given: &Spanned<DataValue>| match given.value {
                DataValue::Integer(number) => Ok(Spanned::new(number, given.span)),
                _ => Err(unfit(given, "a number")),
            };
            board.put_at(number, coordinate(&row)?, coordinate(&column)?)?;
        }
    }
    board.finish(puzzle_type, options)
}

/// Creates an empty board whose size is given by two named numbers.
fn sized(record: &Record, rows: &str, columns: &str) -> Result<Reading, InputError> {
    let mut sizes = [0, 0];
    for (size, name) in sizes.iter_mut().zip([rows, columns]) {
        let given = record.integer(name)?;
        let Some(positive) = usize::try_from(given.value).ok().filter(|&number| number > 0) else {
            let expected = format!("a number from 1 for `{name}`");
            return Err(InputError::at(&record.source, &given, expected));
        };
        *size = positive;
    }
    let cells = (sizes[0] as i128).checked_mul(sizes[1] as i128);
    if cells.is_none_or(|cells| cells > MOST_CELLS) {
        let span = record.required(columns)?.span;
        let expected = format!("a board of at most {MOST_CELLS} cells");
        return Err(InputError::new(&record.source, span, expected, format!("{} x {}", sizes[0], sizes[1])));
    }
    Ok(Reading::new(&record.source, sizes[0], sizes[1]))
}

/// A board that is being read.
struct Reading {
    source: Source,
    numbers: Grid<Option<(i128, Span)>>,
}

impl Reading {
    fn new(source: &Source, rows: usize, columns: usize) -> Self {
        Self { source: source.clone(), numbers: Grid::new(rows, columns, vec![None; rows * columns]) }
    }

    /// Writes a number into the cell at the given row and column, both counted from 1.
    fn put_at(&mut self, number: i128, row: Spanned<i128>, column: Spanned<i128>) -> Result<(), InputError> {
        let within = |given: Spanned<i128>, size: usize, what: &str| {
            let index = usize::try_from(given.value).ok().filter(|index| (1..=size).contains(index));
            index
                .map(|index| index - 1)
                .ok_or_else(|| InputError::at(&self.source, &given, format!("a {what} from 1 to {size}")))
        };
        let at_row = within(row, self.numbers.rows(), "row")?;
        let at_column = within(column, self.numbers.columns(), "column")?;
        let span = Span::new(row.span.start.min(column.span.start), row.span.end.max(column.span.end));
        // If the row and the column of a point are far apart in the source, for example in different arrays, an error
        // about the cell points only to the column.
        let near = span.end - span.start <= 2 * (column.span.end - column.span.start) + 16;
        self.put(self.numbers.index(at_row, at_column), number, if near { span } else { column.span })
    }

    fn put(&mut self, cell: usize, number: i128, span: Span) -> Result<(), InputError> {
        if let Some((other, _)) = self.numbers[cell] {
            let place = self.numbers.place(cell);
            let expected = format!("an end of {number} in a cell of its own");
            let found = format!("{place}, where an end of {other} is");
            return Err(InputError::new(&self.source, span, expected, found));
        }
        self.numbers.cells_mut()[cell] = Some((number, span));
        Ok(())
    }

    fn finish(self, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
        let variant = if puzzle_type.name == AMAZE.name {
            Variant::Amaze
        } else {
            Variant::Numberlink { all_cells: options.is("cells", "all"), touch: !options.is("touch", "no") }
        };
        let numbers = self.numbers.map(|end| end.map(|(number, _)| number));
        let board = Numberlink::new(&numbers, variant).map_err(|invalid| {
            let span = invalid
                .index
                .and_then(|cell| self.numbers[cell])
                .map_or(self.source.start(), |(_, span)| span);
            InputError::new(&self.source, span, invalid.expected, invalid.found)
        })?;
        Ok(Box::new(NumberlinkInstance { board, least: !options.is("least", "no") }))
    }
}
