//! Reads solutions from JSON, from lines `name = 1 2 3`, and from rows of tokens.

use num_bigint::BigUint;

use crate::format::{DataValue, InputError, NamedValue, Record, Source, Span, Spanned, counted, text};
use crate::rules::{Field, Grid, Solution};

/// Reads a solution from lines `name = 1 2 3`, the format of [`Solution::named_values`].
///
/// # Errors
/// Returns an error if a line does not consist of a name, `=`, and numbers.
pub fn from_lines(source: &Source) -> Result<Solution, InputError> {
    let mut solution = Solution::new();
    for row in text::rows(source) {
        let [name, equals, numbers @ ..] = &row.cells[..] else {
            let expected = "a line `name = number`";
            return Err(InputError::new(source, row.span, expected, "no number"));
        };
        if equals.value != "=" {
            return Err(InputError::at(source, equals, "`=`"));
        }
        let number = |token: &Spanned<String>| {
            whole(&token.value).ok_or_else(|| {
                InputError::at(source, token, format!("a number of at most {MOST_DIGITS} digits"))
            })
        };
        let mut fields = numbers.iter().map(number).collect::<Result<Vec<Field>, _>>()?;
        let field = if fields.len() == 1 { fields.pop() } else { list(fields) };
        let field = field.ok_or_else(|| {
            let found = "a negative number in a list with a number above 128 bits";
            InputError::new(source, row.span, "numbers from 0", found)
        })?;
        solution = solution.with(name.value.clone(), field);
    }
    Ok(solution)
}

/// Removes the last line if it contains the value of one of the given objectives, such as `sum: 438, proven optimal`, which
/// `gordian solve` prints after a solution.
#[must_use]
pub fn without_objective<'n>(source: &Source, objectives: impl IntoIterator<Item = &'n str>) -> Source {
    let rows = text::rows(source);
    let is_objective = |row: &text::Row| {
        let name = row.cells[0].value.strip_suffix(':').unwrap_or_default();
        let value = row.cells.get(1).map_or("", |token| token.value.trim_end_matches(','));
        objectives.into_iter().any(|objective| objective == name) && value.parse::<i128>().is_ok()
    };
    match rows.last() {
        Some(row) if is_objective(row) => Source::new(source.name(), &source.text()[..row.span.start]),
        _ => source.clone(),
    }
}

/// Reads a solution from JSON: either the JSON form of a [`Solution`], or a line of `solve --json`, which contains
/// the solution in the field `solution`.
///
/// # Errors
/// Returns an error if a field is not a number, a list of numbers, or a list of rows of equal length.
pub fn from_record(record: &Record) -> Result<Solution, InputError> {
    let entries = match record.get("solution").map(|solution| &solution.value) {
        Some(DataValue::Object(entries)) => entries,
        None if record.get("status").is_some() => {
            let (start, expected) = (record.source.start(), "a solution in the key `solution`");
            return Err(InputError::new(&record.source, start, expected, "a result without a solution"));
        }
        _ => &record.entries,
    };
    from_entries(&record.source, entries)
}

/// Reads a solution from a JSON object, in which each entry is a field of the solution.
///
/// # Errors
/// Returns an error if a field is not a number, a list of numbers, or a list of rows of equal length.
pub fn from_entries(source: &Source, entries: &[NamedValue]) -> Result<Solution, InputError> {
    let mut solution = Solution::new();
    for entry in entries {
        let error = |expected: &str| {
            let found = entry.value.value.description();
            InputError::new(source, entry.value.span, expected, found)
        };
        let field = match &entry.value.value {
            DataValue::Integer(number) => Field::Number(*number),
            DataValue::Boolean(value) => Field::Number(i128::from(*value)),
            DataValue::Array(values)
                if values.first().is_some_and(|first| matches!(first.value, DataValue::Array(_))) =>
            {
                Field::Grid(grid_of(values).ok_or_else(|| error("rows of numbers of one length"))?)
            }
            DataValue::Array(values) => {
                let fields: Option<Vec<Field>> = values.iter().map(|item| whole_of(&item.value)).collect();
                fields.and_then(list).ok_or_else(|| error("numbers"))?
            }
            value @ DataValue::Text(_) => {
                whole_of(value).ok_or_else(|| error(&format!("a number of at most {MOST_DIGITS} digits")))?
            }
            _ => return Err(error("a number, numbers or rows of numbers")),
        };
        solution = solution.with(entry.name.value.clone(), field);
    }
    Ok(solution)
}
/// The maximum number of digits of a number. A limit is needed because parsing takes quadratic time. Solutions of
/// real boards contain much shorter numbers.
const MOST_DIGITS: usize = 100_000;

/// Parses a number of up to [`MOST_DIGITS`] digits.
fn whole(written: &str) -> Option<Field> {
    if written.len() > MOST_DIGITS {
        return None;
    }
    written.parse().map(Field::Number).ok().or_else(|| written.parse().map(Field::Natural).ok())
}

fn whole_of(value: &DataValue) -> Option<Field> {
    match value {
        DataValue::Integer(number) => Some(Field::Number(*number)),
        DataValue::Boolean(value) => Some(Field::Number(i128::from(*value))),
        DataValue::Text(written) => whole(written),
        _ => None,
    }
}

/// Combines numbers into a list field of a solution. Returns `None` if the list contains both a negative number and a
/// number that needs a `BigUint`.
fn list(fields: Vec<Field>) -> Option<Field> {
    let natural = |field| match field {
        Field::Natural(number) => Some(number),
        Field::Number(number) => BigUint::try_from(number).ok(),
        _ => None,
    };
    let small =
        fields.iter().map(|field| if let Field::Number(number) = field { Some(*number) } else { None });
    match small.collect() {
        Some(numbers) => Some(Field::Numbers(numbers)),
        None => fields.into_iter().map(natural).collect::<Option<_>>().map(Field::Naturals),
    }
}

/// Returns the integers in a list, or `None` if another value occurs.
pub(crate) fn numbers_of(values: &[Spanned<DataValue>]) -> Option<Vec<i128>> {
    let number = |value: &Spanned<DataValue>| match &value.value {
        DataValue::Integer(number) => Some(*number),
        DataValue::Boolean(value) => Some(i128::from(*value)),
        DataValue::Text(text) => text.parse().ok(),
        _ => None,
    };
    values.iter().map(number).collect()
}

fn grid_of(rows: &[Spanned<DataValue>]) -> Option<Grid<i128>> {
    let row = |row: &Spanned<DataValue>| match &row.value {
        DataValue::Array(values) => numbers_of(values),
        _ => None,
    };
    let cells: Vec<Vec<i128>> = rows.iter().map(row).collect::<Option<_>>()?;
    let columns = cells.first()?.len();
    let even = cells.iter().all(|row| row.len() == columns);
    even.then(|| Grid::new(cells.len(), columns, cells.into_iter().flatten().collect()))
}

/// Reads the grid of a solution from rows of tokens.
///
/// The function `value` converts the token of a cell to its value. If the token is invalid, `value` returns a
/// description of the expected token.
///
/// # Errors
/// Returns an error if the text does not have `rows` rows of `columns` tokens, or if `value` returns an error.
pub fn grid_from_text(
    source: &Source,
    rows: usize,
    columns: usize,
    value: impl Fn(usize, &str) -> Result<i128, String>,
) -> Result<Solution, InputError> {
    cells_from_text(source, rows, columns, value).map(Solution::from_grid)
}

/// Reads a partly filled grid from rows of tokens. The tokens `?` and `*` mark unknown cells, as in the output of `gordian
/// backbone`. The function `value` converts all other tokens, as for [`grid_from_text`].
///
/// # Errors
/// Returns an error if the text does not have `rows` rows of `columns` tokens, or if `value` returns an error.
pub fn partial_grid_from_text(
    source: &Source,
    rows: usize,
    columns: usize,
    value: impl Fn(usize, &str) -> Result<Option<i128>, String>,
) -> Result<Grid<Option<i128>>, InputError> {
    cells_from_text(source, rows, columns, |cell, token| match token {
        "?" | "*" => Ok(None),
        token => value(cell, token).map_err(|expected| format!("{expected}, or `?` for an unknown cell")),
    })
}

/// Reads a grid from rows of tokens, see [`grid_from_text`].
fn cells_from_text<T>(
    source: &Source,
    rows: usize,
    columns: usize,
    value: impl Fn(usize, &str) -> Result<T, String>,
) -> Result<Grid<T>, InputError> {
    let found = text::rows(source);
    let size_error = |span: Span, (expected, found): (usize, usize), what: &str| {
        let expected = format!("{}, as on the board", counted(expected, what));
        InputError::new(source, span, expected, counted(found, what))
    };
    let mut cells = Vec::with_capacity(rows * columns);
    for (index, row) in found.iter().enumerate() {
        if index == rows {
            return Err(size_error(row.span, (rows, found.len()), "row"));
        }
        if row.cells.len() != columns {
            return Err(size_error(row.span, (columns, row.cells.len()), "cell"));
        }
        for token in &row.cells {
            let value = value(cells.len(), &token.value);
            cells.push(value.map_err(|expected| InputError::at(source, token, expected))?);
        }
    }
    if found.len() < rows {
        return Err(size_error(source.end(), (rows, found.len()), "row"));
    }
    Ok(Grid::new(rows, columns, cells))
}
